#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine.h"

enum { MANY = 65536 };

typedef struct {
    Params *params;
    Sim *sim;
    uint32_t frame;
    Particle particles[MANY];
    uint32_t keys[MANY], count;
} Rig;

static Rig *rig_new(uint32_t capacity, int threads)
{
    char why[200];
    Rig *rig = calloc(1, sizeof *rig);
    rig->params = params_new();
    rig->sim = sim_new(&(SimDesc){ .capacity = capacity, .threads = threads, .seed = 42 }, why,
                       sizeof why);
    assert_non_null(rig->sim);
    return rig;
}

static void rig_free(Rig *rig)
{
    sim_free(rig->sim);
    params_free(rig->params);
    free(rig);
}

static void set(Rig *rig, int slot, int row, float value)
{
    assert_true(params_set(rig->params, params_id(OWNER_EMITTER, slot, row), (double)value));
}

static void set_text(Rig *rig, int slot, int row, const char *text)
{
    char why[200];
    assert_true(
        params_set_text(rig->params, params_id(OWNER_EMITTER, slot, row), text, why, sizeof why));
}

// Nothing is born by itself, and what is lives exactly `life`.
static int add(Rig *rig, const char *name, float life)
{
    char why[200];
    const int slot = params_add(rig->params, OWNER_EMITTER, name, why, sizeof why);
    assert_true(slot >= 0);
    set(rig, slot, SWARM_RATE, 0);
    set(rig, slot, SWARM_LIFE, life);
    set(rig, slot, SWARM_LIFE_RANDOM, 0);
    set(rig, slot, SWARM_OUTWARD, 0);
    set(rig, slot, SWARM_SPREAD, 0);
    return slot;
}

static int add_child(Rig *rig, const char *name, const char *from, int of, float life)
{
    const int slot = add(rig, name, life);
    set_text(rig, slot, EMITTER_BORN_FROM, from);
    set(rig, slot, EMITTER_BORN_OF, (float)of);
    return slot;
}

static void burst(Rig *rig, int slot, float count)
{
    set(rig, slot, SWARM_BURST_COUNT, count);
    set(rig, slot, SWARM_BURST, 1);
}

static const float dt = 1.0f / 60;

static void frame(Rig *rig)
{
    sim_begin(rig->sim, rig->params);
    for (int n = 0; n < 3; n++)
        sim_hop(rig->sim, rig->params, NULL, dt * (float)(3 - n) / 3, dt / 3);
    const Motion motion = motion_of(rig->params, 0);
    sim_step(rig->sim, rig->params, &motion, rig->frame++, dt);
}

static void take(Rig *rig, int slot)
{
    rig->count = sim_particles(rig->sim, slot, rig->particles, rig->keys, MANY);
    assert_int_equal(rig->count, sim_emitter_alive(rig->sim, slot));
}

static float apart(Vec3 a, Vec3 b)
{
    return sqrtf((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

// ---- hits ---------------------------------------------------------------------------------------

static Hit hit_on(const Rig *rig, int emitter)
{
    return (Hit){ .system = params_system(rig->params, OWNER_EMITTER, emitter),
                  .position = { 1, 2, 3 },
                  .velocity = { 3, -4, 0 },
                  .normal = { 0, 2, 0 } };
}

static void a_hit_throws_sparks_along_its_reflection(void **state)
{
    (void)state;
    Rig *rig = rig_new(0, 2);
    const int spark = add(rig, "spark", 2), other = add(rig, "other", 2);
    set(rig, spark, SWARM_LIFE_RANDOM, 0.5f);
    frame(rig);
    bool seen[8] = { false };
    float farthest = 0;
    for (int n = 0; n < 200; n++) {
        const Hit hit = hit_on(rig, spark);
        sim_clear(rig->sim);
        sim_hits(rig->sim, &hit, 1);
        frame(rig);
        take(rig, spark);
        assert_in_range(rig->count, 2, 7);
        assert_int_equal(sim_births(rig->sim), rig->count);
        seen[rig->count] = true;
        for (uint32_t p = 0; p < rig->count; p++) {
            const Particle *at = &rig->particles[p];
            assert_true(apart(at->position, hit.position) == 0 && at->age == 0);
            assert_true(at->life >= 1 && at->life <= 2);
            const float off = apart(at->velocity, (Vec3){ 3, 4, 0 });
            assert_true(off <= 2.5f * 1.0001f);
            farthest = fmaxf(farthest, off);
        }
    }
    for (int n = 2; n <= 7; n++) assert_true(seen[n]);
    assert_true(farthest > 2.4f);
    take(rig, other);
    assert_int_equal(rig->count, 0);
    rig_free(rig);
}

static void a_hit_is_felt_by_all_of_its_system_once(void **state)
{
    (void)state;
    Rig *rig = rig_new(0, 1);
    const int a = add(rig, "a", 5), b = add(rig, "b", 5);
    set_text(rig, b, SWARM_SYSTEM, "a");
    set(rig, a, EMITTER_HIT_MIN, 4);
    set(rig, a, EMITTER_HIT_MAX, 4);
    set(rig, b, EMITTER_HIT_MIN, 9);
    set(rig, b, EMITTER_HIT_MAX, 0); // upside down: the least counts
    const Hit hits[3] = { hit_on(rig, a), hit_on(rig, b), hit_on(rig, a) };
    sim_hits(rig->sim, hits, 3);
    for (int n = 0; n < 3; n++) frame(rig);
    assert_int_equal(sim_emitter_alive(rig->sim, a), 12);
    assert_int_equal(sim_emitter_alive(rig->sim, b), 27);
    sim_hits(rig->sim, hits, 3);
    sim_clear(rig->sim);
    frame(rig);
    assert_int_equal(sim_alive(rig->sim), 0);
    rig_free(rig);
}

static void hits_beyond_what_a_frame_bears_are_counted(void **state)
{
    (void)state;
    Rig *rig = rig_new(0, 1);
    const int a = add(rig, "a", 5);
    const int fit = SPAWN_BIRTHS_MAX / 1000;
    set(rig, a, EMITTER_HIT_MIN, 1000);
    Hit hits[HITS_MAX];
    for (int n = 0; n < HITS_MAX; n++) hits[n] = hit_on(rig, a);
    for (int f = 1; f <= 2; f++) {
        sim_hits(rig->sim, hits, HITS_MAX);
        frame(rig);
        assert_int_equal(sim_births(rig->sim), 1000 * fit);
        assert_int_equal(sim_lost_events(rig->sim), (HITS_MAX - fit) * f);
    }
    rig_free(rig);
}

static void odd_hits_are_harmless(void **state)
{
    (void)state;
    Rig *rig = rig_new(0, 1);
    const int a = add(rig, "a", 5);
    Hit hits[HITS_MAX + 5];
    for (int n = 0; n < COUNT_OF(hits); n++) hits[n] = hit_on(rig, a);
    hits[0].normal = (Vec3){ 0, 0, 0 };
    hits[1].velocity = (Vec3){ 0, 0, 0 };
    hits[2].system = -1;
    set(rig, a, EMITTER_HIT_MIN, 1);
    set(rig, a, EMITTER_HIT_MAX, 1);
    sim_hits(rig->sim, hits, COUNT_OF(hits));
    frame(rig);
    take(rig, a);
    assert_int_equal(rig->count, HITS_MAX - 1);
    for (uint32_t p = 0; p < rig->count; p++)
        assert_true(isfinite(apart(rig->particles[p].velocity, (Vec3){ 0, 0, 0 })));
    rig_free(rig);
}

// ---- deaths -------------------------------------------------------------------------------------

static void the_dead_give_birth_where_they_died(void **state)
{
    (void)state;
    Rig *rig = rig_new(0, 2);
    const int rocket = add(rig, "rocket", 0.5f);
    const int star = add_child(rig, "star", "rocket", BORN_OF_DEATH, 3);
    set(rig, rocket, SWARM_VELOCITY_Y, 4);
    set(rig, star, EMITTER_HIT_MIN, 3);
    set(rig, star, EMITTER_HIT_MAX, 3);
    set(rig, star, EMITTER_HIT_SPREAD, 0);
    set(rig, star, SWARM_VELOCITY_X, 1);
    burst(rig, rocket, 1000);
    frame(rig);
    Particle *rockets = calloc(1000, sizeof *rockets);
    take(rig, rocket);
    assert_int_equal(rig->count, 1000);
    memcpy(rockets, rig->particles, 1000 * sizeof *rockets);
    while (sim_emitter_alive(rig->sim, rocket) > 0) {
        assert_int_equal(sim_emitter_alive(rig->sim, star), 0);
        frame(rig);
    }
    // All of one age, they die in one frame; each where it was, 2 m up but for the last step.
    take(rig, star);
    assert_int_equal(rig->count, 3000);
    assert_int_equal(sim_births(rig->sim), 3000);
    bool *met = calloc(1000, 1);
    for (uint32_t p = 0; p < 3000; p++) {
        const Particle *at = &rig->particles[p];
        assert_float_equal(apart(at->velocity, (Vec3){ 1, 4, 0 }), 0, 1e-5f);
        int nearest = 0;
        const Vec3 from = { at->position.x, at->position.y - 4 * (0.5f - dt), at->position.z };
        for (int r = 0; r < 1000; r++)
            if (apart(from, rockets[r].position) < apart(from, rockets[nearest].position))
                nearest = r;
        assert_true(apart(from, rockets[nearest].position) < 4 * 2 * dt);
        met[nearest] = true;
    }
    int count = 0;
    for (int r = 0; r < 1000; r++) count += met[r];
    assert_true(count > 500);
    free(met);
    free(rockets);
    rig_free(rig);
}

static int rising(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void as_many_are_born_as_died_in_each_frame(void **state)
{
    (void)state;
    Rig *rig = rig_new(0, 2);
    const int mother = add(rig, "mother", 0.4f);
    const int child = add_child(rig, "child", "mother", BORN_OF_DEATH, 60);
    const int orphan = add_child(rig, "orphan", "nobody", BORN_OF_DEATH, 60);
    set(rig, mother, SWARM_RATE, 3000);
    set(rig, mother, SWARM_LIFE_RANDOM, 0.9f);
    set(rig, child, EMITTER_HIT_MIN, 1);
    set(rig, child, EMITTER_HIT_MAX, 1);
    uint32_t born = 0, children = 0;
    for (int f = 0; f < 200; f++) {
        const uint32_t before = sim_emitter_alive(rig->sim, mother);
        frame(rig);
        const uint32_t newborn = rig->sim->emitters[mother].births.count;
        const uint32_t died = before + newborn - sim_emitter_alive(rig->sim, mother);
        assert_int_equal(sim_emitter_alive(rig->sim, child) - children, died);
        children += died;
        born += newborn;
    }
    assert_true(born > 9000 && children > 8000);
    // Each of its own key, none lost or doubled.
    take(rig, child);
    uint32_t *keys = calloc(rig->count, sizeof *keys);
    for (uint32_t n = 0; n < rig->count; n++)
        keys[n] = rng_key(swarm_seed(42, OWNER_EMITTER, "child"), n);
    qsort(keys, rig->count, sizeof *keys, rising);
    qsort(rig->keys, rig->count, sizeof *keys, rising);
    assert_memory_equal(rig->keys, keys, rig->count * sizeof *keys);
    free(keys);
    assert_int_equal(sim_emitter_alive(rig->sim, orphan), 0);

    // Who is removed does not die.
    params_remove(rig->params, OWNER_EMITTER, mother);
    frame(rig);
    assert_int_equal(sim_emitter_alive(rig->sim, child), children);
    rig_free(rig);
}

// ---- collisions ---------------------------------------------------------------------------------

static void set_global(Rig *rig, int row, float value)
{
    assert_true(params_set(rig->params, params_id(OWNER_GLOBAL, 0, row), (double)value));
}

static void a_drop_that_hits_the_floor_splashes_there(void **state)
{
    (void)state;
    Rig *rig = rig_new(0, 2);
    const int drop = add(rig, "drop", 9);
    const int splash = add_child(rig, "splash", "drop", BORN_OF_COLLISION, 9);
    set_global(rig, GLOBAL_COLLIDER1_SHAPE, COLLIDER_PLANE);
    set_global(rig, GLOBAL_COLLIDER1_Y, -1);
    set(rig, drop, SWARM_VELOCITY_X, 1);
    set(rig, drop, SWARM_VELOCITY_Y, -6);
    set(rig, drop, SWARM_BOUNCE, 0.1f);
    set(rig, splash, EMITTER_HIT_MIN, 5);
    set(rig, splash, EMITTER_HIT_MAX, 5);
    set(rig, splash, EMITTER_HIT_SPREAD, 0);
    set(rig, splash, SWARM_COLLIDE, 0);
    burst(rig, drop, 2000);
    bool hit = false;
    uint32_t before = 0;
    for (int f = 0; f < 30; f++) {
        frame(rig);
        take(rig, splash);
        for (uint32_t n = 0; n < rig->count; n++) {
            if (rig->particles[n].age > 0) continue;
            assert_float_equal(rig->particles[n].position.y, -1, 1e-4f);
            assert_float_equal(apart(rig->particles[n].velocity, (Vec3){ 1, 6, 0 }), 0, 1e-4f);
            hit = true;
        }
        assert_int_equal(sim_births(rig->sim), rig->count - before + (f == 0 ? 2000 : 0));
        before = rig->count;
    }
    assert_true(hit);
    // Once each: the area's ball ends above the floor.
    assert_int_equal(rig->count, 5 * 2000);
    assert_int_equal(rig->sim->events.lost, 0);
    rig_free(rig);
}

static void what_lies_on_the_floor_hits_nothing(void **state)
{
    (void)state;
    Rig *rig = rig_new(0, 1);
    const int drop = add(rig, "drop", 60);
    const int splash = add_child(rig, "splash", "drop", BORN_OF_COLLISION, 60);
    set_global(rig, GLOBAL_GRAVITY, -10);
    set_global(rig, GLOBAL_COLLIDER1_SHAPE, COLLIDER_PLANE);
    set_global(rig, GLOBAL_COLLIDER1_Y, -1);
    burst(rig, drop, 50);
    for (int f = 0; f < 400; f++) frame(rig);
    const uint32_t after = sim_emitter_alive(rig->sim, splash);
    assert_true(after > 100);
    for (int f = 0; f < 400; f++) frame(rig);
    assert_int_equal(sim_emitter_alive(rig->sim, splash), after);
    rig_free(rig);
}

static void sparks_of_sparks_do_not_explode(void **state)
{
    (void)state;
    Rig *rig = rig_new(20000, 2);
    const int chain = add_child(rig, "chain", "chain", BORN_OF_DEATH, 0.05f);
    set(rig, chain, EMITTER_HIT_MIN, 1000);
    set(rig, chain, EMITTER_HIT_MAX, 1000);
    burst(rig, chain, 100);
    uint32_t most = 0;
    for (int f = 0; f < 60; f++) {
        frame(rig);
        const uint32_t births = sim_births(rig->sim);
        assert_true(births <= SPAWN_BIRTHS_MAX);
        assert_true(sim_alive(rig->sim) <= sim_capacity(rig->sim));
        most = births > most ? births : most;
    }
    assert_true(most > SPAWN_BIRTHS_MAX - 1000);
    assert_true(rig->sim->events.lost > 1000);
    rig_free(rig);
}

static void events_are_the_same_on_any_number_of_threads(void **state)
{
    (void)state;
    const int threads[] = { 1, 2, 4 };
    uint32_t first = 0;
    for (int t = 0; t < COUNT_OF(threads); t++) {
        Rig *rig = rig_new(MANY, threads[t]);
        const int mother = add(rig, "mother", 0.3f);
        add_child(rig, "child", "mother", BORN_OF_DEATH, 0.5f);
        add_child(rig, "grandchild", "child", BORN_OF_DEATH, 0.2f);
        add_child(rig, "splash", "child", BORN_OF_COLLISION, 0.2f);
        set_global(rig, GLOBAL_GRAVITY, -9);
        set_global(rig, GLOBAL_COLLIDER2_SHAPE, COLLIDER_SPHERE);
        set_global(rig, GLOBAL_COLLIDER2_Y, -1);
        set(rig, mother, SWARM_RATE, 5000);
        set(rig, mother, SWARM_LIFE_RANDOM, 0.7f);
        uint32_t sum = 0;
        for (int f = 0; f < 90; f++) {
            const Hit hit = hit_on(rig, mother);
            if (f % 5 == 0) sim_hits(rig->sim, &hit, 1);
            frame(rig);
        }
        for (int slot = 0; slot < 4; slot++) {
            take(rig, slot);
            assert_true(rig->count > 100);
            for (uint32_t n = 0; n < rig->count; n++) {
                uint32_t x;
                memcpy(&x, &rig->particles[n].position.x, sizeof x);
                sum = rng_mix(sum ^ rig->keys[n]) + x;
            }
        }
        if (t == 0) first = sum;
        assert_int_equal(sum, first);
        rig_free(rig);
    }
}

// ---- once ---------------------------------------------------------------------------------------

static bool is_over(const Rig *rig, int slot)
{
    int slots[EMITTER_SLOTS];
    const int count = sim_over(rig->sim, rig->params, slots);
    for (int n = 0; n < count; n++)
        if (slots[n] == slot) return true;
    return false;
}

static void one_burst_is_over_with_its_last_particle(void **state)
{
    (void)state;
    Rig *rig = rig_new(0, 1);
    const int once = add(rig, "once", 0.3f), always = add(rig, "always", 0.3f);
    set(rig, once, SWARM_LOOP, 0);
    set(rig, always, SWARM_LOOP, 0);
    set(rig, once, EMITTER_ONCE, 1);
    for (int f = 0; f < 20; f++) frame(rig);
    assert_false(is_over(rig, once)); // it has not begun
    burst(rig, once, 50);
    burst(rig, always, 50);
    for (int f = 0; f < 60; f++) {
        frame(rig);
        assert_int_equal(is_over(rig, once), sim_emitter_alive(rig->sim, once) == 0);
        assert_false(is_over(rig, always));
    }
    assert_true(is_over(rig, once));
    rig_free(rig);
}

static void one_cycle_is_over_with_its_last_particle(void **state)
{
    (void)state;
    Rig *rig = rig_new(0, 1);
    const int once = add(rig, "once", 0.2f);
    set(rig, once, SWARM_RATE, 100);
    set(rig, once, SWARM_DURATION, 0.5f);
    set(rig, once, EMITTER_ONCE, 1);
    for (int f = 0; f < 120; f++) frame(rig);
    assert_false(is_over(rig, once)); // cycle follows on cycle
    set(rig, once, SWARM_LOOP, 0);
    int frames = 0;
    for (; frames < 120 && !is_over(rig, once); frames++) frame(rig);
    assert_in_range(frames, 12, 43); // the rest of a cycle, and a life
    assert_int_equal(sim_alive(rig->sim), 0);
    rig_free(rig);
}

static void who_may_yet_be_born_is_not_over(void **state)
{
    (void)state;
    Rig *rig = rig_new(0, 1);
    const int mother = add(rig, "mother", 10);
    const int child = add_child(rig, "child", "mother", BORN_OF_DEATH, 0.1f);
    set(rig, child, EMITTER_ONCE, 1);
    set(rig, child, SWARM_LOOP, 0);
    burst(rig, child, 3);
    for (int f = 0; f < 30; f++) frame(rig);
    assert_false(is_over(rig, child));
    params_remove(rig->params, OWNER_EMITTER, mother);
    frame(rig);
    assert_true(is_over(rig, child));
    rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hit_throws_sparks_along_its_reflection),
        cmocka_unit_test(a_hit_is_felt_by_all_of_its_system_once),
        cmocka_unit_test(hits_beyond_what_a_frame_bears_are_counted),
        cmocka_unit_test(odd_hits_are_harmless),
        cmocka_unit_test(the_dead_give_birth_where_they_died),
        cmocka_unit_test(as_many_are_born_as_died_in_each_frame),
        cmocka_unit_test(a_drop_that_hits_the_floor_splashes_there),
        cmocka_unit_test(what_lies_on_the_floor_hits_nothing),
        cmocka_unit_test(sparks_of_sparks_do_not_explode),
        cmocka_unit_test(events_are_the_same_on_any_number_of_threads),
        cmocka_unit_test(one_burst_is_over_with_its_last_particle),
        cmocka_unit_test(one_cycle_is_over_with_its_last_particle),
        cmocka_unit_test(who_may_yet_be_born_is_not_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
