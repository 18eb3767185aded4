#include "sim/pool.h"

#include <stdlib.h>
#include <string.h>

// ---- who is free, and who is oldest -------------------------------------------------------------

static void put_free(Pool *pool, int block)
{
    pool->infos[block] = (BlockInfo){ .emitter = NOBODY, .older = NOBODY, .newer = pool->free };
    pool->free = block;
}

static void unlink_block(Pool *pool, int block)
{
    const BlockInfo *info = &pool->infos[block];
    *(info->older == NOBODY ? &pool->oldest : &pool->infos[info->older].newer) = info->newer;
    *(info->newer == NOBODY ? &pool->newest : &pool->infos[info->newer].older) = info->older;
}

static void link_newest(Pool *pool, int block)
{
    BlockInfo *info = &pool->infos[block];
    info->older = pool->newest;
    info->newer = NOBODY;
    *(pool->newest == NOBODY ? &pool->oldest : &pool->infos[pool->newest].newer) = block;
    pool->newest = block;
}

static void release(Pool *pool, int block)
{
    const int emitter = pool->infos[block].emitter;
    if (pool->open[emitter] == block) pool->open[emitter] = NOBODY;
    unlink_block(pool, block);
    put_free(pool, block);
}

// ---- life of the pool ---------------------------------------------------------------------------

bool pool_init(Pool *pool, uint32_t capacity)
{
    *pool = (Pool){
        .count = (int)((capacity + BLOCK - 1) / BLOCK),
        .free = NOBODY,
        .oldest = NOBODY,
        .newest = NOBODY,
    };
    pool->blocks = aligned_alloc(64, sizeof(Block) * (size_t)pool->count);
    pool->infos = calloc((size_t)pool->count, sizeof(BlockInfo));
    pool->used = calloc((size_t)pool->count, sizeof *pool->used);
    if (!pool->blocks || !pool->infos || !pool->used) return false;
    // Kernels work on whole tiles, so what lies behind the living must be numbers.
    memset(pool->blocks, 0, sizeof(Block) * (size_t)pool->count);
    for (int n = pool->count; n-- > 0;) put_free(pool, n);
    for (int n = 0; n < EMITTER_SLOTS; n++) pool->open[n] = NOBODY;
    return true;
}

void pool_free(Pool *pool)
{
    free(pool->blocks);
    free(pool->infos);
    free(pool->used);
    *pool = (Pool){ 0 };
}

// ---- births -------------------------------------------------------------------------------------

static void open_block(Pool *pool, int emitter)
{
    if (pool->free == NOBODY) release(pool, pool->oldest);
    const int block = pool->free;
    pool->free = pool->infos[block].newer;
    pool->infos[block].emitter = emitter;
    link_newest(pool, block);
    pool->open[emitter] = block;
}

static uint32_t room_in(const Pool *pool, int block)
{
    if (block == NOBODY) return 0;
    return BLOCK - pool->infos[block].count - pool->infos[block].newborns;
}

void pool_assign(Pool *pool, int emitter, uint32_t count)
{
    for (uint32_t done = 0; done < count;) {
        if (room_in(pool, pool->open[emitter]) == 0) open_block(pool, emitter);
        const int block = pool->open[emitter];
        const uint32_t room = room_in(pool, block);
        const uint32_t share = count - done < room ? count - done : room;
        BlockInfo *info = &pool->infos[block];
        if (info->newborns == 0) info->newborn_first = done;
        info->newborns += share;
        done += share;
        unlink_block(pool, block);
        link_newest(pool, block);
    }
}

// ---- deaths -------------------------------------------------------------------------------------

void pool_drop(Pool *pool, int emitter)
{
    for (int n = 0; n < pool->count; n++)
        if (pool->infos[n].emitter == emitter) release(pool, n);
    pool->alive_all -= pool->alive[emitter];
    pool->alive[emitter] = 0;
}

void pool_close(Pool *pool)
{
    for (int n = 0; n < pool->count; n++)
        if (pool->infos[n].emitter != NOBODY && pool->infos[n].count == 0) release(pool, n);
}

void pool_list(Pool *pool)
{
    memset(pool->alive, 0, sizeof pool->alive);
    memset(pool->used_first, 0, sizeof pool->used_first);
    for (int n = 0; n < pool->count; n++) {
        const int emitter = pool->infos[n].emitter;
        if (emitter == NOBODY) continue;
        pool->used_first[emitter + 1]++;
        pool->alive[emitter] += pool->infos[n].count;
    }
    pool->alive_all = 0;
    int next[EMITTER_SLOTS];
    for (int e = 0; e < EMITTER_SLOTS; e++) {
        next[e] = pool->used_first[e];
        pool->used_first[e + 1] += pool->used_first[e];
        pool->alive_all += pool->alive[e];
    }
    for (int n = 0; n < pool->count; n++) {
        const int emitter = pool->infos[n].emitter;
        if (emitter != NOBODY) pool->used[next[emitter]++] = n;
    }
}
