// How loud: calibration at every rate, and what the levels are over time.
#include "test.h"

#include <math.h>
#include <string.h>

#include <ebur128.h>

#include "analysis/analysis.h"

static const int rates[] = { 8000, 16000, 22050, 44100, 48000, 88200, 96000, 192000 };
static const HearingSettings plain = { .gain = 1, .onset_threshold = 1, .hush = 0.05f };
static const struct {
    SignalId signal;
    float low, high; // Hz
} bands[] = {
    { SIGNAL_BASS, 20, 200 },       { SIGNAL_MID, 200, 2000 },    { SIGNAL_TREBLE, 2000, 16000 },
    { SIGNAL_SUB, 20, 60 },         { SIGNAL_LOW, 60, 200 },      { SIGNAL_LOW_MID, 200, 700 },
    { SIGNAL_HIGH_MID, 700, 3000 }, { SIGNAL_HIGH, 3000, 16000 },
};

// A mono sound as a function of time, the same at every rate.
typedef double Sound(double time, const void *how);

static double sine(double time, const void *how)
{
    return 0.5 * sin(fmod(2 * M_PI * *(const float *)how * time, 2 * M_PI));
}

// Pink below 3.5 kHz: a sine of equal power in each sixth of an octave.
static double pink(double time, const void *how)
{
    (void)how;
    double sum = 0;
    int i = 0;
    for (double hz = 25; hz < 3500; hz *= 1.1225, i++)
        sum += sin(fmod(2 * M_PI * hz * time + i * i * 2.399, 2 * M_PI));
    return 0.04 * sum;
}

// An octave a second from 40 Hz.
static double sweep(double time, const void *how)
{
    (void)how;
    return 0.5 * sin(fmod(2 * M_PI * 40 * (exp2(time) - 1) / M_LN2, 2 * M_PI));
}

static double offset(double time, const void *how)
{
    (void)time, (void)how;
    return 0.5;
}

static double nothing(double time, const void *how)
{
    (void)time, (void)how;
    return 0;
}

typedef struct {
    Analyser *analyser;
    double time; // s
    HearingSettings settings;
} Ear;

static Ear ear_at(int rate)
{
    return (Ear){ analyser_new(rate), 0, plain };
}

static Features hear_hop(Ear *ear, Sound *sound, const void *how)
{
    float pairs[2 * ANALYSIS_HOP_MAX];
    const int hop = analyser_hop_frames(ear->analyser), rate = analyser_rate(ear->analyser);
    for (int i = 0; i < hop; i++)
        pairs[2 * i] = pairs[2 * i + 1] = (float)sound(ear->time + (double)i / rate, how);
    ear->time += (double)hop / rate;
    return analyser_hop(ear->analyser, pairs, &ear->settings);
}

static Features hear(Ear *ear, double seconds, Sound *sound, const void *how)
{
    Features f = { 0 };
    for (const double end = ear->time + seconds - 1e-9; ear->time < end;)
        f = hear_hop(ear, sound, how);
    return f;
}

static double decibels(double amplitude)
{
    return 20 * log10(amplitude + 1e-12);
}

static void within(const char *what, double value, double expected, double tolerance)
{
    if (fabs(value - expected) > tolerance) fail_msg("%s is %g, not %g", what, value, expected);
}

// The root mean square of each signal over the hops, in dB.
static void mean_levels(int rate, Sound *sound, double seconds, double *levels)
{
    double sum[SIGNAL_COUNT] = { 0 };
    int hops = 0;
    Ear ear = ear_at(rate);
    hear(&ear, 0.2, sound, NULL);
    for (; ear.time < 0.2 + seconds; hops++) {
        const Features f = hear_hop(&ear, sound, NULL);
        for (int i = 0; i < SIGNAL_COUNT; i++) sum[i] += (double)f.signal[i] * f.signal[i];
    }
    analyser_free(ear.analyser);
    for (int i = 0; i < SIGNAL_COUNT; i++) levels[i] = decibels(sqrt(sum[i] / hops));
}

static void every_band_reads_a_sine_in_its_middle_alike_at_every_rate(void **state)
{
    (void)state;
    if (SANITIZED) skip(); // figures, of which a sanitizer knows nothing
    for (int b = 0; b < COUNT_OF(bands); b++) {
        const float hz = sqrtf(bands[b].low * bands[b].high);
        for (int r = 0; r < COUNT_OF(rates); r++) {
            if (hz > 0.45f * (float)rates[r]) continue;
            Ear ear = ear_at(rates[r]);
            hear(&ear, 0.3, sine, &hz);
            double sum = 0;
            for (int h = 0; h < 40; h++)
                sum += hear_hop(&ear, sine, &hz).signal[bands[b].signal] / 40;
            analyser_free(ear.analyser);
            // A third of the lowest band's window sees beyond its edges.
            within(signal_rows[bands[b].signal].name, decibels(sum), decibels(0.5),
                   hz < 50 ? 2 : 0.5);
        }
    }
}

static void pink_noise_and_a_sweep_read_alike_at_every_rate(void **state)
{
    (void)state;
    if (SANITIZED) skip(); // figures, of which a sanitizer knows nothing
    static const SignalId signals[] = { SIGNAL_BASS,    SIGNAL_MID,      SIGNAL_SUB, SIGNAL_LOW,
                                        SIGNAL_LOW_MID, SIGNAL_HIGH_MID, SIGNAL_RMS };
    static const int others[] = { 8000, 16000, 44100, 96000 };
    for (int s = 0; s < 2; s++) {
        double expected[SIGNAL_COUNT], levels[SIGNAL_COUNT];
        mean_levels(48000, s ? sweep : pink, s ? 6 : 2, expected);
        for (int r = 0; r < COUNT_OF(others); r++) {
            mean_levels(others[r], s ? sweep : pink, s ? 6 : 2, levels);
            for (int i = 0; i < COUNT_OF(signals); i++) {
                assert_true(expected[signals[i]] > -40);
                within(signal_rows[signals[i]].name, levels[signals[i]], expected[signals[i]], 0.5);
            }
        }
    }
}

static void an_offset_is_in_no_band(void **state)
{
    (void)state;
    for (int r = 0; r < COUNT_OF(rates); r++) {
        Ear ear = ear_at(rates[r]);
        const Features f = hear(&ear, 0.5, offset, NULL);
        analyser_free(ear.analyser);
        within("peak", f.signal[SIGNAL_PEAK], 0.5, 0);
        for (int b = 0; b < COUNT_OF(bands); b++) assert_true(f.signal[bands[b].signal] < 1e-4f);
        for (int i = 0; i < ANALYSIS_SPECTRUM; i++) assert_true(f.spectrum[i] < 1e-4f);
    }
}

static void loudness_is_what_the_reference_says_at_every_rate(void **state)
{
    (void)state;
    static Sound *const sounds[] = { pink, sweep };
    for (int r = 0; r < COUNT_OF(rates); r++)
        for (int s = 0; s < COUNT_OF(sounds); s++) {
            float pairs[2 * ANALYSIS_HOP_MAX];
            ebur128_state *reference = ebur128_init(2, (unsigned long)rates[r], EBUR128_MODE_M);
            assert_non_null(reference);
            Ear ear = ear_at(rates[r]);
            const int hop = analyser_hop_frames(ear.analyser);
            for (int h = 0; h < 200; h++) {
                for (int i = 0; i < hop; i++) {
                    const double time = (double)(h * hop + i) / rates[r];
                    pairs[2 * i] = (float)sounds[s](time, NULL);
                    pairs[2 * i + 1] = 0.5f * pairs[2 * i];
                }
                const Features f = analyser_hop(ear.analyser, pairs, &plain);
                ebur128_add_frames_float(reference, pairs, (size_t)hop);
                double expected;
                if (h < 100 || h % 20) continue;
                assert_int_equal(ebur128_loudness_momentary(reference, &expected), 0);
                within("loudness", f.signal[SIGNAL_LOUDNESS], expected, 0.1);
            }
            ebur128_destroy(&reference);
            analyser_free(ear.analyser);
        }
}

static void bands_move_with_their_edges(void **state)
{
    (void)state;
    const float hz = 400;
    static const struct {
        float edges[ANALYSIS_BANDS - 1];
        int band; // that hears 400 Hz
    } cases[] = {
        { { 0, 0, 0, 0 }, 2 },
        { { 60, 200, 300, 3000 }, 3 },
        { { 1000, 2000, 3000, 4000 }, 0 },
        { { 50, 100, 200, 250 }, 4 },
        { { 100, 800, 400, 100 }, 1 }, // not in order: each begins where the one before ends
    };
    for (int c = 0; c < COUNT_OF(cases); c++) {
        Ear ear = ear_at(48000);
        memcpy(ear.settings.edges, cases[c].edges, sizeof ear.settings.edges);
        const Features f = hear(&ear, 0.3, sine, &hz);
        analyser_free(ear.analyser);
        for (int b = 0; b < ANALYSIS_BANDS; b++)
            assert_true(b == cases[c].band ? f.signal[analysis_bands[b]] > 0.45f
                                           : f.signal[analysis_bands[b]] < 0.05f);
    }
}

static void a_bass_note_is_half_there_within_30_ms(void **state)
{
    (void)state;
    for (float hz = 50; hz < 110; hz += 10) {
        Ear ear = ear_at(48000);
        hear(&ear, 0.5, nothing, NULL);
        const double start = ear.time;
        float bass = 0;
        while (bass < 0.25f) bass = hear_hop(&ear, sine, &hz).signal[SIGNAL_BASS];
        assert_true(ear.time - start <= 0.030);
        analyser_free(ear.analyser);
    }
}

static void each_level_is_four_signals_in_a_row(void **state)
{
    (void)state;
    static const char *const ends[] = { "", "_smooth", "_presence", "_clock" };
    static const char *const names[] = { "level", "rms", "loudness", "bass",     "mid", "treble",
                                         "sub",   "low", "low_mid",  "high_mid", "high" };
    for (int n = 0; n < COUNT_OF(names); n++)
        for (int e = 0; e < COUNT_OF(ends); e++) {
            char name[64];
            snprintf(name, sizeof name, "%s%s", names[n], ends[e]);
            assert_int_equal(signal_find(name), signal_find(names[n]) + e);
        }
}

static void smooth_rises_by_attack_and_falls_by_release(void **state)
{
    (void)state;
    const float hz = 1000;
    for (int r = 0; r < COUNT_OF(rates); r += 3) {
        Ear ear = ear_at(rates[r]);
        ear.settings.attack = 0.2f;
        ear.settings.release = 0.5f;
        within("risen", hear(&ear, 0.2, sine, &hz).signal[SIGNAL_LEVEL_SMOOTH], 0.5 * (1 - exp(-1)),
               0.01);
        const float top = hear(&ear, 2, sine, &hz).signal[SIGNAL_LEVEL_SMOOTH];
        within("top", top, 0.5, 0.01);
        within("fallen", hear(&ear, 0.5, nothing, NULL).signal[SIGNAL_LEVEL_SMOOTH], top * exp(-1),
               0.01);
        assert_true(hear(&ear, 5, nothing, NULL).signal[SIGNAL_LEVEL_SMOOTH] == 0);
        analyser_free(ear.analyser);
    }
}

static void a_clock_runs_with_its_level_and_stands_in_silence(void **state)
{
    (void)state;
    const float hz = 1000;
    for (int r = 0; r < COUNT_OF(rates); r += 3) {
        Ear ear = ear_at(rates[r]);
        const float one = hear(&ear, 1, sine, &hz).signal[SIGNAL_LEVEL_CLOCK];
        within("half a turn", one, 0.5, 0.01);
        const float later = hear(&ear, 10.5, sine, &hz).signal[SIGNAL_LEVEL_CLOCK];
        within("many turns", later, 0.75, 0.03);
        hear(&ear, 0.1, nothing, NULL);
        const float stopped = hear_hop(&ear, nothing, NULL).signal[SIGNAL_LEVEL_CLOCK];
        assert_true(hear(&ear, 1, nothing, NULL).signal[SIGNAL_LEVEL_CLOCK] == stopped);
        analyser_free(ear.analyser);
    }
}

static void presence_is_against_the_levels_own_past(void **state)
{
    (void)state;
    if (SANITIZED) skip(); // figures, of which a sanitizer knows nothing
    const float hz = 1000;
    Ear ear = ear_at(48000);
    within("as usual", hear(&ear, 10, sine, &hz).signal[SIGNAL_MID_PRESENCE], 0.5, 0.01);
    assert_true(hear(&ear, 3, pink, NULL).signal[SIGNAL_MID_PRESENCE] < 0.45f);
    assert_true(hear(&ear, 6, sine, &hz).signal[SIGNAL_MID_PRESENCE] > 0.5f);
    assert_true(hear(&ear, 60, nothing, NULL).signal[SIGNAL_MID_PRESENCE] == 0);
    analyser_free(ear.analyser);
}

// Three partials with several zero crossings a period.
static double voice(double time, const void *how)
{
    const double turn = 2 * M_PI * fmod(time * *(const float *)how, 1);
    return 0.3 * sin(turn) + 0.25 * sin(2 * turn + 1) + 0.2 * sin(5 * turn + 2);
}

static void the_waveform_stands_still_and_begins_by_rising_through_zero(void **state)
{
    (void)state;
    for (int r = 2; r < COUNT_OF(rates); r += 2)
        for (float hz = 41; hz < 500; hz *= 1.63f) {
            Ear ear = ear_at(rates[r]);
            const Features first = hear(&ear, 0.3, voice, &hz);
            within("start", first.waveform[0], 0, 0.02);
            assert_true(first.waveform[3] > first.waveform[0]);
            for (int h = 0; h < 30; h++) {
                const Features f = hear_hop(&ear, voice, &hz);
                for (int i = 0; i < ANALYSIS_WAVEFORM; i++)
                    within("point", f.waveform[i], first.waveform[i], 0.03);
            }
            analyser_free(ear.analyser);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_band_reads_a_sine_in_its_middle_alike_at_every_rate),
        cmocka_unit_test(pink_noise_and_a_sweep_read_alike_at_every_rate),
        cmocka_unit_test(an_offset_is_in_no_band),
        cmocka_unit_test(loudness_is_what_the_reference_says_at_every_rate),
        cmocka_unit_test(bands_move_with_their_edges),
        cmocka_unit_test(a_bass_note_is_half_there_within_30_ms),
        cmocka_unit_test(each_level_is_four_signals_in_a_row),
        cmocka_unit_test(smooth_rises_by_attack_and_falls_by_release),
        cmocka_unit_test(a_clock_runs_with_its_level_and_stands_in_silence),
        cmocka_unit_test(presence_is_against_the_levels_own_past),
        cmocka_unit_test(the_waveform_stands_still_and_begins_by_rising_through_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
