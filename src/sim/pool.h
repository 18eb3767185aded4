// Inside sim: where CPU particles lie.  Blocks of BLOCK particles, each of one emitter, as arrays
// of one number each: 32 bytes a particle.  Life, size and everything else random are cut from the
// key when needed.
//
// Births fill the emitter's open block.  When it is full, a free block is opened; when there is
// none, the block whose last birth is the longest ago is reused, whoever's it is.  Small blocks let
// many small emitters share the room; two lists make opening one the same work in any pool.
#pragma once

#include "sim/step.h"

enum { BLOCK = 256, TILE = 32 };

typedef struct {
    _Alignas(64) float x[BLOCK];
    float y[BLOCK], z[BLOCK];              // m
    float vx[BLOCK], vy[BLOCK], vz[BLOCK]; // m/s
    float age[BLOCK];                      // s
    uint32_t key[BLOCK];
} Block;

enum { NOBODY = -1 };

// What is known of a block; apart from the block, because every frame looks at all of these.
typedef struct {
    int emitter;            // slot, or NOBODY
    uint32_t count;         // the living, in front
    uint32_t newborns;      // room taken behind them for births ...
    uint32_t newborn_first; // ... from this one of the emitter's on
    uint32_t dead;          // how many of the last step's dead lie behind the living
    int older,
        newer; // neighbours by last birth, or NOBODY; of a free block, `newer` is the next free one
} BlockInfo;

typedef struct {
    Block *blocks;
    BlockInfo *infos;
    int count;
    int open[EMITTER_SLOTS]; // the block that takes births, or NOBODY
    int free;                // the first free block, or NOBODY
    int oldest, newest;      // of those in use, by last birth, or NOBODY

    // The blocks in use, emitter by emitter in slot order, as of the last pool_list: those of a slot
    // are used[used_first[slot]] up to used_first[slot + 1].
    int *used;
    int used_first[EMITTER_SLOTS + 1];
    // The living, as of the last pool_list.
    uint32_t alive[EMITTER_SLOTS], alive_all;
} Pool;

bool pool_init(Pool *pool, uint32_t capacity); // false: out of memory
void pool_free(Pool *pool);

// Room for `count` births of an emitter, at most the pool's; the oldest of others go where it is
// full.
void pool_assign(Pool *pool, int emitter, uint32_t count);

void pool_drop(Pool *pool, int emitter); // all its particles, and its blocks
void pool_close(Pool *pool);             // behind a step: empty blocks are free again
void pool_list(Pool *pool);              // who has which blocks, and how many live

// A thread works on a handful of the blocks in use: taking them one by one would cost more than it
// evens out.
enum { UNIT = 8 };

static inline int pool_units(const Pool *pool)
{
    return (pool->used_first[EMITTER_SLOTS] + UNIT - 1) / UNIT;
}

static inline int unit_end(const Pool *pool, int unit)
{
    const int end = (unit + 1) * UNIT, last = pool->used_first[EMITTER_SLOTS];
    return end < last ? end : last;
}

static inline Particle block_get(const Block *block, uint32_t at, float life, float life_random)
{
    return (Particle){
        .position = { block->x[at], block->y[at], block->z[at] },
        .velocity = { block->vx[at], block->vy[at], block->vz[at] },
        .age = block->age[at],
        .life = life_of(life, life_random, block->key[at]),
    };
}

static inline void block_put(Block *block, uint32_t at, const Particle *p, uint32_t key)
{
    block->x[at] = p->position.x;
    block->y[at] = p->position.y;
    block->z[at] = p->position.z;
    block->vx[at] = p->velocity.x;
    block->vy[at] = p->velocity.y;
    block->vz[at] = p->velocity.z;
    block->age[at] = p->age;
    block->key[at] = key;
}

// ---- loading ahead ------------------------------------------------------------------------------

// Memory that the processor loads ahead, a little at a time: it waits where it is asked for more than
// it can have on the way at once, and arrays as short as a block's end before it would see by itself
// what comes next.
typedef struct {
    const char *at, *end;
} Fetch;

static inline Fetch fetch_of(const void *begin, size_t bytes)
{
    return (Fetch){ begin, (const char *)begin + bytes };
}

static inline void fetch_lines(Fetch *fetch, int lines)
{
    for (; lines > 0 && fetch->at < fetch->end; lines--, fetch->at += 64)
        __builtin_prefetch(fetch->at, 1);
}

static inline void fetch_some(Fetch *fetch)
{
    fetch_lines(fetch, 16);
}

static inline void fetch_rest(Fetch *fetch)
{
    fetch_lines(fetch, (int)(fetch->end - fetch->at + 63) / 64);
}

enum { BLOCKS_NEAR = 128 }; // that stay in a core's caches from frame to frame

static inline bool pool_is_near(const Pool *pool)
{
    return pool->used_first[EMITTER_SLOTS] <= BLOCKS_NEAR;
}

// One of the blocks in use, if it is worth it.
static inline Fetch pool_fetch(const Pool *pool, int used)
{
    const int last = pool->used_first[EMITTER_SLOTS];
    if (pool_is_near(pool) || used >= last) return (Fetch){ NULL, NULL };
    return fetch_of(&pool->blocks[pool->used[used]], sizeof(Block));
}

// ---- kernel.c: particles of one block, as vectors -----------------------------------------------

// A bounce off a collider.
typedef struct {
    uint32_t key;  // of the particle
    Vec3 position; // m
    Vec3 velocity; // m/s, that came in
    Vec3 normal;   // unit, of what was hit
    float age;     // s, at the end of the step
} Bounce;

// Where bounces are written, in the order of the block; those without room are only counted.
typedef struct {
    Bounce *at;
    uint32_t room, count;
} Bounces;

// Moves the block's first `count` by one step.  `bounces` (else NULL) has those of the step added.
void kernel_step(Block *block, uint32_t count, const Step *step, Bounces *bounces);

// Takes out those that are past their life, and returns how many are left; the last take their
// places, and they, behind the left, theirs.
uint32_t kernel_bury(Block *block, uint32_t count, float life, float life_random);

// What drag k does over each of `count` lengths (s).
typedef struct {
    float half[BLOCK], keep[BLOCK], reach[BLOCK], fall[BLOCK], kick[BLOCK];
} Drags;

void kernel_drag(float k, float jitter, const float *dt, uint32_t count, Drags *drags);

const char *kernel_clone(void); // which of its clones this processor runs

// ---- collide.c: what hinders a step, as vectors --------------------------------------------------

enum { STRIP = BLOCK < 512 ? BLOCK : 512 }; // particles that are stepped at once

// A strip as it was before the step.
typedef struct {
    _Alignas(64) float x[STRIP], y[STRIP], z[STRIP], vx[STRIP], vy[STRIP], vz[STRIP];
} Before;

void collide_begin(Before *before, const Block *block, uint32_t at, uint32_t count);

// Of `count` particles (whole tiles, of which the first `living` live) that were stepped from
// `before` as if nothing were in their way: gives them the speed of their age, and lets them bounce.
void collide_end(const Before *before, Block *block, uint32_t at, uint32_t count, uint32_t living,
                 const Step *step, Bounces *bounces);
