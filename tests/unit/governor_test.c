// The governor against machines that are made up: what a frame costs them is a formula.
#include "test.h"

#include "app/governor.h"
#include "base/base.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double BUDGET = 1000.0 / 60; // ms

typedef struct {
    double fixed;     // of the budget, whatever the quality
    double pixels;    // with the whole picture
    double particles; // with all of them, in pixels of the whole picture
    double noise;     // a frame's work is off by at most that share, either way
    double spike;     // ms, on one frame of every 120
} Machine;

typedef struct {
    Governor governor;
    uint32_t frame;
    double time;        // s
    int changes, turns; // turns: a raise behind a fall or the other way round
    bool falling;       // the last change was a fall
    double late;        // s spent in frames beyond the budget, spikes apart
    char said[GOVERNOR_SENTENCE];
} Run;

static double work_of(const Machine *m, Quality q, uint32_t frame)
{
    const double area = (double)q.scale * (double)q.scale;
    const double smooth = m->fixed + m->pixels * area + m->particles * (double)q.share * area;
    const double chance = 2 * (double)rng_unit(rng_mix(frame)) - 1;
    return smooth * BUDGET * (1 + m->noise * chance) + (frame % 120 == 60 ? m->spike : 0);
}

// Plays behind a display of 60 Hz: frames wait for it, and the wait is no work.
static void play(Run *run, const Machine *machine, double seconds)
{
    for (const double end = run->time + seconds; run->time < end; run->frame++) {
        const Quality before = governor_quality(&run->governor);
        const double work = work_of(machine, before, run->frame);
        const double interval = ceil(work / BUDGET) * BUDGET * 1e-3;
        run->time += interval;
        if (work > BUDGET && run->frame % 120 != 60) run->late += interval;
        if (!governor_frame(&run->governor, interval, work, BUDGET, run->said)) continue;
        const Quality now = governor_quality(&run->governor);
        const bool falls = now.scale < before.scale || now.share < before.share;
        run->turns += run->changes > 0 && falls != run->falling;
        run->falling = falls;
        run->changes++;
    }
}

static Run begin(void)
{
    Run run = { 0 };
    governor_init(&run.governor);
    return run;
}

static bool is_full(const Run *run)
{
    const Quality q = governor_quality(&run->governor);
    return q.scale == 1 && q.share == 1;
}

static const struct {
    const char *name;
    Machine machine;
    bool full;        // it can have everything
    double late_most; // s of ten minutes
} machines[] = {
    { "idle", { .fixed = 0.1, .pixels = 0.2 }, true, 0 },
    { "just in time", { .fixed = 0.5, .pixels = 0.4 }, true, 0 },
    { "a little slow", { .pixels = 1.1 }, false, 5 },
    { "slow", { .fixed = 0.2, .pixels = 1.5 }, false, 5 },
    { "very slow", { .fixed = 0.1, .pixels = 1, .particles = 6 }, false, 8 },
    { "slow with particles", { .fixed = 0.4, .particles = 3 }, false, 8 },
    { "noisy", { .pixels = 1.2, .noise = 0.2 }, false, 60 },
    { "noisy and slow", { .fixed = 0.2, .pixels = 1.6, .noise = 0.3 }, false, 60 },
    { "spiky", { .fixed = 0.2, .pixels = 0.5, .spike = 200 }, true, 0 },
    { "spiky and slow", { .fixed = 0.2, .pixels = 1.3, .spike = 100 }, false, 5 },
};

static void ten_minutes_are_in_time_and_steady(void **state)
{
    (void)state;
    for (int n = 0; n < COUNT_OF(machines); n++) {
        Run run = begin();
        play(&run, &machines[n].machine, 600);
        if (is_full(&run) != machines[n].full) fail_msg("%s: %s", machines[n].name, run.said);
        if (run.late > machines[n].late_most)
            fail_msg("%s: late for %g s", machines[n].name, run.late);
        if (run.turns > 2) fail_msg("%s: %d turns", machines[n].name, run.turns);
        if (machines[n].full) assert_int_equal(run.changes, 0);
    }
}

// Scale falls before any particle is missed.
static void the_scale_falls_first(void **state)
{
    (void)state;
    Run run = begin();
    play(&run, &(Machine){ .fixed = 0.5, .pixels = 0.8 }, 60);
    assert_true(governor_quality(&run.governor).scale < 1);
    assert_true(governor_quality(&run.governor).share == 1);
    play(&run, &(Machine){ .particles = 10 }, 60);
    assert_true(governor_quality(&run.governor).scale == 0.5f);
    assert_true(governor_quality(&run.governor).share < 1);
}

static void it_is_in_time_within_seconds(void **state)
{
    (void)state;
    static const double loads[] = { 1.2, 2, 4 };
    for (int n = 0; n < COUNT_OF(loads); n++) {
        Run run = begin();
        const Machine machine = { .pixels = loads[n] };
        play(&run, &machine, 6);
        run.late = 0;
        play(&run, &machine, 6);
        assert_true(run.late == 0);
    }
}

static void full_quality_returns_when_the_load_goes(void **state)
{
    (void)state;
    for (int n = 0; n < COUNT_OF(machines); n++) {
        Run run = begin();
        play(&run, &machines[n].machine, 120);
        run.late = 0;
        play(&run, &(Machine){ .fixed = 0.1, .pixels = 0.2, .particles = 0.1 }, 60);
        if (!is_full(&run)) fail_msg("%s: %s", machines[n].name, run.said);
        assert_true(run.late == 0);
    }
}

// A second of too much work, again and again, must not make it swing.
static void a_load_that_comes_and_goes_is_followed_ever_more_slowly(void **state)
{
    (void)state;
    static const double calms[] = { 0.2, 0.5, 0.7 };
    for (int c = 0; c < COUNT_OF(calms); c++) {
        Run run = begin();
        for (int n = 0; n < 60; n++) {
            play(&run, &(Machine){ .fixed = 0.1, .pixels = 1.2 }, 4);
            play(&run, &(Machine){ .fixed = 0.1, .pixels = calms[c] }, 6);
        }
        if (run.turns > 10) fail_msg("calms of %g: %d turns", calms[c], run.turns);
    }
}

static void what_lasts_for_less_than_a_window_is_no_reason(void **state)
{
    (void)state;
    Run run = begin();
    for (int n = 0; n < 30; n++) {
        play(&run, &(Machine){ .pixels = 0.6 }, 1.9);
        play(&run, &(Machine){ .pixels = 3 }, 0.05);
    }
    assert_int_equal(run.changes, 0);
}

static void work_that_does_not_follow_leaves_it_at_the_bottom_in_peace(void **state)
{
    (void)state;
    Run run = begin();
    play(&run, &(Machine){ .fixed = 1.5 }, 600);
    assert_true(governor_quality(&run.governor).share == 0.125f);
    assert_int_equal(run.turns, 0);
    play(&run, &(Machine){ .fixed = 0.8 }, 90);
    assert_true(is_full(&run));
}

static void it_says_what_it_did(void **state)
{
    (void)state;
    Run run = begin();
    play(&run, &(Machine){ .pixels = 1.2 }, 10);
    assert_string_equal(run.said,
                        "quality lowered: scale 0.84, share 1 (frames took 20.0 ms of 16.7)");
    play(&run, &(Machine){ .pixels = 0.5 }, 10);
    assert_non_null(strstr(run.said, "quality raised: scale 1, share 1 "));
}

static void without_a_budget_nothing_happens(void **state)
{
    (void)state;
    Run run = begin();
    for (int n = 0; n < 1000; n++)
        assert_false(governor_frame(&run.governor, 0.1, 100, 0, run.said));
    assert_true(is_full(&run));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_minutes_are_in_time_and_steady),
        cmocka_unit_test(the_scale_falls_first),
        cmocka_unit_test(it_is_in_time_within_seconds),
        cmocka_unit_test(full_quality_returns_when_the_load_goes),
        cmocka_unit_test(a_load_that_comes_and_goes_is_followed_ever_more_slowly),
        cmocka_unit_test(what_lasts_for_less_than_a_window_is_no_reason),
        cmocka_unit_test(work_that_does_not_follow_leaves_it_at_the_bottom_in_peace),
        cmocka_unit_test(it_says_what_it_did),
        cmocka_unit_test(without_a_budget_nothing_happens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
