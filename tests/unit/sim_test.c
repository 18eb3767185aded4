#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "sim/birth.h"
#include "sim/pool.h"
#include "sim/step.h"

// ---- every allocation of the room comes by here (--wrap) ----------------------------------------

static int allocations;
static int fail_at; // this allocation fails; 0: none

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

static bool refused(void)
{
    return ++allocations == fail_at;
}

void *__wrap_malloc(size_t size)
{
    return refused() ? NULL : __real_malloc(size);
}
void *__wrap_calloc(size_t count, size_t size)
{
    return refused() ? NULL : __real_calloc(count, size);
}
void *__wrap_realloc(void *old, size_t size)
{
    return refused() ? NULL : __real_realloc(old, size);
}
void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return refused() ? NULL : __real_aligned_alloc(alignment, size);
}

// ---- a show in small ----------------------------------------------------------------------------

typedef struct {
    Params *params;
    Sim *sim;
    uint32_t frame;
    double time;
    int hops;
    float phase;
    const Features *heard; // in every hop; NULL: nothing
} Rig;

static const double hop = 1 / 187.5;

static Rig rig_new(uint32_t capacity, int threads)
{
    char why[200];
    Rig rig = { .params = params_new() };
    assert_non_null(rig.params);
    rig.sim = sim_new(&(SimDesc){ .capacity = capacity, .threads = threads, .seed = 42 }, why,
                      sizeof why);
    assert_non_null(rig.sim);
    return rig;
}

static void rig_free(Rig *rig)
{
    sim_free(rig->sim);
    params_free(rig->params);
}

static int add(Rig *rig, Owner owner, const char *name)
{
    char why[200];
    const int slot = params_add(rig->params, owner, name, why, sizeof why);
    if (slot < 0) fail_msg("%s", why);
    return slot;
}

static void set(Rig *rig, Owner owner, int slot, int row, float value)
{
    assert_true(params_set(rig->params, params_id(owner, slot, row), (double)value));
}

static void set_global(Rig *rig, int row, float value)
{
    set(rig, OWNER_GLOBAL, 0, row, value);
}

static Motion rig_motion(const Rig *rig, float phase)
{
    Motion motion = motion_of(rig->params, phase);
    motion_hear(&motion, rig->params, sim_heard(rig->sim));
    return motion;
}

static void rig_frame(Rig *rig, float dt)
{
    rig->time += (double)dt;
    sim_begin(rig->sim, rig->params);
    for (; (rig->hops + 1) * hop <= rig->time; rig->hops++)
        sim_hop(rig->sim, rig->params, rig->heard, (float)(rig->time - rig->hops * hop),
                (float)hop);
    const Motion motion = rig_motion(rig, rig->phase);
    sim_step(rig->sim, rig->params, &motion, rig->frame++, dt);
    rig->phase = fmodf(rig->phase + dt * motion.turbulence_speed, FLOW_PERIOD);
}

static void set_every_force(Rig *rig)
{
    set_global(rig, GLOBAL_GRAVITY, -3);
    set_global(rig, GLOBAL_WIND_X, 1);
    set_global(rig, GLOBAL_DRAG, 0.7f);
    set_global(rig, GLOBAL_JITTER, 2);
    set_global(rig, GLOBAL_TURBULENCE, 6);
    set_global(rig, GLOBAL_TURBULENCE_SPEED, 1);
    set_global(rig, GLOBAL_ATTRACTOR2_STRENGTH, 20);
    set_global(rig, GLOBAL_ATTRACTOR2_X, 1);
    set_global(rig, GLOBAL_ATTRACTOR8_VORTEX, -15);
    set_global(rig, GLOBAL_SPECTRUM, 5);
    set_global(rig, GLOBAL_SPECTRUM_VORTEX, 3);
    set_global(rig, GLOBAL_SPECTRUM_LIFT, -2);
    set_global(rig, GLOBAL_SPECTRUM_NORMAL_X, 1);
    set_global(rig, GLOBAL_COLLIDER2_SHAPE, COLLIDER_BOX);
    set_global(rig, GLOBAL_COLLIDER2_Y, -1);
    set_global(rig, GLOBAL_COLLIDER3_SHAPE, COLLIDER_SPHERE);
    set_global(rig, GLOBAL_COLLIDER3_INSIDE, 1);
    set_global(rig, GLOBAL_COLLIDER3_SIZE_X, 6);
}

static int add_busy(Rig *rig, const char *name, float rate, float life)
{
    const int slot = add(rig, OWNER_EMITTER, name);
    set(rig, OWNER_EMITTER, slot, SWARM_RATE, rate);
    set(rig, OWNER_EMITTER, slot, SWARM_LIFE, life);
    return slot;
}

// ---- the same show on any number of threads -----------------------------------------------------

enum { MANY = 65536 };

typedef struct {
    Particle particles[MANY];
    uint32_t keys[MANY];
    uint32_t count;
} Crowd;

static void take(const Rig *rig, int slot, Crowd *crowd)
{
    crowd->count = sim_particles(rig->sim, slot, crowd->particles, crowd->keys, MANY);
    assert_int_equal(crowd->count, sim_emitter_alive(rig->sim, slot));
}

static void any_number_of_threads_makes_the_same_show(void **state)
{
    (void)state;
    const int threads[] = { 1, 2, 5 };
    Crowd *first = calloc(3, sizeof *first), *crowd = calloc(1, sizeof *crowd);
    for (int t = 0; t < COUNT_OF(threads); t++) {
        Rig rig = rig_new(32768, threads[t]);
        set_every_force(&rig);
        int slots[3] = { add_busy(&rig, "a", 20000, 0.5f), add_busy(&rig, "b", 7000, 1),
                         add_busy(&rig, "c", 90, 3) };
        for (int f = 0; f < 50; f++) rig_frame(&rig, f % 3 ? 1.0f / 60 : 0.04f);
        for (int s = 0; s < 3; s++) {
            Crowd *to = t == 0 ? &first[s] : crowd;
            take(&rig, slots[s], to);
            assert_true(to->count > 80);
            assert_int_equal(to->count, first[s].count);
            assert_memory_equal(to->particles, first[s].particles, sizeof(Particle) * to->count);
            assert_memory_equal(to->keys, first[s].keys, sizeof(uint32_t) * to->count);
        }
        rig_free(&rig);
    }
    free(first);
    free(crowd);
}

// ---- the engine and the law ---------------------------------------------------------------------

typedef struct {
    uint32_t key;
    Particle p;
} Keyed;

static int by_key(const void *a, const void *b)
{
    const uint32_t x = ((const Keyed *)a)->key, y = ((const Keyed *)b)->key;
    return (x > y) - (x < y);
}

static void law_move(Keyed *k, const Motion *felt, uint32_t frame, float span, float start)
{
    const int steps = law_substeps(span);
    const float dt = span / (float)steps;
    Motion now = *felt;
    for (int s = 0; s < steps; s++) {
        now.turbulence_phase =
            felt->turbulence_phase + felt->turbulence_speed * (start + (float)s * dt);
        law_step(&k->p, &now, k->key, frame * SUBSTEPS_MAX + (uint32_t)s, dt);
    }
}

// The same show by the plain law, one particle after another.
typedef struct {
    Keyed all[MANY];
    uint32_t count;
    Swarm swarm;
    SpeedCurve speed;
} Plain;

static void plain_live(Plain *plain, const Motion *felt, uint32_t frame, float dt)
{
    uint32_t kept = 0;
    for (uint32_t n = 0; n < plain->count; n++) {
        Keyed k = plain->all[n];
        k.p.life = life_of(felt->life, felt->life_random, k.key);
        if (!plain->swarm.births.frozen) law_move(&k, felt, frame, dt, 0);
        if (k.p.age < k.p.life) plain->all[kept++] = k;
    }
    plain->count = kept;
}

static void plain_bear(Plain *plain, const Motion *felt, const float *values,
                       const Placement *place, uint32_t frame, float dt)
{
    const Births *b = &plain->swarm.births;
    for (int r = 0; r < b->run_count; r++)
        for (uint32_t n = 0; n < b->runs[r].count; n++) {
            const float age = fmaxf(b->runs[r].age_first - (float)n * b->runs[r].spacing, 0);
            Keyed k = { .key = rng_key(b->seed, b->runs[r].first + n) };
            k.p = law_birth(values, place, k.key);
            law_move(&k, felt, frame, age, dt - age);
            if (k.p.age < k.p.life) plain->all[plain->count++] = k;
        }
}

// A frame of the rig and of the plain law, which must come to the same.
static void both_frames(Rig *rig, int slot, const Shape *shape, Plain *plain, float dt)
{
    const float *values = params_values(rig->params, OWNER_EMITTER, slot);
    const float phase = rig->phase;
    const int before = rig->hops;
    const uint32_t frame = rig->frame;
    rig_frame(rig, dt);
    const Motion motion = rig_motion(rig, phase);
    const Motion felt =
        motion_felt(&motion, values, speed_bake(&plain->speed, rig->params, OWNER_EMITTER, slot));
    Placement place = placement_of(rig->params, OWNER_EMITTER, slot);
    place.shape = shape;
    swarm_begin(&plain->swarm, (Vec3){ 0, 0, 0 });
    plain->swarm.births.frozen = values[SWARM_FREEZE] != 0;
    for (int h = before; h < rig->hops; h++)
        swarm_hop(
            &plain->swarm,
            &(Hop){ .values = values, .age = (float)(rig->time - h * hop), .seconds = (float)hop });
    plain_live(plain, &felt, frame, dt);
    plain_bear(plain, &felt, values, &place, frame, dt);
}

static void assert_same_particles(const Rig *rig, int slot, Plain *plain, Crowd *crowd, Keyed *got)
{
    take(rig, slot, crowd);
    assert_int_equal(crowd->count, plain->count);
    for (uint32_t n = 0; n < crowd->count; n++)
        got[n] = (Keyed){ crowd->keys[n], crowd->particles[n] };
    qsort(got, crowd->count, sizeof *got, by_key);
    qsort(plain->all, plain->count, sizeof *got, by_key);
    assert_memory_equal(got, plain->all, sizeof *got * plain->count);
}

static void set_speed(Rig *rig, int slot, float end)
{
    char why[200];
    const Stops stops = { .count = 2, .at = { 0, 1 }, .value = { { 1 }, { end } } };
    if (!params_set_stops(rig->params, params_id(OWNER_EMITTER, slot, SWARM_SPEED_CURVE), &stops,
                          why, sizeof why))
        fail_msg("%s", why);
}

// What hands may change of a swarm that lives: whether anything is in its way, what that costs, how long
// it lives, where it is born, how many at once.
static const Shape *change_one(Rig *rig, int slot, uint32_t frame, const Shape *shape)
{
    const uint32_t key = rng_key(5, frame);
    const float share = rng_unit(rng_draw(key, 1));
    switch (rng_draw(key, 2) % 10) {
    case 0:
    case 1:
        set(rig, OWNER_EMITTER, slot, SWARM_COLLIDE, share < 0.15f);
        return shape;
    case 2:
        set(rig, OWNER_EMITTER, slot, SWARM_HIT_LIFE, share * share);
        return shape;
    case 3:
        set(rig, OWNER_EMITTER, slot, SWARM_LIFE, 0.05f + 3 * share * share * share);
        return shape;
    case 4:
        set(rig, OWNER_EMITTER, slot, SWARM_LIFE_RANDOM, share < 0.6f ? 0 : share);
        return shape;
    case 5:
        set(rig, OWNER_EMITTER, slot, SWARM_AREA, 9 * share - 0.5f);
        return share < 0.5f ? NULL : shape;
    case 6:
        set(rig, OWNER_EMITTER, slot, SWARM_FREEZE, share < 0.3f);
        return shape;
    case 7:
        set_global(rig, GLOBAL_TURBULENCE, share < 0.5f ? 0 : 9 * share);
        return shape;
    case 8:
        set(rig, OWNER_EMITTER, slot, SWARM_BURST, (float)frame);
        return shape;
    default:
        set_speed(rig, slot, share < 0.7f ? 1 : 2 * share);
        return shape;
    }
}

static void the_engine_keeps_the_law_to_the_bit(void **state)
{
    (void)state;
    Rig rig = rig_new(65536, 2);
    Features heard = { 0 };
    heard.signal[SIGNAL_LOW] = 0.7f;
    heard.signal[SIGNAL_HIGH_MID] = 0.4f;
    rig.heard = &heard;
    set_every_force(&rig);
    const int slot = add_busy(&rig, "spark", 3000, 0.8f);
    set(&rig, OWNER_EMITTER, slot, SWARM_FORCE, 0.8f);
    set(&rig, OWNER_EMITTER, slot, SWARM_OWN_DRAG, 0.3f);
    set(&rig, OWNER_EMITTER, slot, SWARM_OWN_GRAVITY, -1);
    set(&rig, OWNER_EMITTER, slot, SWARM_OWN_JITTER, 0.5f);
    set(&rig, OWNER_EMITTER, slot, SWARM_HIT_LIFE, 0.05f);
    set(&rig, OWNER_EMITTER, slot, SWARM_TURN_X, 40);
    Plain *plain = calloc(1, sizeof *plain);
    Crowd *crowd = calloc(1, sizeof *crowd);
    Keyed *got = calloc(MANY, sizeof *got);
    plain->swarm.births.seed = swarm_seed(42, OWNER_EMITTER, "spark");
    for (uint32_t f = 0; f < 60; f++) {
        const float dts[] = { 1.0f / 60, 1.0f / 144, 0.031f, 0.1f };
        both_frames(&rig, slot, NULL, plain, dts[f % 4]);
        assert_same_particles(&rig, slot, plain, crowd, got);
    }
    assert_true(plain->count > 1000);
    free(got);
    free(crowd);
    free(plain);
    rig_free(&rig);
}

static void the_engine_keeps_the_law_whatever_hands_change(void **state)
{
    (void)state;
    Patch patches[] = { { .at = { 0.1f, 0.2f, 0.3f }, .keep = 0.5f, .other = 1, .u = { 1 } },
                        { .keep = 1, .v = { 0, 0, 1 }, .folded = 1, .normal = { 0, 1, 0 } } };
    const Shape made = { patches, COUNT_OF(patches) }, *shape = &made;
    Rig rig = rig_new(65536, 2);
    set_every_force(&rig);
    const int slot = add_busy(&rig, "spark", 500, 0.8f);
    set(&rig, OWNER_EMITTER, slot, SWARM_BURST_COUNT, 400);
    Plain *plain = calloc(1, sizeof *plain);
    Crowd *crowd = calloc(1, sizeof *crowd);
    Keyed *got = calloc(MANY, sizeof *got);
    plain->swarm.births.seed = swarm_seed(42, OWNER_EMITTER, "spark");
    set(&rig, OWNER_EMITTER, slot, SWARM_COLLIDE, 0);
    uint32_t most = 0;
    for (uint32_t f = 0; f < 400; f++) {
        if (f % 2 == 0) shape = change_one(&rig, slot, f, &made);
        sim_set_shape(rig.sim, OWNER_EMITTER, slot, shape);
        both_frames(&rig, slot, shape, plain, f % 20 == 7 ? 0.1f : 1.0f / 60);
        assert_same_particles(&rig, slot, plain, crowd, got);
        most = plain->count > most ? plain->count : most;
    }
    assert_true(most > 1000);
    free(got);
    free(crowd);
    free(plain);
    rig_free(&rig);
}

static void streaming_reads_and_writes_every_number(void **state)
{
    (void)state;
    enum { FEW = 30000 }; // more than one thread takes by itself
    Rig rig = rig_new(65536, 2);
    const int slot = add_busy(&rig, "crowd", FEW * 10, 10);
    Crowd *before = calloc(1, sizeof *before), *after = calloc(1, sizeof *after);
    for (int f = 0; f < 6; f++) rig_frame(&rig, 1.0f / 60);
    take(&rig, slot, before);
    assert_true(before->count > 20000);
    const uint32_t sum = sim_stream(rig.sim, 1);
    take(&rig, slot, after);
    assert_memory_equal(before, after, sizeof *before);
    assert_int_equal(sim_stream(rig.sim, 2), sum);
    take(&rig, slot, after);
    for (uint32_t n = 0; n < before->count; n++) {
        const Particle *a = &before->particles[n], *b = &after->particles[n];
        assert_true(b->position.x == 2 * a->position.x && b->position.y == 2 * a->position.y);
        assert_true(b->position.z == 2 * a->position.z && b->velocity.x == 2 * a->velocity.x);
        assert_true(b->velocity.y == 2 * a->velocity.y && b->velocity.z == 2 * a->velocity.z);
        assert_true(b->age == 2 * a->age);
    }
    sim_stream(rig.sim, 50);
    rig_frame(&rig, 1.0f / 60);
    take(&rig, slot, after);
    assert_true(after->count > 0); // newborns
    for (uint32_t n = 0; n < after->count; n++)
        assert_true(after->particles[n].age < after->particles[n].life);
    free(before);
    free(after);
    rig_free(&rig);
}

// What is pushed in a second is the same, however long the frames are.
static void the_bands_are_heard_alike_at_any_frame_rate(void **state)
{
    (void)state;
    static const float rates[] = { 20, 30, 60, 144, 500 };
    for (int r = 0; r < COUNT_OF(rates); r++) {
        Rig rig = rig_new(0, 1);
        Features loud = { 0 }, quiet = { 0 };
        loud.signal[SIGNAL_SUB] = 0.8f;
        loud.signal[SIGNAL_HIGH] = quiet.signal[SIGNAL_HIGH] = 0.5f;
        double low = 0, high = 0;
        for (int f = 0; f < 2 * (int)rates[r]; f++) {
            rig.heard = rig.time > 0.5 && rig.time < 1 ? &loud : &quiet;
            rig_frame(&rig, 1 / rates[r]);
            low += (double)sim_heard(rig.sim)[0] / (double)rates[r];
            high += (double)sim_heard(rig.sim)[4] / (double)rates[r];
        }
        assert_float_equal(low, 0.8 * 0.5, 0.8 * 0.06); // switched at a frame's end
        assert_float_equal(high, 0.5 * 2, 0.5 * 0.06);
        rig_free(&rig);
    }
}

static void a_frame_hears_the_mean_of_its_hops_or_what_was_heard_last(void **state)
{
    (void)state;
    Rig rig = rig_new(0, 1);
    Features loud = { 0 };
    loud.signal[SIGNAL_LOW_MID] = 0.9f;
    sim_begin(rig.sim, rig.params);
    sim_hop(rig.sim, rig.params, &loud, 0.015f, 0.005f);
    sim_hop(rig.sim, rig.params, &loud, 0.010f, 0.005f);
    sim_hop(rig.sim, rig.params, NULL, 0.005f, 0.005f);
    assert_float_equal(sim_heard(rig.sim)[2], 0.6f, 1e-6f);
    assert_float_equal(sim_heard(rig.sim)[1], 0, 0);
    sim_begin(rig.sim, rig.params);
    assert_float_equal(sim_heard(rig.sim)[2], 0.6f, 1e-6f);
    sim_hop(rig.sim, rig.params, NULL, 0.005f, 0.005f);
    assert_float_equal(sim_heard(rig.sim)[2], 0, 0);
    rig_free(&rig);
}

// 15 m a second, 1000 births a second: one every 15 mm, from the first frame's end on.
static void check_travel(Owner mover, float rate, float rate_distance)
{
    Rig rig = rig_new(0, 1);
    const int slot = add_busy(&rig, "comet", rate, 10);
    set(&rig, OWNER_EMITTER, slot, SWARM_RATE_DISTANCE, rate_distance);
    set(&rig, OWNER_EMITTER, slot, SWARM_AREA, AREA_POINT);
    set(&rig, OWNER_EMITTER, slot, SWARM_OUTWARD, 0);
    set(&rig, OWNER_EMITTER, slot, SWARM_SPREAD, 0);
    set(&rig, OWNER_EMITTER, slot, SWARM_LIFE_RANDOM, 0);
    const int moved = mover == OWNER_SYSTEM ? params_system(rig.params, OWNER_EMITTER, slot) : slot;
    for (int f = 0; f < 30; f++) {
        set(&rig, mover, moved, mover == OWNER_SYSTEM ? (int)SYSTEM_X : (int)SWARM_POSITION_X,
            (float)f * 0.5f);
        rig_frame(&rig, 1.0f / 30);
    }
    Crowd *crowd = calloc(1, sizeof *crowd);
    take(&rig, slot, crowd);
    int tenths[145] = { 0 };
    for (uint32_t n = 0; n < crowd->count; n++) {
        const float x = crowd->particles[n].position.x;
        if (x >= 0 && x < 14.5f) tenths[(int)(x * 10)]++;
    }
    for (int n = 2; n < 140; n++) assert_in_range(tenths[n], 5, 9);
    free(crowd);
    rig_free(&rig);
}

static void an_emitter_or_system_that_travels_leaves_no_clumps(void **state)
{
    (void)state;
    const Owner movers[] = { OWNER_EMITTER, OWNER_SYSTEM };
    for (int m = 0; m < COUNT_OF(movers); m++) {
        check_travel(movers[m], 1000, 0);
        check_travel(movers[m], 0, 67);
    }
}

static int add_point(Rig *rig, Owner owner, const char *name, float rate)
{
    const int slot = add(rig, owner, name);
    set(rig, owner, slot, SWARM_RATE, rate);
    set(rig, owner, slot, SWARM_LIFE, 60);
    set(rig, owner, slot, SWARM_AREA, AREA_POINT);
    set(rig, owner, slot, SWARM_OUTWARD, 0);
    set(rig, owner, slot, SWARM_SPREAD, 0);
    set(rig, owner, slot, SWARM_LIFE_RANDOM, 0);
    return slot;
}

// A chord between two hops leaves a circle of 3 m, gone round twice a second, by 1.7 mm.
static void an_orbit_is_round_at_any_frame_rate(void **state)
{
    (void)state;
    const float rates[] = { 20, 60, 144 };
    Crowd *crowd = calloc(1, sizeof *crowd);
    for (int r = 0; r < COUNT_OF(rates); r++) {
        Rig rig = rig_new(0, 2);
        const int slot = add_point(&rig, OWNER_EMITTER, "ring", 3600);
        set(&rig, OWNER_EMITTER, slot, SWARM_PATH, PATH_ORBIT);
        set(&rig, OWNER_EMITTER, slot, SWARM_PATH_X, 3);
        set(&rig, OWNER_EMITTER, slot, SWARM_PATH_Y, 3);
        set(&rig, OWNER_EMITTER, slot, SWARM_PATH_RATE_X, 2);
        set(&rig, OWNER_EMITTER, slot, SWARM_POSITION_X, 1);
        while (rig.hops < 188) rig_frame(&rig, 1 / rates[r]);
        take(&rig, slot, crowd);
        int sectors[36] = { 0 };
        for (uint32_t n = 0; n < crowd->count; n++) {
            const Vec3 p = crowd->particles[n].position;
            assert_float_equal(sqrtf((p.x - 1) * (p.x - 1) + p.y * p.y), 3, 0.002f);
            sectors[clampi((int)((atan2f(p.y, p.x - 1) / 3.14159265f + 1) * 18), 0, 35)]++;
        }
        // Two rounds, 3,600 births: 100 a sector, and what the last frame brought over a second.
        for (int n = 0; n < 36; n++) assert_in_range(sectors[n], 96, 260);
        rig_free(&rig);
    }
    free(crowd);
}

static void paths_follow_the_hand_and_the_attractors(void **state)
{
    (void)state;
    Rig rig = rig_new(0, 1);
    const int mouse = add_point(&rig, OWNER_FIELD, "mouse", 100);
    const int star = add_point(&rig, OWNER_EMITTER, "star", 100);
    set(&rig, OWNER_FIELD, mouse, SWARM_PATH, PATH_MOUSE);
    set(&rig, OWNER_FIELD, mouse, SWARM_POSITION_Y, 1);
    set(&rig, OWNER_EMITTER, star, SWARM_PATH, PATH_ATTRACTOR);
    set(&rig, OWNER_EMITTER, star, SWARM_PATH_ATTRACTOR, 3);
    set_global(&rig, GLOBAL_HAND_X, 4);
    set_global(&rig, GLOBAL_ATTRACTOR3_Z, -7);
    rig_frame(&rig, 1.0f / 20);
    const Vec3 place = sim_field_births(rig.sim, mouse)->place.middle;
    assert_true(place.x == 4 && place.y == 1 && place.z == 0);
    Crowd *crowd = calloc(1, sizeof *crowd);
    take(&rig, star, crowd);
    assert_true(crowd->count >= 4);
    for (uint32_t n = 0; n < crowd->count; n++)
        assert_float_equal(crowd->particles[n].position.z, -7, 1e-5f);
    free(crowd);
    rig_free(&rig);
}

// ---- the pool -----------------------------------------------------------------------------------

static void check_numbers(const Keyed *k)
{
    const Particle *p = &k->p;
    assert_true(isfinite(p->position.x + p->position.y + p->position.z));
    assert_true(isfinite(p->velocity.x + p->velocity.y + p->velocity.z));
    assert_true(p->age >= 0 && p->age < p->life);
}

static const Keyed *find(const Keyed *all, uint32_t count, uint32_t key)
{
    const Keyed want = { .key = key };
    return bsearch(&want, all, count, sizeof *all, by_key);
}

// One emitter's particles by key, checked against the frame before.
static void check_emitter(const Rig *rig, int slot, Crowd *crowd, Keyed *now, Keyed *before,
                          uint32_t *before_count)
{
    take(rig, slot, crowd);
    for (uint32_t n = 0; n < crowd->count; n++) {
        now[n] = (Keyed){ crowd->keys[n], crowd->particles[n] };
        check_numbers(&now[n]);
    }
    qsort(now, crowd->count, sizeof *now, by_key);
    for (uint32_t n = 0; n < crowd->count; n++) {
        if (n > 0) assert_true(now[n].key != now[n - 1].key);
        const Keyed *old = find(before, *before_count, now[n].key);
        if (old) assert_true(now[n].p.age > old->p.age);
    }
    memcpy(before, now, sizeof *now * crowd->count);
    *before_count = crowd->count;
}

enum { SLOTS = 4, FRAMES = 1000 };

static void stir(Rig *rig, uint32_t frame)
{
    const uint32_t key = rng_key(77, frame);
    const int slot = (int)(rng_draw(key, 0) % SLOTS);
    char name[8];
    snprintf(name, sizeof name, "e%d", slot);
    const int found = params_slot(rig->params, OWNER_EMITTER, name);
    if (found < 0) {
        add(rig, OWNER_EMITTER, name);
        return;
    }
    const float share = rng_unit(rng_draw(key, 1));
    switch (rng_draw(key, 2) % 8) {
    case 0:
        params_remove(rig->params, OWNER_EMITTER, found);
        break;
    case 1:
        set(rig, OWNER_EMITTER, found, SWARM_LIFE, 0.01f + 6 * share * share);
        break;
    case 2:
        set(rig, OWNER_EMITTER, found, SWARM_LIFE_RANDOM, share);
        break;
    case 3:
        set(rig, OWNER_EMITTER, found, SWARM_RATE, 0);
        break;
    case 4:
        set(rig, OWNER_EMITTER, found, SWARM_RATE, 200000 * share * share * share);
        break;
    case 5:
        set_global(rig, GLOBAL_TURBULENCE, 50 * share);
        break;
    case 6:
        set_global(rig, GLOBAL_ATTRACTOR1_STRENGTH, 1000 * share - 500);
        break;
    default:
        set(rig, OWNER_EMITTER, found, SWARM_RATE, 3000 * share);
        break;
    }
}

static void a_long_random_life_loses_and_doubles_nothing(void **state)
{
    (void)state;
    Rig rig = rig_new(8 * 2048, 2);
    Crowd *crowd = calloc(1, sizeof *crowd);
    Keyed *now = calloc(MANY, sizeof *now), *before[EMITTER_SLOTS] = { NULL };
    uint32_t before_count[EMITTER_SLOTS] = { 0 }, generation[EMITTER_SLOTS] = { 0 }, fullest = 0;
    for (uint32_t f = 0; f < (SANITIZED ? FRAMES / 3 : FRAMES); f++) {
        if (f % 3 == 0) stir(&rig, f);
        rig_frame(&rig, f % 50 == 7 ? 0.1f : 1.0f / 60);
        uint32_t sum = 0;
        for (int s = 0; s < EMITTER_SLOTS; s++) {
            sum += sim_emitter_alive(rig.sim, s);
            if (!params_exists(rig.params, OWNER_EMITTER, s)) {
                assert_int_equal(sim_emitter_alive(rig.sim, s), 0);
                before_count[s] = 0;
                continue;
            }
            if (!before[s]) before[s] = calloc(MANY, sizeof *now);
            if (generation[s] != params_generation(rig.params, OWNER_EMITTER, s))
                before_count[s] = 0;
            generation[s] = params_generation(rig.params, OWNER_EMITTER, s);
            if (f % 5 < 2)
                check_emitter(&rig, s, crowd, now, before[s], &before_count[s]);
            else
                before_count[s] = 0;
        }
        assert_int_equal(sum, sim_alive(rig.sim));
        assert_true(sum <= sim_capacity(rig.sim));
        fullest = sum > fullest ? sum : fullest;
    }
    assert_true(fullest > sim_capacity(rig.sim) * 8 / 10);
    for (int s = 0; s < EMITTER_SLOTS; s++) free(before[s]);
    free(now);
    free(crowd);
    rig_free(&rig);
}

static int rising(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void when_full_the_oldest_go_first(void **state)
{
    (void)state;
    Rig rig = rig_new(4 * 2048, 2);
    const int slot = add_busy(&rig, "flood", 10000, 30);
    set(&rig, OWNER_EMITTER, slot, SWARM_LIFE_RANDOM, 0);
    Crowd *crowd = calloc(1, sizeof *crowd);
    uint64_t born = 0;
    for (int f = 0; f < 150; f++) {
        rig_frame(&rig, 1.0f / 60);
        born += sim_births(rig.sim);
        take(&rig, slot, crowd);
        assert_true(crowd->count <= sim_capacity(rig.sim));
        if (born <= sim_capacity(rig.sim)) {
            assert_int_equal(crowd->count, born);
            continue;
        }
        // At most one block is missing, and who lives are the newest.
        assert_true(crowd->count > sim_capacity(rig.sim) - BLOCK);
        qsort(crowd->keys, crowd->count, sizeof(uint32_t), rising);
        const uint32_t seed = swarm_seed(42, OWNER_EMITTER, "flood");
        for (uint64_t n = born - crowd->count; n < born; n++) {
            const uint32_t key = rng_key(seed, n);
            assert_non_null(bsearch(&key, crowd->keys, crowd->count, sizeof key, rising));
        }
    }
    assert_true(born > 2 * sim_capacity(rig.sim));
    free(crowd);
    rig_free(&rig);
}

static void a_silent_emitter_gives_way_to_a_busy_one_and_not_the_other_way(void **state)
{
    (void)state;
    Rig rig = rig_new(3 * 2048, 1);
    const int old = add_busy(&rig, "old", 600, 60), few = add_busy(&rig, "few", 60, 60);
    for (int f = 0; f < 60; f++) rig_frame(&rig, 1.0f / 60);
    set(&rig, OWNER_EMITTER, old, SWARM_RATE, 0);
    assert_true(sim_emitter_alive(rig.sim, old) > 500);
    const int busy = add_busy(&rig, "busy", 20000, 60);
    for (int f = 0; f < 60; f++) rig_frame(&rig, 1.0f / 60);
    assert_int_equal(sim_emitter_alive(rig.sim, old), 0);
    assert_in_range(sim_emitter_alive(rig.sim, few), 115, 120);
    assert_true(sim_emitter_alive(rig.sim, busy) > 2000);
    rig_free(&rig);
}

static void more_births_than_room_keep_the_newest(void **state)
{
    (void)state;
    Rig rig = rig_new(2048, 1);
    const int slot = add_busy(&rig, "flood", 1000000, 60);
    rig_frame(&rig, 0.1f);
    assert_true(sim_births(rig.sim) > 90000);
    assert_in_range(sim_emitter_alive(rig.sim, slot), 2048 - BLOCK + 1, 2048);
    Crowd *crowd = calloc(1, sizeof *crowd);
    take(&rig, slot, crowd);
    for (uint32_t n = 0; n < crowd->count; n++) assert_true(crowd->particles[n].age < 0.01f);
    free(crowd);
    rig_free(&rig);
}

// ---- coming and going ---------------------------------------------------------------------------

static void removal_takes_the_particles_and_a_new_one_starts_over(void **state)
{
    (void)state;
    Rig rig = rig_new(0, 1);
    const int slot = add_busy(&rig, "spark", 1000, 10), other = add_busy(&rig, "other", 500, 10);
    for (int f = 0; f < 30; f++) rig_frame(&rig, 1.0f / 60);
    assert_true(sim_emitter_alive(rig.sim, slot) > 450);
    params_remove(rig.params, OWNER_EMITTER, slot);
    rig_frame(&rig, 1.0f / 60);
    assert_int_equal(sim_emitter_alive(rig.sim, slot), 0);
    assert_true(sim_emitter_alive(rig.sim, other) > 240);

    // Gone and there again between two frames: another instance, with its own births from 0.
    const int again = add_busy(&rig, "spark", 1000, 10);
    for (int f = 0; f < 30; f++) rig_frame(&rig, 1.0f / 60);
    params_remove(rig.params, OWNER_EMITTER, again);
    assert_int_equal(add_busy(&rig, "spark", 1000, 10), again);
    rig_frame(&rig, 1.0f / 60);
    assert_true(sim_emitter_alive(rig.sim, again) <= 20);
    Crowd *crowd = calloc(1, sizeof *crowd);
    take(&rig, again, crowd);
    assert_int_equal(crowd->keys[0], rng_key(swarm_seed(42, OWNER_EMITTER, "spark"), 0));
    free(crowd);
    rig_free(&rig);
}

static void removed_inside_a_frame_is_gone_in_it(void **state)
{
    (void)state;
    Rig rig = rig_new(0, 1);
    const int slot = add_busy(&rig, "spark", 1000, 10);
    for (int f = 0; f < 30; f++) rig_frame(&rig, 1.0f / 60);
    sim_begin(rig.sim, rig.params);
    sim_hop(rig.sim, rig.params, NULL, 0.01f, 0.005f);
    params_remove(rig.params, OWNER_EMITTER, slot);
    const Motion motion = motion_of(rig.params, 0);
    sim_step(rig.sim, rig.params, &motion, 30, 0.01f);
    assert_int_equal(sim_alive(rig.sim), 0);
    assert_int_equal(sim_births(rig.sim), 0);
    rig_free(&rig);
}

static void a_clear_kills_all_and_counts_on(void **state)
{
    (void)state;
    Rig rig = rig_new(0, 2);
    add_busy(&rig, "spark", 1000, 10);
    const int field = add(&rig, OWNER_FIELD, "main");
    set(&rig, OWNER_FIELD, field, SWARM_RATE, 5000);
    for (int f = 0; f < 30; f++) rig_frame(&rig, 1.0f / 60);
    const Births *births = sim_field_births(rig.sim, field);
    const uint64_t next = births->first + births->count;
    assert_int_equal(sim_field_births_all(rig.sim), births->count);
    assert_true(next > 2400 && births->oldest == 0);
    sim_clear(rig.sim);
    assert_int_equal(sim_alive(rig.sim), 0);
    assert_int_equal(births->oldest, next);
    assert_int_equal(births->count, 0);
    rig_frame(&rig, 1.0f / 60);
    assert_int_equal(births->first, next);
    assert_true(sim_alive(rig.sim) > 5);
    rig_free(&rig);
}

static void births_are_the_same_at_any_frame_rate(void **state)
{
    (void)state;
    const float rates[] = { 30, 60, 144 };
    uint64_t emitted[3] = { 0 }, fielded[3] = { 0 };
    for (int r = 0; r < 3; r++) {
        Rig rig = rig_new(0, 1);
        add_busy(&rig, "spark", 777, 1);
        const int field = add(&rig, OWNER_FIELD, "main");
        set(&rig, OWNER_FIELD, field, SWARM_RATE, 12345);
        for (int f = 0; f < 4 * (int)rates[r]; f++) {
            rig_frame(&rig, 1 / rates[r]);
            emitted[r] += sim_births(rig.sim);
            fielded[r] += sim_field_births(rig.sim, field)->count;
        }
        // The last hop may end just behind the last frame: play on until both have had the same.
        while (rig.hops < 751) {
            rig_frame(&rig, 1e-4f);
            emitted[r] += sim_births(rig.sim);
            fielded[r] += sim_field_births(rig.sim, field)->count;
        }
        rig_free(&rig);
        assert_int_equal(emitted[r], emitted[0]);
        assert_int_equal(fielded[r], fielded[0]);
    }
    assert_in_range(emitted[0], 777 * 4, 777 * 4 + 6);
}

// ---- promises -----------------------------------------------------------------------------------

static void a_frame_allocates_nothing(void **state)
{
    (void)state;
    Rig rig = rig_new(16384, 3);
    set_every_force(&rig);
    const int slot = add_busy(&rig, "spark", 20000, 2), smoke = add_busy(&rig, "smoke", 5000, 2);
    set(&rig, OWNER_EMITTER, smoke, SWARM_BLEND, BLEND_ALPHA);
    set(&rig, OWNER_EMITTER, smoke, SWARM_PATH, PATH_ORBIT);
    set(&rig, OWNER_EMITTER, smoke, SWARM_BURST_EVERY, 0.1f);
    const int ash = add_busy(&rig, "ash", 0, 1);
    const ParamId from = params_id(OWNER_EMITTER, ash, EMITTER_BORN_FROM);
    assert_true(params_set_text(rig.params, from, "smoke", (char[100]){ 0 }, 100));
    set(&rig, OWNER_EMITTER, ash, EMITTER_BORN_OF, BORN_OF_DEATH);
    const Hit hit = { .system = params_system(rig.params, OWNER_EMITTER, ash) };
    add(&rig, OWNER_FIELD, "main");
    const SpriteView view = { .forward = { 0, 0, -1 } };
    const Sprites sprites = { calloc(16384, sizeof(SpritePlace)), calloc(16384, sizeof(SpriteLook)),
                              calloc(16384, sizeof(SpriteWay)) };
    SpriteRun runs[EMITTER_SLOTS];
    int run_count;
    const int before = allocations;
    for (int f = 0; f < 60; f++) {
        sim_hits(rig.sim, &hit, 1);
        sim_will_draw(rig.sim, &view, &sprites, 16384);
        rig_frame(&rig, f % 7 ? 1.0f / 60 : 0.1f);
        sim_sprites(rig.sim, rig.params, &view, &sprites, 16384, runs, &run_count);
        if (f == 30) params_remove(rig.params, OWNER_EMITTER, slot);
    }
    assert_true(sim_emitter_alive(rig.sim, ash) > 1000);
    sim_clear(rig.sim);
    assert_int_equal(allocations, before);
    free(sprites.places);
    free(sprites.looks);
    free(sprites.ways);
    rig_free(&rig);
}

static void a_sim_without_memory_says_so(void **state)
{
    (void)state;
    const int before = allocations;
    sim_free(sim_new(&(SimDesc){ .capacity = 4096, .threads = 1 }, (char[100]){ 0 }, 100));
    const int needed = allocations - before;
    assert_true(needed > 5);
    for (int n = 1; n <= needed; n++) {
        char why[100] = "";
        fail_at = allocations + n;
        assert_null(sim_new(&(SimDesc){ .capacity = 4096, .threads = 1 }, why, sizeof why));
        assert_string_equal(why, "simulation: no memory for 4096 particles");
    }
    fail_at = 0;
    sim_free(NULL);
}

static void room_is_whole_blocks(void **state)
{
    (void)state;
    const uint32_t asked[] = { 0, 1, BLOCK, BLOCK + 1, 100000 },
                   given[] = { 131072, BLOCK, BLOCK, 2 * BLOCK, 100096 };
    for (int n = 0; n < COUNT_OF(asked); n++) {
        Rig rig = rig_new(asked[n], 1);
        assert_int_equal(sim_capacity(rig.sim), given[n]);
        rig_free(&rig);
    }
}

static void check_all_numbers(const Rig *rig, Crowd *crowd)
{
    for (int s = 0; s < EMITTER_SLOTS; s++) {
        take(rig, s, crowd);
        for (uint32_t n = 0; n < crowd->count; n++)
            check_numbers(&(Keyed){ crowd->keys[n], crowd->particles[n] });
    }
}

// Walks the tables: each number at both of its ends, and all at once.
static void the_ends_of_every_range_are_harmless(void **state)
{
    (void)state;
    Crowd *crowd = calloc(1, sizeof *crowd);
    Rig rig = rig_new(8192, 1);
    const int slot = add_busy(&rig, "spark", 300, 1);
    for (int at_once = 0; at_once < 2; at_once++)
        for (int end = 0; end < 2; end++)
            for (int owner = OWNER_GLOBAL; owner <= OWNER_EMITTER; owner++)
                for (int row = 0; row < owner_rows((Owner)owner); row++) {
                    const ParamRow *r = owner_row((Owner)owner, row);
                    if (r->kind != KIND_FLOAT && r->kind != KIND_INT && r->kind != KIND_ENUM)
                        continue;
                    set(&rig, (Owner)owner, slot * (owner == OWNER_EMITTER), row,
                        end ? r->max : r->min);
                    for (int f = 0; f < 3; f++) rig_frame(&rig, f ? 0.1f : 1.0f / 144);
                    check_all_numbers(&rig, crowd);
                    if (!at_once)
                        set(&rig, (Owner)owner, slot * (owner == OWNER_EMITTER), row, r->normal);
                }
    free(crowd);
    rig_free(&rig);
}

static void odd_spans_are_harmless(void **state)
{
    (void)state;
    const float odd[] = { 0, -1, 1e9f, -INFINITY, INFINITY, NAN };
    Crowd *crowd = calloc(1, sizeof *crowd);
    Rig rig = rig_new(8192, 1);
    set_every_force(&rig);
    const int slot = add_busy(&rig, "spark", 1000, 10);
    for (uint32_t n = 0; n < COUNT_OF(odd); n++) {
        rig_frame(&rig, 1.0f / 60);
        sim_begin(rig.sim, rig.params);
        for (int m = 0; m < COUNT_OF(odd); m++) {
            sim_hop(rig.sim, rig.params, NULL, odd[n], odd[m]);
            sim_hop(rig.sim, rig.params, NULL, odd[m], 0.005f);
        }
        const Motion motion = motion_of(rig.params, 0);
        sim_step(rig.sim, rig.params, &motion, n, odd[n]);
        check_all_numbers(&rig, crowd);
    }
    assert_true(sim_emitter_alive(rig.sim, slot) > 100);
    free(crowd);
    rig_free(&rig);
}

// ---- what hands do to one swarm -----------------------------------------------------------------

static void a_frozen_emitter_holds_and_the_others_go_on(void **state)
{
    (void)state;
    static Particle before[4096], after[4096];
    static uint32_t keys[4096];
    Rig rig = rig_new(8192, 1);
    set_every_force(&rig);
    const int cold = add_busy(&rig, "cold", 500, 5), warm = add_busy(&rig, "warm", 500, 5);
    for (int f = 0; f < 30; f++) rig_frame(&rig, 1.0f / 60);
    const uint32_t count = sim_particles(rig.sim, cold, before, keys, 4096);
    const uint32_t others = sim_emitter_alive(rig.sim, warm);
    set(&rig, OWNER_EMITTER, cold, SWARM_FREEZE, 1);
    set(&rig, OWNER_EMITTER, cold, SWARM_POSITION_X, 5);
    for (int f = 0; f < 30; f++) {
        if (f == 10) set(&rig, OWNER_EMITTER, cold, SWARM_BURST, 1);
        rig_frame(&rig, f % 3 ? 1.0f / 60 : 0.05f);
    }
    assert_int_equal(sim_particles(rig.sim, cold, after, keys, 4096), count);
    assert_memory_equal(before, after, count * sizeof *before);
    assert_true(sim_emitter_alive(rig.sim, warm) > others + 200);

    set(&rig, OWNER_EMITTER, cold, SWARM_FREEZE, 0);
    for (int f = 0; f < 30; f++) rig_frame(&rig, 1.0f / 60);
    assert_in_range(sim_emitter_alive(rig.sim, cold), count + 240, count + 260);
    rig_free(&rig);
}

static void an_emitter_is_cleared_alone(void **state)
{
    (void)state;
    Rig rig = rig_new(8192, 1);
    const int one = add_busy(&rig, "one", 500, 5), other = add_busy(&rig, "other", 500, 5);
    for (int f = 0; f < 30; f++) rig_frame(&rig, 1.0f / 60);
    set(&rig, OWNER_EMITTER, one, SWARM_CLEAR, 1);
    rig_frame(&rig, 1.0f / 60);
    assert_int_equal(sim_emitter_alive(rig.sim, one), 0);
    assert_true(sim_emitter_alive(rig.sim, other) > 240);
    for (int f = 0; f < 30; f++) rig_frame(&rig, 1.0f / 60);
    assert_in_range(sim_emitter_alive(rig.sim, one), 240, 260);
    rig_free(&rig);
}

static void a_reseeded_emitter_begins_anew_the_same_way_each_time(void **state)
{
    (void)state;
    static Particle of[3][512];
    static uint32_t keys[3][512];
    for (int show = 0; show < 3; show++) { // the last is never reseeded
        Rig rig = rig_new(8192, 1);
        const int one = add_busy(&rig, "one", 300, 5);
        for (int f = 0; f < 10; f++) rig_frame(&rig, 1.0f / 60);
        set(&rig, OWNER_EMITTER, one, show < 2 ? SWARM_RESEED : SWARM_CLEAR, 1);
        rig_frame(&rig, 1.0f / 60);
        assert_int_equal(sim_emitter_alive(rig.sim, one), 0);
        for (int f = 0; f < 30; f++) rig_frame(&rig, 1.0f / 60);
        assert_true(sim_particles(rig.sim, one, of[show], keys[show], 512) > 100);
        rig_free(&rig);
    }
    assert_memory_equal(keys[0], keys[1], 100 * sizeof **keys);
    assert_memory_equal(of[0], of[1], 100 * sizeof **of);
    for (int n = 0; n < 100; n++) assert_true(keys[0][n] != keys[2][n]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads_makes_the_same_show),
        cmocka_unit_test(the_engine_keeps_the_law_to_the_bit),
        cmocka_unit_test(the_engine_keeps_the_law_whatever_hands_change),
        cmocka_unit_test(streaming_reads_and_writes_every_number),
        cmocka_unit_test(the_bands_are_heard_alike_at_any_frame_rate),
        cmocka_unit_test(a_frame_hears_the_mean_of_its_hops_or_what_was_heard_last),
        cmocka_unit_test(an_emitter_or_system_that_travels_leaves_no_clumps),
        cmocka_unit_test(an_orbit_is_round_at_any_frame_rate),
        cmocka_unit_test(paths_follow_the_hand_and_the_attractors),
        cmocka_unit_test(a_long_random_life_loses_and_doubles_nothing),
        cmocka_unit_test(when_full_the_oldest_go_first),
        cmocka_unit_test(a_silent_emitter_gives_way_to_a_busy_one_and_not_the_other_way),
        cmocka_unit_test(more_births_than_room_keep_the_newest),
        cmocka_unit_test(removal_takes_the_particles_and_a_new_one_starts_over),
        cmocka_unit_test(removed_inside_a_frame_is_gone_in_it),
        cmocka_unit_test(a_clear_kills_all_and_counts_on),
        cmocka_unit_test(births_are_the_same_at_any_frame_rate),
        cmocka_unit_test(a_frame_allocates_nothing),
        cmocka_unit_test(a_sim_without_memory_says_so),
        cmocka_unit_test(room_is_whole_blocks),
        cmocka_unit_test(the_ends_of_every_range_are_harmless),
        cmocka_unit_test(odd_spans_are_harmless),
        cmocka_unit_test(a_frozen_emitter_holds_and_the_others_go_on),
        cmocka_unit_test(an_emitter_is_cleared_alone),
        cmocka_unit_test(a_reseeded_emitter_begins_anew_the_same_way_each_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
