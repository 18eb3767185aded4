#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "sim/step.h"

static const float frame_rates[] = { 30, 60, 144 };

// Moves one particle for `seconds` in frames of that rate, as a show would.
static Particle travel(Particle p, const Motion *motion, float frame_rate, float seconds)
{
    const int frames = (int)lroundf(seconds * frame_rate);
    const float frame = seconds / (float)frames;
    const int steps = law_substeps(frame);
    for (int f = 0; f < frames; f++)
        for (int s = 0; s < steps; s++)
            law_step(&p, motion, 77, (uint32_t)(f * SUBSTEPS_MAX + s), frame / (float)steps);
    return p;
}

static void falls_free_at_any_frame_rate(void **state)
{
    (void)state;
    const Motion motion = { .acceleration = { 0, -9.81f, 0 } };
    for (int n = 0; n < COUNT_OF(frame_rates); n++) {
        const Particle p =
            travel((Particle){ .velocity = { 1, 2, 3 } }, &motion, frame_rates[n], 2);
        assert_float_equal(p.position.x, 2, 1e-4f);
        assert_float_equal(p.position.y, 4 - 9.81f * 2, 1e-3f);
        assert_float_equal(p.position.z, 6, 1e-4f);
        assert_float_equal(p.velocity.y, 2 - 9.81f * 2, 1e-4f);
        assert_float_equal(p.age, 2, 1e-4f);
    }
}

static void reaches_its_terminal_speed(void **state)
{
    (void)state;
    const Motion motion = { .acceleration = { 0, -10, 0 }, .drag = 2 };
    for (int n = 0; n < COUNT_OF(frame_rates); n++) {
        const Particle p = travel((Particle){ 0 }, &motion, frame_rates[n], 12);
        assert_float_equal(p.velocity.y, -5, 1e-4f);
        assert_float_equal(p.position.y, -5 * 12 + 2.5f, 1e-3f);
    }
}

static void stops_after_speed_over_drag(void **state)
{
    (void)state;
    const float drags[] = { 0.5f, 3, 20, 100 };
    for (int d = 0; d < COUNT_OF(drags); d++)
        for (int n = 0; n < COUNT_OF(frame_rates); n++) {
            const Motion motion = { .drag = drags[d] };
            const Particle p =
                travel((Particle){ .velocity = { 6, 0, 0 } }, &motion, frame_rates[n], 40);
            assert_float_equal(p.position.x, 6 / drags[d], 1e-4f * 6 / drags[d] + 1e-5f);
            assert_float_equal(p.velocity.x, 0, 1e-6f);
        }
}

static void a_very_large_drag_stops_at_once(void **state)
{
    (void)state;
    const float drags[] = { 1e6f, 1e20f, 1e38f, INFINITY };
    for (int d = 0; d < COUNT_OF(drags); d++) {
        const Motion motion = { .acceleration = { 0, -10, 0 }, .drag = drags[d], .jitter = 5 };
        Particle p = { .position = { 1, 2, 3 }, .velocity = { 6, 6, 6 } };
        law_step(&p, &motion, 1, 1, 1.0f / 60);
        assert_float_equal(p.position.x, 1, 1e-4f);
        assert_float_equal(p.position.y, 2, 1e-4f);
        assert_float_equal(p.velocity.x, 0, 0.02f);
        assert_float_equal(p.velocity.y, 0, 0.02f);
    }
}

// Walks the drag over the border between series and closed form.
static void one_step_is_the_closed_form(void **state)
{
    (void)state;
    for (double k = 1e-6; k < 1e4; k *= 1.7) {
        const double dt = 1.0 / 60, a = -9.0, v = 4, e = exp(-k * dt), f = -expm1(-k * dt) / k;
        // (dt - f) / k without its cancellation: an integral of the rest, by Simpson's rule.
        double fall = 0;
        const int parts = 2000;
        for (int n = 0; n <= parts; n++) {
            const double t = dt * n / parts, weight = n == 0 || n == parts ? 1 : n % 2 ? 4 : 2;
            fall += weight * -expm1(-k * t) / k * dt / parts / 3;
        }
        const Motion motion = { .acceleration = { (float)a, 0, 0 }, .drag = (float)k };
        Particle p = { .velocity = { (float)v, 0, 0 } };
        law_step(&p, &motion, 1, 1, (float)dt);
        assert_float_equal(p.velocity.x, v * e + a * f, 2e-6);
        assert_float_equal(p.position.x, v * f + a * fall, 2e-7);
    }
}

static float distance(Vec3 a, Vec3 b)
{
    return sqrtf((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

static void an_orbit_keeps_its_radius(void **state)
{
    (void)state;
    const Vec3 centre = { 1, -2, 0.5f };
    Motion motion = { .attractor_count = 1 };
    motion.attractors[0] = (Attractor){ .position = centre, .strength = 8, .softening = 0.01f };
    for (int n = 0; n < COUNT_OF(frame_rates); n++) {
        // Radius 2, speed sqrt(8 / 2) = 2: a turn takes 2 pi seconds.
        Particle p = { .position = { 3, -2, 0.5f }, .velocity = { 0, 2, 0 } };
        for (int part = 0; part < 120; part++) {
            p = travel(p, &motion, frame_rates[n], 0.5f);
            assert_float_equal(distance(p.position, centre), 2, 0.01f);
        }
        const float turns = 60 / (2 * 3.14159265f);
        assert_float_equal(p.position.x - centre.x, 2 * cosf(turns * 2 * 3.14159265f), 0.03f);
        assert_float_equal(p.position.y - centre.y, 2 * sinf(turns * 2 * 3.14159265f), 0.03f);
    }
}

static void a_vortex_turns_counter_clockwise(void **state)
{
    (void)state;
    Motion motion = { .attractor_count = 1 };
    motion.attractors[0] = (Attractor){ .vortex = 4, .softening = 0.01f };
    Particle right = { .position = { 2, 0, 0 } }, above = { .position = { 0, 2, 0 } };
    law_step(&right, &motion, 1, 1, 0.01f);
    law_step(&above, &motion, 1, 1, 0.01f);
    assert_float_equal(right.velocity.y, 0.01f * 4 / 4, 1e-5f);
    assert_float_equal(right.velocity.x, 0, 1e-6f);
    assert_float_equal(above.velocity.x, -0.01f * 4 / 4, 1e-5f);
}

static void the_middle_of_an_attractor_is_calm(void **state)
{
    (void)state;
    Motion motion = { .attractor_count = 1 };
    motion.attractors[0] = (Attractor){ .strength = 500, .vortex = 500, .softening = 0 };
    Particle p = { 0 };
    law_step(&p, &motion, 1, 1, 1.0f / 60);
    assert_float_equal(p.position.x, 0, 1e-9f);
    assert_float_equal(p.velocity.y, 0, 1e-9f);
}

// ---- the rings of the spectrum ------------------------------------------------------------------

static const Rings still = { .axis = { 0, 0, 1 }, .inner = 1, .spacing = 0.75f };

// The velocity after 0.01 s from rest, `radius` from the axis along x.
static Vec3 pushed(const Rings *rings, float radius)
{
    const Motion motion = { .rings = *rings };
    Particle p = { .position = { rings->middle.x + radius, rings->middle.y, 3 } };
    law_step(&p, &motion, 1, 1, 0.01f);
    return p.velocity;
}

#define UNSEEN 1e-12f // m/s: the least jitter, which spares denormal numbers

static float ring_radius(const Rings *rings, int band)
{
    const float softening = rings_softening(rings);
    const float r = rings->inner + (float)band * rings->spacing;
    return sqrtf(r * r - softening * softening);
}

static void a_loud_band_pushes_its_ring_and_no_other(void **state)
{
    (void)state;
    for (int loud = 0; loud < ANALYSIS_BANDS; loud++) {
        Rings rings = still;
        rings.outward = 10;
        rings.levels[loud] = 0.5f;
        for (int band = 0; band < ANALYSIS_BANDS; band++) {
            const Vec3 v = pushed(&rings, ring_radius(&rings, band));
            if (band == loud)
                assert_in_range((int)(v.x * 1e4f), 450, 500); // softened a little further in
            else
                assert_float_equal(v.x, 0, 1e-6f);
            assert_float_equal(v.y, 0, UNSEEN);
            assert_float_equal(v.z, 0, UNSEEN);
        }
        assert_float_equal(pushed(&rings, 20).x, 0, UNSEEN);
        assert_float_equal(pushed(&rings, 0).x, 0, UNSEEN);
    }
}

static void equal_bands_are_one_even_push(void **state)
{
    (void)state;
    Rings rings = still;
    rings.along = 10;
    for (int b = 0; b < ANALYSIS_BANDS; b++) rings.levels[b] = 0.7f;
    for (float radius = 1; radius < 3.99f; radius += 0.01f)
        assert_float_equal(pushed(&rings, radius).z, 0.07f, 1e-6f);
    // Beyond the rings the push dies away over as far as from one to the next.
    assert_in_range((int)(pushed(&rings, 4.3f).z * 1e4f), 100, 600);
    assert_float_equal(pushed(&rings, 4.8f).z, 0, UNSEEN);
}

static void rings_turn_counter_clockwise_about_their_axis(void **state)
{
    (void)state;
    Rings rings = still;
    rings.middle = (Vec3){ 2, -1, 0 };
    rings.around = 10;
    rings.levels[1] = 1;
    const float radius = ring_radius(&rings, 1);
    const Vec3 seen = pushed(&rings, radius);
    assert_in_range((int)(seen.y * 1e4f), 950, 1000);
    assert_float_equal(seen.x, 0, UNSEEN);
    rings.axis.z = -1;
    assert_float_equal(pushed(&rings, radius).y, -seen.y, 1e-6f);
}

static void silence_and_no_strength_leave_every_bit(void **state)
{
    (void)state;
    Motion plain = { .acceleration = { 1, -2, 3 }, .drag = 0.5f, .jitter = 1 };
    Motion silent = plain, weak = plain;
    silent.rings = weak.rings = still;
    silent.rings.outward = silent.rings.around = silent.rings.along = 50;
    for (int b = 0; b < ANALYSIS_BANDS; b++) weak.rings.levels[b] = 1;
    const Particle start = { .position = { 1, 2, 0.5f }, .velocity = { -1, 0, 2 }, .life = 9 };
    const Particle expected = travel(start, &plain, 60, 1);
    const Particle got[] = { travel(start, &silent, 60, 1), travel(start, &weak, 60, 1) };
    for (int n = 0; n < COUNT_OF(got); n++)
        assert_memory_equal(&got[n], &expected, sizeof expected);
}

static void step_as_felt(Particle *p, const Motion *motion, float force)
{
    const Motion felt = motion_felt(motion, (float[SWARM_ROWS]){ [SWARM_FORCE] = force }, NULL);
    law_step(p, &felt, 9, 9, 0.01f);
}

static void force_scales_everything_but_drag(void **state)
{
    (void)state;
    Motion motion = { .acceleration = { 1, 2, 3 },
                      .drag = 0.5f,
                      .jitter = 2,
                      .turbulence = 3,
                      .turbulence_scale = 2,
                      .attractor_count = 1,
                      .rings = still };
    motion.rings.outward = 3;
    motion.rings.around = 2;
    motion.rings.along = 1;
    motion.rings.levels[0] = 1;
    motion.attractors[0] =
        (Attractor){ .position = { 1, 1, 1 }, .strength = 5, .vortex = 3, .softening = 0.2f };
    Particle none = { 0 }, one = { 0 }, twice = { 0 };
    step_as_felt(&none, &motion, 0);
    step_as_felt(&one, &motion, 1);
    step_as_felt(&twice, &motion, -2);
    assert_float_equal(none.velocity.x, 0, UNSEEN);
    assert_true(fabsf(one.velocity.x) > 0.01f);
    assert_float_equal(twice.velocity.x, -2 * one.velocity.x, 1e-5f);
    assert_float_equal(twice.velocity.y, -2 * one.velocity.y, 1e-5f);
    assert_float_equal(twice.velocity.z, -2 * one.velocity.z, 1e-5f);
}

static void own_forces_come_on_top_of_the_share_of_the_global_ones(void **state)
{
    (void)state;
    const Motion motion = {
        .acceleration = { 2, -4, 6 }, .drag = 1, .jitter = 2, .turbulence = 3, .collider_count = 1
    };
    const float values[SWARM_ROWS] = {
        [SWARM_FORCE] = 0.5f,       [SWARM_OWN_DRAG] = 2,       [SWARM_OWN_GRAVITY] = -3,
        [SWARM_OWN_WIND_X] = 10,    [SWARM_OWN_WIND_Y] = 1,     [SWARM_OWN_WIND_Z] = -5,
        [SWARM_OWN_JITTER] = 0.25f, [SWARM_OWN_TURBULENCE] = 4, [SWARM_COLLIDE] = 0,
    };
    const Motion felt = motion_felt(&motion, values, NULL);
    assert_float_equal(felt.acceleration.x, 11, 0);
    assert_float_equal(felt.acceleration.y, -4, 0);
    assert_float_equal(felt.acceleration.z, -2, 0);
    assert_float_equal(felt.drag, 3, 0);
    assert_float_equal(felt.jitter, 1.25f, 0);
    assert_float_equal(felt.turbulence, 5.5f, 0);
    assert_int_equal(felt.collider_count, 0);
}

// ---- jitter -------------------------------------------------------------------------------------

enum { WALKERS = 4000 };

// The variance of the velocity of many particles after `seconds`.
static double spread_after(const Motion *motion, float frame_rate, float seconds)
{
    double sum = 0, square = 0;
    const int frames = (int)lroundf(seconds * frame_rate), steps = law_substeps(1 / frame_rate);
    for (uint32_t n = 0; n < WALKERS; n++) {
        Particle p = { 0 };
        for (int f = 0; f < frames; f++)
            for (int s = 0; s < steps; s++)
                law_step(&p, motion, rng_key(5, n), (uint32_t)(f * SUBSTEPS_MAX + s),
                         1 / frame_rate / (float)steps);
        sum += p.velocity.x + p.velocity.y + p.velocity.z;
        square += (double)p.velocity.x * p.velocity.x + (double)p.velocity.y * p.velocity.y +
                  (double)p.velocity.z * p.velocity.z;
    }
    const double mean = sum / (3.0 * WALKERS);
    assert_float_equal(mean, 0, 0.08);
    return square / (3.0 * WALKERS) - mean * mean;
}

static void jitter_spreads_alike_at_any_frame_rate(void **state)
{
    (void)state;
    const Motion free_walk = { .jitter = 2 }, dragged = { .jitter = 2, .drag = 8 };
    for (int n = 0; n < COUNT_OF(frame_rates); n++) {
        // 2^2 x 1 s; and 2^2 / (2 x 8) where kicks and drag are in balance.
        assert_float_equal(spread_after(&free_walk, frame_rates[n], 1), 4, 0.25);
        assert_float_equal(spread_after(&dragged, frame_rates[n], 1), 0.25, 0.016);
    }
}

// ---- the flow -----------------------------------------------------------------------------------

static Vec3 somewhere(uint32_t n)
{
    const uint32_t key = rng_key(11, n);
    return (Vec3){ 60 * rng_unit(rng_draw(key, 0)) - 30, 60 * rng_unit(rng_draw(key, 1)) - 30,
                   60 * rng_unit(rng_draw(key, 2)) - 30 };
}

static void a_sine_is_a_sine(void **state)
{
    (void)state;
    for (float turns = -3; turns < 3; turns += 0.00137f)
        assert_float_equal(sine_of_turns(turns), sin(2 * 3.14159265358979 * turns), 1e-6);
    const float far_out[] = { 1e7f, -1e7f, 1e20f, -1e20f, INFINITY, -INFINITY };
    for (int n = 0; n < COUNT_OF(far_out); n++)
        assert_true(fabsf(sine_of_turns(far_out[n])) <= 1.001f);
}

static void the_flow_has_no_sources(void **state)
{
    (void)state;
    const float h = 0.02f, scale = 3;
    double divergence = 0, change = 0;
    for (uint32_t n = 0; n < 2000; n++) {
        const Vec3 p = somewhere(n);
        const Vec3 e = law_flow((Vec3){ p.x + h, p.y, p.z }, scale, 1),
                   w = law_flow((Vec3){ p.x - h, p.y, p.z }, scale, 1);
        const Vec3 u = law_flow((Vec3){ p.x, p.y + h, p.z }, scale, 1),
                   d = law_flow((Vec3){ p.x, p.y - h, p.z }, scale, 1);
        const Vec3 f = law_flow((Vec3){ p.x, p.y, p.z + h }, scale, 1),
                   b = law_flow((Vec3){ p.x, p.y, p.z - h }, scale, 1);
        divergence += fabs((e.x - w.x + u.y - d.y + f.z - b.z) / (2 * h));
        change +=
            fabs((e.y - w.y) / (2 * h)) + fabs((u.z - d.z) / (2 * h)) + fabs((f.x - b.x) / (2 * h));
    }
    assert_true(divergence < 2e-3 * change);
}

static void the_flow_is_about_one_and_the_same_along_every_axis(void **state)
{
    (void)state;
    double x = 0, y = 0, z = 0;
    enum { PLACES = 20000 };
    for (uint32_t n = 0; n < PLACES; n++) {
        const Vec3 u = law_flow(somewhere(n), 2, (float)n * 0.01f);
        assert_true(fabsf(u.x) < 1.5f && fabsf(u.y) < 1.5f && fabsf(u.z) < 1.5f);
        x += (double)u.x * u.x;
        y += (double)u.y * u.y;
        z += (double)u.z * u.z;
    }
    assert_float_equal(sqrt(x / PLACES), 0.37, 0.03);
    assert_float_equal(sqrt(y / PLACES), 0.37, 0.03);
    assert_float_equal(sqrt(z / PLACES), 0.37, 0.03);
}

static void the_flow_is_smooth_in_space_and_time(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < 5000; n++) {
        const Vec3 p = somewhere(n);
        const float phase = 16 * rng_unit(rng_mix(n));
        const Vec3 here = law_flow(p, 3, phase);
        const Vec3 near = law_flow((Vec3){ p.x + 0.001f, p.y - 0.001f, p.z + 0.001f }, 3, phase);
        const Vec3 soon = law_flow(p, 3, phase + 0.001f);
        assert_true(distance(here, near) < 0.02f);
        assert_true(distance(here, soon) < 0.02f);
    }
}

static void the_flow_repeats_after_its_period_and_not_before(void **state)
{
    (void)state;
    double change = 0;
    for (uint32_t n = 0; n < 200; n++) {
        const Vec3 p = somewhere(n);
        assert_true(distance(law_flow(p, 3, 0), law_flow(p, 3, FLOW_PERIOD)) < 1e-5f);
        assert_true(distance(law_flow(p, 3, 1.25f), law_flow(p, 3, 1.25f + FLOW_PERIOD)) < 1e-4f);
        change += distance(law_flow(p, 3, 0), law_flow(p, 3, FLOW_PERIOD / 2));
    }
    assert_true(change / 200 > 0.3);
}

// No lattice: shifted by any step of a few scales along an axis, the flow does not look like
// itself.
static void the_flow_shows_no_grid(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++)
        for (float shift = 4; shift < 24; shift += 0.5f) {
            double like = 0, all = 0;
            for (uint32_t n = 0; n < 600; n++) {
                const Vec3 p = somewhere(n);
                const Vec3 q = { p.x + (axis == 0 ? shift : 0), p.y + (axis == 1 ? shift : 0),
                                 p.z + (axis == 2 ? shift : 0) };
                const Vec3 u = law_flow(p, 1, 0), v = law_flow(q, 1, 0);
                like += (double)u.x * v.x + (double)u.y * v.y + (double)u.z * v.z;
                all += (double)u.x * u.x + (double)u.y * u.y + (double)u.z * u.z;
            }
            assert_true(like < 0.85 * all);
        }
}

// ---- sub-steps ----------------------------------------------------------------------------------

static void no_substep_is_longer_than_a_sixtieth(void **state)
{
    (void)state;
    assert_int_equal(law_substeps(0), 1);
    assert_int_equal(law_substeps(-1), 1);
    assert_int_equal(law_substeps(NAN), 1);
    assert_int_equal(law_substeps(1.0f / 144), 1);
    assert_int_equal(law_substeps(1.0f / 60), 1);
    assert_int_equal(law_substeps(1.0f / 30), 2);
    assert_int_equal(law_substeps(STALL_LONGEST), SUBSTEPS_MAX);
    assert_int_equal(law_substeps(5), SUBSTEPS_MAX);
    for (float dt = 0; dt <= STALL_LONGEST; dt += 0.0001f)
        assert_true(dt / (float)law_substeps(dt) <= SUBSTEP_LONGEST * 1.0101f);
}

// ---- small numbers ------------------------------------------------------------------------------

static void nothing_becomes_denormal_under_drag(void **state)
{
    (void)state;
    const Motion motions[] = {
        { .drag = 1 },
        { .drag = 100 },
        { .drag = 100,
          .attractors = { { .strength = 5, .softening = 0.1f } },
          .attractor_count = 1 },
    };
    for (int m = 0; m < COUNT_OF(motions); m++) {
        Particle p = { .velocity = { 1, 0, -1e-3f } };
        int squares = 0;
        for (uint32_t n = 0; n < 20000; n++) {
            law_step(&p, &motions[m], 9, n, 1.0f / 60);
            assert_int_not_equal(fpclassify(p.velocity.x), FP_SUBNORMAL);
            assert_int_not_equal(fpclassify(p.velocity.y), FP_SUBNORMAL);
            assert_int_not_equal(fpclassify(p.velocity.z), FP_SUBNORMAL);
            squares += fpclassify(p.position.y * p.position.y) == FP_SUBNORMAL;
        }
        assert_in_range(squares, 0, 200); // where it comes by
    }
}

// ---- what is random about a particle -------------------------------------------------------------

enum { TRAITS = 4, KEYS = 100000 };

// Each from 0 to 1.
static void traits_of(uint32_t key, double trait[TRAITS])
{
    trait[0] = 1 - (double)life_of(1, 1, key);
    trait[1] = 1 - (double)law_size_factor(key, 1);
    trait[2] = (double)rotation_of(1, key);
    trait[3] = (chance_of(key) >> 24) / 256.0;
    assert_int_equal(chance_of(key) & 0xffffff, 0);
}

static void the_traits_of_a_particle_are_even_and_tell_nothing_of_each_other(void **state)
{
    (void)state;
    double sum[TRAITS] = { 0 }, product[TRAITS][TRAITS] = { { 0 } };
    for (uint32_t n = 0; n < KEYS; n++) {
        double trait[TRAITS];
        traits_of(rng_key(7, n), trait);
        for (int a = 0; a < TRAITS; a++) {
            assert_true(trait[a] >= 0 && trait[a] < 1);
            sum[a] += trait[a];
            for (int b = 0; b <= a; b++) product[a][b] += trait[a] * trait[b];
        }
    }
    bool lives[2048] = { false }; // all of them are lived
    for (uint32_t n = 0; n < KEYS; n++)
        lives[(int)((1 - life_of(1, 1, rng_key(7, n))) * 2048)] = true;
    for (int n = 0; n < COUNT_OF(lives); n++) assert_true(lives[n]);
    for (int a = 0; a < TRAITS; a++) {
        assert_float_equal(sum[a] / KEYS, 0.5f, 0.005f);
        for (int b = 0; b <= a; b++) { // 12 times the covariance of what is even: the correlation
            const double c = 12 * (product[a][b] / KEYS - sum[a] / KEYS * (sum[b] / KEYS));
            assert_float_equal(c, a == b ? 1 : 0, 0.015f);
        }
    }
}

// ---- the shader's copy --------------------------------------------------------------------------

static char *shader(const char *name)
{
    char path[512], why[256];
    snprintf(path, sizeof path, "%s/shaders/common/%s", SOURCE_DIR, name);
    char *text = file_read(path, NULL, why, sizeof why);
    if (!text) fail_msg("%s", why);
    return text;
}

static void the_shader_has_the_same_waves(void **state)
{
    (void)state;
    char *text = shader("law.glsl");
    for (int n = 0; n < WAVES; n++) {
        const Wave w = waves[n];
        char row[128];
        snprintf(row, sizeof row, "vec4(%.4f, %.4f, %.4f, %.1f)", w.x, w.y, w.z, w.turns);
        if (!strstr(text, row)) fail_msg("law.glsl lacks %s", row);
        snprintf(row, sizeof row, "vec4(%.6f, %.6f, %.6f, %.3f)", w.push_x, w.push_y, w.push_z,
                 w.start);
        if (!strstr(text, row)) fail_msg("law.glsl lacks %s", row);
        assert_float_equal(w.x * w.push_x + w.y * w.push_y + w.z * w.push_z, 0, 1e-5f);
    }
    free(text);
}

// The bits of each are in the shaders as they are in step.h.
static void the_shader_cuts_the_same_traits(void **state)
{
    (void)state;
    static const struct {
        const char *shader, *cut;
        uint32_t bits; // of the key
        float (*trait)(float random, uint32_t key);
    } traits[] = {
        { "birth.glsl", "u_life_random * (1.0 / 2048.0) * float(key & 2047u)", 0x7ff, NULL },
        { "birth.glsl", "size_random * (1.0 / 2048.0) * float((key >> 11) & 2047u)", 0x3ff800,
          size_factor_of },
        { "look.glsl", "u_rotation_random * (1.0 / 1024.0) * float(key >> 22)", 0xffc00000,
          rotation_of },
    };
    for (int n = 0; n < COUNT_OF(traits); n++) {
        char *text = shader(traits[n].shader);
        if (!strstr(text, traits[n].cut)) fail_msg("%s lacks %s", traits[n].shader, traits[n].cut);
        free(text);
        for (int bit = 0; bit < 32; bit++) {
            const uint32_t key = 0x5a5a5a5a, other = key ^ 1u << bit;
            const bool differs = traits[n].trait
                                     ? traits[n].trait(1, key) != traits[n].trait(1, other)
                                     : life_of(1, 1, key) != life_of(1, 1, other);
            assert_int_equal(differs, traits[n].bits >> bit & 1);
        }
    }
}

static void the_shader_has_the_same_draws(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int number;
    } draws[] = {
#define DRAW(name) { #name, name }
        DRAW(DRAW_FRAME),  DRAW(DRAW_AREA_X),       DRAW(DRAW_AREA_Y),   DRAW(DRAW_AREA_Z),
        DRAW(DRAW_FACE),   DRAW(DRAW_DEPTH),        DRAW(DRAW_OUTWARD),  DRAW(DRAW_SPEED),
        DRAW(DRAW_SPREAD), DRAW(DRAW_SPREAD_SPEED), DRAW(DRAW_SIZE_END), DRAW(DRAW_TURNING),
        DRAW(DRAW_WAIT),
#undef DRAW
    };
    char *text = shader("birth.glsl");
    for (int n = 0; n < COUNT_OF(draws); n++) {
        char row[128];
        snprintf(row, sizeof row, "const uint %s = %du;", draws[n].name, draws[n].number);
        if (!strstr(text, row)) fail_msg("birth.glsl lacks %s", row);
    }
    free(text);
}

static void set(Params *params, const char *path, double value)
{
    assert_true(params_set(params, params_find(params, path), value));
}

static void a_hand_pulls_and_pushes_with_attractor_1(void **state)
{
    (void)state;
    Params *params = params_new();
    assert_int_equal(motion_of(params, 0).attractor_count, 0);
    set(params, "forces/hand/strength", 30);
    set(params, "forces/attractor1/position/x", 2);
    assert_int_equal(motion_of(params, 0).attractor_count, 0);
    set(params, "forces/hand/hold", 1);
    assert_int_equal(motion_of(params, 0).attractor_count, 1);
    assert_true(motion_of(params, 0).attractors[0].strength == 30);
    assert_true(motion_of(params, 0).attractors[0].position.x == 2);
    set(params, "forces/hand/hold", -1);
    set(params, "forces/attractor1/strength", 50);
    set(params, "forces/attractor2/strength", 7);
    assert_true(motion_of(params, 0).attractors[0].strength == 20);
    assert_true(motion_of(params, 0).attractors[1].strength == 7);
    params_free(params);
}

static void the_rings_are_those_of_the_controls_at_the_levels_heard(void **state)
{
    (void)state;
    Params *params = params_new();
    const float levels[ANALYSIS_BANDS] = { 0.1f, 0.2f, 0.3f, 0.4f, 0.5f };
    Motion motion = motion_of(params, 0);
    motion_hear(&motion, params, levels);
    assert_false(rings_push(&motion.rings)); // by default
    set(params, "forces/spectrum/strength", 7);
    set(params, "forces/spectrum/inner", 5);
    set(params, "forces/spectrum/outer", 3);
    set(params, "forces/spectrum/normal/y", 2);
    set(params, "forces/spectrum/normal/z", 0);
    set(params, "audio/reaction", 2);
    motion = motion_of(params, 0);
    assert_false(rings_push(&motion.rings)); // nothing heard
    motion_hear(&motion, params, levels);
    assert_true(rings_push(&motion.rings));
    assert_float_equal(motion.rings.outward, 7, 0);
    assert_float_equal(motion.rings.axis.y, 1, 0);
    assert_float_equal(motion.rings.spacing, -0.5f, 1e-6f);
    assert_float_equal(motion.rings.levels[4], 1, 1e-6f);
    set(params, "forces/spectrum/outer", 5); // all in one
    assert_true(motion_of(params, 0).rings.spacing > 0);
    set(params, "audio/reaction", 0);
    motion_hear(&motion, params, levels);
    assert_false(rings_push(&motion.rings));
    params_free(params);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(falls_free_at_any_frame_rate),
        cmocka_unit_test(reaches_its_terminal_speed),
        cmocka_unit_test(stops_after_speed_over_drag),
        cmocka_unit_test(a_very_large_drag_stops_at_once),
        cmocka_unit_test(one_step_is_the_closed_form),
        cmocka_unit_test(an_orbit_keeps_its_radius),
        cmocka_unit_test(a_vortex_turns_counter_clockwise),
        cmocka_unit_test(the_middle_of_an_attractor_is_calm),
        cmocka_unit_test(a_loud_band_pushes_its_ring_and_no_other),
        cmocka_unit_test(equal_bands_are_one_even_push),
        cmocka_unit_test(rings_turn_counter_clockwise_about_their_axis),
        cmocka_unit_test(silence_and_no_strength_leave_every_bit),
        cmocka_unit_test(force_scales_everything_but_drag),
        cmocka_unit_test(own_forces_come_on_top_of_the_share_of_the_global_ones),
        cmocka_unit_test(jitter_spreads_alike_at_any_frame_rate),
        cmocka_unit_test(a_sine_is_a_sine),
        cmocka_unit_test(the_flow_has_no_sources),
        cmocka_unit_test(the_flow_is_about_one_and_the_same_along_every_axis),
        cmocka_unit_test(the_flow_is_smooth_in_space_and_time),
        cmocka_unit_test(the_flow_repeats_after_its_period_and_not_before),
        cmocka_unit_test(the_flow_shows_no_grid),
        cmocka_unit_test(no_substep_is_longer_than_a_sixtieth),
        cmocka_unit_test(the_traits_of_a_particle_are_even_and_tell_nothing_of_each_other),
        cmocka_unit_test(the_shader_has_the_same_waves),
        cmocka_unit_test(the_shader_cuts_the_same_traits),
        cmocka_unit_test(the_shader_has_the_same_draws),
        cmocka_unit_test(nothing_becomes_denormal_under_drag),
        cmocka_unit_test(a_hand_pulls_and_pushes_with_attractor_1),
        cmocka_unit_test(the_rings_are_those_of_the_controls_at_the_levels_heard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
