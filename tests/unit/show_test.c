// The show is a pure function of seed, preset and (samples, dt, messages); the frame rate changes nothing
// that is born.
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "app/show.h"
#include "audio/audio.h"

enum { RATE = 48000, PARTICLES = 60000 };

static Show *open_show(uint32_t seed, int threads)
{
    char why[256];
    Show *show =
        show_new(&(ShowDesc){ .seed = seed, .rate = RATE, .threads = threads }, why, sizeof why);
    assert_non_null(show);
    Params *params = show_params(show);
    assert_true(params_add(params, OWNER_EMITTER, "spark", why, sizeof why) >= 0);
    assert_true(params_add(params, OWNER_FIELD, "main", why, sizeof why) >= 0);
    params_set(params, params_find(params, "forces/turbulence/strength"), 2);
    params_set(params, params_find(params, "forces/jitter"), 0.3);
    return show;
}

typedef struct {
    uint64_t cpu, gpu, onsets;
    ShowStats last;
} Outcome;

// Plays `seconds` of the demo music in frames of dt(frame); each frame's messages come from `hands`.
typedef double (*FrameTime)(uint32_t frame);
typedef int (*Hands)(uint32_t frame, Message *messages);

static Outcome play(Show *show, const char *source, double seconds, FrameTime dt_of, Hands hands)
{
    char why[256];
    float *pairs = malloc(RATE * AUDIO_CHANNELS * sizeof *pairs);
    Audio *audio =
        audio_open(&(AudioDesc){ .source = source, .rate = RATE, .wait = true }, why, sizeof why);
    assert_non_null(audio);
    double time = 0;
    for (uint32_t frame = 0; time < seconds - 1e-9; frame++) {
        Message messages[8];
        const double dt = fmin(dt_of(frame), seconds - time);
        const uint32_t got = audio_read(audio, dt, pairs, RATE);
        time += dt;
        show_frame(show,
                   &(ShowInput){ .samples = pairs,
                                 .frames = got,
                                 .rate = RATE,
                                 .dt = dt,
                                 .messages = messages,
                                 .message_count = hands ? hands(frame, messages) : 0 },
                   NULL);
    }
    audio_close(audio);
    free(pairs);
    const ShowStats stats = show_stats(show);
    return (Outcome){ stats.births_cpu_all, stats.births_gpu_all, stats.onsets_all, stats };
}

static double at_30(uint32_t frame)
{
    return (void)frame, 1.0 / 30;
}
static double at_60(uint32_t frame)
{
    return (void)frame, 1.0 / 60;
}
static double at_144(uint32_t frame)
{
    return (void)frame, 1.0 / 144;
}
static double uneven(uint32_t frame)
{
    return 0.001 + 0.04 * rng_unit(rng_mix(frame));
}

static void the_frame_rate_changes_no_birth_and_no_onset(void **state)
{
    (void)state;
    static const FrameTime rates[] = { at_30, at_60, at_144, uneven };
    Outcome first = { 0 };
    for (int i = 0; i < COUNT_OF(rates); i++) {
        Show *show = open_show(1, 1);
        const Outcome outcome = play(show, "demo", 10, rates[i], NULL);
        show_free(show);
        if (i == 0) first = outcome;
        assert_true(outcome.cpu > 1000 && outcome.gpu > 10000 && outcome.onsets > 10);
        // A hop that ends with the last sample may or may not be complete: rounding of the time steps.
        assert_true(llabs((long long)(outcome.cpu - first.cpu)) <= 20);
        assert_true(llabs((long long)(outcome.gpu - first.gpu)) <= 400);
        assert_int_equal(outcome.onsets, first.onsets);
    }
}

static int some_hands(uint32_t frame, Message *messages)
{
    if (frame % 7) return 0;
    messages[0] = message_number("/forces/gravity", -(double)(frame % 13));
    messages[1] = message_number("/inc/forces/wind/x", frame % 2 ? 0.5 : -0.4);
    messages[2] = message_text("/look/nonsense", "refused");
    return 3;
}

typedef struct {
    uint32_t count;
    Particle particles[PARTICLES];
    uint32_t keys[PARTICLES];
    Births births;
    ShowStats stats;
} Snapshot;

// `Show` keeps its engine to itself; what the renderer would be given is enough to compare.
static Snapshot *snapshot(uint32_t seed, int threads)
{
    Snapshot *s = calloc(1, sizeof *s);
    Show *show = open_show(seed, threads);
    s->stats = play(show, "demo", 6, uneven, some_hands).last;
    s->count = sim_particles(show_sim(show), 0, s->particles, s->keys, PARTICLES);
    s->births = *sim_field_births(show_sim(show), 0);
    show_free(show);
    return s;
}

static void the_same_inputs_give_the_same_show_particle_by_particle(void **state)
{
    (void)state;
    Snapshot *a = snapshot(1, 1), *b = snapshot(1, 1), *threads = snapshot(1, 4),
             *other = snapshot(2, 1);
    assert_true(a->count > 100);
    assert_memory_equal(a->particles, b->particles, sizeof a->particles);
    assert_memory_equal(a->keys, b->keys, sizeof a->keys);
    assert_memory_equal(&a->stats, &b->stats, sizeof a->stats);
    assert_memory_equal(a->particles, threads->particles, sizeof a->particles);
    assert_int_equal(a->births.first, b->births.first);
    assert_memory_not_equal(a->keys, other->keys, sizeof a->keys);
    free(a), free(b), free(threads), free(other);
}

static void silence_ends_births_where_the_base_rate_is_0(void **state)
{
    (void)state;
    Show *show = open_show(1, 1);
    Params *params = show_params(show);
    params_set(params, params_find(params, "emitters/spark/rate"), 0);
    params_set(params, params_find(params, "fields/main/rate"), 0);
    play(show, "demo", 2, at_60, NULL);
    const Outcome loud = play(show, "demo:silence", 1, at_60, NULL);
    const Outcome quiet = play(show, "demo:silence", 2, at_60, NULL);
    assert_true(loud.cpu > 0);
    assert_int_equal(quiet.cpu, loud.cpu);
    assert_int_equal(quiet.gpu, loud.gpu);
    show_free(show);
}

// A device that stops sending is silence, made by the clock: births go on at the base rate and no faster.
static void starving_is_silence(void **state)
{
    (void)state;
    Show *show = open_show(1, 1);
    Params *params = show_params(show);
    params_set(params, params_find(params, "emitters/spark/rate"), 100);
    play(show, "demo", 1, at_60, NULL);
    const uint64_t before = show_stats(show).births_cpu_all;
    for (int i = 0; i < 5 * 60; i++) show_frame(show, &(ShowInput){ .dt = 1.0 / 60 }, NULL);
    const ShowStats stats = show_stats(show);
    assert_true(stats.silent);
    assert_true(stats.features.signal[SIGNAL_PEAK] == 0);
    assert_in_range(stats.births_cpu_all - before, 450, 600);
    show_free(show);
}

// A steady tone that stops and goes on in the middle of a wave, with a stall or a seam: nothing was struck.
static void a_seam_is_no_onset(void **state)
{
    (void)state;
    Show *show = open_show(1, 1);
    float pairs[2 * 800];
    for (int frame = 0; frame < 600; frame++) {
        const bool stalled = frame >= 200 && frame < 260;
        for (int i = 0; i < 800; i++)
            pairs[2 * i] = pairs[2 * i + 1] =
                0.5f *
                sinf((float)((frame * 800 + i) % 48000) * 0.05759587f + (frame >= 400)); // 440 Hz
        show_frame(show,
                   &(ShowInput){ .samples = pairs,
                                 .frames = stalled ? 0 : 800,
                                 .rate = RATE,
                                 .joined = frame == 260 || frame == 400,
                                 .dt = 1.0 / 60 },
                   NULL);
        if (frame == 240) assert_true(show_stats(show).features.signal[SIGNAL_PEAK] == 0);
    }
    assert_int_equal(show_stats(show).onsets_all, 1); // its beginning
    show_free(show);
}

static void odd_samples_rates_and_time_steps_are_survived(void **state)
{
    (void)state;
    Show *show = open_show(1, 2);
    static const int rates[] = { 48000, 8000, 192000, 44100, 1, 1000000 };
    static const double steps[] = { 0, -1, 1e9, NAN, INFINITY, 1e-9, 1.0 / 60 };
    float pairs[4000];
    for (int i = 0; i < COUNT_OF(pairs); i++) pairs[i] = i % 3 ? NAN : i % 5 ? INFINITY : 4.2f;
    for (int r = 0; r < COUNT_OF(rates); r++)
        for (int s = 0; s < COUNT_OF(steps); s++)
            show_frame(
                show,
                &(ShowInput){ .samples = pairs, .frames = 2000, .rate = rates[r], .dt = steps[s] },
                NULL);
    const ShowStats stats = show_stats(show);
    assert_true(isfinite(stats.time));
    for (int i = 0; i < SIGNAL_COUNT; i++) assert_true(isfinite(stats.features.signal[i]));
    show_free(show);
}

static double turn_between(double from, double to)
{
    return remainder(to - from, 360);
}

// Late in a show another speed changes where the camera goes, not where it is.
static void another_orbit_speed_does_not_move_the_camera_at_once(void **state)
{
    (void)state;
    static const double speeds[] = { 6, -180, 180, 0, 0.5 };
    Show *show = open_show(1, 1);
    Params *params = show_params(show);
    for (int s = 0; s < COUNT_OF(speeds); s++) {
        params_set(params, params_find(params, "camera/orbit"), speeds[s]);
        for (int i = 0; i < 5 * 60; i++) {
            const double before = show_stats(show).orbit;
            show_frame(show, &(ShowInput){ .dt = 1.0 / 60 }, NULL);
            const double turned = turn_between(before, show_stats(show).orbit);
            assert_true(fabs(turned) <= 180.0 / 60 + 1e-9);
            if (i > 60) assert_float_equal(turned, speeds[s] / 60, 1e-6);
        }
    }
    show_free(show);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_frame_rate_changes_no_birth_and_no_onset),
        cmocka_unit_test(the_same_inputs_give_the_same_show_particle_by_particle),
        cmocka_unit_test(silence_ends_births_where_the_base_rate_is_0),
        cmocka_unit_test(starving_is_silence),
        cmocka_unit_test(a_seam_is_no_onset),
        cmocka_unit_test(odd_samples_rates_and_time_steps_are_survived),
        cmocka_unit_test(another_orbit_speed_does_not_move_the_camera_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
