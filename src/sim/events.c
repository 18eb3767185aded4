#include "sim/area.h"
#include "sim/engine.h"

#include <stdlib.h>
#include <string.h>

// What rolls on a collider or lies on it hits nothing.
static const float SLOWEST_HIT = 0.3f; // m/s across the surface

bool events_init(Events *events, int blocks)
{
    events->spawns = calloc(SPAWNS_MAX, sizeof *events->spawns);
    events->bounces = calloc((size_t)BOUNCES * BOUNCE_BLOCKS, sizeof *events->bounces);
    events->of_block = calloc((size_t)blocks, sizeof *events->of_block);
    return events->spawns && events->bounces && events->of_block;
}

void events_free(Events *events)
{
    free(events->spawns);
    free(events->bounces);
    free(events->of_block);
}

// ---- who is born of whom ------------------------------------------------------------------------

// The emitter whose events give birth in `slot`, or -1.
static int source_of(const Params *params, int slot)
{
    const char *name = params_text(params, params_id(OWNER_EMITTER, slot, EMITTER_BORN_FROM));
    return *name ? params_slot(params, OWNER_EMITTER, name) : -1;
}

bool is_born_of_events(const Params *params, int slot)
{
    const float *values = params_values(params, OWNER_EMITTER, slot);
    return values[EMITTER_BORN_OF] != BORN_OF_NOTHING && source_of(params, slot) >= 0;
}

static void lend_bounces(Sim *sim)
{
    const Pool *pool = &sim->pool;
    Events *events = &sim->events;
    size_t lent = 0;
    for (int e = 0; e < EMITTER_SLOTS; e++) {
        if (!events->of_collision[e]) continue;
        for (int n = pool->used_first[e]; n < pool->used_first[e + 1]; n++) {
            const bool some = lent < BOUNCE_BLOCKS;
            events->of_block[pool->used[n]] =
                some ? (Bounces){ events->bounces + BOUNCES * lent++, BOUNCES, 0 } : (Bounces){ 0 };
        }
    }
}

Bounces *events_bounces(Events *events, int emitter, int block)
{
    return events->of_collision[emitter] ? &events->of_block[block] : NULL;
}

void events_begin(Sim *sim, const Params *params)
{
    Events *events = &sim->events;
    memset(events->of_collision, 0, sizeof events->of_collision);
    memset(events->of_death, 0, sizeof events->of_death);
    for (int n = 0; n < EMITTER_SLOTS; n++) {
        if (!sim->emitters[n].exists || !is_born_of_events(params, n)) continue;
        const float *values = params_values(params, OWNER_EMITTER, n);
        const bool dying = values[EMITTER_BORN_OF] == BORN_OF_DEATH;
        (dying ? events->of_death : events->of_collision)[source_of(params, n)] |= 1ULL << n;
    }
    lend_bounces(sim);
}

// ---- what happened ------------------------------------------------------------------------------

static Vec3 reflected(Vec3 v, Vec3 normal)
{
    const float square = normal.x * normal.x + normal.y * normal.y + normal.z * normal.z;
    if (!(square > 0)) return v;
    const float twice = 2 * (v.x * normal.x + v.y * normal.y + v.z * normal.z) / square;
    return (Vec3){ v.x - twice * normal.x, v.y - twice * normal.y, v.z - twice * normal.z };
}

// How many the next event gives birth to, drawn from the first of them.
static uint32_t births_of_event(const Events *events, const Share *share, int emitter)
{
    const float *values = share->values;
    const uint32_t least = (uint32_t)clampf(values[EMITTER_HIT_MIN], 0, SPAWN_BIRTHS_MAX);
    const uint32_t most = (uint32_t)clampf(values[EMITTER_HIT_MAX], 0, SPAWN_BIRTHS_MAX);
    if (most <= least) return least;
    const uint32_t key =
        rng_key(share->births.seed, events->first[emitter] + events->births[emitter]);
    return least + rng_draw(key, DRAW_HIT_COUNT) % (most - least + 1);
}

static void add_spawn(Sim *sim, int emitter, Vec3 place, Vec3 velocity, bool died)
{
    Events *events = &sim->events;
    const uint32_t room = SPAWN_BIRTHS_MAX - events->births_all;
    const uint32_t asked = births_of_event(events, &sim->shares[emitter], emitter);
    if (asked == 0 || sim->shares[emitter].births.frozen) return;
    if (asked > room || events->spawn_count == SPAWNS_MAX) {
        events->lost++;
        return;
    }
    events->spawns[events->spawn_count++] = (Spawn){
        .emitter = emitter,
        .first = events->births[emitter],
        .count = asked,
        .place = place,
        .velocity = velocity,
        .died = died,
    };
    events->births[emitter] += asked;
    events->births_all += asked;
}

static void add_spawns(Sim *sim, uint64_t emitters, Vec3 place, Vec3 velocity, bool died)
{
    for (int n = 0; emitters; n++, emitters >>= 1)
        if (emitters & 1) add_spawn(sim, n, place, velocity, died);
}

static void collect_hits(Sim *sim, const Params *params)
{
    Events *events = &sim->events;
    for (int h = 0; h < events->hit_count; h++) {
        const Hit *hit = &events->hits[h];
        const Vec3 velocity = reflected(hit->velocity, hit->normal);
        for (int n = 0; n < EMITTER_SLOTS; n++)
            if (sim->emitters[n].exists && params_system(params, OWNER_EMITTER, n) == hit->system)
                add_spawn(sim, n, hit->position, velocity, false);
    }
    events->hit_count = 0;
}

static void collect_collisions(Sim *sim, int block, uint64_t emitters)
{
    const Bounces *bounces = &sim->events.of_block[block];
    const uint32_t told = bounces->count < bounces->room ? bounces->count : bounces->room;
    sim->events.lost += bounces->count - told;
    for (uint32_t n = 0; n < told; n++) {
        const Bounce *b = &bounces->at[n];
        const Vec3 v = b->velocity;
        const float across = v.x * b->normal.x + v.y * b->normal.y + v.z * b->normal.z;
        if (fabsf(across) < SLOWEST_HIT) continue;
        add_spawns(sim, emitters, b->position, reflected(v, b->normal), false);
    }
}

static void collect_deaths(Sim *sim, int block, uint64_t emitters)
{
    const Block *b = &sim->pool.blocks[block];
    const BlockInfo *info = &sim->pool.infos[block];
    for (uint32_t n = info->count; n < info->count + info->dead; n++)
        add_spawns(sim, emitters, (Vec3){ b->x[n], b->y[n], b->z[n] },
                   (Vec3){ b->vx[n], b->vy[n], b->vz[n] }, true);
}

void events_collect(Sim *sim, const Params *params)
{
    Events *events = &sim->events;
    events->spawn_count = 0;
    events->births_all = 0;
    memset(events->births, 0, sizeof events->births);
    for (int n = 0; n < EMITTER_SLOTS; n++)
        events->first[n] = sim->emitters[n].births.first + sim->emitters[n].births.count;
    collect_hits(sim, params);
    for (int e = 0; e < EMITTER_SLOTS; e++) {
        const uint64_t hit = events->of_collision[e], dead = events->of_death[e];
        if (!hit && !dead) continue;
        for (int n = sim->pool.used_first[e]; n < sim->pool.used_first[e + 1]; n++) {
            if (hit) collect_collisions(sim, sim->pool.used[n], hit);
            if (dead) collect_deaths(sim, sim->pool.used[n], dead);
        }
    }
}

// ---- and their births ---------------------------------------------------------------------------

static Particle spawned(const Sim *sim, const Spawn *spawn, uint32_t key)
{
    const Share *share = &sim->shares[spawn->emitter];
    const Vec3 v = spawn->velocity;
    const float speed = sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
    const float spread = share->values[EMITTER_HIT_SPREAD] * speed *
                         cube_root(rng_unit(rng_draw(key, DRAW_HIT_SPEED)));
    const Vec3 any = random_direction(key, DRAW_HIT_SPREAD);
    Particle p = law_birth(share->values, &share->births.place, key);
    const Vec3 own = spawn->died ? p.velocity : (Vec3){ 0, 0, 0 };
    p.position = spawn->place;
    p.velocity = (Vec3){ own.x + v.x + spread * any.x, own.y + v.y + spread * any.y,
                         own.z + v.z + spread * any.z };
    return p;
}

// Those of a spawn that lie in this block.
static void bear_spawn(const Sim *sim, const Spawn *spawn, const BlockInfo *info, Block *block)
{
    const uint32_t end = info->newborn_first + info->newborns;
    for (uint32_t n = 0; n < spawn->count; n++) {
        const uint32_t number = spawn->first + n;
        if (number < info->newborn_first || number >= end) continue;
        const uint64_t index = sim->events.first[spawn->emitter] + number;
        const uint32_t key = rng_key(sim->shares[spawn->emitter].births.seed, index);
        const Particle p = spawned(sim, spawn, key);
        block_put(block, info->count + number - info->newborn_first, &p, key);
    }
}

static void work_spawns(void *work, int n)
{
    const Sim *sim = work;
    const int at = sim->pool.used[n];
    BlockInfo *info = &sim->pool.infos[at];
    if (info->newborns == 0) return;
    for (int s = 0; s < sim->events.spawn_count; s++)
        if (sim->events.spawns[s].emitter == info->emitter)
            bear_spawn(sim, &sim->events.spawns[s], info, &sim->pool.blocks[at]);
    info_grow(info);
}

void events_bear(Sim *sim)
{
    Events *events = &sim->events;
    if (events->births_all == 0) return;
    for (int n = 0; n < EMITTER_SLOTS; n++) {
        const uint32_t room = sim_capacity(sim);
        const uint32_t count = events->births[n] < room ? events->births[n] : room;
        pool_assign(&sim->pool, n, count);
        sim->emitters[n].births.count += events->births[n];
    }
    pool_list(&sim->pool);
    team_run(sim->team, work_spawns, sim, sim->pool.used_first[EMITTER_SLOTS]);
}
