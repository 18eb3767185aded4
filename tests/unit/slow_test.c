// Build, break and drop of a piece made of parts, alike whatever its level.
#include "test.h"

#include <math.h>

#include "analysis/analysis.h"

enum { RATE = 22050 };

// A part of a piece: four kicks every two seconds or none, and chords from one level to another.
typedef struct {
    double seconds, kick, from_db, to_db;
} Part;

typedef struct {
    float build, drop, pause; // the greatest in a part
    double dropped_at;        // s after the part's start, of its first drop
} Seen;

static double chords(double time)
{
    double sum = 0;
    for (int i = 0; i < 4; i++) sum += sin(fmod(2 * M_PI * (277 + 90 * i * i) * time, 2 * M_PI));
    return 0.25 * sum * (0.8 + 0.2 * cos(2 * M_PI * time));
}

static double kick(double time)
{
    const double since = fmod(time, 0.5);
    return sin(2 * M_PI * 60 * since) * exp(-since * 14);
}

static double mixed(const Part *part, double time, double since)
{
    const double db = part->from_db + (part->to_db - part->from_db) * since / part->seconds;
    return 0.7 * part->kick * kick(time) + 0.3 * pow(10, db / 20) * chords(time);
}

static void play(double gain, const Part *parts, int count, Seen *seen)
{
    float pairs[2 * ANALYSIS_HOP_MAX];
    const HearingSettings settings = { .gain = 1, .onset_threshold = 1, .hush = 0.05f };
    Analyser *analyser = analyser_new(RATE);
    const int hop = analyser_hop_frames(analyser);
    double time = 0, start = 0;
    for (int p = 0; p < count; start += parts[p++].seconds) {
        seen[p] = (Seen){ .dropped_at = -1 };
        for (; time < start + parts[p].seconds; time += (double)hop / RATE) {
            for (int i = 0; i < hop; i++) {
                const double at = time + (double)i / RATE;
                pairs[2 * i] = pairs[2 * i + 1] = (float)(gain * mixed(&parts[p], at, at - start));
            }
            const Features f = analyser_hop(analyser, pairs, &settings);
            seen[p].build = fmaxf(seen[p].build, f.signal[SIGNAL_BUILD]);
            seen[p].pause = fmaxf(seen[p].pause, f.signal[SIGNAL_BREAK]);
            seen[p].drop = fmaxf(seen[p].drop, f.signal[SIGNAL_DROP]);
            if (f.signal[SIGNAL_DROP] == 1 && seen[p].dropped_at < 0)
                seen[p].dropped_at = time - start;
        }
    }
    analyser_free(analyser);
}

enum { VERSE, SOFT, CLIMB, CHORUS, PARTS };
static const Part piece[PARTS] = {
    [VERSE] = { 24, 1, 0, 0 },
    [SOFT] = { 8, 0, -10, -10 },
    [CLIMB] = { 8, 0, -10, 0 },
    [CHORUS] = { 12, 1, 0, 0 },
};

static void a_break_is_without_bass_and_its_end_is_a_drop_within_a_bar(void **state)
{
    (void)state;
    static const double gains[] = { 1, 0.2, 0.04 };
    for (int g = 0; g < COUNT_OF(gains); g++) {
        Seen seen[PARTS];
        play(gains[g], piece, PARTS, seen);
        assert_true(seen[VERSE].pause < 0.3f && seen[VERSE].drop == 0);
        assert_true(seen[SOFT].pause > 0.9f && seen[SOFT].drop == 0);
        assert_true(seen[CLIMB].pause > 0.9f && seen[CLIMB].drop == 0);
        assert_true(seen[CHORUS].dropped_at >= 0 && seen[CHORUS].dropped_at < 2);
    }
}

static void a_climb_is_a_build_and_a_steady_part_is_none(void **state)
{
    (void)state;
    if (SANITIZED) skip(); // figures, of which a sanitizer knows nothing
    Seen seen[PARTS];
    play(1, piece, PARTS, seen);
    assert_true(seen[VERSE].build < 0.2f);
    assert_true(seen[SOFT].build < 0.2f);
    assert_true(seen[CLIMB].build > 0.6f);
}

static void a_step_up_is_no_build_and_without_a_break_nothing_drops(void **state)
{
    (void)state;
    static const Part steps[] = {
        { 20, 1, -20, -20 }, { 14, 1, 0, 0 }, { 2, 0, 0, 0 }, { 8, 1, 0, 0 }
    };
    Seen seen[COUNT_OF(steps)];
    play(1, steps, COUNT_OF(steps), seen);
    for (int p = 0; p < COUNT_OF(steps); p++) {
        assert_true(seen[p].drop == 0); // two seconds without a kick are no break
        if (p < 2) assert_true(seen[p].build < 0.5f);
    }
}

static void a_stop_before_the_drop_belongs_to_the_break(void **state)
{
    (void)state;
    static const Part parts[] = {
        { 24, 1, 0, 0 }, { 8, 0, -6, -6 }, { 2, 0, -200, -200 }, { 6, 1, 0, 0 }
    };
    Seen seen[COUNT_OF(parts)];
    play(1, parts, COUNT_OF(parts), seen);
    assert_true(seen[2].drop == 0);
    assert_true(seen[3].dropped_at >= 0 && seen[3].dropped_at < 2);
}

// All but the kick leaves, and is back.
static void a_break_may_keep_its_bass(void **state)
{
    (void)state;
    if (SANITIZED) skip(); // figures, of which a sanitizer knows nothing
    static const Part parts[] = { { 24, 1, 0, 0 }, { 10, 1, -40, -40 }, { 8, 1, 0, 0 } };
    static const double gains[] = { 1, 0.04 };
    for (int g = 0; g < COUNT_OF(gains); g++) {
        Seen seen[COUNT_OF(parts)];
        play(gains[g], parts, COUNT_OF(parts), seen);
        assert_true(seen[0].pause < 0.3f && seen[0].drop == 0);
        assert_true(seen[1].pause > 0.6f && seen[1].drop == 0);
        assert_true(seen[2].dropped_at >= 0 && seen[2].dropped_at < 2);
    }
}

static void a_loud_kick_in_a_thin_break_is_no_drop(void **state)
{
    (void)state;
    static const Part parts[] = {
        { 24, 1, 0, 0 }, { 8, 0, -30, -30 }, { 1, 2.5, -30, -30 }, { 5, 0, -30, -30 }
    };
    Seen seen[COUNT_OF(parts)];
    play(0.4, parts, COUNT_OF(parts), seen);
    for (int p = 0; p < COUNT_OF(parts); p++) assert_true(seen[p].drop == 0);
    assert_true(seen[3].pause > 0.9f);
}

// Two kicks in seven seconds have no break between them.
static void what_the_bass_does_anyway_is_no_break(void **state)
{
    (void)state;
    enum { TURNS = 6 };
    Part parts[2 * TURNS];
    Seen seen[2 * TURNS];
    for (int i = 0; i < TURNS; i++) {
        parts[2 * i] = (Part){ 1, 1, 0, 0 };
        parts[2 * i + 1] = (Part){ 6, 0, 0, 0 };
    }
    play(1, parts, 2 * TURNS, seen);
    for (int p = 0; p < 2 * TURNS; p++) assert_true(seen[p].drop == 0);
}

static void a_piece_begins_without_a_drop(void **state)
{
    (void)state;
    static const Part parts[] = { { 12, 1, 0, 0 }, { 7, 0, -200, -200 }, { 12, 1, 0, 0 } };
    Seen seen[COUNT_OF(parts)];
    play(1, parts, COUNT_OF(parts), seen);
    for (int p = 0; p < COUNT_OF(parts); p++) assert_true(seen[p].drop == 0 && seen[p].build == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_break_is_without_bass_and_its_end_is_a_drop_within_a_bar),
        cmocka_unit_test(a_climb_is_a_build_and_a_steady_part_is_none),
        cmocka_unit_test(a_step_up_is_no_build_and_without_a_break_nothing_drops),
        cmocka_unit_test(a_stop_before_the_drop_belongs_to_the_break),
        cmocka_unit_test(a_break_may_keep_its_bass),
        cmocka_unit_test(a_loud_kick_in_a_thin_break_is_no_drop),
        cmocka_unit_test(what_the_bass_does_anyway_is_no_break),
        cmocka_unit_test(a_piece_begins_without_a_drop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
