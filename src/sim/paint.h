// Inside sim: particles of one block to sprites, as vectors.
#pragma once

#include <string.h>

#include "sim/pool.h"

// Size and colour at a share of life.  Looking things up costs more than all other sums together: so
// both are one word, in a table that is fine enough to take the nearest entry.  Entry n stands at
// n / (SHADES - 1) of life.
typedef uint64_t Shade;

enum { SHADES = 1024 };

static inline Shade shade_of(float size, uint32_t colour)
{
    uint32_t bits;
    memcpy(&bits, &size, sizeof bits);
    return (Shade)colour << 32 | bits;
}

static inline float shade_size(Shade shade)
{
    const uint32_t bits = (uint32_t)shade;
    float size;
    memcpy(&size, &bits, sizeof size);
    return size;
}

// How the particles of one emitter are written.  All in turns, frames and seconds.
typedef struct {
    int emitter;
    float life, life_random;
    float size, size_random;
    bool size_changes;
    float size_end, size_end_random;
    const Shade *shades;      // SHADES
    const float *turned_over; // LOOK_ENTRIES + 1
    const float *speed_over;  // of SpeedCurve; NULL: 1
    bool turns;               // else neither rotation nor frame is written, but 0
    float rotation, rotation_random, turning, turning_random, flip;
    int frames;
    int fit; // SHEET_FIT_LIFE...
    int frame;
    float frame_rate;
    bool frame_any, frames_melt;
    bool stretches; // else no way is written
} Paint;

// How the emitter's particles are to be written, but for its tables, of a sheet with that many
// frames.
Paint paint_of(const float *values, int emitter, SpriteKind kind, int frames);

// Writes the block's first `living` particles, to where `sprites` begin.
void paint_block(const Paint *paint, const Block *block, uint32_t living, const Sprites *sprites);

// How far along `forward` those particles are, as numbers that fall with the distance.
void paint_depths(const Block *block, uint32_t count, Vec3 forward, uint32_t *depths);
