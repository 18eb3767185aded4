// Whatever the processor, the same particles to the bit.
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clone.h"

static const struct {
    const char *name;
    const Clone *clone;
} clones[] = {
    { "default", &clone_default },
#ifdef __x86_64__
    { "avx2", &clone_avx2 },
    { "avx512f", &clone_avx512f },
#endif
};

static bool runs_here(const char *name)
{
#ifdef __x86_64__
    if (!strcmp(name, "avx2")) return __builtin_cpu_supports("avx2");
    if (!strcmp(name, "avx512f")) return __builtin_cpu_supports("avx512f");
#endif
    return !strcmp(name, "default");
}

static const float rising[SPEED_ENTRIES] = { [100] = 0.5f, [200] = 2 };

static const Motion motions[] = {
    { .acceleration = { 0, -9.8f, 0.5f } },
    { .acceleration = { 0, -1, 0 }, .drag = 0.7f, .jitter = 0.6f },
    { .drag = 1e-4f, .jitter = 20 },
    { .drag = 50, .attractors = { { .strength = 5, .softening = 0.1f } }, .attractor_count = 1 },
    { .turbulence = 3, .turbulence_scale = 2, .turbulence_phase = 0.3f, .jitter = 0.1f },
    { .drag = 0.2f,
      .turbulence = 30,
      .turbulence_scale = 0.3f,
      .turbulence_phase = 7.1f,
      .attractors = { { { 1, 2, 3 }, 50, 20, 0.5f },
                      { { -1, 0, 0 }, -9, 0, 0.1f },
                      { { 0, 0, 4 }, 0, 9, 1 },
                      { { 0, 0, 0 }, 500, 0, 0.01f },
                      { { 2, 2, 0 }, 7, 0, 2 },
                      { { -3, 0, 1 }, 0, -4, 0.5f },
                      { { 0, -5, 0 }, -30, 0, 1 },
                      { { 0, 0, -9 }, 90, 3, 3 } },
      .attractor_count = 8 },
    { .drag = 1,
      .rings = { .middle = { 1, 0, -1 },
                 .axis = { 0.6f, 0, 0.8f },
                 .inner = 0.3f,
                 .spacing = 0.7f,
                 .outward = 9,
                 .around = -4,
                 .along = 2,
                 .levels = { 1, 0.2f, 0, 0.7f, 0.1f } } },
    { .acceleration = { 0, -9, 0 },
      .jitter = 1,
      .rings = { .axis = { 0, 0, 1 }, .spacing = -1, .outward = 3, .levels = { 0, 1, 0, 0, 1 } },
      .turbulence = 3,
      .turbulence_scale = 2,
      .attractors = { { .strength = 5, .softening = 0.1f } },
      .attractor_count = 1,
      .colliders = { { .shape = COLLIDER_BOX, .side = -1, .size = { 3, 4, 5 } },
                     { .shape = COLLIDER_BOX, .side = 1, .size = { 1, 0.2f, 1 } },
                     { .shape = COLLIDER_SPHERE,
                       .side = 1,
                       .position = { 2, 2, 0 },
                       .size = { 1, 0, 0 } },
                     { .shape = COLLIDER_PLANE,
                       .side = 1,
                       .position = { 0, -3, 0 },
                       .normal = { 0.6f, 0.8f, 0 } } },
      .collider_count = 4,
      .bounce = 0.7f,
      .tangent_keep = 0.8f,
      .hit_life = 0.01f,
      .life = 2,
      .life_random = 0.5f },
    { .acceleration = { 0, -9, 0 },
      .colliders = { { .shape = COLLIDER_SPHERE, .side = -1, .size = { 3, 0, 0 } } },
      .collider_count = 1,
      .bounce = 0.3f,
      .tangent_keep = 0.9f,
      .life = 2,
      .life_random = 0.5f,
      .speed = rising },
};

static float within(uint32_t *seed, float most)
{
    return (2 * rng_unit(rng_mix((*seed)++)) - 1) * most;
}

static void fill(Block *block, uint32_t seed)
{
    for (int n = 0; n < BLOCK; n++) {
        block->x[n] = within(&seed, 4);
        block->y[n] = within(&seed, 4);
        block->z[n] = within(&seed, n % 7 ? 4 : 1e6f);
        block->vx[n] = within(&seed, 3);
        block->vy[n] = within(&seed, 3);
        block->vz[n] = within(&seed, 1e-14f);
        block->age[n] = 1 + within(&seed, 1);
        block->key[n] = rng_mix(seed++);
    }
}

// The living only: what lies behind them is nobody's.
static void assert_same(const Block *a, const Block *b, uint32_t count, const char *what)
{
    const float *arrays[][2] = { { a->x, b->x },    { a->y, b->y },   { a->z, b->z },
                                 { a->vx, b->vx },  { a->vy, b->vy }, { a->vz, b->vz },
                                 { a->age, b->age } };
    for (int n = 0; n < COUNT_OF(arrays); n++)
        if (memcmp(arrays[n][0], arrays[n][1], count * sizeof(float)))
            fail_msg("%s: array %d of %u particles differs", what, n, (unsigned)count);
    assert_memory_equal(a->key, b->key, count * sizeof(uint32_t));
}

static const uint32_t counts[] = { 1, 15, 17, 32, 33, 200, BLOCK - 1, BLOCK };

// A block's life in one clone.
static uint32_t live(const Clone *clone, Block *block, uint32_t count, const Motion *motion)
{
    for (uint32_t n = 0; n < 30; n++) {
        const Step step = step_make(motion, n, 1.0f / 60);
        clone->step(block, count, &step, NULL, &(Ahead){ 0 });
        count = clone->bury(block, count, 2, 0.5f);
    }
    return count;
}

static void every_clone_makes_the_same_particles(void **state)
{
    (void)state;
    Block *first = aligned_alloc(64, sizeof *first), *other = aligned_alloc(64, sizeof *other);
    int compared = 0;
    for (int m = 0; m < COUNT_OF(motions); m++)
        for (int c = 0; c < COUNT_OF(counts); c++) {
            fill(first, (uint32_t)(m * 100 + c) << 16);
            const uint32_t left = live(&clone_default, first, counts[c], &motions[m]);
            assert_true(counts[c] < 15 || (left > 0 && left < counts[c]));
            for (int n = 1; n < COUNT_OF(clones); n++) {
                if (!runs_here(clones[n].name)) continue;
                fill(other, (uint32_t)(m * 100 + c) << 16);
                assert_int_equal(live(clones[n].clone, other, counts[c], &motions[m]), left);
                assert_same(first, other, left, clones[n].name);
                compared++;
            }
        }
    free(first);
    free(other);
    if (compared == 0) skip(); // this processor has only the one
}

static float over[LOOK_ENTRIES + 1];
static Shade shades[SHADES];

static const Paint paints[] = {
    { .life = 3, .life_random = 0.5f, .size = 0.3f, .size_random = 0.5f },
    { .emitter = 63,
      .life = 2.5f,
      .size = 2,
      .size_changes = true,
      .size_end = 7,
      .size_end_random = 0.7f,
      .turns = true,
      .rotation = -0.7f,
      .rotation_random = 1,
      .turning = -8.3f,
      .turning_random = 0.5f,
      .flip = 0.3f,
      .frames = 64,
      .fit = SHEET_FIT_LIFE,
      .frame_any = true,
      .frames_melt = true },
    { .life = 4,
      .life_random = 0.3f,
      .size = 0.7f,
      .size_random = 0.4f,
      .size_changes = true,
      .size_end = 0.2f,
      .turns = true,
      .rotation = 0.6f,
      .rotation_random = 0.8f,
      .frames = 16,
      .fit = SHEET_FIT_LIFE,
      .frame = 3 },
    { .life = 9,
      .turns = true,
      .rotation = 0.2f,
      .frames = 7,
      .fit = SHEET_FIT_FREE,
      .frame_rate = 61.7f,
      .frame = 6 },
};

typedef struct {
    SpritePlace places[BLOCK + 1];
    SpriteLook looks[BLOCK + 1];
    SpriteWay ways[BLOCK + 1];
    uint32_t depths[BLOCK];
} Painted;

static void paint_by(const Clone *clone, const Paint *paint, const Block *block, uint32_t count,
                     Painted *painted)
{
    const Vec3 forward = { 0.36f, 0.48f, -0.8f };
    memset(painted, 0xee, sizeof *painted);
    clone->paint(paint, block, count, &(Sprites){ painted->places, painted->looks, painted->ways });
    clone->depths(block, count, forward, painted->depths);
}

static void every_clone_makes_the_same_sprites(void **state)
{
    (void)state;
    static Painted first, other;
    Block *block = aligned_alloc(64, sizeof *block);
    int compared = 0;
    for (int n = 0; n <= LOOK_ENTRIES; n++) over[n] = rng_unit(rng_mix((uint32_t)n));
    for (uint32_t n = 0; n < SHADES; n++)
        shades[n] = shade_of(rng_unit(rng_mix(n + 99)), rng_mix(n + 9999));
    for (int p = 0; p < COUNT_OF(paints); p++)
        for (int c = 0; c < COUNT_OF(counts); c++) {
            Paint paint = paints[p];
            paint.turned_over = over;
            paint.shades = shades;
            paint.speed_over = p % 2 ? over : NULL;
            paint.stretches = p % 3 > 0;
            fill(block, (uint32_t)(p * 100 + c) << 16);
            paint_by(&clone_default, &paint, block, counts[c], &first);
            assert_int_equal(first.places[counts[c]].chance, 0xee); // not one more
            assert_int_equal(first.looks[counts[c]].colour, 0xeeeeeeeeU);
            assert_int_equal(first.ways[counts[c]].none, (int16_t)0xeeee);
            for (int n = 1; n < COUNT_OF(clones); n++) {
                if (!runs_here(clones[n].name)) continue;
                paint_by(clones[n].clone, &paint, block, counts[c], &other);
                assert_memory_equal(&first, &other, sizeof first);
                compared++;
            }
        }
    free(block);
    if (compared == 0) skip();
}

// ---- newborns -----------------------------------------------------------------------------------

enum { OLD = 13, BORN = 170 };

static const BlockInfo cradle = { .count = OLD, .newborns = BORN, .newborn_first = 5 };

// Of several hops, in a frame that may be as long as a stall; the last run ends in another block.
static Births some_births(float dt, const Shape *shape)
{
    return (Births){
        .seed = 77,
        .first = 0xfffffff0U, // so that indices pass what 32 bits hold
        .count = 400,
        .runs = { { .first = 0xfffffff0U, .count = 3, .age_first = dt, .spacing = 0.1f * dt },
                  { .first = 0xfffffff3U,
                    .count = 60,
                    .age_first = 0.8f * dt,
                    .spacing = dt / 100,
                    .away = { 1, -2, 0.5f },
                    .step = { -0.01f, 0.02f, 0.003f } },
                  { .first = 0x10000002fU, .count = 1, .age_first = 0.1f * dt },
                  { .first = 0x100000030U,
                    .count = 336,
                    .spacing = 1e-5f,
                    .age_first = 0.1f * dt } },
        .run_count = 4,
        .place = { .x = { 0.6f, 0, 0.8f },
                   .y = { 0, 1, 0 },
                   .z = { -0.8f, 0, 0.6f },
                   .middle = { 3, 0, -1 },
                   .shape = shape },
    };
}

// The same births by the plain law, one after another.
static void bear_by_law(const Share *share, uint32_t frame, float dt, Block *block)
{
    const Births *b = &share->births;
    uint32_t number = 0;
    for (int r = 0; r < b->run_count; r++)
        for (uint32_t n = 0; n < b->runs[r].count; n++, number++) {
            if (number < cradle.newborn_first || number >= cradle.newborn_first + BORN) continue;
            const BirthRun *run = &b->runs[r];
            const uint32_t key = rng_key(b->seed, run->first + n);
            const float age = fmaxf(run->age_first - (float)n * run->spacing, 0);
            Particle p = law_birth(share->values, &b->place, key);
            p.position.x += run->away.x + (float)n * run->step.x;
            p.position.y += run->away.y + (float)n * run->step.y;
            p.position.z += run->away.z + (float)n * run->step.z;
            const int steps = law_substeps(age);
            Motion felt = share->felt;
            for (int s = 0; s < steps; s++) {
                const float since = dt - age + (float)s * (age / (float)steps);
                felt.turbulence_phase =
                    share->felt.turbulence_phase + share->felt.turbulence_speed * since;
                law_step(&p, &felt, key, frame * SUBSTEPS_MAX + (uint32_t)s, age / (float)steps);
            }
            block_put(block, OLD + number - cradle.newborn_first, &p, key);
        }
}

static void fill_area(float *values, int area)
{
    values[SWARM_AREA] = (float)area;
    values[SWARM_AREA_X] = 1.5f;
    values[SWARM_AREA_Y] = 0.7f;
    values[SWARM_AREA_Z] = area % 2 ? 2 : 0;
    values[SWARM_AREA_ARC] = 200;
    values[SWARM_AREA_ANGLE] = 25;
    values[SWARM_THICKNESS] = 0.4f;
    values[SWARM_VELOCITY_Y] = 2;
    values[SWARM_OUTWARD] = 3;
    values[SWARM_SPIN] = -1;
    values[SWARM_SPREAD] = 0.5f;
    values[SWARM_SPEED_RANDOM] = 0.6f;
}

static void every_clone_bears_what_the_law_bears(void **state)
{
    (void)state;
    static float values[SWARM_ROWS];
    static Share share;
    Patch patches[] = { { .at = { 0.1f, 0.2f, 0.3f }, .keep = 0.5f, .other = 1, .u = { 1 } },
                        { .keep = 1, .v = { 0, 0, 1 }, .folded = 1, .normal = { 0, 1, 0 } } };
    const Shape shape = { patches, COUNT_OF(patches) };
    const float dts[] = { 1.0f / 60, 1.0f / 144, STALL_LONGEST };
    Block *law = aligned_alloc(64, sizeof *law), *block = aligned_alloc(64, sizeof *block);
    for (int m = 0; m < COUNT_OF(motions); m++)
        for (int area = AREA_POINT; area <= AREA_IMAGE; area++)
            for (int d = 0; d < COUNT_OF(dts); d++) {
                fill_area(values, area);
                share.values = values;
                share.felt = motions[m];
                share.felt.turbulence_speed = 0.3f;
                share.felt.life = values[SWARM_LIFE] = 2;
                share.felt.life_random = values[SWARM_LIFE_RANDOM] = 0.5f;
                share.births = some_births(dts[d], d == 1 ? NULL : &shape);
                share.steps[0] = step_make(&share.felt, 7 * SUBSTEPS_MAX, dts[d]);
                fill(law, 3);
                bear_by_law(&share, 7, dts[d], law);
                for (int n = 0; n < COUNT_OF(clones); n++) {
                    if (!runs_here(clones[n].name)) continue;
                    fill(block, 3);
                    clones[n].clone->bear(&share, 7, dts[d], &cradle, block);
                    assert_same(law, block, OLD + BORN, clones[n].name);
                }
            }
    free(law);
    free(block);
}

// The law's own as well: that is what newborns and steps share.
static void every_clone_finds_the_same_drag(void **state)
{
    (void)state;
    static const float drags[] = { 0, 1e-6f, 0.01f, 0.5f, 7, 60000, 1e30f };
    float dt[BLOCK];
    for (uint32_t n = 0; n < BLOCK; n++) dt[n] = n == 0 ? 0 : rng_unit(rng_mix(n)) * STALL_LONGEST;
    for (int d = 0; d < COUNT_OF(drags); d++)
        for (int n = 0; n < COUNT_OF(clones); n++) {
            if (!runs_here(clones[n].name)) continue;
            Drags found;
            clones[n].clone->drag(drags[d], 0.7f, dt, BLOCK, &found);
            for (uint32_t i = 0; i < BLOCK; i++) {
                const Drag drag = drag_of(drags[d], dt[i], 0.7f);
                assert_memory_equal(&found.half[i], &drag.half, sizeof(float));
                assert_memory_equal(&found.keep[i], &drag.keep, sizeof(float));
                assert_memory_equal(&found.reach[i], &drag.reach, sizeof(float));
                assert_memory_equal(&found.fall[i], &drag.fall, sizeof(float));
                assert_memory_equal(&found.kick[i], &drag.kick, sizeof(float));
            }
        }
}

static void hold_to_the_law(Block *block, uint32_t count, const Motion *motion)
{
    for (uint32_t n = 0; n < count; n += 7) {
        Particle p = block_get(block, n, motion->life, motion->life_random);
        const uint32_t key = block->key[n];
        const Step step = step_make(motion, n, 1.0f / 90);
        kernel_step(block, count, &step, NULL, &(Ahead){ 0 });
        law_step(&p, motion, key, n, 1.0f / 90);
        assert_memory_equal(&p.position.x, &block->x[n], sizeof(float));
        assert_memory_equal(&p.position.y, &block->y[n], sizeof(float));
        assert_memory_equal(&p.position.z, &block->z[n], sizeof(float));
        assert_memory_equal(&p.velocity.x, &block->vx[n], sizeof(float));
        assert_memory_equal(&p.velocity.y, &block->vy[n], sizeof(float));
        assert_memory_equal(&p.velocity.z, &block->vz[n], sizeof(float));
        assert_memory_equal(&p.age, &block->age[n], sizeof(float));
    }
}

// With any of its attractors, and with its turbulence and without: each is a loop of its own.
static void what_runs_here_is_the_law_itself(void **state)
{
    (void)state;
    Block *block = aligned_alloc(64, sizeof *block);
    for (int m = 0; m < COUNT_OF(motions); m++)
        for (int pulls = 0; pulls <= motions[m].attractor_count; pulls++)
            for (int c = 0; c < 2 * COUNT_OF(counts); c++) {
                Motion motion = motions[m];
                motion.attractor_count = pulls;
                if (c % 2) motion.turbulence = 0;
                fill(block, (uint32_t)(m * 100 + c) << 16);
                hold_to_the_law(block, counts[c / 2], &motion);
            }
    free(block);
}

static void the_dead_go_and_nobody_else(void **state)
{
    (void)state;
    Block *block = aligned_alloc(64, sizeof *block), *before = aligned_alloc(64, sizeof *before);
    for (uint32_t round = 0; round < 200; round++) {
        fill(before, round << 16);
        memcpy(block, before, sizeof *block);
        const uint32_t count = 1 + rng_mix(round) % BLOCK;
        const float life_random = rng_unit(rng_mix(~round));
        const uint32_t left = kernel_bury(block, count, 1.5f, life_random);
        uint32_t alive = 0;
        for (uint32_t n = 0; n < count; n++)
            alive += before->age[n] < life_of(1.5f, life_random, before->key[n]);
        assert_int_equal(left, alive);
        bool seen[BLOCK] = { false };
        for (uint32_t n = 0; n < left; n++) {
            assert_true(block->age[n] < life_of(1.5f, life_random, block->key[n]));
            uint32_t was = 0; // keys differ: one place only
            while (was < count && before->key[was] != block->key[n]) was++;
            assert_true(was < count && !seen[was]);
            seen[was] = true;
            assert_true(before->x[was] == block->x[n] && before->age[was] == block->age[n]);
        }
    }
    free(block);
    free(before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_clone_makes_the_same_particles),
        cmocka_unit_test(every_clone_makes_the_same_sprites),
        cmocka_unit_test(every_clone_bears_what_the_law_bears),
        cmocka_unit_test(every_clone_finds_the_same_drag),
        cmocka_unit_test(what_runs_here_is_the_law_itself),
        cmocka_unit_test(the_dead_go_and_nobody_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
