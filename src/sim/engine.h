// Inside sim: what sim.c (birth, motion) and sprites.c (drawing) share.
#pragma once

#include "sim/birth.h"
#include "sim/events.h"
#include "sim/pool.h"

enum { BAKED = 256 };

// How an emitter's particles look over their life, baked when its curves change.
typedef struct {
    bool baked;
    uint32_t size_version, colour_version;
    float size[BAKED];      // x
    uint32_t colour[BAKED]; // as in Sprite
} Look;

// What all particles of an emitter share in the frame at work.
typedef struct {
    const float *values;
    float life, life_random;
    Births births; // those that fit into the pool
    Step steps[SUBSTEPS_MAX];
} Share;

// The sprites of one emitter while they are written.
typedef struct {
    const float *values;
    const Look *look;
    int emitter;
    uint32_t first, count; // of the sprites
    bool sorted;           // by depth: order[first...] says which particles, far first
} Batch;

// A part of a batch that one thread writes: particles of one block, or a stretch of `order`.
typedef struct {
    const Batch *batch;
    const Block *block; // NULL: of `order`
    uint32_t first, count;
} Chunk;

struct Sim {
    uint32_t seed;
    Team *team;
    Pool pool;
    Swarm emitters[EMITTER_SLOTS], fields[FIELD_SLOTS];
    Look looks[EMITTER_SLOTS];
    Share shares[EMITTER_SLOTS];
    Events events;
    struct {
        uint32_t generation;
        float bursts_seen; // the trigger's counter
        uint32_t bursts;   // asked for since the last hop
    } systems[SYSTEM_SLOTS];

    // The frame at work, for the threads to read.
    const Motion *motion;
    uint32_t frame;
    int substeps;
    float dt;

    // The sprites at work.
    Vec3 forward;
    Sprite *sprites;
    Batch batches[EMITTER_SLOTS];
    int batch_count;
    Chunk *chunks; // two a block are enough: blocks, and stretches of at most BLOCK of each batch
    int chunk_count;
    uint32_t *depths[2], *order[2]; // of each sprite of a sorted batch; the sort's two sides
};
