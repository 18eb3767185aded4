// Particles to sprites, in the order of drawing.  What must be sorted is written aside first, block
// by block like all the rest, and then copied far first: a copy costs less than writing sprites
// from particles that lie here and there.  Sorting takes time that grows with the number of
// particles alone (a radix sort of three digits).
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

static Shade shade_at(const LookTable *table, float at)
{
    const float place = at * (LOOK_ENTRIES - 1);
    const int n = clampi((int)place, 0, LOOK_ENTRIES - 2);
    const float share = place - (float)n;
    float colour[4];
    for (int c = 0; c < 4; c++)
        colour[c] = lerpf(table->colour[n][c], table->colour[n + 1][c], share);
    return shade_of(lerpf(table->size[n], table->size[n + 1], share), pack_colour(colour));
}

static void bake(Look *look, const LookSource *source)
{
    LookTable table;
    look_bake(&table, source);
    look->source = *source;
    for (int n = 0; n < SHADES; n++) look->shades[n] = shade_at(&table, (float)n / (SHADES - 1));
    for (int n = 0; n <= LOOK_ENTRIES; n++)
        look->turned[n] = table.turned[n < LOOK_ENTRIES ? n : LOOK_ENTRIES - 1];
}

// The table of that source, else one that nobody uses: there are as many as emitters.
static Look *look_for(Sim *sim, const LookSource *source)
{
    Look *unused = NULL;
    for (int n = 0; n < EMITTER_SLOTS; n++) {
        Look *look = &sim->looks[n];
        if (look->users > 0 && look_source_same(&look->source, source)) return look;
        if (look->users == 0) unused = look;
    }
    bake(unused, source);
    return unused;
}

static const Look *look_of(Sim *sim, const Params *params, int slot)
{
    LookSource source;
    Look *look = sim->look_of[slot];
    look_source(&source, params, OWNER_EMITTER, slot);
    if (look && look_source_same(&look->source, &source)) return look;
    if (look) look->users--;
    look = look_for(sim, &source);
    look->users++;
    return sim->look_of[slot] = look;
}

// ---- which emitters, in which order -------------------------------------------------------------

static bool is_drawn(const Sim *sim, const Params *params, int slot)
{
    const Swarm *swarm = &sim->emitters[slot];
    if (!swarm->exists || !params_exists(params, OWNER_EMITTER, slot)) return false;
    if (params_generation(params, OWNER_EMITTER, slot) != swarm->generation) return false;
    return swarm_is_visible(params, OWNER_EMITTER, slot);
}

static Batch batch_of(const Params *params, int slot, const SpriteView *view)
{
    const float *values = params_values(params, OWNER_EMITTER, slot);
    const bool body = view->kinds[slot] == SPRITE_BODY;
    return (Batch){
        .emitter = slot,
        .layer = (int)values[SWARM_LAYER],
        .kind = view->kinds[slot],
        .covers = !body && (int)values[SWARM_BLEND] == BLEND_ALPHA,
        .paint = paint_of(values, slot, view->kinds[slot], view->frames[slot]),
    };
}

// All sprites of a layer where some cover others are one run: of a kind that can stand for all.
static void merge_layers(Sim *sim)
{
    for (int from = 0, to; from < sim->batch_count; from = to) {
        Batch all = { .kind = SPRITE_POINT };
        for (to = from; to < sim->batch_count && sim->batches[to].layer == sim->batches[from].layer;
             to++) {
            const Batch *batch = &sim->batches[to];
            all.covers = all.covers || batch->covers;
            if (batch->kind != SPRITE_BODY && batch->kind > all.kind) all.kind = batch->kind;
        }
        for (int n = from; all.covers && n < to; n++) {
            if (sim->batches[n].kind == SPRITE_BODY) continue;
            sim->batches[n].covers = true;
            sim->batches[n].kind = all.kind;
        }
    }
}

// Bodies first: what is solid is there before the light.
static int rank_of(const Batch *batch)
{
    return batch->kind == SPRITE_BODY ? -1 : (int)batch->kind;
}

static bool is_before(const Batch *a, const Batch *b)
{
    if (a->layer != b->layer) return a->layer < b->layer;
    return rank_of(a) < rank_of(b);
}

// By insertion; equal ones stay in slot order.
static void order_batches(Sim *sim)
{
    for (int n = 1; n < sim->batch_count; n++) {
        const Batch batch = sim->batches[n];
        int at = n;
        for (; at > 0 && is_before(&batch, &sim->batches[at - 1]); at--)
            sim->batches[at] = sim->batches[at - 1];
        sim->batches[at] = batch;
    }
}

static void list_batches(Sim *sim, const Params *params, const SpriteView *view,
                         const uint32_t *living)
{
    sim->batch_count = 0;
    for (int slot = 0; slot < EMITTER_SLOTS; slot++)
        if (living[slot] > 0 && is_drawn(sim, params, slot))
            sim->batches[sim->batch_count++] = batch_of(params, slot, view);
    order_batches(sim);
    merge_layers(sim);
    order_batches(sim);
}

// ---- which sprites ------------------------------------------------------------------------------

static void count_living(const Sim *sim, uint32_t living[EMITTER_SLOTS])
{
    memset(living, 0, sizeof *living * EMITTER_SLOTS);
    for (int n = 0; n < sim->pool.count; n++)
        if (sim->pool.infos[n].emitter != NOBODY)
            living[sim->pool.infos[n].emitter] += sim->pool.infos[n].count;
}

// Gives every living particle its place; returns how many sprites there are.
static uint32_t place_batches(Sim *sim, uint32_t capacity, const uint32_t *living)
{
    uint32_t count = 0;
    for (int n = 0; n < sim->batch_count; n++) {
        Batch *batch = &sim->batches[n];
        const uint32_t room = capacity - count, wanted = living[batch->emitter];
        batch->first = batch->next = count;
        count += wanted < room ? wanted : room;
        batch->end = count;
    }
    return count;
}

// Each block's part of its emitter's place.
static void list_chunks(Sim *sim)
{
    Batch *batch_of_slot[EMITTER_SLOTS] = { 0 };
    for (int n = 0; n < sim->batch_count; n++)
        batch_of_slot[sim->batches[n].emitter] = &sim->batches[n];
    sim->chunk_count = 0;
    for (int n = 0; n < sim->pool.count; n++) {
        const BlockInfo *info = &sim->pool.infos[n];
        Batch *batch = info->emitter == NOBODY ? NULL : batch_of_slot[info->emitter];
        if (!batch) continue;
        const uint32_t room = batch->end - batch->next;
        const uint32_t count = info->count < room ? info->count : room;
        if (count == 0) continue;
        sim->chunks[sim->chunk_count++] =
            (Chunk){ batch, &sim->pool.blocks[n], batch->next, count };
        batch->next += count;
    }
}

static bool joins(const SpriteRun *run, const Batch *batch)
{
    return run->layer == batch->layer && run->kind == batch->kind && run->kind != SPRITE_BODY;
}

static int list_runs(const Sim *sim, SpriteRun *runs)
{
    int count = 0;
    for (int n = 0; n < sim->batch_count; n++) {
        const Batch *batch = &sim->batches[n];
        const uint32_t sprites = batch->end - batch->first;
        if (sprites == 0) continue;
        if (count > 0 && joins(&runs[count - 1], batch))
            runs[count - 1].count += sprites;
        else
            runs[count++] = (SpriteRun){ batch->layer,   batch->kind,  batch->covers,
                                         batch->emitter, batch->first, sprites };
    }
    return count;
}

static void list_stretches(Sim *sim, const SpriteRun *run)
{
    for (uint32_t at = 0; at < run->count; at += STRETCH) {
        const uint32_t rest = run->count - at;
        sim->stretches[sim->stretch_count++] =
            (Chunk){ .first = run->first + at, .count = rest < STRETCH ? rest : STRETCH };
    }
}

// ---- writing ------------------------------------------------------------------------------------

static void write_chunk(const Sim *sim, const Chunk *chunk)
{
    const bool sorted = chunk->batch->covers;
    const bool last = chunk + 1 == sim->chunks + sim->chunk_count;
    const Block *next = sim->chunk_count > BLOCKS_NEAR && !last ? chunk[1].block : NULL;
    Sprite *sprites = sorted ? sim->unsorted : sim->sprites;
    paint_block(&chunk->batch->paint, chunk->block, chunk->count, next, sprites + chunk->first);
    if (!sorted) return;
    paint_depths(chunk->block, chunk->count, sim->forward, sim->depths[0] + chunk->first);
}

// A handful of blocks: taking them one by one would cost threads more than it evens out.
enum { UNIT = 8 };

static void work_unit(void *work, int unit)
{
    const Sim *sim = work;
    for (int n = unit * UNIT; n < sim->chunk_count && n < (unit + 1) * UNIT; n++)
        write_chunk(sim, &sim->chunks[n]);
}

// ---- sorting ------------------------------------------------------------------------------------

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

// One digit, from side `from` to the other; equal ones keep their order.
static void sort_digit(const Sim *sim, const SpriteRun *run, int from, int shift)
{
    uint32_t place[DIGITS] = { 0 };
    const uint32_t end = run->first + run->count;
    for (uint32_t n = run->first; n < end; n++)
        place[sim->depths[from][n] >> shift & (DIGITS - 1)]++;
    uint32_t next = run->first;
    for (int d = 0; d < DIGITS; d++) {
        const uint32_t count = place[d];
        place[d] = next;
        next += count;
    }
    for (uint32_t n = run->first; n < end; n++) {
        const uint32_t to = place[sim->depths[from][n] >> shift & (DIGITS - 1)]++;
        sim->depths[!from][to] = sim->depths[from][n];
        sim->order[!from][to] = sim->order[from][n];
    }
}

// Three digits: the sorted order ends on side 1.
static void work_sort(void *work, int n)
{
    const Sim *sim = work;
    const SpriteRun *run = &sim->runs[n];
    if (!run->covers) return;
    for (uint32_t at = run->first; at < run->first + run->count; at++) sim->order[0][at] = at;
    sort_digit(sim, run, 0, 0);
    sort_digit(sim, run, 1, DIGIT_BITS);
    sort_digit(sim, run, 0, 2 * DIGIT_BITS);
}

static void work_stretch(void *work, int n)
{
    const Sim *sim = work;
    const Chunk *stretch = &sim->stretches[n];
    for (uint32_t at = stretch->first; at < stretch->first + stretch->count; at++)
        sim->sprites[at] = sim->unsorted[sim->order[1][at]];
}

// ---- all of it ----------------------------------------------------------------------------------

uint32_t sim_sprites(Sim *sim, const Params *params, const SpriteView *view, Sprite *sprites,
                     uint32_t capacity, SpriteRun *runs, int *run_count)
{
    uint32_t living[EMITTER_SLOTS];
    sim->forward = view->forward;
    sim->sprites = sprites;
    sim->runs = runs;
    count_living(sim, living);
    list_batches(sim, params, view, living);
    for (int n = 0; n < sim->batch_count; n++) {
        const Look *look = look_of(sim, params, sim->batches[n].emitter);
        Paint *paint = &sim->batches[n].paint;
        paint->shades = look->shades;
        paint->turned_over = look->turned;
        paint->speed_over = sim->shares[paint->emitter].felt.speed;
    }
    const uint32_t room = capacity < sim_capacity(sim) ? capacity : sim_capacity(sim);
    const uint32_t count = place_batches(sim, room, living);
    list_chunks(sim);
    *run_count = list_runs(sim, runs);
    sim->stretch_count = 0;
    for (int n = 0; n < *run_count; n++)
        if (runs[n].covers) list_stretches(sim, &runs[n]);

    team_run(sim->team, work_unit, sim, (sim->chunk_count + UNIT - 1) / UNIT);
    if (sim->stretch_count == 0) return count;
    team_run(sim->team, work_sort, sim, *run_count);
    team_run(sim->team, work_stretch, sim, sim->stretch_count);
    return count;
}
