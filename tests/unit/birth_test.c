#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "sim/birth.h"
#include "sim/step.h"

static float length(Vec3 v)
{
    return sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
}

// ---- what is born when --------------------------------------------------------------------------

enum { BORN_MAX = 40000 };

typedef struct {
    double time[BORN_MAX]; // of each birth by its index
    uint32_t count;
} Record;

static Record *record_new(void)
{
    return calloc(1, sizeof(Record));
}

static void note_births(Record *record, const Births *births, double frame_end)
{
    assert_int_equal(births->first, record->count);
    uint32_t count = 0;
    for (int r = 0; r < births->run_count; r++) {
        const BirthRun *run = &births->runs[r];
        assert_int_equal(run->first, births->first + count);
        for (uint32_t n = 0; n < run->count; n++) {
            assert_true(record->count < BORN_MAX);
            record->time[record->count++] =
                frame_end - (double)(run->age_first - (float)n * run->spacing);
        }
        count += run->count;
    }
    assert_int_equal(births->count, count);
}

// A rate that routes might make: it changes at every hop.
static float wobbling_rate(int hop)
{
    return 700 + 650 * sinf((float)hop * 0.37f);
}

static const double hop = 1 / 187.5;

// A hop of a swarm with nothing but a rate.
static void rate_hop(Swarm *swarm, float rate, float age, float seconds)
{
    const float values[SWARM_ROWS] = { [SWARM_RATE] = rate };
    swarm_hop(swarm, &(Hop){ .values = values, .age = age, .seconds = seconds });
}

static Placement at_its_position(const float *values)
{
    return (Placement){
        .x = { 1, 0, 0 },
        .y = { 0, 1, 0 },
        .z = { 0, 0, 1 },
        .middle = { values[SWARM_POSITION_X], values[SWARM_POSITION_Y], values[SWARM_POSITION_Z] },
    };
}

// A frame that ends at `middle`.
static void step_at(Swarm *swarm, const float *values, Vec3 middle, float dt)
{
    swarm_step(swarm, values, &(Placement){ .middle = middle }, dt);
}

// Plays `seconds`, hop by hop, in frames whose lengths `next_dt` gives; values of NULL: a wobbling
// rate.
static void play(Swarm *swarm, Record *record, float rate, double seconds,
                 float (*next_dt)(int frame))
{
    float values[SWARM_ROWS] = { [SWARM_LIFE] = 2 };
    double now = 0;
    int hops = 0;
    for (int frame = 0; now < seconds; frame++) {
        const float dt = next_dt(frame);
        now += dt;
        swarm_begin(swarm, (Vec3){ 0, 0, 0 });
        // A hop is known at its end.
        for (; (hops + 1) * hop <= now && (hops + 1) * hop <= seconds + 1e-9; hops++)
            rate_hop(swarm, rate > 0 ? rate : wobbling_rate(hops), (float)(now - hops * hop),
                     (float)hop);
        step_at(swarm, values, (Vec3){ 0, 0, 0 }, dt);
        note_births(record, &swarm->births, now);
    }
}

static float at_30(int frame)
{
    return (void)frame, 1.0f / 30;
}
static float at_60(int frame)
{
    return (void)frame, 1.0f / 60;
}
static float at_144(int frame)
{
    return (void)frame, 1.0f / 144;
}
static float at_random(int frame)
{
    return 0.002f + 0.09f * rng_unit(rng_mix((uint32_t)frame + 99));
}

static float (*const paces[])(int) = { at_30, at_60, at_144, at_random };

static void any_second_has_its_rate(void **state)
{
    (void)state;
    const float rates[] = { 0.7f, 3, 50, 187.5f, 1000.3f };
    for (int r = 0; r < COUNT_OF(rates); r++)
        for (int p = 0; p < COUNT_OF(paces); p++) {
            Swarm swarm = { 0 };
            Record *record = record_new();
            play(&swarm, record, rates[r], 12, paces[p]);
            uint32_t from = 0, to = 0;
            for (double start = 0; start < 10; start += 0.0137) {
                while (from < record->count && record->time[from] < start) from++;
                while (to < record->count && record->time[to] < start + 1) to++;
                assert_true(fabs((double)(to - from) - (double)rates[r]) <=
                            1 + 1e-3 * (double)rates[r] / 10);
            }
            free(record);
        }
}

static void births_are_evenly_spaced_across_hops_and_frames(void **state)
{
    (void)state;
    for (int p = 0; p < COUNT_OF(paces); p++) {
        Swarm swarm = { 0 };
        Record *record = record_new();
        play(&swarm, record, 333, 5, paces[p]);
        for (uint32_t n = 1; n < record->count; n++)
            assert_float_equal(record->time[n] - record->time[n - 1], 1 / 333.0, 1e-5);
        free(record);
    }
}

static void the_frame_rate_does_not_change_what_is_born(void **state)
{
    (void)state;
    Record *records[COUNT_OF(paces)];
    for (int p = 0; p < COUNT_OF(paces); p++) {
        Swarm swarm = { 0 };
        records[p] = record_new();
        play(&swarm, records[p], 0, 8, paces[p]);
        assert_int_equal(records[p]->count, records[0]->count);
        for (uint32_t n = 0; n < records[0]->count; n++)
            assert_float_equal(records[p]->time[n], records[0]->time[n], 2e-5);
    }
    assert_true(records[0]->count > 5000);
    for (int p = 0; p < COUNT_OF(paces); p++) free(records[p]);
}

static void more_hops_than_runs_lose_nothing(void **state)
{
    (void)state;
    Swarm swarm = { 0 };
    swarm_begin(&swarm, (Vec3){ 0, 0, 0 });
    const int hops = 3 * BIRTH_RUNS;
    for (int n = 0; n < hops; n++) rate_hop(&swarm, 5000, 0.1f - 0.001f * (float)n, 0.001f);
    const Births *b = &swarm.births;
    assert_int_equal(b->run_count, BIRTH_RUNS);
    assert_in_range(b->count, 5 * hops - 1, 5 * hops);
    const BirthRun *last = &b->runs[BIRTH_RUNS - 1];
    assert_int_equal(last->first + last->count, b->first + b->count);
    assert_float_equal(last->age_first - (float)(last->count - 1) * last->spacing, 0.1f - 0.096f,
                       1e-3f);
}

static void nonsense_gives_no_births(void **state)
{
    (void)state;
    const float odd[] = { NAN, -5, -INFINITY, 0 };
    Swarm swarm = { 0 };
    for (int n = 0; n < COUNT_OF(odd); n++) {
        rate_hop(&swarm, odd[n], 0.01f, 0.005f);
        rate_hop(&swarm, 1000, 0.01f, odd[n]);
    }
    assert_int_equal(swarm.births.count, 0);
    rate_hop(&swarm, INFINITY, NAN, 1e9f);
    assert_true(swarm.births.count <= 1000001);
    assert_true(isfinite(swarm.births.runs[0].age_first));
}

static void the_newest_births_stay_when_room_is_short(void **state)
{
    (void)state;
    Swarm swarm = { 0 };
    rate_hop(&swarm, 1280, 2.0f / 128, 1.0f / 128);
    rate_hop(&swarm, 2560, 1.0f / 128, 1.0f / 128);
    assert_int_equal(swarm.births.count, 30);
    const Births all = births_newest(&swarm.births, 30), some = births_newest(&swarm.births, 23);
    assert_memory_equal(&all, &swarm.births, sizeof all);
    assert_int_equal(some.first, 7);
    assert_int_equal(some.count, 23);
    assert_int_equal(some.runs[0].count, 3);
    assert_float_equal(some.runs[0].age_first, 2.0f / 128 - 8.0f / 1280, 1e-5f);
    const Births few = births_newest(&swarm.births, 2);
    assert_int_equal(few.run_count, 1);
    assert_int_equal(few.runs[0].first, 28);
    assert_int_equal(births_newest(&swarm.births, 0).run_count, 0);
}

// ---- cycles and bursts --------------------------------------------------------------------------

// Plays with these rows, standing.
static void play_rows(Swarm *swarm, Record *record, const float *values, double seconds,
                      float (*next_dt)(int frame))
{
    double now = 0;
    int hops = 0;
    for (int frame = 0; (hops + 1) * hop <= seconds; frame++) {
        const float dt = next_dt(frame);
        now += dt;
        swarm_begin(swarm, (Vec3){ 0, 0, 0 });
        for (; (hops + 1) * hop <= now && (hops + 1) * hop <= seconds; hops++)
            swarm_hop(swarm, &(Hop){ .values = values,
                                     .age = (float)(now - hops * hop),
                                     .seconds = (float)hop });
        step_at(swarm, values, (Vec3){ 0, 0, 0 }, dt);
        note_births(record, &swarm->births, now);
    }
}

enum { MOMENTS = 12 };

typedef struct {
    const char *what;
    float rate, duration, every; // 1/s, s, s
    bool loop;
    double moments[MOMENTS]; // s, of bursts; ends with a negative one
    uint32_t births;         // beside the bursts, in 3 s
} Cycle;

static const Cycle cycles[] = {
    { "nothing but a rate", 100, 0, 0, true, { -1 }, 300 },
    { "one cycle", 100, 1, 0, false, { -1 }, 100 },
    { "one cycle that ends in a hop", 1000, 0.5025f, 0, false, { -1 }, 502 },
    { "cycles without end", 100, 1, 0, true, { -1 }, 300 },
    { "loop without a cycle", 100, 0, 0, false, { -1 }, 300 },
    { "bursts", 0, 0, 0.7f, true, { 0, 0.7, 1.4, 2.1, 2.8, -1 }, 0 },
    { "bursts in cycles", 0, 0.8f, 0.5f, true, { 0, 0.5, 0.8, 1.3, 1.6, 2.1, 2.4, 2.9, -1 }, 0 },
    { "bursts in one cycle", 50, 1.2f, 0.5f, false, { 0, 0.5, 1.0, -1 }, 60 },
    { "one burst a cycle", 0, 1, 600, true, { 0, 1, 2, -1 }, 0 },
    { "one burst", 0, 0.01f, 1, false, { 0, -1 }, 0 },
};

static void check_cycle(const Cycle *cycle, float (*pace)(int frame))
{
    enum { COUNT = 1000 };
    const float values[SWARM_ROWS] = {
        [SWARM_RATE] = cycle->rate,         [SWARM_DURATION] = cycle->duration,
        [SWARM_BURST_EVERY] = cycle->every, [SWARM_LOOP] = cycle->loop,
        [SWARM_BURST_COUNT] = COUNT,
    };
    Swarm swarm = { 0 };
    Record *record = record_new();
    play_rows(&swarm, record, values, 3, pace);
    uint32_t burst_births = 0;
    for (int m = 0; cycle->moments[m] >= 0; m++, burst_births += COUNT) {
        uint32_t born = 0;
        for (uint32_t n = 0; n < record->count; n++)
            born += fabs(record->time[n] - cycle->moments[m]) < 1e-4;
        if (born < COUNT || born > COUNT + 1)
            fail_msg("%s: %u births at %g s", cycle->what, born, cycle->moments[m]);
    }
    const uint32_t others = record->count - burst_births;
    if (others + 1 < cycle->births || others > cycle->births + 1)
        fail_msg("%s: %u births beside the bursts", cycle->what, others);
    free(record);
}

static void cycles_and_their_bursts_keep_their_time_at_any_frame_rate(void **state)
{
    (void)state;
    for (int c = 0; c < COUNT_OF(cycles); c++)
        for (int p = 0; p < COUNT_OF(paces); p++) check_cycle(&cycles[c], paces[p]);
}

static uint32_t births_of_hop(Swarm *swarm, const float *values, const Features *features)
{
    swarm_begin(swarm, (Vec3){ 0, 0, 0 });
    swarm_hop(
        swarm,
        &(Hop){ .values = values, .features = features, .age = (float)hop, .seconds = (float)hop });
    return swarm->births.count;
}

static void a_hand_sets_off_a_burst_for_each_time_it_asks(void **state)
{
    (void)state;
    float values[SWARM_ROWS] = { [SWARM_BURST_COUNT] = 10, [SWARM_DURATION] = 0.001f };
    Swarm swarm = { 0 };
    assert_int_equal(births_of_hop(&swarm, values, NULL), 0);
    values[SWARM_BURST] = 1;
    assert_int_equal(births_of_hop(&swarm, values, NULL), 10);
    assert_int_equal(births_of_hop(&swarm, values, NULL), 0);
    values[SWARM_BURST] = 4;
    assert_int_equal(births_of_hop(&swarm, values, NULL), 30);
    // Its cycle has long been over; the counter goes round; and no hand is that fast.
    assert_true(swarm_is_over(&swarm, values));
    values[SWARM_BURST] = 0x1p24f - 1;
    assert_int_equal(births_of_hop(&swarm, values, NULL), 160);
    values[SWARM_BURST] = 1;
    assert_int_equal(births_of_hop(&swarm, values, NULL), 20);
    values[SWARM_BURST] = NAN;
    assert_int_equal(births_of_hop(&swarm, values, NULL), 0);
}

static Features features_of(int choice)
{
    static const SignalId signals[] = { [BURST_ON_ONSET] = SIGNAL_ONSET,
                                        [BURST_ON_KICK] = SIGNAL_KICK,
                                        [BURST_ON_SNARE] = SIGNAL_SNARE,
                                        [BURST_ON_HAT] = SIGNAL_HAT,
                                        [BURST_ON_BEAT] = SIGNAL_BEAT };
    Features features = { .onset = choice == BURST_ON_ONSET, .beat = choice == BURST_ON_BEAT };
    if (choice != BURST_ON_NOTHING) features.signal[signals[choice]] = 0.5f;
    return features;
}

static void the_sound_sets_off_the_bursts_that_it_is_asked_for(void **state)
{
    (void)state;
    for (int on = BURST_ON_NOTHING; on <= BURST_ON_BEAT; on++)
        for (int heard = BURST_ON_NOTHING; heard <= BURST_ON_BEAT; heard++) {
            const float values[SWARM_ROWS] = {
                [SWARM_BURST_COUNT] = 5, [SWARM_BURST_ON] = (float)on
            };
            const Features features = features_of(heard);
            Swarm swarm = { 0 };
            const uint32_t wanted = on == heard && on != BURST_ON_NOTHING ? 5 : 0;
            assert_int_equal(births_of_hop(&swarm, values, &features), wanted);
            assert_int_equal(births_of_hop(&swarm, values, NULL), 0);
        }
}

static void the_ends_of_cycles_and_bursts_are_harmless(void **state)
{
    (void)state;
    const float spans[] = { 0, 1e-30f, 600, NAN, INFINITY, -1 };
    for (int d = 0; d < COUNT_OF(spans); d++)
        for (int e = 0; e < COUNT_OF(spans); e++)
            for (int loop = 0; loop < 2; loop++) {
                const float values[SWARM_ROWS] = {
                    [SWARM_RATE] = 1e9f,         [SWARM_BURST_COUNT] = 1e9f,
                    [SWARM_DURATION] = spans[d], [SWARM_BURST_EVERY] = spans[e],
                    [SWARM_LOOP] = (float)loop,  [SWARM_RATE_DISTANCE] = 1e9f,
                };
                Swarm swarm = { 0 };
                for (int n = 0; n < 100; n++) {
                    swarm_begin(&swarm, (Vec3){ 0, 0, 0 });
                    swarm_hop(&swarm, &(Hop){ .values = values,
                                              .place = { (float)n, 50, 0 },
                                              .age = 0.1f,
                                              .seconds = 0.1f });
                    step_at(&swarm, values, (Vec3){ 0, (float)-n, 0 }, 0.01f);
                    assert_true(swarm.births.count <= 3100000);
                    for (int r = 0; r < swarm.births.run_count; r++) {
                        const BirthRun *run = &swarm.births.runs[r];
                        assert_true(isfinite(run->age_first + run->spacing));
                        assert_true(isfinite(length(run->away) + length(run->step)));
                    }
                }
            }
}

// ---- on the way ---------------------------------------------------------------------------------

static Vec3 place_of(const BirthRun *run, uint32_t n)
{
    return (Vec3){ run->away.x + (float)n * run->step.x, run->away.y + (float)n * run->step.y,
                   run->away.z + (float)n * run->step.z };
}

static void what_hands_move_is_moved_evenly_over_the_frame(void **state)
{
    (void)state;
    Swarm swarm = { 0 };
    const float values[SWARM_ROWS] = { 0 };
    step_at(&swarm, values, (Vec3){ 3, 0, 0 }, 0.02f);
    for (int frame = 0; frame < 2; frame++) {
        // Moved behind the hops, as a frame's hands do; or before them.
        const float x = frame == 0 ? 5 : 7;
        const Vec3 begins = { frame == 0 ? x - 2 : x, 0, 0 };
        swarm_begin(&swarm, begins);
        for (int n = 0; n < 2; n++) {
            const float rates[SWARM_ROWS] = { [SWARM_RATE] = 1000 };
            swarm_hop(&swarm, &(Hop){ .values = rates,
                                      .place = begins,
                                      .age = 0.02f - 0.01f * (float)n,
                                      .seconds = 0.01f });
        }
        step_at(&swarm, values, (Vec3){ x, 0, 0 }, 0.02f);
        assert_float_equal(swarm.births.place.middle.x, x, 0);
        assert_in_range(swarm.births.count, 19, 20);
        for (int r = 0; r < swarm.births.run_count; r++)
            for (uint32_t n = 0; n < swarm.births.runs[r].count; n++) {
                const BirthRun *run = &swarm.births.runs[r];
                const float age = run->age_first - (float)n * run->spacing;
                assert_float_equal(place_of(run, n).x, -2 * age / 0.02f, 1e-4f);
            }
    }
    swarm_begin(&swarm, (Vec3){ 0, 0, 0 });
    rate_hop(&swarm, 0, 0.01f, 0.01f);
    assert_int_equal(swarm.births.count, 0);
}

static void a_metre_of_way_has_its_births(void **state)
{
    (void)state;
    const float rates[] = { 0.3f, 10, 333 };
    for (int r = 0; r < COUNT_OF(rates); r++)
        for (int by_hand = 0; by_hand < 2; by_hand++) {
            const float values[SWARM_ROWS] = { [SWARM_RATE_DISTANCE] = rates[r] };
            Swarm swarm = { 0 };
            double born = 0, at = 0, last = NAN;
            swarm_begin(&swarm, (Vec3){ 0, 0, 0 });
            for (int n = 0; n < 600; n++) {
                const float x = (float)(at += 0.02 + 0.02 * sin(n * 0.1));
                const Vec3 to = { x, 0, 0 };
                if (n > 0) swarm_begin(&swarm, swarm.place);
                swarm_hop(&swarm, &(Hop){ .values = values,
                                          .place = by_hand ? swarm.place : to,
                                          .age = 0.01f,
                                          .seconds = 0.01f });
                step_at(&swarm, values, to, 0.01f);
                for (int run = 0; run < swarm.births.run_count; run++)
                    for (uint32_t i = 0; i < swarm.births.runs[run].count; i++) {
                        const double here = (double)(x + place_of(&swarm.births.runs[run], i).x);
                        if (isfinite(last))
                            assert_float_equal(here - last, 1 / (double)rates[r], 1e-3);
                        last = here;
                    }
                born += swarm.births.count;
            }
            assert_float_equal(born, at * (double)rates[r], 1.01);
        }
}

static void paths_go_round_and_swing(void **state)
{
    (void)state;
    float values[SWARM_ROWS] = {
        [SWARM_PATH_X] = 3,         [SWARM_PATH_Y] = 2,          [SWARM_PATH_Z] = 1,
        [SWARM_PATH_RATE_X] = 0.5f, [SWARM_PATH_RATE_Y] = 0.25f, [SWARM_PATH_RATE_Z] = -1
    };
    const double turn = 2 * 3.14159265358979;
    for (int path = PATH_FIXED; path <= PATH_ATTRACTOR; path++) {
        values[SWARM_PATH] = (float)path;
        const bool swings = path == PATH_ORBIT || path == PATH_LISSAJOUS;
        Swarm swarm = { 0 };
        for (int n = 1; n < 3000; n++) {
            swarm_travel(&swarm, values, (float)hop);
            const double t = n * hop, y = path == PATH_ORBIT ? 0.5 : 0.25,
                         z = path == PATH_ORBIT ? 0.5 : -1;
            const Vec3 at = swarm_path(&swarm, values);
            assert_float_equal(at.x, swings ? 3 * cos(turn * 0.5 * t) : 0, 1e-4);
            assert_float_equal(at.y, swings ? 2 * sin(turn * y * t) : 0, 1e-4);
            assert_float_equal(at.z, swings ? sin(turn * z * t) : 0, 1e-4);
        }
    }
}

// ---- the oldest ---------------------------------------------------------------------------------

static Swarm marked_swarm(void)
{
    return (Swarm){ .marks = calloc(MARKS, sizeof(Mark)) };
}

// Plays with a life that changes, and holds `oldest` against each birth's own time.
static void oldest_is_safe_and_close(void **state)
{
    (void)state;
    Swarm swarm = marked_swarm();
    Record *record = record_new();
    float values[SWARM_ROWS] = { 0 };
    double now = 0;
    int hops = 0;
    uint64_t passed = 0;
    for (int frame = 0; now < 30; frame++) {
        const float life = now < 10 ? 1.5f : now < 20 ? 4 : 0.5f;
        values[SWARM_LIFE] = life;
        const float dt = at_random(frame);
        now += dt;
        swarm_begin(&swarm, (Vec3){ 0, 0, 0 });
        for (; (hops + 1) * hop <= now; hops++)
            rate_hop(&swarm, 400, (float)(now - hops * hop), (float)hop);
        step_at(&swarm, values, (Vec3){ 0, 0, 0 }, dt);
        note_births(record, &swarm.births, now);

        // Safe: whoever is passed has outlived the longest life, and stays dead should that grow.
        const uint64_t oldest = swarm.births.oldest;
        assert_true(oldest >= passed);
        if (oldest > passed) assert_true(record->time[oldest - 1] + (double)life <= now);
        passed = oldest;
        // Close: a hop, or so, behind the truth; where life shrank, old births may wait for their
        // own.
        const bool steady = now < 9 || (now > 16 && now < 19) || now > 25;
        if (steady && oldest < record->count)
            assert_true(record->time[oldest] + (double)life > now - 0.02);
    }
    assert_true(swarm.births.oldest > 10000);
    free(swarm.marks);
    free(record);
}

static void sixty_seconds_of_life_fit(void **state)
{
    (void)state;
    Swarm swarm = marked_swarm();
    float values[SWARM_ROWS] = { [SWARM_LIFE] = 60 };
    for (int n = 0; n < 200 * 188; n++) {
        swarm_begin(&swarm, (Vec3){ 0, 0, 0 });
        rate_hop(&swarm, 1000, (float)hop, (float)hop);
        step_at(&swarm, values, (Vec3){ 0, 0, 0 }, (float)hop);
    }
    const double alive = (double)(swarm.births.first + swarm.births.count - swarm.births.oldest);
    assert_true(alive >= 60 * 1000 && alive < 60.1 * 1000);
    free(swarm.marks);
}

static void a_full_ring_of_marks_stays_safe(void **state)
{
    (void)state;
    Swarm swarm = marked_swarm();
    float values[SWARM_ROWS] = { [SWARM_LIFE] = 60 };
    for (int n = 0; n < 3 * MARKS; n++) {
        swarm_begin(&swarm, (Vec3){ 0, 0, 0 });
        rate_hop(&swarm, 2000, 0.001f, 0.001f);
        step_at(&swarm, values, (Vec3){ 0, 0, 0 }, 0.001f);
        assert_int_equal(swarm.births.oldest, 0);
    }
    swarm_begin(&swarm, (Vec3){ 0, 0, 0 });
    for (int n = 0; n < 700; n++) step_at(&swarm, values, (Vec3){ 0, 0, 0 }, 0.1f);
    assert_int_equal(swarm.births.oldest, swarm.births.first);
    free(swarm.marks);
}

static void a_clear_leaves_the_next_index(void **state)
{
    (void)state;
    Swarm swarm = marked_swarm();
    rate_hop(&swarm, 1280, 1.0f / 128, 1.0f / 128);
    swarm_clear(&swarm);
    assert_int_equal(swarm.births.first, 10);
    assert_int_equal(swarm.births.oldest, 10);
    assert_int_equal(swarm.births.count, 0);
    rate_hop(&swarm, 1280, 1.0f / 128, 1.0f / 128);
    assert_int_equal(swarm.births.runs[0].first, 10);
    free(swarm.marks);
}

static void every_name_and_owner_has_its_own_seed(void **state)
{
    (void)state;
    const uint32_t a = swarm_seed(1, OWNER_EMITTER, "spark");
    assert_int_equal(a, swarm_seed(1, OWNER_EMITTER, "spark"));
    assert_int_not_equal(a, swarm_seed(2, OWNER_EMITTER, "spark"));
    assert_int_not_equal(a, swarm_seed(1, OWNER_FIELD, "spark"));
    assert_int_not_equal(a, swarm_seed(1, OWNER_EMITTER, "sparl"));
}

// ---- how one is born ----------------------------------------------------------------------------

enum { NEWBORNS = 40000 };

static Particle newborn(const float *values, uint32_t n)
{
    const Placement place = at_its_position(values);
    return law_birth(values, &place, rng_key(3, n));
}

static void a_point_bears_in_its_middle_in_every_direction(void **state)
{
    (void)state;
    const float values[SWARM_ROWS] = { [SWARM_LIFE] = 1,
                                       [SWARM_AREA] = AREA_POINT,
                                       [SWARM_AREA_X] = 9,
                                       [SWARM_POSITION_X] = 4,
                                       [SWARM_OUTWARD] = 2 };
    double x = 0, y = 0, z = 0, xx = 0, yy = 0, zz = 0;
    for (uint32_t n = 0; n < NEWBORNS; n++) {
        const Particle p = newborn(values, n);
        assert_float_equal(p.position.x, 4, 0);
        assert_float_equal(p.position.y, 0, 0);
        assert_float_equal(length(p.velocity), 2, 1e-5f);
        x += p.velocity.x, y += p.velocity.y, z += p.velocity.z;
        xx += p.velocity.x * p.velocity.x, yy += p.velocity.y * p.velocity.y,
            zz += p.velocity.z * p.velocity.z;
    }
    assert_float_equal(x / NEWBORNS, 0, 0.03);
    assert_float_equal(y / NEWBORNS, 0, 0.03);
    assert_float_equal(z / NEWBORNS, 0, 0.03);
    assert_float_equal(xx / NEWBORNS, 4.0 / 3, 0.03);
    assert_float_equal(yy / NEWBORNS, 4.0 / 3, 0.03);
    assert_float_equal(zz / NEWBORNS, 4.0 / 3, 0.03);
}

// The share of newborns nearer to the middle than `share` of the way to the surface.
static double share_within(int area, float thickness, float share)
{
    const Vec3 size = { 3, 1, 0.5f };
    const float values[SWARM_ROWS] = {
        [SWARM_LIFE] = 1,        [SWARM_AREA] = (float)area, [SWARM_AREA_X] = size.x,
        [SWARM_AREA_Y] = size.y, [SWARM_AREA_Z] = size.z,    [SWARM_THICKNESS] = thickness
    };
    int within = 0;
    for (uint32_t n = 0; n < NEWBORNS; n++) {
        const Vec3 p = newborn(values, n).position;
        const Vec3 unit = { p.x / size.x, p.y / size.y, p.z / size.z };
        const float out = area == AREA_SPHERE
                              ? length(unit)
                              : fmaxf(fabsf(unit.x), fmaxf(fabsf(unit.y), fabsf(unit.z)));
        assert_true(out <= 1 + 1e-5f);
        within += out < share;
    }
    return (double)within / NEWBORNS;
}

static void areas_are_filled_evenly_between_surface_and_thickness(void **state)
{
    (void)state;
    const int areas[] = { AREA_SPHERE, AREA_BOX };
    for (int a = 0; a < COUNT_OF(areas); a++) {
        assert_float_equal(share_within(areas[a], 0, 0.9999f), 0, 0);
        assert_float_equal(share_within(areas[a], 1, 0.5f), 0.125, 0.008);
        assert_float_equal(share_within(areas[a], 1, 0.8f), 0.512, 0.012);
        assert_float_equal(share_within(areas[a], 0.5f, 0.4999f), 0, 0);
        assert_float_equal(share_within(areas[a], 0.5f, 0.8f), (0.512 - 0.125) / (1 - 0.125),
                           0.012);
    }
}

static void a_box_is_even_along_every_side(void **state)
{
    (void)state;
    const float values[SWARM_ROWS] = {
        [SWARM_LIFE] = 1,   [SWARM_AREA] = AREA_BOX, [SWARM_AREA_X] = 4,
        [SWARM_AREA_Y] = 1, [SWARM_AREA_Z] = 2,      [SWARM_THICKNESS] = 1
    };
    int eighths[3][8] = { { 0 } };
    for (uint32_t n = 0; n < NEWBORNS; n++) {
        const Vec3 p = newborn(values, n).position;
        eighths[0][clampi((int)((p.x / 4 + 1) * 4), 0, 7)]++;
        eighths[1][clampi((int)((p.y / 1 + 1) * 4), 0, 7)]++;
        eighths[2][clampi((int)((p.z / 2 + 1) * 4), 0, 7)]++;
    }
    for (int axis = 0; axis < 3; axis++)
        for (int e = 0; e < 8; e++)
            assert_in_range(eighths[axis][e], NEWBORNS / 8 - 350, NEWBORNS / 8 + 350);
}

static void spin_turns_counter_clockwise_and_outward_leaves(void **state)
{
    (void)state;
    const float values[SWARM_ROWS] = {
        [SWARM_LIFE] = 1,   [SWARM_AREA] = AREA_SPHERE, [SWARM_AREA_X] = 2,
        [SWARM_AREA_Y] = 2, [SWARM_AREA_Z] = 2,         [SWARM_OUTWARD] = 3,
        [SWARM_SPIN] = 5,   [SWARM_VELOCITY_Z] = 7,     [SWARM_SPEED_RANDOM] = 0.5f
    };
    float least = 9, most = 0;
    for (uint32_t n = 0; n < 2000; n++) {
        const Particle p = newborn(values, n);
        const Vec3 out = { p.position.x / 2, p.position.y / 2, p.position.z / 2 };
        const Vec3 v = { p.velocity.x, p.velocity.y, p.velocity.z - 7 };
        const float outward = v.x * out.x + v.y * out.y + v.z * out.z;
        const float turning = out.x * v.y - out.y * v.x, flat = out.x * out.x + out.y * out.y;
        assert_float_equal(turning / 5, outward / 3 * flat, 1e-4f);
        least = fminf(least, outward);
        most = fmaxf(most, outward);
    }
    assert_true(least >= 1.4999f && least < 1.52f && most <= 3.0001f && most > 2.98f);
}

static void spread_fills_a_ball(void **state)
{
    (void)state;
    const float values[SWARM_ROWS] = { [SWARM_LIFE] = 1, [SWARM_SPREAD] = 2 };
    int inner = 0;
    for (uint32_t n = 0; n < NEWBORNS; n++) {
        const float speed = length(newborn(values, n).velocity);
        assert_true(speed <= 2.0001f);
        inner += speed < 1;
    }
    assert_float_equal((double)inner / NEWBORNS, 0.125, 0.008);
}

static void lives_and_sizes_keep_their_range(void **state)
{
    (void)state;
    const float randoms[] = { 0, 0.25f, 1 };
    for (int r = 0; r < COUNT_OF(randoms); r++) {
        const float values[SWARM_ROWS] = { [SWARM_LIFE] = 8, [SWARM_LIFE_RANDOM] = randoms[r] };
        double life = 0, size = 0;
        for (uint32_t n = 0; n < NEWBORNS; n++) {
            const Particle p = newborn(values, n);
            const float factor = law_size_factor(rng_key(3, n), randoms[r]);
            assert_true(p.life > 0 && p.life <= 8 && p.life >= 8 * (1 - randoms[r]));
            assert_true(factor > 0 && factor <= 1 && factor >= 1 - randoms[r]);
            life += p.life;
            size += factor;
        }
        assert_float_equal(life / NEWBORNS, 8 * (1 - randoms[r] / 2), 0.05);
        assert_float_equal(size / NEWBORNS, 1 - randoms[r] / 2, 0.01);
    }
}

static void an_area_without_size_bears_numbers(void **state)
{
    (void)state;
    for (int area = AREA_POINT; area <= AREA_BOX; area++) {
        const float values[SWARM_ROWS] = {
            [SWARM_LIFE] = 1,   [SWARM_AREA] = (float)area, [SWARM_OUTWARD] = 1,  [SWARM_SPIN] = 1,
            [SWARM_SPREAD] = 1, [SWARM_LIFE_RANDOM] = 1,    [SWARM_THICKNESS] = 1
        };
        for (uint32_t n = 0; n < 1000; n++) {
            const Particle p = newborn(values, n);
            assert_true(isfinite(p.position.x + p.position.y + p.position.z));
            assert_true(isfinite(p.velocity.x + p.velocity.y + p.velocity.z));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_second_has_its_rate),
        cmocka_unit_test(births_are_evenly_spaced_across_hops_and_frames),
        cmocka_unit_test(the_frame_rate_does_not_change_what_is_born),
        cmocka_unit_test(more_hops_than_runs_lose_nothing),
        cmocka_unit_test(nonsense_gives_no_births),
        cmocka_unit_test(the_newest_births_stay_when_room_is_short),
        cmocka_unit_test(oldest_is_safe_and_close),
        cmocka_unit_test(sixty_seconds_of_life_fit),
        cmocka_unit_test(a_full_ring_of_marks_stays_safe),
        cmocka_unit_test(a_clear_leaves_the_next_index),
        cmocka_unit_test(what_hands_move_is_moved_evenly_over_the_frame),
        cmocka_unit_test(cycles_and_their_bursts_keep_their_time_at_any_frame_rate),
        cmocka_unit_test(a_hand_sets_off_a_burst_for_each_time_it_asks),
        cmocka_unit_test(the_sound_sets_off_the_bursts_that_it_is_asked_for),
        cmocka_unit_test(the_ends_of_cycles_and_bursts_are_harmless),
        cmocka_unit_test(a_metre_of_way_has_its_births),
        cmocka_unit_test(paths_go_round_and_swing),
        cmocka_unit_test(every_name_and_owner_has_its_own_seed),
        cmocka_unit_test(a_point_bears_in_its_middle_in_every_direction),
        cmocka_unit_test(areas_are_filled_evenly_between_surface_and_thickness),
        cmocka_unit_test(a_box_is_even_along_every_side),
        cmocka_unit_test(spin_turns_counter_clockwise_and_outward_leaves),
        cmocka_unit_test(spread_fills_a_ball),
        cmocka_unit_test(lives_and_sizes_keep_their_range),
        cmocka_unit_test(an_area_without_size_bears_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
