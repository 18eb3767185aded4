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
    float eldest;           // s: nobody of it is older
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

// All of a block have taken a step, in which a bounce may have cost any part of a life.
static inline void info_age(BlockInfo *info, const Step *step)
{
    info->eldest = step->collider_count > 0 ? INFINITY : info->eldest + step->dt;
}

// Its newborns live.  None is older than the longest frame, but for what many steps round up.
static inline void info_grow(BlockInfo *info)
{
    if (info->newborns > 0) info->eldest = fmaxf(info->eldest, 1.001f * STALL_LONGEST);
    info->count += info->newborns;
    info->newborns = 0;
}

// Whether any of it can be as old as the shortest life.
static inline bool info_may_die(const BlockInfo *info, float life, float life_random)
{
    return info->eldest >= life * (1 - life_random);
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

// Memory that the processor is asked for before it is needed, a little at a time: it waits where it
// is asked for more than it can have on the way at once, and arrays as short as a block's end before it
// would see by itself what comes next.

// What comes in while a block is moved, as fast as that goes: the next block, and what this one's
// sprites will be written to.  NULL: nothing.
typedef struct {
    const void *block, *places, *looks;
} Ahead;

INLINED void load_lines(const char *at, size_t bytes)
{
#pragma GCC unroll 8
    for (size_t n = 0; n < bytes; n += 64) __builtin_prefetch(at + n, 1);
}

// The share of the particles from `n` on, `count` of them.
INLINED void ahead_load(const Ahead *ahead, size_t n, size_t count)
{
    const size_t each = sizeof(Block) / BLOCK;
    if (ahead->block) load_lines((const char *)ahead->block + n * each, count * each);
    if (!ahead->places) return;
    load_lines((const char *)((const SpritePlace *)ahead->places + n), count * sizeof(SpritePlace));
    load_lines((const char *)((const SpriteLook *)ahead->looks + n), count * sizeof(SpriteLook));
}

enum { BLOCKS_NEAR = 128 }; // that stay in a core's caches from frame to frame

static inline bool pool_is_near(const Pool *pool)
{
    return pool->used_first[EMITTER_SLOTS] <= BLOCKS_NEAR;
}

// That block of those in use, if it is worth it.
static inline Ahead pool_ahead(const Pool *pool, int used)
{
    if (pool_is_near(pool) || used >= pool->used_first[EMITTER_SLOTS]) return (Ahead){ 0 };
    return (Ahead){ .block = &pool->blocks[pool->used[used]] };
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
// Meanwhile what `ahead` says comes in.
void kernel_step(Block *block, uint32_t count, const Step *step, Bounces *bounces,
                 const Ahead *ahead);

// Takes out those that are past their life, and returns how many are left; the last take their
// places, and they, behind the left, theirs.
uint32_t kernel_bury(Block *block, uint32_t count, float life, float life_random);

// What drag k does over each of `count` lengths (s).
typedef struct {
    float half[BLOCK], keep[BLOCK], reach[BLOCK], fall[BLOCK], kick[BLOCK];
} Drags;

void kernel_drag(float k, float jitter, const float *dt, uint32_t count, Drags *drags);

// Every number of a block but its keys times `times`; the sum of those.
uint32_t kernel_stream(Block *block, float times);

const char *kernel_clone(void); // which of its clones this processor runs

// ---- collide.c: what hinders a step, as vectors --------------------------------------------------

// A block as it was before the step.
typedef struct {
    _Alignas(64) float x[BLOCK], y[BLOCK], z[BLOCK], vx[BLOCK], vy[BLOCK], vz[BLOCK];
} Before;

void collide_begin(Before *before, const Block *block, uint32_t count);

// Of `count` particles (whole tiles, of which the first `living` live) that were stepped from
// `before` as if nothing were in their way: gives them the speed of their age, and lets them bounce.
void collide_end(const Before *before, Block *block, uint32_t count, uint32_t living,
                 const Step *step, Bounces *bounces);
