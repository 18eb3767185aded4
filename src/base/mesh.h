// Small bodies of triangles: read from OBJ text, or built in.  Allocates: never inside a frame.
#pragma once

#include <stdint.h>

#include "base/maths.h"

enum { MESH_MOST = 65536 }; // points, faces and edges each

// Fitted: the middle of its bounds is the origin, its longest half side 1.
typedef struct {
    Vec3 *points;
    uint32_t (*faces)[3]; // triangles; counter-clockwise seen from outside
    uint32_t (*edges)[2]; // of the polygons as they were given, and lines; each once
    int point_count, face_count, edge_count;
} Mesh;

// From the text of an OBJ file: v, f (polygons of any number of corners, negative numbers too) and l
// count, everything else is passed over.  NULL and one sentence "FILE:LINE: what" (`file` is only
// named) when a line is wrong, there is neither face nor line nor point, or it is larger than
// MESH_MOST.  The caller frees.
Mesh *mesh_read(const char *text, const char *file, char *why, int why_size);

// "tetrahedron", "cube", "octahedron", "sphere", "torus".  NULL: none of that name, or out of memory.
Mesh *mesh_built_in(const char *name);
const char *mesh_built_in_name(int n); // the n-th name; NULL behind the last

void mesh_free(Mesh *mesh); // NULL is fine

Vec3 mesh_face_normal(const Mesh *mesh, int face); // of length 1, or 0 for a face without area
