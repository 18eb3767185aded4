// What the areas `mesh` and `image` are made of: patches, one of which each birth picks.  A triangle, an
// edge, a corner of a mesh and a pixel of an image are all patches: a place and none, one or two sides.
// Making allocates: never inside a frame; the rest is pure.
#pragma once

#include "control/control.h"

enum {
    PATCHES_MOST = 65536,
    SHAPE_IMAGE_SIDE = 256, // an image is reduced to at most this many pixels a side
};

// 64 bytes: as it lies here it goes into a texture of four texels a patch.
typedef struct {
    float at[3];     // m, in a cube of half side 1
    float keep;      // 0..1: below it the pick stays here ...
    float u[3];      // a side
    float other;     // ... else it goes to that patch (a whole number)
    float v[3];      // the other side
    float folded;    // 1: a triangle; 0: the whole parallelogram
    float normal[3]; // of length 1, or 0: births go any way
    float spare;
} Patch;

typedef struct {
    Patch *patches;
    int count; // 1..PATCHES_MOST
} Shape;

// Patches of a mesh: AREA_FROM_SURFACE picks by area, AREA_FROM_EDGES by length, AREA_FROM_VERTICES all alike.
// NULL and one sentence, in which `name` is the mesh, when it has none of them or memory is out.
Shape *shape_of_mesh(const Mesh *mesh, int from, const char *name, char *why, int why_size);

// Patches of an image of RGBA bytes, top row first: its pixels, picked by their linear light times
// opacity; those darker than a fiftieth are none.  It stands upright, its longer half side is 1.
Shape *shape_of_image(const uint8_t *rgba, int width, int height, const char *name, char *why,
                      int why_size);

void shape_free(Shape *shape); // NULL is fine

// Where a birth with this key happens, before it is scaled; the normal as in Patch.
Vec3 shape_place(const Shape *shape, uint32_t key, Vec3 *normal);
