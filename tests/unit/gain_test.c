// The automatic gain: what it brings up, what it leaves alone, and who is in charge.
#include "test.h"

#include <math.h>
#include <string.h>

#include "analysis/analysis.h"

static const int rates[] = { 16000, 44100, 48000, 192000 };

// A part of a scene.
typedef enum { SILENCE, MUSIC, HISS, PINK, BROWN, HUM, RECORD, DRUMMER, NOTE, KICK } Kind;
typedef struct {
    Kind kind;
    float db; // of full scale: the peak of the music, the root mean square of the hiss
    float seconds;
} Part;

static float noise(long long n, uint32_t draw)
{
    return 2 * rng_unit(rng_draw(rng_key(7, (uint64_t)n), draw)) - 1;
}

// Kicks and hats over chords, the greatest sample about 1.
static double music(long long n, int rate)
{
    const double time = (double)n / rate, since = fmod(time, 0.5), off = fmod(time + 0.25, 0.5);
    double chord = 0;
    for (int i = 0; i < 3; i++) chord += sin(fmod(2 * M_PI * (220 + 55 * i) * time, 2 * M_PI));
    return 0.75 * sin(2 * M_PI * 55 * since) * exp(-12 * since) + 0.06 * chord +
           0.1 * noise(n, 0) * exp(-60 * off);
}

// Sum of four: near enough to what a resistor makes.
static double hiss(long long n)
{
    double sum = 0;
    for (uint32_t i = 0; i < 4; i++) sum += noise(n, i);
    return sqrt(0.75) * sum;
}

// A sum of slow and fast noises: 3 dB less an octave.
static double pink(long long n)
{
    static double slow[5];
    static const double poles[] = { 0.999, 0.99, 0.93, 0.6, 0 };
    const double x = hiss(n);
    double sum = 0;
    for (int i = 0; i < COUNT_OF(slow); i++) {
        slow[i] = poles[i] * slow[i] + sqrt(1 - poles[i] * poles[i]) * x;
        sum += slow[i];
    }
    return sum / 3.55; // their root mean square together
}

// 6 dB less an octave, from 20 Hz up.
static double brown(long long n, int rate)
{
    static double rumble;
    const double pole = exp(-2 * M_PI * 20 / rate);
    rumble = pole * rumble + sqrt(1 - pole * pole) * hiss(n);
    return rumble;
}

// Of the mains, with its overtones and a little hiss.
static double hum(long long n, int rate)
{
    const double turn = fmod(2 * M_PI * 50 * (double)n / rate, 2 * M_PI);
    double sum = 0;
    for (int i = 1; i <= 6; i++) sum += sin(i * turn + i) / i;
    return 1.15 * sum + 0.1 * hiss(n);
}

// An empty groove: hiss, and two crackles a second, 25 dB above it.
static double record(long long n, int rate)
{
    const long long place = n / 48;
    const bool cracks =
        rng_unit(rng_draw(rng_key(9, (uint64_t)place), 9)) < 2 * 48.0f / (float)rate;
    return pink(n) + (cracks ? 18 * noise(n, 8) : 0);
}

// Kick and snare in turn, with nothing between them.
static double drums(long long n, int rate)
{
    const double time = (double)n / rate, since = fmod(time, 0.5);
    if (since > 0.2) return 0;
    const bool kicks = fmod(time, 1) < 0.5;
    return kicks ? sin(2 * M_PI * 60 * since) * exp(-20 * since) : noise(n, 0) * exp(-30 * since);
}

static double sample(Kind kind, long long n, int rate)
{
    switch (kind) {
    case MUSIC:
        return music(n, rate);
    case HISS:
        return hiss(n);
    case PINK:
        return pink(n);
    case BROWN:
        return brown(n, rate);
    case HUM:
        return hum(n, rate);
    case RECORD:
        return record(n, rate);
    case DRUMMER:
        return drums(n, rate);
    case NOTE:
        return sin(fmod(2 * M_PI * 300 * (double)n / rate, 2 * M_PI));
    case KICK:
        return sin(fmod(2 * M_PI * 80 * (double)n / rate, 2 * M_PI));
    case SILENCE:
        break;
    }
    return 0;
}

typedef struct {
    Analyser *analyser;
    long long heard; // frames
    HearingSettings settings;
    Features last;
} Ear;

static Ear ear_at(int rate)
{
    return (Ear){
        .analyser = analyser_new(rate),
        .settings = { .gain = 1, .onset_threshold = 1, .hush = 0.05f, .automatic = true },
    };
}

static void hear_hop(Ear *ear, Kind kind, double amplitude)
{
    float pairs[2 * ANALYSIS_HOP_MAX];
    const int hop = analyser_hop_frames(ear->analyser), rate = analyser_rate(ear->analyser);
    for (int i = 0; i < hop; i++)
        pairs[2 * i] = pairs[2 * i + 1] = (float)(amplitude * sample(kind, ear->heard + i, rate));
    ear->heard += hop;
    ear->last = analyser_hop(ear->analyser, pairs, &ear->settings);
}

// What can make births: the greatest of every signal that the gain moves.
static float most_shown(const Features *f)
{
    static const SignalId shown[] = { SIGNAL_LEVEL,   SIGNAL_BASS,     SIGNAL_MID,
                                      SIGNAL_TREBLE,  SIGNAL_SUB,      SIGNAL_LOW,
                                      SIGNAL_LOW_MID, SIGNAL_HIGH_MID, SIGNAL_HIGH };
    float most = 0;
    for (int i = 0; i < COUNT_OF(shown); i++) most = fmaxf(most, f->signal[shown[i]]);
    for (int i = 0; i < ANALYSIS_SPECTRUM; i++) most = fmaxf(most, f->spectrum[i]);
    return most;
}

typedef struct {
    float level, shown; // the greatest
    float least_gain, most_gain;
    bool always_silent, never_silent;
} Heard;

static Heard hear(Ear *ear, Part part)
{
    Heard h = { .least_gain = INFINITY, .always_silent = true, .never_silent = true };
    const int hop = analyser_hop_frames(ear->analyser);
    const long long end = ear->heard + llround((double)part.seconds * analyser_rate(ear->analyser));
    while (ear->heard + hop <= end) {
        hear_hop(ear, part.kind, pow(10, part.db / 20));
        h.level = fmaxf(h.level, ear->last.signal[SIGNAL_LEVEL]);
        h.shown = fmaxf(h.shown, most_shown(&ear->last));
        h.least_gain = fminf(h.least_gain, ear->last.gain);
        h.most_gain = fmaxf(h.most_gain, ear->last.gain);
        h.always_silent = h.always_silent && ear->last.silent;
        h.never_silent = h.never_silent && !ear->last.silent;
    }
    return h;
}

enum { LONG = SANITIZED ? 3 : 20 }; // s

static void quiet_music_comes_up_within_five_seconds_at_any_rate(void **state)
{
    (void)state;
    for (int r = 0; r < COUNT_OF(rates); r += SANITIZED ? 2 : 1)
        for (float db = -45; db < (rates[r] == 48000 ? 0 : -44); db += 15) {
            Ear ear = ear_at(rates[r]);
            hear(&ear, (Part){ MUSIC, db, 5 });
            const Heard h = hear(&ear, (Part){ MUSIC, db, 1 });
            assert_true(h.level > 0.6f && h.level <= 0.81f && h.never_silent);
            analyser_free(ear.analyser);
        }
}

static void full_scale_music_is_left_as_it_is(void **state)
{
    (void)state;
    Ear ear = ear_at(48000);
    hear(&ear, (Part){ MUSIC, 0, 5 });
    const Heard h = hear(&ear, (Part){ MUSIC, 0, 2 });
    assert_true(h.most_gain < 1.3f && h.least_gain >= 1);
    analyser_free(ear.analyser);
}

static void hiss_shows_nothing_however_long_and_whatever_was_before(void **state)
{
    (void)state;
    static const Part before[] = { { SILENCE, 0, 1 }, { MUSIC, 0, 4 }, { MUSIC, -45, 6 } };
    for (int r = 1; r < 3; r++)
        for (int b = r - 1; b < COUNT_OF(before); b += r) {
            Ear ear = ear_at(rates[r]);
            hear(&ear, before[b]);
            hear(&ear, (Part){ HISS, -60, 1 });
            assert_true(hear(&ear, (Part){ HISS, -60, 2 }).shown == 0);
            const float gain = ear.last.gain;
            const Heard h = hear(&ear, (Part){ HISS, -60, LONG });
            assert_true(h.shown == 0 && h.always_silent);
            assert_true(h.least_gain == gain && h.most_gain == gain); // held
            analyser_free(ear.analyser);
        }
}

static void nothing_steady_shows_after_loud_music_either(void **state)
{
    (void)state;
    if (SANITIZED) skip(); // figures, of which a sanitizer knows nothing
    static const Kind steady[] = { PINK, BROWN, HUM, RECORD };
    for (int k = 0; k < COUNT_OF(steady); k++) {
        Ear ear = ear_at(48000);
        hear(&ear, (Part){ MUSIC, 0, 5 });
        hear(&ear, (Part){ steady[k], -60, 0.5f }); // the music's end
        assert_true(hear(&ear, (Part){ steady[k], -60, 5 }).shown < 0.05f);
        const Heard h = hear(&ear, (Part){ steady[k], -60, LONG });
        if (h.shown > 0 || !h.always_silent) fail_msg("sound %d shows %g", steady[k], h.shown);
        analyser_free(ear.analyser);
    }
}

// What begins out of nothing is no hit, unless it ends again.
static void a_hiss_that_is_switched_on_shows_nothing(void **state)
{
    (void)state;
    if (SANITIZED) skip(); // figures, of which a sanitizer knows nothing
    static const Kind steady[] = { HISS, PINK, BROWN, HUM };
    for (int k = 0; k < COUNT_OF(steady); k++) {
        Ear ear = ear_at(44100);
        hear(&ear, (Part){ MUSIC, -45, 6 }); // the gain is high
        hear(&ear, (Part){ SILENCE, 0, 4 });
        for (int i = 0; i < 3; i++) {
            assert_true(hear(&ear, (Part){ steady[k], -60, 2 }).shown == 0);
            hear(&ear, (Part){ SILENCE, 0, 1 });
        }
        analyser_free(ear.analyser);
    }
}

static void drums_out_of_silence_come_up_within_five_seconds(void **state)
{
    (void)state;
    for (int r = 0; r < (SANITIZED ? 2 : COUNT_OF(rates) - 1); r++) {
        Ear ear = ear_at(rates[r]);
        hear(&ear, (Part){ SILENCE, 0, 2 });
        hear(&ear, (Part){ DRUMMER, -50, 4 });
        const Heard h = hear(&ear, (Part){ DRUMMER, -50, 2 });
        assert_true(h.level > 0.6f && h.level <= 0.81f && h.never_silent);
        analyser_free(ear.analyser);
    }
}

static void nothing_jumps_to_full_scale_out_of_silence(void **state)
{
    (void)state;
    static const Part pauses[] = { { SILENCE, 0, 3 }, { HISS, -60, 3 }, { SILENCE, 0, LONG } };
    for (int p = 0; p < COUNT_OF(pauses); p++) {
        Ear ear = ear_at(48000);
        hear(&ear, (Part){ MUSIC, -45, 6 }); // the gain is high
        assert_true(ear.last.gain > 50);
        hear(&ear, pauses[p]);
        const Heard h = hear(&ear, (Part){ NOTE, -3, 2 });
        assert_true(h.level <= 0.81f);
        assert_true(ear.last.gain < 1.2f); // and it has come down
        analyser_free(ear.analyser);
    }
}

static void the_gate_opens_by_degrees_to_what_fades_in(void **state)
{
    (void)state;
    Ear ear = ear_at(48000);
    hear(&ear, (Part){ MUSIC, -45, 6 });
    hear(&ear, (Part){ SILENCE, 0, 3 });
    float before = 0, most_step = 0;
    for (double db = -90; db < -45; db += 0.05) { // 9 dB a second
        hear_hop(&ear, NOTE, pow(10, db / 20));
        const float now = most_shown(&ear.last);
        most_step = fmaxf(most_step, now - before);
        before = now;
    }
    assert_true(before > 0.5f && most_step < 0.05f);
    analyser_free(ear.analyser);
}

static void a_loud_attack_out_of_silence_is_shown_at_once(void **state)
{
    (void)state;
    Ear ear = ear_at(48000);
    hear(&ear, (Part){ SILENCE, 0, 3 });
    for (int h = 0; h < 3; h++) hear_hop(&ear, NOTE, 0.5);
    assert_true(ear.last.signal[SIGNAL_LEVEL] > 0.45f);
    hear(&ear, (Part){ SILENCE, 0, 3 });
    int hops = 0; // until a kick is half there in its band
    for (; ear.last.signal[SIGNAL_LOW] < 0.25f && hops < 20; hops++) hear_hop(&ear, KICK, 0.5);
    assert_true(hops / 187.5 <= 0.030);
    analyser_free(ear.analyser);
}

static void a_knock_does_not_turn_the_music_down(void **state)
{
    (void)state;
    Ear ear = ear_at(48000);
    hear(&ear, (Part){ MUSIC, -40, 8 });
    const float before = ear.last.gain;
    hear_hop(&ear, NOTE, 1);
    assert_true(ear.last.signal[SIGNAL_LEVEL] <= 1);
    hear(&ear, (Part){ MUSIC, -40, 0.5f });
    assert_true(ear.last.gain > 0.8f * before);
    analyser_free(ear.analyser);
}

static void a_soft_verse_stays_softer_than_its_chorus(void **state)
{
    (void)state;
    Ear ear = ear_at(48000);
    const Heard chorus = hear(&ear, (Part){ MUSIC, -6, 10 });
    hear(&ear, (Part){ MUSIC, -18, 5 });
    const Heard verse = hear(&ear, (Part){ MUSIC, -18, 3 });
    assert_true(verse.level > 0.1f && verse.level < 0.6f * chorus.level);
    analyser_free(ear.analyser);
}

static void after_a_long_silence_the_gain_is_found_anew(void **state)
{
    (void)state;
    Ear ear = ear_at(48000);
    hear(&ear, (Part){ MUSIC, 0, 6 });
    hear(&ear, (Part){ SILENCE, 0, 8 });
    hear(&ear, (Part){ MUSIC, -45, 5 });
    assert_true(hear(&ear, (Part){ MUSIC, -45, 1 }).level > 0.6f);
    analyser_free(ear.analyser);
}

static void the_gain_is_capped_and_a_band_of_hiss_is_not_raised(void **state)
{
    (void)state;
    Ear ear = ear_at(48000);
    const Heard h = hear(&ear, (Part){ NOTE, -62, 15 });
    assert_true(h.most_gain > 200 && h.most_gain < 252 && ear.last.signal[SIGNAL_HIGH] < 0.01f);
    analyser_free(ear.analyser);
}

static void by_hand_the_gain_is_the_hands_and_nothing_is_gated(void **state)
{
    (void)state;
    Ear ear = ear_at(48000);
    ear.settings.automatic = false;
    ear.settings.gain = 2;
    const Heard h = hear(&ear, (Part){ HISS, -60, 3 });
    assert_true(!ear.last.automatic && h.most_gain == 2 && h.least_gain == 2);
    assert_true(h.level > 0.004f && h.always_silent); // it is still no music
    assert_float_equal(ear.last.signal[SIGNAL_LEVEL], 2 * ear.last.signal[SIGNAL_PEAK], 1e-6);
    ear.settings.automatic = true;
    hear_hop(&ear, HISS, 0.001);
    assert_true(ear.last.automatic && ear.last.signal[SIGNAL_LEVEL] == 0);
    analyser_free(ear.analyser);
}

static void restarted_it_hears_as_new(void **state)
{
    (void)state;
    static const Part scene[] = { { MUSIC, -30, 4 }, { HISS, -60, 2 }, { MUSIC, -6, 3 } };
    Ear used = ear_at(48000), fresh = ear_at(44100);
    for (int p = 0; p < COUNT_OF(scene); p++) hear(&used, scene[p]);
    analyser_retune(used.analyser, 44100);
    used.heard = 0;
    for (int p = 0; p < COUNT_OF(scene); p++) {
        hear(&used, scene[p]);
        hear(&fresh, scene[p]);
        assert_memory_equal(used.last.signal, fresh.last.signal, sizeof fresh.last.signal);
        assert_memory_equal(used.last.waveform, fresh.last.waveform, sizeof fresh.last.waveform);
        assert_true(used.last.gain == fresh.last.gain && used.last.silent == fresh.last.silent);
    }
    analyser_free(used.analyser);
    analyser_free(fresh.analyser);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quiet_music_comes_up_within_five_seconds_at_any_rate),
        cmocka_unit_test(full_scale_music_is_left_as_it_is),
        cmocka_unit_test(hiss_shows_nothing_however_long_and_whatever_was_before),
        cmocka_unit_test(nothing_steady_shows_after_loud_music_either),
        cmocka_unit_test(a_hiss_that_is_switched_on_shows_nothing),
        cmocka_unit_test(drums_out_of_silence_come_up_within_five_seconds),
        cmocka_unit_test(nothing_jumps_to_full_scale_out_of_silence),
        cmocka_unit_test(the_gate_opens_by_degrees_to_what_fades_in),
        cmocka_unit_test(a_loud_attack_out_of_silence_is_shown_at_once),
        cmocka_unit_test(a_knock_does_not_turn_the_music_down),
        cmocka_unit_test(a_soft_verse_stays_softer_than_its_chorus),
        cmocka_unit_test(after_a_long_silence_the_gain_is_found_anew),
        cmocka_unit_test(the_gain_is_capped_and_a_band_of_hiss_is_not_raised),
        cmocka_unit_test(by_hand_the_gain_is_the_hands_and_nothing_is_gated),
        cmocka_unit_test(restarted_it_hears_as_new),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
