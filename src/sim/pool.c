#include "sim/pool.h"

#include <stdlib.h>
#include <string.h>

bool pool_init(Pool *pool, uint32_t capacity)
{
    *pool = (Pool){ .count = (int)((capacity + BLOCK - 1) / BLOCK) };
    pool->blocks = aligned_alloc(64, sizeof(Block) * (size_t)pool->count);
    pool->infos = calloc((size_t)pool->count, sizeof(BlockInfo));
    if (!pool->blocks || !pool->infos) return false;
    // Kernels work on whole tiles, so what lies behind the living must be numbers.
    memset(pool->blocks, 0, sizeof(Block) * (size_t)pool->count);
    for (int n = 0; n < pool->count; n++) pool->infos[n].emitter = NOBODY;
    for (int n = 0; n < EMITTER_SLOTS; n++) pool->open[n] = NOBODY;
    return true;
}

void pool_free(Pool *pool)
{
    free(pool->blocks);
    free(pool->infos);
    *pool = (Pool){ 0 };
}

static void release(Pool *pool, int block)
{
    BlockInfo *info = &pool->infos[block];
    if (info->emitter != NOBODY && pool->open[info->emitter] == block)
        pool->open[info->emitter] = NOBODY;
    *info = (BlockInfo){ .emitter = NOBODY };
}

// A free block, else the one with the oldest births.
static int block_to_open(const Pool *pool)
{
    int oldest = 0;
    for (int n = 0; n < pool->count; n++) {
        if (pool->infos[n].emitter == NOBODY) return n;
        if (pool->infos[n].last_birth < pool->infos[oldest].last_birth) oldest = n;
    }
    return oldest;
}

static uint32_t room_in(const Pool *pool, int block)
{
    if (block == NOBODY) return 0;
    return BLOCK - pool->infos[block].count - pool->infos[block].newborns;
}

void pool_assign(Pool *pool, int emitter, uint32_t count)
{
    for (uint32_t done = 0; done < count;) {
        if (room_in(pool, pool->open[emitter]) == 0) {
            const int opened = block_to_open(pool);
            release(pool, opened);
            pool->infos[opened].emitter = emitter;
            pool->open[emitter] = opened;
        }
        BlockInfo *info = &pool->infos[pool->open[emitter]];
        const uint32_t room = room_in(pool, pool->open[emitter]);
        const uint32_t share = count - done < room ? count - done : room;
        if (info->newborns == 0) info->newborn_first = done;
        info->newborns += share;
        done += share;
        pool->births += share;
        info->last_birth = pool->births;
    }
}

void pool_drop(Pool *pool, int emitter)
{
    for (int n = 0; n < pool->count; n++)
        if (pool->infos[n].emitter == emitter) release(pool, n);
}

void pool_close(Pool *pool)
{
    for (int n = 0; n < pool->count; n++)
        if (pool->infos[n].emitter != NOBODY && pool->infos[n].count == 0) release(pool, n);
}

uint32_t pool_alive(const Pool *pool, int emitter)
{
    uint32_t alive = 0;
    for (int n = 0; n < pool->count; n++)
        if (pool->infos[n].emitter == emitter) alive += pool->infos[n].count;
    return alive;
}
