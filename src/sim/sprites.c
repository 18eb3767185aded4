// Particles to sprites, in the order of drawing.  What must be sorted is written aside first, block
// by block like all the rest, and then copied far first: a copy costs less than writing sprites
// from particles that lie here and there.  Sorting takes time that grows with the number of
// particles alone (a radix sort of three digits).
#include "sim/engine.h"

#include <stdlib.h>
#include <string.h>

// ---- arrays -------------------------------------------------------------------------------------

static void *whole_lines(size_t bytes)
{
    const size_t line = 64;
    return aligned_alloc(line, (bytes / line + 1) * line);
}

bool sprites_init(Sprites *sprites, size_t count)
{
    *sprites = (Sprites){
        .places = whole_lines(count * sizeof *sprites->places),
        .looks = whole_lines(count * sizeof *sprites->looks),
        .ways = whole_lines(count * sizeof *sprites->ways),
    };
    return sprites->places && sprites->looks && sprites->ways;
}

void sprites_free(Sprites *sprites)
{
    free(sprites->places);
    free(sprites->looks);
    free(sprites->ways);
    *sprites = (Sprites){ 0 };
}

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

static void list_batches(Sim *sim, const Params *params, const uint32_t *room)
{
    sim->batch_count = 0;
    for (int slot = 0; slot < EMITTER_SLOTS; slot++)
        if (room[slot] > 0 && is_drawn(sim, params, slot))
            sim->batches[sim->batch_count++] = batch_of(params, slot, &sim->drawing.view);
    order_batches(sim);
    merge_layers(sim);
    order_batches(sim);
}

static void take_tables(Sim *sim, const Params *params)
{
    for (int n = 0; n < sim->batch_count; n++) {
        const Look *look = look_of(sim, params, sim->batches[n].emitter);
        Paint *paint = &sim->batches[n].paint;
        paint->shades = look->shades;
        paint->turned_over = look->turned;
        paint->speed_over = sim->shares[paint->emitter].felt.speed;
    }
}

// ---- which sprites ------------------------------------------------------------------------------

enum { LINE = 8 }; // sprites whose places and looks are whole lines of memory
_Static_assert(BLOCK % LINE == 0, "no block has more room than particles");

// Who lives; before a step, who will live at its end or will have died in it, and up to the next whole
// line, as what lies across two takes longer to write.
static uint32_t room_of(const Drawing *drawing, const BlockInfo *info)
{
    const uint32_t wanted = info->count + info->newborns;
    return drawing->written ? (wanted + LINE - 1) / LINE * LINE : wanted;
}

static void count_rooms(const Sim *sim, uint32_t room[EMITTER_SLOTS])
{
    const Pool *pool = &sim->pool;
    memset(room, 0, sizeof *room * EMITTER_SLOTS);
    for (int n = 0; n < pool->used_first[EMITTER_SLOTS]; n++) {
        const BlockInfo *info = &pool->infos[pool->used[n]];
        room[info->emitter] += room_of(&sim->drawing, info);
    }
}

// Gives every emitter its place; returns how many sprites there are.
static uint32_t place_batches(Sim *sim, uint32_t capacity, const uint32_t *wanted)
{
    uint32_t count = 0;
    for (int n = 0; n < sim->batch_count; n++) {
        Batch *batch = &sim->batches[n];
        const uint32_t left = capacity - count;
        batch->first = batch->next = count;
        count += wanted[batch->emitter] < left ? wanted[batch->emitter] : left;
        batch->end = count;
    }
    return count;
}

// Each block's part of its emitter's place.
static void place_blocks(Sim *sim)
{
    Batch *batch_of_slot[EMITTER_SLOTS] = { 0 };
    for (int n = 0; n < sim->batch_count; n++)
        batch_of_slot[sim->batches[n].emitter] = &sim->batches[n];
    for (int n = 0; n < sim->pool.used_first[EMITTER_SLOTS]; n++) {
        const BlockInfo *info = &sim->pool.infos[sim->pool.used[n]];
        Batch *batch = batch_of_slot[info->emitter];
        sim->chunks[n] = (Chunk){ 0 };
        if (!batch) continue;
        const uint32_t wanted = room_of(&sim->drawing, info), left = batch->end - batch->next;
        sim->chunks[n] = (Chunk){ batch, batch->next, wanted < left ? wanted : left };
        batch->next += sim->chunks[n].count;
    }
}

static void place_sprites(Sim *sim, const Params *params, const uint32_t *room)
{
    const Drawing *drawing = &sim->drawing;
    const uint32_t most = sim_capacity(sim);
    list_batches(sim, params, room);
    take_tables(sim, params);
    sim->sprite_count =
        place_batches(sim, drawing->capacity < most ? drawing->capacity : most, room);
    place_blocks(sim);
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

static Sprites room_in(const Sim *sim, const Chunk *chunk)
{
    const Sprites *all = chunk->batch->covers ? &sim->unsorted : &sim->drawing.sprites;
    return (Sprites){ all->places + chunk->first, all->looks + chunk->first,
                      all->ways + chunk->first };
}

void sprites_ahead(const Sim *sim, int used, Ahead *ahead)
{
    const Chunk *chunk = &sim->chunks[used];
    if (chunk->count == 0 || pool_is_near(&sim->pool)) return;
    const Sprites to = room_in(sim, chunk);
    ahead->places = to.places;
    ahead->looks = to.looks;
}

void sprites_write(const Sim *sim, int used)
{
    const Chunk *chunk = &sim->chunks[used];
    if (chunk->count == 0) return;
    const Block *block = &sim->pool.blocks[sim->pool.used[used]];
    const uint32_t alive = sim->pool.infos[sim->pool.used[used]].count;
    const uint32_t living = alive < chunk->count ? alive : chunk->count;
    const Sprites to = room_in(sim, chunk);
    paint_block(&chunk->batch->paint, block, living, &to);
    memset(to.places + living, 0, sizeof *to.places * (chunk->count - living));
    if (!chunk->batch->covers) return;
    uint32_t *depths = sim->depths[0] + chunk->first;
    paint_depths(block, living, sim->drawing.view.forward, depths);
    memset(depths + living, 0, sizeof *depths * (chunk->count - living));
}

static void work_unit(void *work, int unit)
{
    const Sim *sim = work;
    const int last = unit_end(&sim->pool, unit);
    for (int n = unit * UNIT; n < last; n++) {
        const Ahead next = pool_ahead(&sim->pool, n + 1);
        ahead_load(&next, 0, BLOCK); // at once, as nothing is moved meanwhile
        sprites_write(sim, n);
    }
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
    const Sprites *to = &sim->drawing.sprites, *of = &sim->unsorted;
    for (uint32_t at = stretch->first; at < stretch->first + stretch->count; at++) {
        const uint32_t from = sim->order[1][at];
        to->places[at] = of->places[from];
        to->looks[at] = of->looks[from];
        if (sim->sorts_ways) to->ways[at] = of->ways[from];
    }
}

static void sort_runs(Sim *sim, int run_count)
{
    sim->stretch_count = 0;
    for (int n = 0; n < run_count; n++)
        if (sim->runs[n].covers) list_stretches(sim, &sim->runs[n]);
    if (sim->stretch_count == 0) return;
    sim->sorts_ways = false;
    for (int n = 0; n < sim->batch_count; n++)
        sim->sorts_ways |= sim->batches[n].covers && sim->batches[n].paint.stretches;
    team_run(sim->team, work_sort, sim, run_count);
    team_run(sim->team, work_stretch, sim, sim->stretch_count);
}

// ---- in the step, or behind it ------------------------------------------------------------------

void sim_will_draw(Sim *sim, const SpriteView *view, const Sprites *sprites, uint32_t capacity)
{
    sim->drawing =
        (Drawing){ .view = *view, .sprites = *sprites, .capacity = capacity, .wanted = true };
}

static bool may_bear_by_event(const Sim *sim, const Params *params)
{
    if (sim->events.hit_count > 0) return true;
    for (int n = 0; n < EMITTER_SLOTS; n++)
        if (sim->emitters[n].exists && is_born_of_events(params, n)) return true;
    return false;
}

// Whoever is born behind the step has no place among the sprites.
void sprites_begin(Sim *sim, const Params *params)
{
    Drawing *drawing = &sim->drawing;
    drawing->written = false;
    if (!drawing->wanted) return;
    drawing->wanted = false;
    if (drawing->capacity < sim_capacity(sim) || may_bear_by_event(sim, params)) return;
    uint32_t room[EMITTER_SLOTS];
    drawing->written = true; // known to room_of
    count_rooms(sim, room);
    place_sprites(sim, params, room);
}

static bool is_written(const Drawing *drawing, const SpriteView *view, const Sprites *sprites,
                       uint32_t capacity)
{
    return drawing->written && drawing->capacity == capacity &&
           memcmp(&drawing->view, view, sizeof *view) == 0 &&
           memcmp(&drawing->sprites, sprites, sizeof *sprites) == 0;
}

static void write_sprites(Sim *sim, const Params *params)
{
    uint32_t room[EMITTER_SLOTS];
    pool_list(&sim->pool);
    count_rooms(sim, room);
    place_sprites(sim, params, room);
    work_units(sim, work_unit);
}

uint32_t sim_sprites(Sim *sim, const Params *params, const SpriteView *view, const Sprites *sprites,
                     uint32_t capacity, SpriteRun *runs, int *run_count)
{
    if (!is_written(&sim->drawing, view, sprites, capacity)) {
        sim->drawing = (Drawing){ .view = *view, .sprites = *sprites, .capacity = capacity };
        write_sprites(sim, params);
    }
    sim->drawing.written = false;
    sim->runs = runs;
    *run_count = list_runs(sim, runs);
    sort_runs(sim, *run_count);
    return sim->sprite_count;
}
