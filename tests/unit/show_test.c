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

// ---- what is born of what -----------------------------------------------------------------------

static void set(Show *show, const char *path, double value)
{
    Params *params = show_params(show);
    if (!params_set(params, params_find(params, path), value)) fail_msg("%s", path);
}

static void set_text(Show *show, const char *path, const char *text)
{
    char why[256];
    Params *params = show_params(show);
    if (!params_set_text(params, params_find(params, path), text, why, sizeof why))
        fail_msg("%s: %s", path, why);
}

static double reading(Show *show, const char *path)
{
    const ParamId id = params_find(show_params(show), path);
    assert_int_not_equal(id, PARAM_NONE);
    return (double)params_base(show_params(show), id);
}

static void add(Show *show, Owner owner, const char *name)
{
    char why[256];
    if (params_add(show_params(show), owner, name, why, sizeof why) < 0) fail_msg("%s", why);
}

static Message hit_message(const char *path)
{
    static const double numbers[] = { 1, 0, 0, 3, -4, 1, 0, 1, 0 };
    Message hit = message_number(path, 0);
    memcpy(hit.types, "fffffffff", 10);
    memcpy(hit.number, numbers, sizeof numbers);
    return hit;
}

static Show *open_busy_show(int threads)
{
    Show *show = open_show(1, threads);
    static const char *const names[] = { "ring", "drum", "ash" };
    for (int n = 0; n < COUNT_OF(names); n++) add(show, OWNER_EMITTER, names[n]);
    set(show, "emitters/ring/path", PATH_LISSAJOUS);
    set(show, "emitters/ring/rate_distance", 40);
    set(show, "emitters/ring/duration", 0.8);
    set(show, "emitters/ring/burst_every", 0.3);
    set_text(show, "emitters/ring/system", "spark");
    set(show, "emitters/drum/burst_on", BURST_ON_ONSET);
    set(show, "emitters/drum/path", PATH_MOUSE);
    set(show, "emitters/ash/born_of", BORN_OF_DEATH);
    set_text(show, "emitters/ash/born_from", "ring");
    set(show, "fields/main/path", PATH_ORBIT);
    set(show, "fields/main/burst_on", BURST_ON_BEAT);
    return show;
}

static int busy_hands(uint32_t frame, Message *messages)
{
    int count = 0;
    if (frame % 3 == 0) messages[count++] = message_number("/forces/hand/position/x", frame % 11);
    if (frame % 5 == 0) messages[count++] = hit_message("/systems/spark/hit");
    if (frame % 29 == 0) messages[count++] = message_number("/systems/spark/burst", 1);
    if (frame % 40 == 0) messages[count++] = message_number("/emitters/drum/burst", 1);
    return count;
}

typedef struct {
    uint32_t count[4];
    Particle particles[4][PARTICLES];
    Births births;
    ShowStats stats;
} Crowds;

static Crowds *busy_crowds(int threads)
{
    static uint32_t keys[PARTICLES];
    Crowds *c = calloc(1, sizeof *c);
    Show *show = open_busy_show(threads);
    c->stats = play(show, "demo", 4, uneven, busy_hands).last;
    for (int slot = 0; slot < 4; slot++)
        c->count[slot] = sim_particles(show_sim(show), slot, c->particles[slot], keys, PARTICLES);
    c->births = *sim_field_births(show_sim(show), 0);
    show_free(show);
    return c;
}

static void whatever_gives_birth_the_show_is_the_same_on_any_number_of_threads(void **state)
{
    (void)state;
    Crowds *first = busy_crowds(1);
    for (int slot = 0; slot < 4; slot++) assert_true(first->count[slot] > 50);
    for (int threads = 2; threads <= 4; threads += 2) {
        Crowds *other = busy_crowds(threads);
        assert_memory_equal(first->count, other->count, sizeof first->count);
        assert_memory_equal(first->particles, other->particles, sizeof first->particles);
        assert_memory_equal(&first->births, &other->births, sizeof first->births);
        assert_memory_equal(&first->stats, &other->stats, sizeof first->stats);
        free(other);
    }
    free(first);
}

static void readings_tell_how_many_live(void **state)
{
    (void)state;
    Show *show = open_busy_show(2);
    for (int second = 0; second < 3; second++) {
        play(show, "demo", 1, at_60, busy_hands);
        const double spark = reading(show, "emitters/spark/alive");
        const double ring = reading(show, "emitters/ring/alive");
        const int slot = params_slot(show_params(show), OWNER_EMITTER, "ring");
        assert_true(spark > 10 && ring > 10);
        assert_true(ring == (double)sim_emitter_alive(show_sim(show), slot));
        assert_true(reading(show, "systems/spark/alive") == spark + ring);
        assert_true(reading(show, "systems/drum/alive") == reading(show, "emitters/drum/alive"));
    }
    show_free(show);
}

static int one_shot(uint32_t frame, Message *messages)
{
    if (frame == 30) {
        messages[0] = message_text("/emitters/add", "boom");
        messages[1] = message_number("/routes/emitter-boom/remove", 1);
        messages[2] = message_number("/emitters/boom/rate", 0);
        messages[3] = message_number("/emitters/boom/loop", 0);
        messages[4] = message_number("/emitters/boom/once", 1);
        messages[5] = message_number("/emitters/boom/life", 1);
        messages[6] = message_number("/emitters/boom/life_random", 0);
        messages[7] = message_number("/emitters/boom/burst", 1);
        return 8;
    }
    return 0;
}

static void a_burst_of_a_system_is_one_burst_of_each(void **state)
{
    (void)state;
    Show *show = open_show(1, 1);
    add(show, OWNER_EMITTER, "ash");
    set_text(show, "emitters/ash/system", "spark");
    set(show, "emitters/spark/rate", 0);
    set(show, "emitters/ash/rate", 0);
    set(show, "emitters/ash/burst_count", 7);
    const Message burst = message_number("/systems/spark/burst", 1);
    const ShowInput input = { .dt = 1.0 / 60, .messages = &burst, .message_count = 1 };
    show_frame(show, &input, NULL);
    for (int frame = 0; frame < 30; frame++) show_frame(show, &(ShowInput){ .dt = 1.0 / 60 }, NULL);
    assert_int_equal(show_stats(show).births_cpu_all, 30 + 7);
    show_free(show);
}

// Of a type that gives birth in bursts alone: by hand, or by itself and in one cycle.
static int add_one_shots(uint32_t frame, Message *messages)
{
    if (frame == 0) {
        messages[0] = message_text("/types/add", "boom");
        messages[1] = message_number("/types/boom/rate", 0);
        messages[2] = message_number("/types/boom/loop", 0);
        messages[3] = message_number("/types/boom/once", 1);
        messages[4] = message_number("/types/boom/life", 0.5);
        messages[5] = (Message){ .path = "/systems/add", .types = "ss", .text = "hand\0boom" };
        messages[6] = (Message){ .path = "/systems/add", .types = "ss", .text = "self\0boom" };
        messages[7] = message_number("/systems/hand/position/x", 2);
        return 8;
    }
    if (frame == 1) {
        messages[0] = message_number("/emitters/self/burst_every", 10);
        messages[1] = message_number("/emitters/self/duration", 0.1);
        messages[2] = message_number("/systems/hand/burst", 1);
        return 3;
    }
    return 0;
}

static void one_shots_added_over_osc_go_with_their_last_particles_while_music_plays(void **state)
{
    (void)state;
    static const char *const names[] = { "hand", "self" };
    Show *show = open_show(1, 1);
    Params *params = show_params(show);
    play(show, "demo", 0.4, at_60, add_one_shots);
    for (int n = 0; n < COUNT_OF(names); n++) {
        const int slot = params_slot(params, OWNER_EMITTER, names[n]);
        assert_true(slot >= 0);
        assert_in_range(sim_emitter_alive(show_sim(show), slot), 1, 30);
        assert_true(params_slot(params, OWNER_SYSTEM, names[n]) >= 0);
    }
    for (int frame = 0; frame < 30; frame++) {
        play(show, "demo", 1.0 / 60, at_60, NULL);
        for (int n = 0; n < COUNT_OF(names); n++) {
            const int slot = params_slot(params, OWNER_EMITTER, names[n]);
            if (slot >= 0) assert_true(sim_emitter_alive(show_sim(show), slot) > 0);
        }
    }
    for (int n = 0; n < COUNT_OF(names); n++) {
        char route[64];
        snprintf(route, sizeof route, "emitter-%s", names[n]);
        assert_int_equal(params_slot(params, OWNER_EMITTER, names[n]), -1);
        assert_int_equal(params_slot(params, OWNER_SYSTEM, names[n]), -1);
        assert_int_equal(params_slot(params, OWNER_ROUTE, route), -1);
    }
    assert_true(params_slot(params, OWNER_TYPE, "boom") >= 0);
    show_free(show);
}

static int add_sparks(uint32_t frame, Message *messages)
{
    messages[0] = (Message){ .path = "/systems/add", .types = "ss", .text = "fire\0spark" };
    messages[1] = hit_message("/systems/fire/hit");
    return frame == 0 ? 2 : 0;
}

static void sparks_of_a_hit_live_between_half_a_life_and_a_whole_one(void **state)
{
    (void)state;
    static Particle sparks[64];
    static uint32_t keys[64];
    float shortest = 1, longest = 0;
    for (uint32_t seed = 0; seed < 40; seed++) {
        Show *show = open_show(seed, 1);
        play(show, "demo:silence", 1.0 / 60, at_60, add_sparks);
        const int slot = params_slot(show_params(show), OWNER_EMITTER, "fire");
        const float life = (float)reading(show, "emitters/fire/life");
        const uint32_t count = sim_particles(show_sim(show), slot, sparks, keys, 64);
        assert_in_range(count, 2, 7);
        for (uint32_t n = 0; n < count; n++) {
            shortest = fminf(shortest, sparks[n].life / life);
            longest = fmaxf(longest, sparks[n].life / life);
        }
        show_free(show);
    }
    assert_true(shortest >= 0.5f && shortest < 0.55f);
    assert_true(longest <= 1 && longest > 0.95f);
}

static void a_one_shot_comes_bursts_and_goes(void **state)
{
    (void)state;
    Show *show = open_show(1, 1);
    Params *params = show_params(show);
    play(show, "demo:silence", 1, at_60, one_shot);
    assert_true(reading(show, "emitters/boom/alive") == 30);
    assert_true(reading(show, "systems/boom/alive") == 30);
    play(show, "demo:silence", 1, at_60, NULL);
    assert_int_equal(params_slot(params, OWNER_EMITTER, "boom"), -1);
    assert_int_equal(params_slot(params, OWNER_SYSTEM, "boom"), -1);
    assert_true(params_slot(params, OWNER_EMITTER, "spark") >= 0);
    show_free(show);
}

// Seventeen a frame are a thousand a second, each with all that it can have.
static void a_flood_of_adds_and_births_is_survived(void **state)
{
    (void)state;
    Show *show = open_show(1, 2);
    set(show, "fields/main/rate", 1e9);
    uint64_t births = 0;
    for (int frame = 0; frame < 120; frame++) {
        static Message messages[17 * 5];
        int count = 0;
        for (int n = 0; n < 17; n++) {
            char path[64], name[32];
            snprintf(name, sizeof name, "e%d", (frame * 17 + n) % 90);
            messages[count++] = message_text("/emitters/add", name);
            snprintf(path, sizeof path, "/emitters/%s/rate", name);
            messages[count++] = message_number(path, 1e9);
            snprintf(path, sizeof path, "/emitters/%s/life", name);
            messages[count++] = message_number(path, -1);
            snprintf(path, sizeof path, "/emitters/%s/burst", name);
            messages[count++] = message_number(path, 1);
            snprintf(path, sizeof path, "/emitters/e%d/remove", (frame * 17 + n + 70) % 90);
            messages[count++] = message_number(path, 1);
        }
        show_frame(show,
                   &(ShowInput){ .dt = 1.0 / 60, .messages = messages, .message_count = count },
                   NULL);
        births += show_stats(show).births_cpu;
        assert_true(show_stats(show).alive_cpu <= sim_capacity(show_sim(show)));
    }
    assert_true(births > 1000000);
    show_free(show);
}

// Another capacity takes the particles, and nothing else.
static void another_capacity_goes_on_where_the_last_one_was(void **state)
{
    (void)state;
    char notice[256];
    Show *show = open_show(1, 1);
    set(show, "emitters/spark/duration", 1);
    set(show, "emitters/spark/loop", 0);
    set(show, "emitters/spark/burst", 1);
    play(show, "demo", 2, at_60, NULL);
    const Births before = *sim_field_births(show_sim(show), 0);
    assert_true(show_stats(show).alive_cpu > 0);
    set(show, "sim/capacity", 4096);
    show_prepare(show, (Size){ 16, 9 }, notice, sizeof notice);
    assert_int_equal(sim_capacity(show_sim(show)), 4096);
    play(show, "demo", 1, at_60, NULL);
    const Births after = *sim_field_births(show_sim(show), 0);
    assert_true(after.first > before.first + before.count);
    assert_int_equal(show_stats(show).births_cpu, 0); // no burst again, no cycle again
    assert_int_equal(show_stats(show).alive_cpu, 0);
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
        cmocka_unit_test(whatever_gives_birth_the_show_is_the_same_on_any_number_of_threads),
        cmocka_unit_test(readings_tell_how_many_live),
        cmocka_unit_test(a_burst_of_a_system_is_one_burst_of_each),
        cmocka_unit_test(a_one_shot_comes_bursts_and_goes),
        cmocka_unit_test(one_shots_added_over_osc_go_with_their_last_particles_while_music_plays),
        cmocka_unit_test(sparks_of_a_hit_live_between_half_a_life_and_a_whole_one),
        cmocka_unit_test(a_flood_of_adds_and_births_is_survived),
        cmocka_unit_test(another_capacity_goes_on_where_the_last_one_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
