// Onsets and drums, heard by the room's own door: drums made here, one kind at a time and together.
#include "test.h"

#include <math.h>

#include "analysis/analysis.h"

enum { RATE = 48000, HITS = 16 };
static const double EVERY = 0.5, FIRST = 1; // s

typedef float Voice(double since, long long n);

static float noise(long long n, uint32_t draw)
{
    return 2 * rng_unit(rng_draw(rng_key(5, (uint64_t)n), draw)) - 1;
}

static float kick(double since, long long n)
{
    (void)n;
    const double turns = 50 * since + 3 * (1 - exp(-since * 40));
    return 0.8f * (float)(sin(2 * M_PI * turns) * exp(-since * 12));
}

static float snare(double since, long long n)
{
    return 0.3f * (float)(sin(2 * M_PI * 190 * since) * exp(-since * 25)) +
           0.5f * noise(n, 0) * (float)exp(-since * 18);
}

// Noise less the noise of the frame before, twice: its highs.
static float hat(double since, long long n)
{
    return 0.12f * (noise(n, 0) - 2 * noise(n - 1, 0) + noise(n - 2, 0)) * (float)exp(-since * 60);
}

static Voice *const voices[DRUMS] = { kick, snare, hat };
static const SignalId signals[DRUMS] = { SIGNAL_KICK, SIGNAL_SNARE, SIGNAL_HAT };

typedef struct {
    int onsets, drums[DRUMS];
    float strength; // of the onsets, their mean
    float peak;     // of the band
    double latest;  // s, between a hit and its report
    double passed;  // s, until the voice's band is above what was asked, the worst
} Heard;

// The sample of that voice, hit every EVERY seconds.
static float hit(Voice *voice, double gain, long long n, double *since)
{
    const double time = (double)n / RATE - FIRST;
    *since = time < 0 ? -1 : fmod(time, EVERY);
    return *since < 0 ? 0 : (float)gain * voice(*since, n);
}

static Heard listen_for(float level, SignalId band, Voice *voice, double gain,
                        const HearingSettings *settings)
{
    float pairs[2 * ANALYSIS_HOP_MAX];
    double since = 0;
    Heard h = { 0 };
    Analyser *analyser = analyser_new(RATE);
    const int hop = analyser_hop_frames(analyser);
    bool below = true;
    for (long long n = 0; n < (long long)((FIRST + HITS * EVERY) * RATE) - hop; n += hop) {
        for (int i = 0; i < hop; i++)
            pairs[2 * i] = pairs[2 * i + 1] = hit(voice, gain, n + i, &since);
        const Features f = analyser_hop(analyser, pairs, settings);
        const bool above = f.signal[band] >= level;
        h.peak = fmaxf(h.peak, f.signal[band]);
        h.onsets += f.onset;
        for (int d = 0; d < DRUMS; d++) h.drums[d] += f.signal[signals[d]] > 0;
        h.strength += f.onset ? f.signal[SIGNAL_ONSET] / HITS : 0;
        h.latest = fmax(h.latest, f.onset ? since : 0);
        h.passed = fmax(h.passed, below && above ? since : 0);
        below = (below && !above) || since > 0.4;
    }
    analyser_free(analyser);
    return h;
}

static Heard listen(Voice *voice, double gain, const HearingSettings *settings)
{
    return listen_for(0, SIGNAL_LOW, voice, gain, settings);
}

static HearingSettings usual(void)
{
    return (HearingSettings){ .gain = 1, .onset_threshold = 1, .hush = 0.05f };
}

static void every_hit_is_one_onset_and_its_own_drum(void **state)
{
    (void)state;
    static const double gains[] = { 1, 0.1 };
    const HearingSettings settings = usual();
    for (int d = 0; d < DRUMS; d++)
        for (int g = 0; g < COUNT_OF(gains); g++) {
            const Heard h = listen(voices[d], gains[g], &settings);
            assert_int_equal(h.onsets, HITS);
            for (int other = 0; other < DRUMS; other++)
                assert_true(other == d ? h.drums[other] == HITS : h.drums[other] <= HITS / 8);
        }
}

static void onsets_are_told_within_20_ms(void **state)
{
    (void)state;
    const HearingSettings settings = usual();
    for (int d = 0; d < DRUMS; d++)
        assert_true(listen(voices[d], 1, &settings).latest <= 0.020);
}

static void a_kick_is_at_half_level_in_its_band_within_30_ms(void **state)
{
    (void)state;
    const HearingSettings settings = usual();
    static const SignalId bands[] = { SIGNAL_BASS, SIGNAL_LOW };
    for (int b = 0; b < COUNT_OF(bands); b++) {
        const float half = listen_for(0, bands[b], kick, 1, &settings).peak / 2;
        const double passed = listen_for(half, bands[b], kick, 1, &settings).passed;
        assert_true(half > 0 && passed > 0 && passed <= 0.030);
    }
}

static void a_threshold_of_its_own_silences_one_drum(void **state)
{
    (void)state;
    for (int d = 0; d < DRUMS; d++) {
        HearingSettings settings = usual();
        settings.drum[d].threshold = 10;
        assert_int_equal(listen(voices[d], 0.01, &settings).drums[d], 0);
        settings.drum[d].threshold = 0;
        settings.drum[(d + 1) % DRUMS].threshold = 10; // another's
        assert_int_equal(listen(voices[d], 1, &settings).drums[d], HITS);
    }
}

static void a_hush_of_its_own_skips_every_second_hit(void **state)
{
    (void)state;
    for (int d = 0; d < DRUMS; d++) {
        HearingSettings settings = usual();
        settings.drum[d].hush = 0.7f;
        const Heard h = listen(voices[d], 1, &settings);
        assert_int_equal(h.drums[d], HITS / 2);
        assert_int_equal(h.onsets, HITS); // whose hush is another
    }
}

static void a_hit_that_stands_out_more_is_stronger(void **state)
{
    (void)state;
    static const double gains[] = { 0.003, 0.03, 0.3 };
    const HearingSettings settings = usual();
    float before = 0;
    for (int g = 0; g < COUNT_OF(gains); g++) {
        const Heard h = listen(snare, gains[g], &settings);
        assert_true(h.onsets == HITS && h.strength > before + 0.05f && h.strength <= 1);
        before = h.strength;
    }
}

static double draw_bell(long long n)
{
    double sum = 0;
    for (uint32_t i = 0; i < 6; i++) sum += (double)noise(n, i);
    return sum / sqrt(2);
}

typedef enum { WHITE, PINK, BROWN, COLOURS } Colour;

// Pink: a sum of slow and fast ones.
typedef struct {
    double slow[4];
} Noise;

static float coloured(Noise *s, Colour colour, long long n)
{
    static const double poles[] = { 0.998, 0.97, 0.8, 0.2 };
    const double x = draw_bell(n);
    double sum = 0;
    if (colour == WHITE) return 0.2f * (float)x;
    if (colour == BROWN) return (float)(s->slow[0] += 0.01 * x - 0.003 * s->slow[0]);
    for (int i = 0; i < 4; i++) {
        s->slow[i] = poles[i] * s->slow[i] + sqrt(1 - poles[i] * poles[i]) * x;
        sum += s->slow[i];
    }
    return 0.05f * (float)sum;
}

static void noise_of_any_colour_and_level_is_no_onset(void **state)
{
    (void)state;
    static const double gains[] = { 1, 0.1, 0.01, 0.001 };
    const HearingSettings settings = usual();
    float pairs[2 * ANALYSIS_HOP_MAX];
    for (Colour colour = 0; colour < (SANITIZED ? 1 : COLOURS); colour++)
        for (int g = 0; g < COUNT_OF(gains); g++) {
            Analyser *analyser = analyser_new(RATE);
            const int hop = analyser_hop_frames(analyser);
            Noise s = { { 0 } };
            analyser_join(analyser);
            for (long long n = 0; n < 6 * RATE; n += hop) {
                for (int i = 0; i < hop; i++)
                    pairs[2 * i] = pairs[2 * i + 1] = (float)gains[g] * coloured(&s, colour, n + i);
                const Features f = analyser_hop(analyser, pairs, &settings);
                assert_false(f.onset);
                for (int d = 0; d < DRUMS; d++) assert_true(f.signal[signals[d]] == 0);
            }
            analyser_free(analyser);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_hit_is_one_onset_and_its_own_drum),
        cmocka_unit_test(onsets_are_told_within_20_ms),
        cmocka_unit_test(a_kick_is_at_half_level_in_its_band_within_30_ms),
        cmocka_unit_test(a_threshold_of_its_own_silences_one_drum),
        cmocka_unit_test(a_hush_of_its_own_skips_every_second_hit),
        cmocka_unit_test(a_hit_that_stands_out_more_is_stronger),
        cmocka_unit_test(noise_of_any_colour_and_level_is_no_onset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
