// Inside sim: particles of one block to sprites, as vectors.
#pragma once

#include "sim/pool.h"

// How the particles of one emitter are written.  All in turns, frames and seconds.
typedef struct {
    int emitter;
    float life, life_random;
    float size, size_random;
    bool size_changes;
    float size_end, size_end_random;
    const float *size_over, *turned_over; // LOOK_ENTRIES + 1 of them
    const uint32_t *colour_over;          // LOOK_ENTRIES
    bool turns;                           // else no rotation is written
    float rotation, rotation_random, turning, turning_random, flip;
    int frames; // below 2: no frame is written
    int fit;    // SHEET_FIT_LIFE...
    int frame;
    float frame_rate;
    bool frame_any, frames_melt;
} Paint;

// How the emitter's particles are to be written, but for its tables, of a sheet with that many
// frames.
Paint paint_of(const float *values, int emitter, SpriteKind kind, int frames);

// Writes the block's first `count` particles.
void paint_block(const Paint *paint, const Block *block, uint32_t count, Sprite *sprites);

// How far along `forward` those particles are, as numbers that fall with the distance.
void paint_depths(const Block *block, uint32_t count, Vec3 forward, uint32_t *depths);
