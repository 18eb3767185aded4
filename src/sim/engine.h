// Inside sim: what sim.c (frames), newborn.c (birth), events.c (births of what happened) and sprites.c
// (drawing) share.
#pragma once

#include "sim/birth.h"
#include "sim/events.h"
#include "sim/paint.h"
#include "sim/pool.h"

#include <stdatomic.h>

enum { STRETCH = 2048 }; // sorted sprites that are brought into their order at once

// A table shared by all emitters of the same curves and gradient.
typedef struct {
    LookSource source;
    int users; // emitters
    Shade shades[SHADES];
    float turned[LOOK_ENTRIES + 1]; // the last entry twice
} Look;

// What all particles of an emitter share in the frame at work.
typedef struct {
    const float *values;
    Motion felt;   // at the frame's start
    Births births; // those that fit into the pool
    Step steps[SUBSTEPS_MAX];
} Share;

// The sprites of one emitter while they are written.
typedef struct {
    int emitter;
    int layer;
    SpriteKind kind;
    bool covers;
    uint32_t first, next, end; // its place among the sprites, and how far it is given away
    Paint paint;
} Batch;

// A part of the sprites that one thread writes: those of one block, or a stretch of a sorted run.
typedef struct {
    const Batch *batch;    // of a block
    uint32_t first, count; // its room among the sprites
} Chunk;

// What was told of the sprites of a step.
typedef struct {
    SpriteView view;
    Sprites sprites;
    uint32_t capacity;
    bool wanted;  // of the next step
    bool written; // by the last one, all that sim_sprites would write before it sorts
} Drawing;

struct Sim {
    uint32_t seed;
    Team *team;
    Pool pool;
    Swarm emitters[EMITTER_SLOTS], fields[FIELD_SLOTS];
    Look looks[EMITTER_SLOTS], *look_of[EMITTER_SLOTS];
    Share shares[EMITTER_SLOTS];
    SpeedCurve speeds[EMITTER_SLOTS];
    Events events;

    float heard[ANALYSIS_BANDS]; // see sim_heard
    float heard_for;             // s of this frame

    // The frame at work, for the threads to read.
    const Motion *motion;
    uint32_t frame;
    int substeps;
    float dt;

    // sim_stream at work.
    float stream_times;
    atomic_uint stream_sum;

    // The sprites at work.
    Drawing drawing;
    Batch batches[EMITTER_SLOTS]; // in the order of drawing
    int batch_count;
    uint32_t sprite_count;
    const SpriteRun *runs;
    Chunk *chunks;    // one for each of pool.used; without room where nobody sees it
    Chunk *stretches; // of sorted runs
    int stretch_count;
    bool sorts_ways;                // some of them are stretched along theirs
    Sprites unsorted;               // of the sorted runs, where they are written at first
    uint32_t *depths[2], *order[2]; // of those; the sort's two sides
};

// ---- over all cores -----------------------------------------------------------------------------

enum { UNITS_WORTH = 8 }; // fewer are done before another thread has woken

// A job for each unit of the blocks in use.
static inline void work_units(Sim *sim, void (*job)(void *sim, int unit))
{
    const int units = pool_units(&sim->pool);
    if (units >= UNITS_WORTH) {
        team_run(sim->team, job, sim, units);
        return;
    }
    for (int n = 0; n < units; n++) job(sim, n);
}

// ---- newborn.c: births of a frame ----------------------------------------------------------------

// Puts the newborns of a block behind its living, as they are at the end of the frame of dt.
void newborns_put(const Share *share, uint32_t frame, float dt, const BlockInfo *info,
                  Block *block);

// ---- sprites.c: particles to sprites ------------------------------------------------------------

// A step begins, its births have their blocks: will it write the sprites as well?
void sprites_begin(Sim *sim, const Params *params);

// Adds to `ahead` where the step will write those of one of the blocks in use.
void sprites_ahead(const Sim *sim, int used, Ahead *ahead);

// Writes them, where they have room.
void sprites_write(const Sim *sim, int used);
