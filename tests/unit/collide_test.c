#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "sim/collide.h"
#include "sim/pool.h"

static const float frame_rates[] = { 20, 60, 144 };

static Collider plane_at(float y)
{
    return (Collider){
        .shape = COLLIDER_PLANE, .side = 1, .position = { 0, y, 0 }, .normal = { 0, 1, 0 }
    };
}

static Collider sphere_of(float radius, float side)
{
    return (Collider){ .shape = COLLIDER_SPHERE, .side = side, .size = { radius, 0, 0 } };
}

static Collider box_of(float x, float y, float z, float side)
{
    return (Collider){ .shape = COLLIDER_BOX, .side = side, .size = { x, y, z } };
}

static Motion with_collider(Collider collider, float gravity, float keep)
{
    return (Motion){ .acceleration = { 0, gravity, 0 },
                     .colliders = { collider },
                     .collider_count = 1,
                     .bounce = keep,
                     .tangent_keep = keep };
}

// How far outside a collider's forbidden part.
static float outside(const Collider *c, Vec3 p)
{
    const Vec3 m = from_to(c->position, p);
    if (c->shape == COLLIDER_PLANE) return dot(m, c->normal);
    if (c->shape == COLLIDER_SPHERE) return (sqrtf(dot(m, m)) - c->size.x) * c->side;
    return c->side *
           fmaxf(fabsf(m.x) - c->size.x, fmaxf(fabsf(m.y) - c->size.y, fabsf(m.z) - c->size.z));
}

static float random_in(uint32_t key, uint32_t draw, float low, float high)
{
    return low + (high - low) * rng_unit(rng_draw(key, draw));
}

static Vec3 random_in_cube(uint32_t key, uint32_t draw, float half)
{
    return (Vec3){ random_in(key, draw, -half, half), random_in(key, draw + 1, -half, half),
                   random_in(key, draw + 2, -half, half) };
}

// One frame of a show at that rate.
static void frame_on(Particle *p, const Motion *motion, float frame_rate, int frame)
{
    const int steps = law_substeps(1 / frame_rate);
    for (int s = 0; s < steps; s++)
        law_step(p, motion, 5, (uint32_t)(frame * SUBSTEPS_MAX + s), 1 / frame_rate / (float)steps);
}

// ---- one bounce ---------------------------------------------------------------------------------

static void a_bounce_keeps_its_shares_across_and_along(void **state)
{
    (void)state;
    Motion motion = with_collider(plane_at(1), 0, 0);
    motion.bounce = 0.5f;
    motion.tangent_keep = 0.25f;
    Particle p = { .position = { 0, 1.02f, 0 }, .velocity = { 3, -4, 2 }, .life = 1 };
    law_step(&p, &motion, 1, 1, 0.01f);
    assert_float_equal(p.velocity.x, 0.75f, 1e-5f);
    assert_float_equal(p.velocity.y, 2, 1e-5f);
    assert_float_equal(p.velocity.z, 0.5f, 1e-5f);
    // Half of the step down, half of it up at half the speed.
    assert_float_equal(p.position.x, 0.015f + 0.00375f, 1e-5f);
    assert_float_equal(p.position.y, 1 + 0.01f, 1e-5f);
}

static void a_ball_reaches_the_square_of_bounce_of_its_height(void **state)
{
    (void)state;
    const float bounces[] = { 1, 0.8f, 0.5f, 0.2f };
    for (int b = 0; b < COUNT_OF(bounces); b++)
        for (int r = 0; r < COUNT_OF(frame_rates); r++) {
            const Motion motion = with_collider(plane_at(0), -9.81f, bounces[b]);
            Particle p = { .position = { 0, 2, 0 }, .life = 100 };
            float highest = 0;
            bool risen = false;
            for (int f = 0; (float)f < 1.3f * frame_rates[r]; f++) {
                frame_on(&p, &motion, frame_rates[r], f);
                risen = risen || p.velocity.y > 0;
                const float top = p.position.y + p.velocity.y * p.velocity.y / (2 * 9.81f);
                if (risen && p.velocity.y > 0 && highest == 0) highest = top;
            }
            assert_float_equal(highest, 2 * bounces[b] * bounces[b], 2e-4f);
        }
}

// Against the reflection in exact arithmetic.
static void a_sphere_deflects_about_its_normal(void **state)
{
    (void)state;
    const Motion motion = with_collider(sphere_of(1.5f, 1), 0, 1);
    int hits = 0;
    for (uint32_t n = 0; n < 4000; n++) {
        const uint32_t key = rng_key(3, n);
        const Vec3 from = random_in_cube(key, 0, 2.2f), v = random_in_cube(key, 3, 90);
        const double dt = 1.0 / 60, m = sqrt((double)dot(from, from)), a = (double)dot(v, v),
                     b = (double)dot(from, v);
        if (m < 1.501) continue;
        const double root = b * b - a * (m * m - 2.25), t = (-b - sqrt(fmax(root, 0))) / a;
        Particle p = { .position = from, .velocity = v, .life = 1 };
        law_step(&p, &motion, 1, 1, (float)dt);
        if (root < 0.01 * b * b || t < 0 || t > dt) continue; // grazing or missed
        const double hx = from.x + t * v.x, hy = from.y + t * v.y, hz = from.z + t * v.z;
        const double across = (hx * v.x + hy * v.y + hz * v.z) / 2.25;
        const Vec3 out = { (float)(v.x - 2 * across * hx), (float)(v.y - 2 * across * hy),
                           (float)(v.z - 2 * across * hz) };
        assert_float_equal(p.velocity.x, out.x, 2e-2f);
        assert_float_equal(p.velocity.y, out.y, 2e-2f);
        assert_float_equal(p.velocity.z, out.z, 2e-2f);
        assert_float_equal(p.position.x, hx + (double)out.x * (dt - t), 1e-3f);
        assert_float_equal(p.position.y, hy + (double)out.y * (dt - t), 1e-3f);
        hits++;
    }
    assert_true(hits > 300);
}

static void a_hit_costs_its_share_of_life(void **state)
{
    (void)state;
    Motion motion = with_collider(plane_at(0), 0, 0.5f);
    motion.hit_life = 0.2f;
    Particle p = { .position = { 0, 0.01f, 0 }, .velocity = { 0, -3, 0 }, .life = 4 };
    law_step(&p, &motion, 1, 1, 0.01f);
    assert_float_equal(p.age, 0.01f + 0.8f, 1e-6f);
    law_step(&p, &motion, 1, 1, 0.01f);
    assert_float_equal(p.age, 0.02f + 0.8f, 1e-6f);
}

// Two planes that meet in a corner, and one step that meets both.
static void a_corner_is_met_side_after_side(void **state)
{
    (void)state;
    Motion motion = with_collider(plane_at(0), 0, 1);
    motion.colliders[motion.collider_count++] =
        (Collider){ .shape = COLLIDER_PLANE, .side = 1, .normal = { 1, 0, 0 } };
    Particle p = { .position = { 0.02f, 0.01f, 0 }, .velocity = { -5, -4, 1 }, .life = 1 };
    law_step(&p, &motion, 1, 1, 0.01f);
    assert_float_equal(p.velocity.x, 5, 1e-5f);
    assert_float_equal(p.velocity.y, 4, 1e-5f);
    assert_float_equal(p.position.x, 0.03f, 1e-5f);
    assert_float_equal(p.position.y, 0.03f, 1e-5f);
}

// ---- nothing gets through -----------------------------------------------------------------------

static const Collider walls[] = {
    { .shape = COLLIDER_PLANE, .side = 1, .normal = { 0, 1, 0 } },
    { .shape = COLLIDER_PLANE, .side = 1, .position = { 1, 0, 0 }, .normal = { -0.6f, 0.8f, 0 } },
    { .shape = COLLIDER_SPHERE, .side = 1, .size = { 0.05f, 1, 1 } },
    { .shape = COLLIDER_SPHERE, .side = 1, .position = { 0, -1, 0 }, .size = { 3, 1, 1 } },
    { .shape = COLLIDER_SPHERE, .side = -1, .position = { 0, 1, 0 }, .size = { 2, 1, 1 } },
    { .shape = COLLIDER_BOX, .side = 1, .size = { 0.01f, 2, 2 } },
    { .shape = COLLIDER_BOX, .side = 1, .position = { 1, -1, 0 }, .size = { 2, 0.5f, 1 } },
    { .shape = COLLIDER_BOX, .side = -1, .size = { 3, 2, 1 } },
};

static void what_is_fast_does_not_tunnel(void **state)
{
    (void)state;
    for (int w = 0; w < COUNT_OF(walls); w++) {
        const Motion motion = with_collider(walls[w], 0, 0.5f);
        for (uint32_t n = 0; n < 2000; n++) {
            const uint32_t key = rng_key((uint32_t)w, n);
            // From 3 m away straight at the middle of the collider, or from there to anywhere.
            const Vec3 way = random_in_cube(key, 3, 1);
            const float speed = 2000 / sqrtf(dot(way, way) + 1e-6f);
            const float back = walls[w].side > 0 ? -3 / sqrtf(dot(way, way) + 1e-6f) : 0;
            Particle p = { .position = beyond(walls[w].position, back, way),
                           .velocity = times(way, speed),
                           .life = 1 };
            if (outside(&walls[w], p.position) < 0.01f) continue;
            if (walls[w].shape == COLLIDER_PLANE && dot(way, walls[w].normal) > -0.01f) continue;
            law_step(&p, &motion, 1, 1, 1.0f / 60);
            assert_true(outside(&walls[w], p.position) > -2e-3f);
            assert_true(dot(p.velocity, way) < 0.9f * speed * dot(way, way));
        }
    }
}

static void nothing_ends_inside_a_collider(void **state)
{
    (void)state;
    for (int w = 0; w < COUNT_OF(walls); w++)
        for (int r = 0; r < COUNT_OF(frame_rates); r++)
            for (uint32_t n = 0; n < 30; n++) {
                Motion motion = with_collider(walls[w], -9.81f, (float)(n % 4) / 3);
                motion.jitter = n % 2 ? 1 : 0;
                motion.drag = n % 5 ? 0 : 1;
                const uint32_t key = rng_key((uint32_t)w, n);
                Particle p = { .position = random_in_cube(key, 0, 2),
                               .velocity = random_in_cube(key, 3, 8),
                               .life = 10 };
                for (int f = 0; (float)f < 5 * frame_rates[r]; f++) {
                    frame_on(&p, &motion, frame_rates[r], f);
                    assert_true(outside(&walls[w], p.position) > -3 * SKIN);
                }
            }
}

static void what_a_collider_was_moved_over_is_pushed_out_for_nothing(void **state)
{
    (void)state;
    for (int w = 0; w < COUNT_OF(walls); w++) {
        Motion motion = with_collider(walls[w], 0, 0.5f);
        motion.hit_life = 1;
        const float half = walls[w].side > 0 ? 1.5f : 5;
        int pushed = 0;
        for (uint32_t n = 0; n < 400; n++) {
            const uint32_t key = rng_key((uint32_t)w, n);
            const Vec3 from = beyond(walls[w].position, 1, random_in_cube(key, 0, half));
            const float depth = -outside(&walls[w], from);
            if (depth < 0.001f) continue;
            Particle p = { .position = from, .velocity = random_in_cube(key, 3, 1), .life = 10 };
            law_step(&p, &motion, 1, 1, 0.001f);
            assert_true(outside(&walls[w], p.position) > -3 * SKIN);
            const Vec3 moved = from_to(from, p.position);
            // To the nearest surface; out of the corner beyond a box, along more than one side.
            if (walls[w].shape != COLLIDER_BOX || walls[w].side > 0)
                assert_float_equal(sqrtf(dot(moved, moved)), depth, 0.003f);
            assert_float_equal(p.age, 0.001f, 1e-6f);
            pushed++;
        }
        assert_true(pushed > 20 || w == 2 || w == 5);
    }
}

static void the_middle_of_a_sphere_is_left_too(void **state)
{
    (void)state;
    const Motion motion = with_collider(sphere_of(2, 1), 0, 0.5f);
    Particle p = { .life = 1 };
    law_step(&p, &motion, 1, 1, 1.0f / 60);
    assert_true(outside(&motion.colliders[0], p.position) > -3 * SKIN);
}

// ---- rest ---------------------------------------------------------------------------------------

typedef struct {
    const char *name;
    Collider collider;
    Vec3 from;
} Bed;

static const Bed beds[] = {
    { "a plane", { .shape = COLLIDER_PLANE, .side = 1, .normal = { 0, 1, 0 } }, { 0, 1, 0 } },
    { "a box", { .shape = COLLIDER_BOX, .side = 1, .size = { 1, 1, 1 } }, { 0.3f, 2, 0.2f } },
    { "in a box", { .shape = COLLIDER_BOX, .side = -1, .size = { 1, 1, 1 } }, { 0.3f, 0, 0.2f } },
    { "in a bowl", { .shape = COLLIDER_SPHERE, .side = -1, .size = { 1, 1, 1 } }, { 0, 0, 0 } },
};

static void what_rests_stays_and_pays_nothing(void **state)
{
    (void)state;
    const float pulls[] = { -0.5f, -9.81f, -50 };
    for (int b = 0; b < COUNT_OF(beds); b++)
        for (int g = 0; g < COUNT_OF(pulls); g++)
            for (int r = 0; r < COUNT_OF(frame_rates); r++) {
                Motion motion = with_collider(beds[b].collider, pulls[g], 0.5f);
                motion.hit_life = 0.001f;
                Particle p = { .position = beds[b].from, .life = 1000 };
                const int settled = (int)(20 * frame_rates[r]);
                for (int f = 0; f < settled; f++) frame_on(&p, &motion, frame_rates[r], f);
                const Particle before = p;
                for (int f = 0; f < settled; f++) {
                    frame_on(&p, &motion, frame_rates[r], f);
                    if (!(fabsf(outside(&beds[b].collider, p.position)) < 2 * SKIN))
                        fail_msg("%s: %g m away", beds[b].name,
                                 (double)outside(&beds[b].collider, p.position));
                }
                assert_float_equal(p.age - before.age, 20, 0.01f);
                assert_float_equal(sqrtf(dot(p.velocity, p.velocity)), 0, 0.02f);
            }
}

// What slides on a floor is slowed alike at any frame rate.
static void rest_brakes_alike_at_any_frame_rate(void **state)
{
    (void)state;
    for (int r = 0; r < COUNT_OF(frame_rates); r++) {
        const Motion motion = with_collider(plane_at(0), -9.81f, 0.9f);
        Particle p = { .velocity = { 4, 0, 0 }, .life = 100 };
        for (int f = 0; (float)f < 4 * frame_rates[r]; f++)
            frame_on(&p, &motion, frame_rates[r], f);
        // 4 m/s, times 0.9 every 1/60 s.
        assert_float_equal(p.position.x, 4 / (-60 * logf(0.9f)), 0.04f);
        assert_float_equal(p.position.y, 0, 2 * SKIN);
    }
}

static void a_bowl_is_slid_through(void **state)
{
    (void)state;
    for (int r = 0; r < COUNT_OF(frame_rates); r++) {
        Motion motion = with_collider(sphere_of(2, -1), -9.81f, 0);
        motion.tangent_keep = 1;
        Particle p = { .position = { -1.999f, 0, 0 }, .life = 100 };
        float least_x = 0, most_x = 0;
        for (int f = 0; (float)f < 2 * frame_rates[r]; f++) {
            frame_on(&p, &motion, frame_rates[r], f);
            assert_true(fabsf(outside(&motion.colliders[0], p.position)) < 0.02f);
            most_x = fmaxf(most_x, p.position.x);
            least_x = fminf(least_x, p.position.x);
        }
        assert_true(most_x > 1.8f && most_x <= 2.001f);
    }
}

// ---- energy -------------------------------------------------------------------------------------

static float energy(const Particle *p)
{
    return 0.5f * dot(p->velocity, p->velocity) + 9.81f * p->position.y;
}

static void energy_never_grows(void **state)
{
    (void)state;
    for (int w = 0; w < COUNT_OF(walls); w++)
        for (int r = 0; r < COUNT_OF(frame_rates); r++)
            for (uint32_t n = 0; n < 20; n++) {
                Motion motion = with_collider(walls[w], -9.81f, n % 2 ? 1 : 0.7f);
                motion.colliders[motion.collider_count++] = plane_at(-2.5f);
                motion.colliders[motion.collider_count++] = box_of(4, 4, 4, -1);
                const uint32_t key = rng_key((uint32_t)w, n);
                Particle p = { .position = random_in_cube(key, 0, 2.4f),
                               .velocity = random_in_cube(key, 3, 6),
                               .life = 1000 };
                frame_on(&p, &motion, 144, 0); // out of what it may have begun in
                frame_on(&p, &motion, 144, 0);
                float before = energy(&p);
                for (int f = 0; (float)f < 10 * frame_rates[r]; f++) {
                    frame_on(&p, &motion, frame_rates[r], f);
                    const float now = energy(&p);
                    if (!(now <= before + 3e-3f))
                        fail_msg("wall %d, particle %u: %g J/kg of %g more", w, n,
                                 (double)(now - before), (double)before);
                    before = fminf(before, now);
                }
            }
}

// A bounce without loss goes on as high for ever.
static void a_bounce_without_loss_loses_nothing(void **state)
{
    (void)state;
    for (int r = 0; r < COUNT_OF(frame_rates); r++) {
        const Motion motion = with_collider(plane_at(0), -9.81f, 1);
        Particle p = { .position = { 0, 1.5f, 0 }, .life = 1000 };
        for (int f = 0; (float)f < 60 * frame_rates[r]; f++)
            frame_on(&p, &motion, frame_rates[r], f);
        assert_float_equal(energy(&p), 1.5f * 9.81f, 0.02f);
    }
}

// ---- the engine's tiles -------------------------------------------------------------------------

static Block *block_of(uint32_t count, float half, float speed)
{
    Block *block = aligned_alloc(64, sizeof *block);
    memset(block, 0, sizeof *block);
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t key = rng_key(17, n);
        const Vec3 p = random_in_cube(key, 20, half), v = random_in_cube(key, 23, speed);
        block->x[n] = p.x, block->y[n] = p.y, block->z[n] = p.z;
        block->vx[n] = v.x, block->vy[n] = v.y, block->vz[n] = v.z;
        block->key[n] = key;
    }
    return block;
}

static void a_box_keeps_everything_for_ten_minutes(void **state)
{
    (void)state;
    enum { KEPT = 2 * TILE };
    for (int r = 0; r < COUNT_OF(frame_rates); r++) {
        Block *block = block_of(KEPT, 1, 10);
        Motion motion = with_collider(box_of(2, 1, 3, -1), -9.81f, 0.9f);
        motion.jitter = 3;
        motion.turbulence = 5;
        motion.turbulence_scale = 1;
        motion.attractors[motion.attractor_count++] =
            (Attractor){ .position = { 1, 0, 2 }, .strength = 20, .vortex = 9, .softening = 0.1f };
        motion.life = 1e6f;
        const int steps = law_substeps(1 / frame_rates[r]);
        for (uint32_t s = 0; s < (uint32_t)(600 * frame_rates[r] * (float)steps); s++) {
            const Step step = step_make(&motion, s, 1 / frame_rates[r] / (float)steps);
            kernel_step(block, KEPT, &step, NULL, &(Ahead){ 0 });
            for (int n = 0; n < KEPT && s % 16 == 0; n++)
                assert_true(fabsf(block->x[n]) < 2 + 2 * SKIN &&
                            fabsf(block->y[n]) < 1 + 2 * SKIN && fabsf(block->z[n]) < 3 + 2 * SKIN);
        }
        free(block);
    }
}

static void a_tile_bounces_as_its_particles_do(void **state)
{
    (void)state;
    enum { COUNT = 7 * TILE + 7 };
    float speeds[SPEED_ENTRIES];
    for (int n = 0; n < SPEED_ENTRIES; n++) speeds[n] = 1.5f - (float)n / SPEED_ENTRIES;
    for (int w = 0; w + 3 < COUNT_OF(walls); w++) {
        Block *block = block_of(COUNT, 2.5f, 9);
        Motion motion = with_collider(walls[w], -4, 0.6f);
        for (int more = 1; more < GLOBAL_COLLIDERS; more++)
            motion.colliders[motion.collider_count++] = walls[w + more];
        motion.jitter = 1;
        motion.drag = 0.3f;
        motion.hit_life = 0.02f;
        motion.life = 20;
        motion.life_random = 0.5f;
        motion.speed = w % 2 ? speeds : NULL;
        Particle all[COUNT];
        for (int n = 0; n < COUNT; n++)
            all[n] = (Particle){ { block->x[n], block->y[n], block->z[n] },
                                 { block->vx[n], block->vy[n], block->vz[n] },
                                 0,
                                 life_of(20, 0.5f, block->key[n]) };
        for (uint32_t s = 0; s < 120; s++) {
            const Step step = step_make(&motion, s, 1.0f / 90);
            kernel_step(block, COUNT, &step, NULL, &(Ahead){ 0 });
            for (int n = 0; n < COUNT; n++) {
                law_step(&all[n], &motion, block->key[n], s, 1.0f / 90);
                const float tile[] = { block->x[n],  block->y[n],  block->z[n],  block->vx[n],
                                       block->vy[n], block->vz[n], block->age[n] };
                assert_memory_equal(tile, &all[n], sizeof tile);
            }
        }
        free(block);
    }
}

static void a_bounce_is_told_where_and_how(void **state)
{
    (void)state;
    enum { COUNT = TILE + 5 };
    Block *block = block_of(COUNT, 1, 6);
    const Motion motion = with_collider(box_of(1.2f, 1.2f, 1.2f, -1), 0, 0.5f);
    Bounce told[200];
    uint32_t all = 0;
    for (uint32_t s = 0; s < 60; s++) {
        Block before = *block;
        Bounces bounces = { told, COUNT_OF(told), 0 };
        const Step step = step_make(&motion, s, 1.0f / 60);
        kernel_step(block, COUNT, &step, &bounces, &(Ahead){ 0 });
        uint32_t turned = 0;
        for (int n = 0; n < COUNT; n++)
            turned += (block->vx[n] != before.vx[n]) + (block->vy[n] != before.vy[n]) +
                          (block->vz[n] != before.vz[n]) >
                      0;
        assert_true(bounces.count >= turned);
        for (uint32_t n = 0; n < bounces.count; n++) {
            const Bounce *b = &told[n];
            assert_float_equal(outside(&motion.colliders[0], b->position), 0, 2 * SKIN);
            assert_true(dot(b->velocity, b->normal) < 0);
            assert_float_equal(dot(b->normal, b->normal), 1, 1e-6f);
            assert_true(b->age >= 0 && b->age <= 1.0f / 60);
            uint32_t whose = 0;
            while (whose < COUNT && block->key[whose] != b->key) whose++;
            assert_true(whose < COUNT);
        }
        all += bounces.count;
    }
    assert_true(all > 50);
    free(block);
}

static void bounces_without_room_are_counted(void **state)
{
    (void)state;
    Block *block = block_of(TILE, 0, 0);
    for (int n = 0; n < TILE; n++) block->y[n] = 0.01f, block->vy[n] = -5;
    const Motion motion = with_collider(plane_at(0), 0, 0.5f);
    Bounce told[4] = { { 0 } };
    Bounces bounces = { told, 3, 0 };
    const Step step = step_make(&motion, 1, 1.0f / 60);
    kernel_step(block, TILE - 2, &step, &bounces, &(Ahead){ 0 });
    assert_int_equal(bounces.count, TILE - 2);
    assert_int_equal(told[2].key, block->key[2]);
    assert_int_equal(told[3].key, 0);
    free(block);
}

// ---- speed over life ----------------------------------------------------------------------------

static void speed_over_life_scales_the_way_and_not_the_velocity(void **state)
{
    (void)state;
    float half[SPEED_ENTRIES], falling[SPEED_ENTRIES];
    for (int n = 0; n < SPEED_ENTRIES; n++) {
        half[n] = 0.5f;
        falling[n] = 1 - (float)n / (SPEED_ENTRIES - 1);
    }
    for (int r = 0; r < COUNT_OF(frame_rates); r++) {
        const Motion slow = { .speed = half }, fading = { .speed = falling };
        Particle p = { .velocity = { 4, 0, 0 }, .life = 2 }, q = p;
        for (int f = 0; (float)f < 2 * frame_rates[r]; f++) {
            frame_on(&p, &slow, frame_rates[r], f);
            frame_on(&q, &fading, frame_rates[r], f);
        }
        assert_float_equal(p.position.x, 4, 1e-4f);
        assert_float_equal(q.position.x, 4, 1e-3f); // half of 4 m/s x 2 s
        assert_float_equal(p.velocity.x, 4, 0);
        assert_float_equal(q.velocity.x, 4, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bounce_keeps_its_shares_across_and_along),
        cmocka_unit_test(a_ball_reaches_the_square_of_bounce_of_its_height),
        cmocka_unit_test(a_sphere_deflects_about_its_normal),
        cmocka_unit_test(a_hit_costs_its_share_of_life),
        cmocka_unit_test(a_corner_is_met_side_after_side),
        cmocka_unit_test(what_is_fast_does_not_tunnel),
        cmocka_unit_test(nothing_ends_inside_a_collider),
        cmocka_unit_test(what_a_collider_was_moved_over_is_pushed_out_for_nothing),
        cmocka_unit_test(the_middle_of_a_sphere_is_left_too),
        cmocka_unit_test(what_rests_stays_and_pays_nothing),
        cmocka_unit_test(rest_brakes_alike_at_any_frame_rate),
        cmocka_unit_test(a_bowl_is_slid_through),
        cmocka_unit_test(energy_never_grows),
        cmocka_unit_test(a_bounce_without_loss_loses_nothing),
        cmocka_unit_test(a_box_keeps_everything_for_ten_minutes),
        cmocka_unit_test(a_tile_bounces_as_its_particles_do),
        cmocka_unit_test(a_bounce_is_told_where_and_how),
        cmocka_unit_test(bounces_without_room_are_counted),
        cmocka_unit_test(speed_over_life_scales_the_way_and_not_the_velocity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
