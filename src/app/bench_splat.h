// What `motes bench --gpu` also holds OpenGL against where a processor draws: as many particles moved by
// the CPU's engine, and their light summed by all cores into a picture in main memory, which is brought
// into a texture like that of the picture's light.
//
// It is in the benchmark alone: it gains ten times where points are drawn, and not three times over a
// whole frame; README.md has the figures.
#pragma once

#include "app/bench_cpu.h"
#include "gfx/gfx.h"

// Of the picture, one after the other: its red, its green, its blue.
typedef struct {
    Size size; // pixels
    int stride; // floats between a row of a colour and the next colour, and of the last and the next row
    float *values; // bottom row first, linear
} Light;

typedef struct {
    Crowd crowd; // its emitter is drawn, as it is: discs that face the eye and add light
    Light light;
    struct SplatChunk *chunks;
    uint16_t *halves; // RGBA
    Team *team;
} Splat;

// A crowd like the GPU's, in a picture of that size; `threads`: 0 is all.  False and one sentence in
// `why`; free it either way.
bool splat_init(Splat *splat, uint32_t particles, Size size, int threads, char *why, int why_size);
void splat_free(Splat *splat);

// A frame: births and motion, and the light of all sprites, into `light` and `halves`; how many sprites.
uint32_t splat_frame(Splat *splat, float dt);

// Adds to `light`, as if those were the crowd's sprites.  Light beyond the largest point is cut off.
void splat_sprites(Splat *splat, const Sprites *sprites, uint32_t count);

static inline const float *light_row(const Light *light, int y, int colour)
{
    return light->values + (size_t)(y * 3 + colour) * (size_t)light->stride;
}
