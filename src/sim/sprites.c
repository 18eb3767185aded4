// Particles to sprites.  The emitters that blend by alpha are sorted by depth in time that grows
// with the number of particles alone (a radix sort of three digits).
#include "sim/engine.h"

#include <string.h>

// ---- looks, baked -------------------------------------------------------------------------------

static uint32_t byte_of(float value)
{
    return (uint32_t)(clampf(value, 0, 1) * 255 + 0.5f);
}

// Square roots spend the eight bits where eyes see steps.
static uint32_t pack_colour(const float colour[4])
{
    return byte_of(sqrtf(clampf(colour[0], 0, 1))) | byte_of(sqrtf(clampf(colour[1], 0, 1))) << 8 |
           byte_of(sqrtf(clampf(colour[2], 0, 1))) << 16 | byte_of(colour[3]) << 24;
}

static void bake(Look *look, const Params *params, int slot)
{
    const ParamId size = params_id(OWNER_EMITTER, slot, SWARM_SIZE_CURVE);
    const ParamId colour = params_id(OWNER_EMITTER, slot, SWARM_COLOUR);
    const uint32_t size_version = params_stops_version(params, size);
    const uint32_t colour_version = params_stops_version(params, colour);
    if (look->baked && look->size_version == size_version && look->colour_version == colour_version)
        return;
    for (int n = 0; n < BAKED; n++) {
        const float at = ((float)n + 0.5f) / BAKED;
        float value[4];
        stops_at(params_stops(params, size), at, value);
        look->size[n] = value[0];
        stops_at(params_stops(params, colour), at, value);
        look->colour[n] = pack_colour(value);
    }
    look->baked = true;
    look->size_version = size_version;
    look->colour_version = colour_version;
}

// ---- which sprites ------------------------------------------------------------------------------

static void begin_batch(Sim *sim, const Params *params, int slot, uint32_t first)
{
    const float *values = params_values(params, OWNER_EMITTER, slot);
    bake(&sim->looks[slot], params, slot);
    sim->batches[sim->batch_count++] = (Batch){
        .values = values,
        .look = &sim->looks[slot],
        .emitter = slot,
        .first = first,
        .sorted = values[SWARM_BLEND] == BLEND_ALPHA,
    };
}

static void add_chunk(Sim *sim, const Batch *batch, const Block *block, uint32_t first,
                      uint32_t count)
{
    sim->chunks[sim->chunk_count++] = (Chunk){ batch, block, first, count };
}

static bool is_drawn(const Sim *sim, const Params *params, int slot)
{
    const Swarm *swarm = &sim->emitters[slot];
    if (!swarm->exists || !params_exists(params, OWNER_EMITTER, slot)) return false;
    if (params_generation(params, OWNER_EMITTER, slot) != swarm->generation) return false;
    return params_values(params, OWNER_EMITTER, slot)[SWARM_VISIBLE] != 0;
}

// Particles to be sorted, numbered by block and place.
static void list_for_sorting(const Sim *sim, int block, uint32_t first, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++) sim->order[0][first + n] = (uint32_t)block * BLOCK + n;
}

// Gives every living particle of the slot its place among the sprites; returns where they end.
static uint32_t place_batch(Sim *sim, Batch *batch, uint32_t capacity)
{
    uint32_t end = batch->first;
    for (int n = 0; n < sim->pool.count; n++) {
        const BlockInfo *info = &sim->pool.infos[n];
        if (info->emitter != batch->emitter || info->count == 0) continue;
        const uint32_t count = info->count < capacity - end ? info->count : capacity - end;
        if (count == 0) continue;
        if (batch->sorted)
            list_for_sorting(sim, n, end, count);
        else
            add_chunk(sim, batch, &sim->pool.blocks[n], end, count);
        end += count;
    }
    for (uint32_t at = batch->first; batch->sorted && at < end; at += BLOCK)
        add_chunk(sim, batch, NULL, at, end - at < BLOCK ? end - at : BLOCK);
    batch->count = end - batch->first;
    return end;
}

// ---- sorting ------------------------------------------------------------------------------------

// A float as a number that rises as it falls: the farthest first.
static uint32_t depth_key(float depth)
{
    uint32_t bits;
    memcpy(&bits, &depth, sizeof bits);
    return bits >> 31 ? bits : ~bits & 0x7fffffffU;
}

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

static void measure_depths(const Sim *sim, const Batch *batch)
{
    const Vec3 f = sim->forward;
    for (uint32_t n = batch->first; n < batch->first + batch->count; n++) {
        const Block *b = &sim->pool.blocks[sim->order[0][n] / BLOCK];
        const uint32_t at = sim->order[0][n] % BLOCK;
        sim->depths[0][n] = depth_key(b->x[at] * f.x + b->y[at] * f.y + b->z[at] * f.z);
    }
}

// One digit, from side `from` to the other; equal ones keep their order.
static void sort_digit(const Sim *sim, const Batch *batch, int from, int shift)
{
    uint32_t place[DIGITS] = { 0 };
    const uint32_t end = batch->first + batch->count;
    for (uint32_t n = batch->first; n < end; n++)
        place[sim->depths[from][n] >> shift & (DIGITS - 1)]++;
    uint32_t next = batch->first;
    for (int d = 0; d < DIGITS; d++) {
        const uint32_t count = place[d];
        place[d] = next;
        next += count;
    }
    for (uint32_t n = batch->first; n < end; n++) {
        const uint32_t to = place[sim->depths[from][n] >> shift & (DIGITS - 1)]++;
        sim->depths[!from][to] = sim->depths[from][n];
        sim->order[!from][to] = sim->order[from][n];
    }
}

// Three digits: the sorted order ends on side 1.
static void work_sort(void *work, int n)
{
    const Sim *sim = work;
    const Batch *batch = &sim->batches[n];
    if (!batch->sorted) return;
    measure_depths(sim, batch);
    sort_digit(sim, batch, 0, 0);
    sort_digit(sim, batch, 1, DIGIT_BITS);
    sort_digit(sim, batch, 0, 2 * DIGIT_BITS);
}

// ---- writing ------------------------------------------------------------------------------------

static Sprite sprite_of(const Batch *batch, const Block *block, uint32_t at)
{
    const float *values = batch->values;
    const uint32_t key = block->key[at];
    const float share =
        block->age[at] / life_of(values[SWARM_LIFE], values[SWARM_LIFE_RANDOM], key);
    const int baked = share < 1 ? (int)(share * BAKED) : BAKED - 1;
    return (Sprite){
        .x = block->x[at],
        .y = block->y[at],
        .z = block->z[at],
        .size = values[SWARM_SIZE] * law_size_factor(key, values[SWARM_SIZE_RANDOM]) *
                batch->look->size[baked],
        .colour = batch->look->colour[baked],
        .rotation = (uint16_t)(rng_draw(key, DRAW_ROTATION) >> 16),
    };
}

static void work_chunk(void *work, int n)
{
    const Sim *sim = work;
    const Chunk *chunk = &sim->chunks[n];
    Sprite *sprites = sim->sprites + chunk->first;
    if (chunk->block) {
        for (uint32_t at = 0; at < chunk->count; at++)
            sprites[at] = sprite_of(chunk->batch, chunk->block, at);
        return;
    }
    const uint32_t *order = sim->order[1] + chunk->first;
    for (uint32_t at = 0; at < chunk->count; at++)
        sprites[at] =
            sprite_of(chunk->batch, &sim->pool.blocks[order[at] / BLOCK], order[at] % BLOCK);
}

uint32_t sim_sprites(Sim *sim, const Params *params, Vec3 forward, Sprite *sprites,
                     uint32_t capacity, SpriteRun *runs, int *run_count)
{
    sim->forward = forward;
    sim->sprites = sprites;
    sim->batch_count = sim->chunk_count = 0;
    bool sorting = false;
    uint32_t count = 0;
    for (int slot = 0; slot < EMITTER_SLOTS; slot++) {
        if (!is_drawn(sim, params, slot)) continue;
        begin_batch(sim, params, slot, count);
        Batch *batch = &sim->batches[sim->batch_count - 1];
        const uint32_t end = place_batch(sim, batch, capacity);
        if (end == count)
            sim->batch_count--; // nothing of it lives
        else
            sorting = sorting || batch->sorted;
        count = end;
    }
    if (sorting) team_run(sim->team, work_sort, sim, sim->batch_count);
    team_run(sim->team, work_chunk, sim, sim->chunk_count);

    *run_count = sim->batch_count;
    for (int n = 0; n < sim->batch_count; n++)
        runs[n] =
            (SpriteRun){ sim->batches[n].emitter, sim->batches[n].first, sim->batches[n].count };
    return count;
}
