// The engine of CPU particles.  In a frame, births are given their places first, in slot order and
// on one thread; then every block is moved, filled and cleared of its dead by one thread,
// whichever, from nothing but the block and what all share.  So any number of threads makes the
// same show.
#include "sim/engine.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CAPACITY_NORMAL = 131072, CAPACITY_MAX = 1 << 24, THREADS_MOST = 8 };

// ---- life of the engine -------------------------------------------------------------------------

static int threads_of(int asked)
{
    const int cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
    return clampi(asked > 0 ? asked : cores, 1, THREADS_MOST);
}

static bool make_scratch(Sim *sim)
{
    const size_t blocks = (size_t)sim->pool.count, particles = blocks * BLOCK;
    sim->chunks = calloc(blocks, sizeof *sim->chunks);
    sim->stretches = calloc(particles / STRETCH + EMITTER_SLOTS + 1, sizeof *sim->stretches);
    bool made = sprites_init(&sim->unsorted, particles) && sim->chunks && sim->stretches;
    for (int side = 0; side < 2; side++) {
        sim->depths[side] = calloc(particles, sizeof(uint32_t));
        sim->order[side] = calloc(particles, sizeof(uint32_t));
        made = made && sim->depths[side] && sim->order[side];
    }
    return made;
}

static bool make_marks(Sim *sim)
{
    for (int n = 0; n < FIELD_SLOTS; n++) {
        sim->fields[n].marks = calloc(MARKS, sizeof(Mark));
        if (!sim->fields[n].marks) return false;
    }
    return true;
}

Sim *sim_new(const SimDesc *desc, char *why, int why_size)
{
    const uint32_t asked = desc->capacity ? desc->capacity : CAPACITY_NORMAL;
    const uint32_t capacity = asked < CAPACITY_MAX ? asked : CAPACITY_MAX;
    Sim *sim = calloc(1, sizeof *sim);
    if (!sim) goto fail;
    sim->seed = desc->seed;
    if (!pool_init(&sim->pool, capacity) || !make_scratch(sim) || !make_marks(sim)) goto fail;
    if (!events_init(&sim->events, sim->pool.count)) goto fail;
    sim->team = team_new(threads_of(desc->threads));
    if (!sim->team) goto fail;
    return sim;
fail:
    snprintf(why, (size_t)why_size, "simulation: no memory for %u particles", (unsigned)capacity);
    sim_free(sim);
    return NULL;
}

void sim_free(Sim *sim)
{
    if (!sim) return;
    team_free(sim->team);
    for (int side = 0; side < 2; side++) {
        free(sim->depths[side]);
        free(sim->order[side]);
    }
    for (int n = 0; n < FIELD_SLOTS; n++) free(sim->fields[n].marks);
    free(sim->chunks);
    events_free(&sim->events);
    free(sim->stretches);
    sprites_free(&sim->unsorted);
    pool_free(&sim->pool);
    free(sim);
}

// ---- births -------------------------------------------------------------------------------------

// Starts or ends the swarm of a slot when its instance is another than before; true when it is.
static bool notice(const Sim *sim, const Params *params, Owner owner, int slot, Swarm *swarm)
{
    const bool exists = params_exists(params, owner, slot);
    const uint32_t generation = exists ? params_generation(params, owner, slot) : 0;
    if (exists == swarm->exists && generation == swarm->generation) return false;
    swarm_start(swarm, exists ? swarm_seed(sim->seed, owner, params_name(params, owner, slot)) : 0,
                generation);
    swarm->exists = exists;
    return true;
}

static void notice_all(Sim *sim, const Params *params)
{
    for (int n = 0; n < EMITTER_SLOTS; n++) {
        if (notice(sim, params, OWNER_EMITTER, n, &sim->emitters[n])) pool_drop(&sim->pool, n);
    }
    for (int n = 0; n < FIELD_SLOTS; n++) notice(sim, params, OWNER_FIELD, n, &sim->fields[n]);
}

// Where the area's path goes by something else than itself, or NULL.
static const float *goal_of(const Params *params, const float *values)
{
    const float *globals = params_values(params, OWNER_GLOBAL, 0);
    const int rows = GLOBAL_ATTRACTOR2_X - GLOBAL_ATTRACTOR1_X;
    const int attractor = clampi((int)values[SWARM_PATH_ATTRACTOR], 1, GLOBAL_ATTRACTORS) - 1;
    if (values[SWARM_PATH] == PATH_MOUSE) return globals + GLOBAL_HAND_X;
    if (values[SWARM_PATH] == PATH_ATTRACTOR)
        return globals + GLOBAL_ATTRACTOR1_X + attractor * rows;
    return NULL;
}

// Where a swarm's area is: its path goes around its position, in its system; or its position goes
// around the goal of its path.
static Placement place_of(const Params *params, Owner owner, int slot, const Swarm *swarm)
{
    const float *values = params_values(params, owner, slot);
    const Placement system = placement_of_system(params, params_system(params, owner, slot));
    Placement place = placement_of(params, owner, slot);
    place.shape = swarm->shape;
    const float *goal = goal_of(params, values);
    const Vec3 path = placement_turn(&system, swarm_path(swarm, values));
    const Vec3 from = goal ? (Vec3){ goal[0] - system.middle.x, goal[1] - system.middle.y,
                                     goal[2] - system.middle.z }
                           : path;
    place.middle.x += from.x;
    place.middle.y += from.y;
    place.middle.z += from.z;
    return place;
}

static void begin_swarms(Swarm *swarms, int count, const Params *params, Owner owner)
{
    for (int n = 0; n < count; n++) {
        if (!swarms[n].exists) continue;
        swarm_begin(&swarms[n], place_of(params, owner, n, &swarms[n]).middle);
        swarms[n].births.frozen = params_values(params, owner, n)[SWARM_FREEZE] != 0;
    }
}

void sim_set_shape(Sim *sim, Owner owner, int slot, const Shape *shape)
{
    if (owner == OWNER_FIELD)
        sim->fields[slot].shape = shape;
    else
        sim->emitters[slot].shape = shape;
}

void sim_begin(Sim *sim, const Params *params)
{
    notice_all(sim, params);
    begin_swarms(sim->emitters, EMITTER_SLOTS, params, OWNER_EMITTER);
    begin_swarms(sim->fields, FIELD_SLOTS, params, OWNER_FIELD);
    sim->heard_for = 0;
}

static void hear(Sim *sim, const Features *features, float seconds)
{
    if (!(seconds > 0)) return;
    sim->heard_for += seconds;
    for (int b = 0; b < ANALYSIS_BANDS; b++) {
        const float level = features ? features->signal[analysis_bands[b]] : 0;
        sim->heard[b] += (level - sim->heard[b]) * (seconds / sim->heard_for);
    }
}

const float *sim_heard(const Sim *sim)
{
    return sim->heard;
}

static void hop_swarm(Swarm *swarm, const Params *params, Owner owner, int slot, Hop *hop)
{
    hop->values = params_values(params, owner, slot);
    hop->by_fill = owner == OWNER_FIELD && hop->values[FIELD_BORN_BY] == BORN_BY_FILL;
    swarm_travel(swarm, hop->values, clampf(hop->seconds, 0, STALL_LONGEST));
    hop->place = place_of(params, owner, slot, swarm).middle;
    swarm_hop(swarm, hop);
}

void sim_hop(Sim *sim, const Params *params, const Features *features, float age, float seconds)
{
    notice_all(sim, params);
    hear(sim, features, seconds);
    Hop hop = { .features = features, .age = age, .seconds = seconds };
    for (int n = 0; n < EMITTER_SLOTS; n++)
        if (sim->emitters[n].exists) hop_swarm(&sim->emitters[n], params, OWNER_EMITTER, n, &hop);
    for (int n = 0; n < FIELD_SLOTS; n++)
        if (sim->fields[n].exists) hop_swarm(&sim->fields[n], params, OWNER_FIELD, n, &hop);
}

// ---- one block in one frame ---------------------------------------------------------------------

static void work_block(Sim *sim, int n, const Ahead *ahead)
{
    BlockInfo *info = &sim->pool.infos[n];
    Block *block = &sim->pool.blocks[n];
    const Share *share = &sim->shares[info->emitter];
    Bounces *bounces = events_bounces(&sim->events, info->emitter, n);
    const int steps = share->births.frozen ? 0 : sim->substeps;
    for (int s = 0; s < steps; s++) {
        kernel_step(block, info->count, &share->steps[s], bounces, ahead);
        info_age(info, &share->steps[s]);
    }
    if (info->newborns > 0) newborns_put(share, sim->frame, sim->dt, info, block);
    info_grow(info);
    const float life = share->felt.life, life_random = share->felt.life_random;
    const uint32_t before = info->count;
    if (info_may_die(info, life, life_random))
        info->count = kernel_bury(block, before, life, life_random);
    info->dead = before - info->count;
}

// Painted as it is moved, a block is read from memory once.
static void work_unit(void *work, int unit)
{
    Sim *sim = work;
    const bool paints = sim->drawing.written;
    const int end = unit_end(&sim->pool, unit);
    for (int n = unit * UNIT; n < end; n++) {
        Ahead ahead = pool_ahead(&sim->pool, n + 1);
        if (paints) sprites_ahead(sim, n, &ahead);
        work_block(sim, sim->pool.used[n], &ahead);
        if (paints) sprites_write(sim, n);
    }
}

// ---- the frame ----------------------------------------------------------------------------------

static void prepare_share(Sim *sim, const Params *params, int slot)
{
    Share *share = &sim->shares[slot];
    share->values = params_values(params, OWNER_EMITTER, slot);
    const float *speed = speed_bake(&sim->speeds[slot], params, OWNER_EMITTER, slot);
    share->felt = motion_felt(sim->motion, share->values, speed);
    const float dt = sim->dt / (float)sim->substeps;
    Motion felt = share->felt;
    for (int n = 0; n < sim->substeps; n++) {
        felt.turbulence_phase =
            share->felt.turbulence_phase + felt.turbulence_speed * ((float)n * dt);
        share->steps[n] = step_make(&felt, sim->frame * SUBSTEPS_MAX + (uint32_t)n, dt);
    }
}

static void step_emitter(Sim *sim, const Params *params, int slot)
{
    prepare_share(sim, params, slot);
    Share *share = &sim->shares[slot];
    Swarm *swarm = &sim->emitters[slot];
    if (swarm_obey(swarm, share->values)) pool_drop(&sim->pool, slot);
    const Placement place = place_of(params, OWNER_EMITTER, slot, swarm);
    swarm_step(swarm, share->values, &place, sim->dt);
    share->births = births_newest(&swarm->births, sim_capacity(sim));
    pool_assign(&sim->pool, slot, share->births.count);
}

static void step_field(Sim *sim, const Params *params, int slot)
{
    const float *values = params_values(params, OWNER_FIELD, slot);
    Swarm *swarm = &sim->fields[slot];
    swarm_obey(swarm, values);
    const Placement place = place_of(params, OWNER_FIELD, slot, swarm);
    swarm_step(swarm, values, &place, sim->dt);
}

void sim_step(Sim *sim, const Params *params, const Motion *motion, uint32_t frame, float dt)
{
    notice_all(sim, params);
    sim->motion = motion;
    sim->frame = frame;
    sim->dt = clampf(dt, 0, STALL_LONGEST);
    sim->substeps = law_substeps(sim->dt);
    for (int n = 0; n < EMITTER_SLOTS; n++)
        if (sim->emitters[n].exists) step_emitter(sim, params, n);
    for (int n = 0; n < FIELD_SLOTS; n++)
        if (sim->fields[n].exists) step_field(sim, params, n);
    pool_list(&sim->pool);
    events_begin(sim, params);
    sprites_begin(sim, params);
    work_units(sim, work_unit);
    events_collect(sim, params);
    pool_close(&sim->pool);
    events_bear(sim);
    pool_list(&sim->pool);
}

void sim_clear(Sim *sim)
{
    for (int n = 0; n < EMITTER_SLOTS; n++) {
        swarm_clear(&sim->emitters[n]);
        pool_drop(&sim->pool, n);
    }
    for (int n = 0; n < FIELD_SLOTS; n++) swarm_clear(&sim->fields[n]);
    sim->events.hit_count = 0;
    sim->drawing.written = false;
}

void sim_hits(Sim *sim, const Hit *hits, int count)
{
    Events *events = &sim->events;
    for (int n = 0; n < count && events->hit_count < HITS_MAX; n++)
        events->hits[events->hit_count++] = hits[n];
}

// Emitters that live on bursts by hand alone have ended with the first of them.
static bool has_ended(const Swarm *swarm, const float *values)
{
    if (values[SWARM_LOOP] != 0) return false;
    if (values[SWARM_DURATION] > 0) return swarm_is_over(swarm, values);
    return values[SWARM_RATE] <= 0 && values[SWARM_RATE_DISTANCE] <= 0 &&
           values[SWARM_BURST_EVERY] <= 0 && values[SWARM_BURST_ON] == BURST_ON_NOTHING &&
           swarm->births.first + swarm->births.count > 0;
}

int sim_over(const Sim *sim, const Params *params, int slots[EMITTER_SLOTS])
{
    int count = 0;
    for (int n = 0; n < EMITTER_SLOTS; n++) {
        const Swarm *swarm = &sim->emitters[n];
        if (!swarm->exists || sim->pool.alive[n] > 0) continue;
        const float *values = params_values(params, OWNER_EMITTER, n);
        if (values[EMITTER_ONCE] == 0 || is_born_of_events(params, n)) continue;
        if (has_ended(swarm, values)) slots[count++] = n;
    }
    return count;
}

void sim_resume(Sim *sim, Sim *before)
{
    for (int n = 0; n < EMITTER_SLOTS; n++) {
        sim->emitters[n] = before->emitters[n];
        swarm_clear(&sim->emitters[n]);
    }
    for (int n = 0; n < FIELD_SLOTS; n++) {
        const Swarm own = sim->fields[n];
        sim->fields[n] = before->fields[n];
        before->fields[n] = own;
    }
    sim->events.lost = before->events.lost;
    memcpy(sim->heard, before->heard, sizeof sim->heard);
    sim->heard_for = before->heard_for;
}

// ---- a measure of the memory --------------------------------------------------------------------

static void stream_unit(void *work, int unit)
{
    Sim *sim = work;
    const int end = unit_end(&sim->pool, unit);
    uint32_t sum = 0;
    for (int n = unit * UNIT; n < end; n++) {
        const int block = sim->pool.used[n];
        sum += kernel_stream(&sim->pool.blocks[block], sim->stream_times);
        if (sim->stream_times != 1)
            sim->pool.infos[block].eldest = INFINITY; // ages are numbers too
    }
    atomic_fetch_add_explicit(&sim->stream_sum, sum, memory_order_relaxed);
}

uint32_t sim_stream(Sim *sim, float times)
{
    sim->stream_times = times;
    atomic_store(&sim->stream_sum, 0);
    work_units(sim, stream_unit);
    return atomic_load(&sim->stream_sum);
}

// ---- what came of it ----------------------------------------------------------------------------

const Births *sim_field_births(const Sim *sim, int field_slot)
{
    return &sim->fields[field_slot].births;
}

static uint32_t births_of(const Swarm *swarms, int count)
{
    uint32_t births = 0;
    for (int n = 0; n < count; n++) births += swarms[n].births.count;
    return births;
}

uint32_t sim_births(const Sim *sim)
{
    return births_of(sim->emitters, EMITTER_SLOTS);
}

uint32_t sim_field_births_all(const Sim *sim)
{
    return births_of(sim->fields, FIELD_SLOTS);
}

uint32_t sim_alive(const Sim *sim)
{
    return sim->pool.alive_all;
}

uint32_t sim_emitter_alive(const Sim *sim, int emitter_slot)
{
    return sim->pool.alive[emitter_slot];
}

uint64_t sim_lost_events(const Sim *sim)
{
    return sim->events.lost;
}

uint32_t sim_capacity(const Sim *sim)
{
    return (uint32_t)sim->pool.count * BLOCK;
}

int sim_threads(const Sim *sim)
{
    return team_threads(sim->team);
}

const char *sim_clone(const Sim *sim)
{
    (void)sim;
    return kernel_clone();
}

uint32_t sim_particles(const Sim *sim, int emitter_slot, Particle *particles, uint32_t *keys,
                       uint32_t capacity)
{
    const Motion *felt = &sim->shares[emitter_slot].felt;
    uint32_t written = 0;
    for (int n = 0; n < sim->pool.count; n++) {
        const BlockInfo *info = &sim->pool.infos[n];
        const Block *block = &sim->pool.blocks[n];
        if (info->emitter != emitter_slot) continue;
        for (uint32_t at = 0; at < info->count && written < capacity; at++, written++) {
            particles[written] = block_get(block, at, felt->life, felt->life_random);
            keys[written] = block->key[at];
        }
    }
    return written;
}
