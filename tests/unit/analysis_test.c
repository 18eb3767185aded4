#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"

// The program's own malloc, in front of the C library's and of what KissFFT calls: counts, so that a
// hop can be held to no allocation, and refuses on demand.  A sanitizer brings its own instead.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MALLOC_TRAP 0
static int allocations, frees, refused_after = -1;
#else
#define MALLOC_TRAP 1
static int allocations, frees, refused_after = -1; // allocations until one is refused, -1: never

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void __libc_free(void *memory);

static bool granted(void)
{
    if (refused_after == 0) return false;
    if (refused_after > 0) refused_after--;
    allocations++;
    return true;
}

void *malloc(size_t size)
{
    return granted() ? __libc_malloc(size) : NULL;
}

void *calloc(size_t count, size_t size)
{
    return granted() ? __libc_calloc(count, size) : NULL;
}

void free(void *memory)
{
    frees += memory != NULL;
    __libc_free(memory);
}
#endif

static const int rates[] = { 8000, 16000, 22050, 44100, 48000, 88200, 96000, 192000 };
static const HearingSettings plain = { .gain = 1, .onset_threshold = 1, .hush = 0.05f };

// A sound: the pair at frame `n` of `rate`.
typedef struct {
    float hz, amplitude;
    float left, right; // factors of the channels
    double from;       // s: silence before
    uint32_t seed;
} Sound;
typedef float Voice(const Sound *sound, long long n, int rate);

static float silence(const Sound *sound, long long n, int rate)
{
    (void)sound, (void)n, (void)rate;
    return 0;
}

static float sine(const Sound *sound, long long n, int rate)
{
    return (float)sin(fmod(2 * M_PI * sound->hz * (double)n / rate, 2 * M_PI));
}

static float noise(const Sound *sound, long long n, int rate)
{
    (void)rate;
    return 2 * rng_unit(rng_draw(rng_key(sound->seed, 1), (uint32_t)n)) - 1;
}

// A click of one millisecond each half second (120 BPM), the first after a quarter.
static double click_time(int i)
{
    return 0.25 + 0.5 * i;
}

static float clicks(const Sound *sound, long long n, int rate)
{
    (void)sound;
    const double time = (double)n / rate, since = fmod(time + 0.25, 0.5);
    return time > 0.2 && since < 0.001 ? (float)cos(2 * M_PI * 1000 * since) : 0;
}

static void fill(float *pairs, int frames, Voice *voice, const Sound *sound, long long at, int rate)
{
    for (int i = 0; i < frames; i++) {
        const bool sounds = (double)(at + i) >= sound->from * rate;
        const float sample = sounds ? sound->amplitude * voice(sound, at + i, rate) : 0;
        pairs[2 * i] = sound->left * sample;
        pairs[2 * i + 1] = sound->right * sample;
    }
}

typedef void Look(void *data, const Features *f);

// Lets `analyser` hear `seconds` of a voice and shows each hop's features.
static Features listen(Analyser *analyser, double seconds, Voice *voice, const Sound *sound,
                       const HearingSettings *settings, Look *look, void *data)
{
    float pairs[2 * ANALYSIS_HOP_MAX];
    const int rate = analyser_rate(analyser), hop = analyser_hop_frames(analyser);
    Features f = { 0 };
    for (long long at = 0; (double)at < seconds * rate; at += hop) {
        fill(pairs, hop, voice, sound, at, rate);
        f = analyser_hop(analyser, pairs, settings);
        if (look) look(data, &f);
    }
    return f;
}

static Features heard(int rate, double seconds, Voice *voice, Sound sound)
{
    Analyser *analyser = analyser_new(rate);
    const Features f = listen(analyser, seconds, voice, &sound, &plain, NULL, NULL);
    analyser_free(analyser);
    return f;
}

static double db(double amplitude)
{
    return 20 * log10(amplitude + 1e-12);
}

static void within_db(double amplitude, double expected, double tolerance)
{
    if (fabs(db(amplitude) - db(expected)) > tolerance)
        fail_msg("%g reads %g dB, not %g", amplitude, db(amplitude), db(expected));
}

static const struct {
    SignalId signal;
    float low, high; // Hz
} bands[] = {
    { SIGNAL_BASS, 20, 200 },
    { SIGNAL_MID, 200, 2000 },
    { SIGNAL_TREBLE, 2000, 16000 },
};

static float centre(int band, int rate)
{
    return sqrtf(bands[band].low * fminf(bands[band].high, (float)rate / 2));
}

static void a_sine_at_a_bands_centre_reads_its_amplitude_there_at_any_rate(void **state)
{
    (void)state;
    for (int r = 0; r < COUNT_OF(rates); r++)
        for (int b = 0; b < COUNT_OF(bands); b++)
            for (int quiet = 0; quiet < 2; quiet++) {
                const float amplitude = quiet ? 0.01f : 1;
                const Sound sound = { centre(b, rates[r]), amplitude, 1, 1, 0, 0 };
                const Features f = heard(rates[r], 0.2, sine, sound);
                within_db(f.signal[bands[b].signal], amplitude, 1);
                for (int other = 0; other < COUNT_OF(bands); other++)
                    if (other != b) assert_true(f.signal[bands[other].signal] < 0.1f * amplitude);
            }
}

static double bin_hz(int bin)
{
    return 30 * pow(16000.0 / 30, bin / (ANALYSIS_SPECTRUM - 1.0));
}

static void a_sine_reads_its_amplitude_in_its_bin_of_the_spectrum_at_any_rate(void **state)
{
    (void)state;
    for (int r = 0; r < COUNT_OF(rates); r++)
        for (int bin = 5; bin < ANALYSIS_SPECTRUM && bin_hz(bin) < 0.48 * rates[r]; bin += 6) {
            const Sound sound = { (float)bin_hz(bin), 0.5f, 1, 1, 0, 0 };
            const Features f = heard(rates[r], 0.1, sine, sound);
            within_db(f.spectrum[bin], 0.5, 1);
            for (int far = 0; far < ANALYSIS_SPECTRUM; far++)
                if (fabs(bin_hz(far) - bin_hz(bin)) > 0.5 * bin_hz(bin) + 200)
                    assert_true(f.spectrum[far] < 0.05f);
        }
}

static void what_lies_beyond_half_the_rate_reads_nothing(void **state)
{
    (void)state;
    const Features f = heard(8000, 0.2, noise, (Sound){ 0, 1, 1, 1, 0, 3 });
    for (int bin = 0; bin < ANALYSIS_SPECTRUM; bin++)
        if (bin_hz(bin) > 4000) assert_true(f.spectrum[bin] == 0);
}

static void all_zero(void *data, const Features *f)
{
    (void)data;
    for (int i = 0; i < SIGNAL_COUNT; i++)
        assert_true(f->signal[i] == (i == SIGNAL_SILENCE ? 1 : signal_rows[i].low));
    for (int i = 0; i < ANALYSIS_WAVEFORM; i++) assert_true(f->waveform[i] == 0);
    for (int i = 0; i < ANALYSIS_SPECTRUM; i++) assert_true(f->spectrum[i] == 0);
    assert_false(f->onset);
}

static void silence_reads_zero(void **state)
{
    (void)state;
    for (int r = 0; r < COUNT_OF(rates); r++) {
        Analyser *analyser = analyser_new(rates[r]);
        listen(analyser, 0.5, silence, &(Sound){ 0 }, &plain, all_zero, NULL);
        analyser_free(analyser);
    }
}

static void denormals_read_zero(void **state)
{
    (void)state;
    const Sound sound = { 440, 1e-40f, 1, 1, 0, 0 };
    Analyser *analyser = analyser_new(48000);
    listen(analyser, 0.3, sine, &sound, &plain, all_zero, NULL);
    analyser_free(analyser);
}

static void channels_in_anti_phase_do_not_cancel(void **state)
{
    (void)state;
    const Features same = heard(48000, 0.2, sine, (Sound){ 632, 0.5f, 1, 1, 0, 0 });
    const Features anti = heard(48000, 0.2, sine, (Sound){ 632, 0.5f, 1, -1, 0, 0 });
    assert_true(same.signal[SIGNAL_MID] > 0.4f);
    assert_memory_equal(same.signal, anti.signal, sizeof same.signal);
    assert_memory_equal(same.spectrum, anti.spectrum, sizeof same.spectrum);
}

// All but loudness, which by its standard is of both channels together.
static void same_but_loudness(const Features *a, const Features *b)
{
    for (int i = 0; i < SIGNAL_COUNT; i++)
        if (strncmp(signal_rows[i].name, "loudness", 8)) assert_true(a->signal[i] == b->signal[i]);
    assert_memory_equal(a->spectrum, b->spectrum, sizeof a->spectrum);
    assert_memory_equal(a->waveform, b->waveform, sizeof a->waveform);
    assert_true(a->onset == b->onset && a->onset_time == b->onset_time);
}

static void one_side_alone_counts_as_much_as_both(void **state)
{
    (void)state;
    const Features both = heard(44100, 0.5, noise, (Sound){ 0, 0.5f, 1, 1, 0.3, 5 });
    const Features right = heard(44100, 0.5, noise, (Sound){ 0, 0.5f, 0, 1, 0.3, 5 });
    const Features left = heard(44100, 0.5, noise, (Sound){ 0, 0.5f, 1, 0, 0.3, 5 });
    assert_true(both.signal[SIGNAL_PEAK] > 0.4f && both.signal[SIGNAL_RMS] > 0.2f);
    same_but_loudness(&both, &right);
    same_but_loudness(&both, &left);
    within_db(pow(10, (both.signal[SIGNAL_LOUDNESS] - left.signal[SIGNAL_LOUDNESS]) / 20), sqrt(2),
              0.01);
}

static void in_range(void *data, const Features *f)
{
    (void)data;
    for (int i = 0; i < SIGNAL_COUNT; i++)
        assert_true(f->signal[i] >= signal_rows[i].low && f->signal[i] <= signal_rows[i].high);
    for (int i = 0; i < ANALYSIS_SPECTRUM; i++)
        assert_true(f->spectrum[i] >= 0 && f->spectrum[i] <= 1);
    for (int i = 0; i < ANALYSIS_WAVEFORM; i++)
        assert_true(f->waveform[i] >= -1 && f->waveform[i] <= 1);
}

static void every_signal_keeps_its_range_whatever_comes(void **state)
{
    (void)state;
    static const float amplitudes[] = { 0.001f, 1, 4.2f, 1e6f, 1e38f };
    static const float gains[] = { 0, 1, 1000, 1e30f, INFINITY, NAN };
    Analyser *analyser = analyser_new(48000);
    for (int i = 0; i < COUNT_OF(amplitudes); i++)
        for (int g = 0; g < COUNT_OF(gains); g++) {
            const Sound sound = { 0, amplitudes[i], 1, -0.3f, 0.05, (uint32_t)i };
            const float odd_one = gains[g];
            const HearingSettings odd = { .gain = odd_one,
                                          .onset_threshold = odd_one,
                                          .hush = odd_one,
                                          .automatic = i % 2,
                                          .attack = odd_one,
                                          .release = -odd_one,
                                          .edges = { odd_one, -odd_one, 1e6f, odd_one } };
            listen(analyser, 0.2, noise, &sound, &odd, in_range, NULL);
        }
    analyser_free(analyser);
}

static void samples_that_are_no_numbers_count_as_zero(void **state)
{
    (void)state;
    static const float bad[] = { NAN, INFINITY, -INFINITY };
    float dirty[2 * ANALYSIS_HOP_MAX], clean[2 * ANALYSIS_HOP_MAX];
    Analyser *a = analyser_new(48000), *b = analyser_new(48000);
    const int hop = analyser_hop_frames(a);
    const Sound sound = { 300, 0.5f, 1, 1, 0, 0 };
    for (int h = 0; h < 60; h++) {
        fill(clean, hop, sine, &sound, h * hop, 48000);
        memcpy(dirty, clean, sizeof clean);
        for (int i = h % 5; i < 2 * hop && h < 30; i += 5) {
            dirty[i] = bad[i % COUNT_OF(bad)];
            clean[i] = 0;
        }
        const Features f = analyser_hop(a, dirty, &plain), g = analyser_hop(b, clean, &plain);
        in_range(NULL, &f);
        assert_memory_equal(&f, &g, sizeof f);
    }
    analyser_free(a);
    analyser_free(b);
}

static void gain_moves_level_and_bands_but_not_peak_or_onsets(void **state)
{
    (void)state;
    const Sound sound = { 632, 0.1f, 1, 1, 0, 0 };
    const HearingSettings louder = { .gain = 4, .onset_threshold = 1, .hush = 0.05f };
    Analyser *analyser = analyser_new(48000);
    const Features f = listen(analyser, 0.2, sine, &sound, &louder, NULL, NULL);
    analyser_free(analyser);
    within_db(f.signal[SIGNAL_PEAK], 0.1, 0.1);
    within_db(f.signal[SIGNAL_LEVEL], 0.4, 0.1);
    within_db(f.signal[SIGNAL_MID], 0.4, 1);
    within_db(f.signal[SIGNAL_RMS], 0.1 / sqrt(2), 0.2);
}

typedef struct {
    int count;
    double placed[64], reported[64]; // s
    double after;                    // s: earlier ones are not counted
} Onsets;

static void note_onset(void *data, const Features *f)
{
    Onsets *onsets = data;
    assert_true(f->onset == (f->signal[SIGNAL_ONSET] > 0));
    if (!f->onset || f->time < onsets->after) return;
    if (onsets->count < COUNT_OF(onsets->placed)) {
        onsets->placed[onsets->count] = f->onset_time;
        onsets->reported[onsets->count] = f->time;
    }
    onsets->count++;
}

static Onsets onsets_of(int rate, double seconds, Voice *voice, Sound sound, double after)
{
    Onsets onsets = { .after = after };
    Analyser *analyser = analyser_new(rate);
    listen(analyser, seconds, voice, &sound, &plain, note_onset, &onsets);
    analyser_free(analyser);
    return onsets;
}

static void each_click_is_one_onset_in_its_place_at_any_rate(void **state)
{
    (void)state;
    for (int r = 0; r < COUNT_OF(rates); r += SANITIZED ? 4 : 1)
        for (int quiet = 0; quiet < 2; quiet++) {
            const Sound sound = { 0, quiet ? 0.03f : 0.9f, 1, quiet ? 0 : 1, 0, 0 };
            const Onsets onsets = onsets_of(rates[r], 5, clicks, sound, 0);
            assert_int_equal(onsets.count, 10);
            for (int i = 0; i < onsets.count; i++) {
                assert_true(fabs(onsets.placed[i] - click_time(i)) < 0.010);
                assert_true(onsets.reported[i] - click_time(i) < 0.015);
            }
        }
}

static void steady_sound_has_no_onsets(void **state)
{
    (void)state;
    static const int some_rates[] = { 8000, 44100, 96000 };
    for (int r = 0; r < (SANITIZED ? 1 : COUNT_OF(some_rates)); r++) {
        const int rate = some_rates[r];
        for (float amplitude = 1; amplitude > 1e-5f; amplitude *= 0.1f) {
            const Sound hiss = { 0, amplitude, 1, 1, 0, 11 };
            assert_int_equal(onsets_of(rate, 4, noise, hiss, 0.2).count, 0);
        }
        for (float hz = 30; hz < 0.49f * (float)rate; hz *= 1.7f)
            assert_int_equal(onsets_of(rate, 1, sine, (Sound){ hz, 0.9f, 1, 1, 0, 0 }, 0.1).count,
                             0);
    }
}

static void a_tone_that_enters_is_one_onset(void **state)
{
    (void)state;
    for (float hz = 60; hz < 10000; hz *= 1.5f) {
        const Onsets onsets = onsets_of(48000, 2, sine, (Sound){ hz, 0.5f, 1, 1, 0.5, 0 }, 0);
        assert_int_equal(onsets.count, 1);
        assert_true(fabs(onsets.placed[0] - 0.5) < 0.025);
    }
}

static void starting_amid_sound_is_no_onset(void **state)
{
    (void)state;
    Analyser *analyser = analyser_new(48000);
    for (int r = 0; r < COUNT_OF(rates); r++) {
        Onsets onsets = { 0 };
        const Sound sound = { 0, 0.8f, 1, 1, 0, (uint32_t)r };
        analyser_retune(analyser, rates[r]);
        analyser_join(analyser);
        listen(analyser, 0.5, noise, &sound, &plain, note_onset, &onsets);
        assert_int_equal(onsets.count, 0);
    }
    analyser_free(analyser);
}

static void a_sound_that_begins_at_once_is_one_onset(void **state)
{
    (void)state;
    for (int r = 0; r < COUNT_OF(rates); r++) {
        const Sound sound = { 300, 0.8f, 1, 1, 0, (uint32_t)r };
        assert_int_equal(onsets_of(rates[r], 0.5, noise, sound, 0).count, 1);
        assert_int_equal(onsets_of(rates[r], 0.5, sine, sound, 0).count, 1);
    }
}

static void a_longer_hush_and_a_higher_threshold_hear_fewer(void **state)
{
    (void)state;
    const Sound sound = { 0, 0.9f, 1, 1, 0, 0 };
    const HearingSettings slow = { .gain = 1, .onset_threshold = 1, .hush = 0.7f };
    const HearingSettings dull = { .gain = 1, .onset_threshold = 10, .hush = 0.05f };
    Onsets hushed = { 0 }, dulled = { 0 };
    Analyser *analyser = analyser_new(48000);
    listen(analyser, 5, clicks, &sound, &slow, note_onset, &hushed);
    assert_int_equal(hushed.count, 5);
    analyser_retune(analyser, 48000);
    const Sound faint = { 0, 0.003f, 1, 1, 0, 0 };
    listen(analyser, 5, clicks, &faint, &dull, note_onset, &dulled);
    assert_int_equal(dulled.count, 0);
    analyser_free(analyser);
}

static void retuned_hears_as_new_and_the_same_samples_give_the_same(void **state)
{
    (void)state;
    float pairs[2 * ANALYSIS_HOP_MAX];
    Analyser *used = analyser_new(192000);
    for (int r = 0; r < COUNT_OF(rates); r++) {
        const Sound sound = { 0, 0.5f, 1, 0.7f, 0.1, (uint32_t)r };
        listen(used, 0.3, noise, &sound, &plain, NULL, NULL);
        analyser_retune(used, rates[r]);
        Analyser *fresh = analyser_new(rates[r]);
        const int hop = analyser_hop_frames(fresh);
        assert_int_equal(analyser_hop_frames(used), hop);
        for (int h = 0; h < 100; h++) {
            fill(pairs, hop, h < 70 ? noise : clicks, &sound, h * hop, rates[r]);
            const Features f = analyser_hop(used, pairs, &plain);
            const Features g = analyser_hop(fresh, pairs, &plain);
            assert_memory_equal(&f, &g, sizeof f);
        }
        analyser_free(fresh);
    }
    analyser_free(used);
}

static void a_hop_is_a_187th_and_a_half_of_a_second_and_time_is_its_end(void **state)
{
    (void)state;
    for (int r = 0; r < COUNT_OF(rates); r++) {
        Analyser *analyser = analyser_new(rates[r]);
        const int hop = analyser_hop_frames(analyser);
        assert_int_equal(hop, lround(rates[r] / 187.5));
        assert_true(hop <= ANALYSIS_HOP_MAX);
        const Features f = listen(analyser, 0.1, silence, &(Sound){ 0 }, &plain, NULL, NULL);
        const long hops = lround(ceil(0.1 * rates[r] / hop));
        assert_true(fabs(f.time - (double)(hops * hop) / rates[r]) < 1e-9);
        analyser_free(analyser);
    }
}

static void a_rate_out_of_range_is_clamped(void **state)
{
    (void)state;
    Analyser *analyser = analyser_new(1);
    assert_int_equal(analyser_rate(analyser), ANALYSIS_RATE_MIN);
    analyser_retune(analyser, 1000000);
    assert_int_equal(analyser_rate(analyser), ANALYSIS_RATE_MAX);
    analyser_free(analyser);
}

static void neither_hop_nor_retune_allocates(void **state)
{
    (void)state;
    if (!MALLOC_TRAP) skip();
    const int at_first = allocations;
    Analyser *analyser = analyser_new(8000);
    const int before = allocations;
    assert_true(before > at_first); // the trap is set
    for (int r = 0; r < COUNT_OF(rates); r++) {
        const Sound sound = { 0, 0.5f, 1, 1, 0.02, 1 };
        analyser_retune(analyser, rates[r]);
        listen(analyser, 0.1, noise, &sound, &plain, NULL, NULL);
    }
    assert_int_equal(allocations, before);
    analyser_free(analyser);
}

static void out_of_memory_at_any_step_is_null_and_leaks_nothing(void **state)
{
    (void)state;
    if (!MALLOC_TRAP) skip();
    int granted_before_one_fails = 0;
    for (Analyser *analyser = NULL; !analyser; granted_before_one_fails++) {
        const int held = allocations - frees;
        refused_after = granted_before_one_fails;
        analyser = analyser_new(48000);
        refused_after = -1;
        if (analyser) assert_true(granted_before_one_fails >= 10);
        analyser_free(analyser);
        assert_int_equal(allocations - frees, held);
        if (analyser) break;
    }
    analyser_free(NULL);
}

static void every_signal_is_found_by_its_name(void **state)
{
    (void)state;
    for (int i = 0; i < SIGNAL_COUNT; i++) {
        assert_int_equal(signal_find(signal_rows[i].name), i);
        assert_true(signal_rows[i].low < signal_rows[i].high && *signal_rows[i].help);
    }
    assert_int_equal(signal_find("tempi"), -1);
    assert_int_equal(signal_find(""), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sine_at_a_bands_centre_reads_its_amplitude_there_at_any_rate),
        cmocka_unit_test(a_sine_reads_its_amplitude_in_its_bin_of_the_spectrum_at_any_rate),
        cmocka_unit_test(what_lies_beyond_half_the_rate_reads_nothing),
        cmocka_unit_test(silence_reads_zero),
        cmocka_unit_test(denormals_read_zero),
        cmocka_unit_test(channels_in_anti_phase_do_not_cancel),
        cmocka_unit_test(one_side_alone_counts_as_much_as_both),
        cmocka_unit_test(every_signal_keeps_its_range_whatever_comes),
        cmocka_unit_test(samples_that_are_no_numbers_count_as_zero),
        cmocka_unit_test(gain_moves_level_and_bands_but_not_peak_or_onsets),
        cmocka_unit_test(each_click_is_one_onset_in_its_place_at_any_rate),
        cmocka_unit_test(steady_sound_has_no_onsets),
        cmocka_unit_test(a_tone_that_enters_is_one_onset),
        cmocka_unit_test(starting_amid_sound_is_no_onset),
        cmocka_unit_test(a_sound_that_begins_at_once_is_one_onset),
        cmocka_unit_test(a_longer_hush_and_a_higher_threshold_hear_fewer),
        cmocka_unit_test(retuned_hears_as_new_and_the_same_samples_give_the_same),
        cmocka_unit_test(a_hop_is_a_187th_and_a_half_of_a_second_and_time_is_its_end),
        cmocka_unit_test(a_rate_out_of_range_is_clamped),
        cmocka_unit_test(neither_hop_nor_retune_allocates),
        cmocka_unit_test(out_of_memory_at_any_step_is_null_and_leaks_nothing),
        cmocka_unit_test(every_signal_is_found_by_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
