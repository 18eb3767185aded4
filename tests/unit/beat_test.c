#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"

// Music made here: drums that ring for a moment, at times that are known.
enum { RATE = 22050 };

typedef struct {
    double bpm;
    double changes_at, changes_to; // s, BPM; 0: never
    double break_from, break_to;   // s: nothing sounds
    bool drums; // a kick on 1 and 3, a snare on 2 and 4, hats on eighths; else clicks
} Music;

// Beats since the start.
static double beats_at(const Music *music, double time)
{
    if (music->changes_at <= 0 || time < music->changes_at) return time * music->bpm / 60;
    return music->changes_at * music->bpm / 60 +
           (time - music->changes_at) * music->changes_to / 60;
}

static float hiss(uint32_t n)
{
    return 2 * rng_unit(rng_draw(rng_key(7, 1), n)) - 1;
}

static float kick(double since)
{
    return (float)(exp(-since / 0.08) *
                   sin(2 * M_PI * (50 * since + 3 * (1 - exp(-since / 0.02)))));
}

static float snare(double since, uint32_t n)
{
    return (float)(exp(-since / 0.06) * (0.5 * hiss(n) + 0.5 * sin(2 * M_PI * 190 * since)));
}

// White noise and its neighbour's difference: mostly above 8 kHz.
static float hat(double since, uint32_t n)
{
    return (float)exp(-since / 0.02) * 0.5f * (hiss(n) - hiss(n + 1));
}

static float drums(double beat, double period, uint32_t n)
{
    const double place = fmod(beat, 1), eighth = fmod(2 * beat, 1);
    const float strong =
        (long)beat % 2 ? 0.6f * snare(place * period, n) : 0.8f * kick(place * period);
    return strong + 0.15f * hat(eighth * period / 2, n);
}

static float click(double since)
{
    return since < 0.001 ? (float)cos(2 * M_PI * 1000 * since) : 0;
}

static float play(const Music *music, long long n)
{
    const double time = (double)n / RATE;
    if (music->bpm <= 0) return 0;
    if (time >= music->break_from && time < music->break_to) return 0;
    const bool changed = music->changes_at > 0 && time >= music->changes_at;
    const double period = 60 / (changed ? music->changes_to : music->bpm);
    const double beat = beats_at(music, time);
    if (music->drums) return drums(beat, period, (uint32_t)n);
    return 0.8f * click(fmod(beat, 1) * period);
}

static const HearingSettings plain = { .gain = 1, .onset_threshold = 1, .hush = 0.05f };

// What the ears said from `after` on.
typedef struct {
    double after;
    int beats, near; // all; those within 70 ms of a true one
    int onsets, sure, hops;
    int hits[DRUMS];
    float bpm, confidence, most_confidence;
    double last;
} Said;

typedef float Voice(const void *what, long long n);

static float voice_music(const void *what, long long n)
{
    return play(what, n);
}

static double off_beat(const Music *music, double time) // s to the nearest true beat
{
    const bool changed = music->changes_at > 0 && time >= music->changes_at;
    const double beat = beats_at(music, time);
    return fabs(beat - round(beat)) * 60 / (changed ? music->changes_to : music->bpm);
}

static void note(Said *said, const Features *f, const Music *music)
{
    static const SignalId drum[DRUMS] = { SIGNAL_KICK, SIGNAL_SNARE, SIGNAL_HAT };
    assert_true(f->beat == (f->signal[SIGNAL_BEAT] > 0));
    said->bpm = f->signal[SIGNAL_BPM];
    said->confidence = f->signal[SIGNAL_CONFIDENCE];
    if (f->time < said->after) return;
    said->hops++;
    said->onsets += f->onset;
    said->sure += said->confidence >= 0.5f;
    said->most_confidence = fmaxf(said->most_confidence, said->confidence);
    for (int i = 0; i < DRUMS; i++) said->hits[i] += f->signal[drum[i]] > 0;
    if (!f->beat) return;
    said->beats++;
    said->near += music && off_beat(music, f->time) < 0.07;
    said->last = f->time;
}

static void hear_on(Analyser *analyser, double from, double to, Voice *voice, const void *what,
                    const HearingSettings *settings, Said *said)
{
    float pairs[2 * ANALYSIS_HOP_MAX];
    const int hop = analyser_hop_frames(analyser);
    const Music *music = voice == voice_music ? what : NULL;
    const long long first = llround(from * RATE / hop), end = llround(to * RATE / hop);
    for (long long at = first * hop; at < end * hop; at += hop) {
        for (int i = 0; i < hop; i++) pairs[2 * i] = pairs[2 * i + 1] = voice(what, at + i);
        const Features f = analyser_hop(analyser, pairs, settings);
        note(said, &f, music);
    }
}

static Said heard(double seconds, double after, Voice *voice, const void *what)
{
    Said said = { .after = after };
    Analyser *analyser = analyser_new(RATE);
    hear_on(analyser, 0, seconds, voice, what, &plain, &said);
    analyser_free(analyser);
    return said;
}

static void tempo_is(float bpm, double expected)
{
    if (fabs(bpm / expected - 1) > 0.01) fail_msg("%.2f BPM, not %.2f", bpm, expected);
}

// How much of `expected` beats were there and in place.
static void beats_are(const Said *said, double expected)
{
    if (said->near + 1 < 0.95 * expected || said->beats > 1.05 * expected + 1)
        fail_msg("%d beats, %d in place, of %.0f", said->beats, said->near, expected);
}

static const double tempos[] = { 60, 72, 87, 100, 110, 120, 128, 140, 150, 160, 174, 180 };

static void clicks_of_any_usual_tempo_are_followed(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT_OF(tempos); i += SANITIZED ? 4 : 1) {
        const Music music = { .bpm = tempos[i] };
        const Said said = heard(20, 12, voice_music, &music);
        tempo_is(said.bpm, tempos[i]);
        beats_are(&said, 8 * tempos[i] / 60);
        assert_true(said.sure == said.hops);
    }
}

static void drums_are_followed_at_their_tempo_or_its_half(void **state)
{
    (void)state;
    if (SANITIZED) skip(); // figures, of which a sanitizer knows nothing
    for (int i = 1; i < COUNT_OF(tempos); i += 2) {
        const Music music = { .bpm = tempos[i], .drums = true };
        const Said said = heard(18, 10, voice_music, &music);
        const double octave = said.bpm < 0.75 * tempos[i]  ? 0.5
                              : said.bpm > 1.5 * tempos[i] ? 2
                                                           : 1;
        tempo_is(said.bpm, octave * tempos[i]);
        if (octave == 1) beats_are(&said, 8 * tempos[i] / 60);
        assert_true(said.sure > said.hops * 9 / 10);
    }
}

static void each_drum_is_heard_as_itself(void **state)
{
    (void)state;
    const Music music = { .bpm = 120, .drums = true };
    const Said said = heard(18, 2, voice_music, &music); // 32 beats
    assert_in_range(said.hits[DRUM_KICK], 15, 20);
    assert_in_range(said.hits[DRUM_SNARE], 15, 20);
    assert_in_range(said.hits[DRUM_HAT], 28, 66); // those that no drum hides
}

static void a_hundred_and_twenty_clicks_are_as_many_onsets(void **state)
{
    (void)state;
    if (SANITIZED) skip(); // figures, of which a sanitizer knows nothing
    const Music music = { .bpm = 120 };
    const Said said = heard(60.2, 0.2, voice_music, &music);
    assert_int_equal(said.onsets, 120);
}

static void another_tempo_is_followed_within_seconds(void **state)
{
    (void)state;
    static const double to[] = { 100, 132, 150 };
    for (int i = 0; i < COUNT_OF(to); i++) {
        const Music music = { .bpm = 120, .changes_at = 12, .changes_to = to[i] };
        const Said said = heard(28, 22, voice_music, &music);
        tempo_is(said.bpm, to[i]);
        beats_are(&said, 6 * to[i] / 60);
    }
}

static void a_break_is_counted_through(void **state)
{
    (void)state;
    if (SANITIZED) skip(); // figures, of which a sanitizer knows nothing
    for (int drums = 0; drums < 2; drums++) {
        const Music music = { .bpm = 126, .break_from = 14, .break_to = 22, .drums = drums };
        const Said said = heard(26, 14, voice_music, &music);
        tempo_is(said.bpm, 126);
        beats_are(&said, 12 * 126 / 60.0);
    }
}

static void after_a_long_silence_everything_stands_still(void **state)
{
    (void)state;
    const Music music = { .bpm = 120, .break_from = 10, .break_to = 40 };
    Analyser *analyser = analyser_new(RATE);
    Said said = { 0 };
    hear_on(analyser, 0, 30, voice_music, &music, &plain, &said);
    assert_true(said.last > 12 && said.last < 24);
    assert_true(said.bpm == 0 && said.confidence == 0);
    float silence[2 * ANALYSIS_HOP_MAX] = { 0 };
    const Features f = analyser_hop(analyser, silence, &plain);
    assert_true(f.signal[SIGNAL_BEAT_PHASE] == 0 && f.signal[SIGNAL_BAR_PHASE] == 0);
    analyser_free(analyser);
}

static float voice_silence(const void *what, long long n)
{
    (void)what, (void)n;
    return 0;
}

static float voice_dither(const void *what, long long n)
{
    (void)what;
    return 3e-5f * hiss((uint32_t)n);
}

static float voice_noise(const void *what, long long n)
{
    (void)what;
    return 0.5f * hiss((uint32_t)n);
}

static float voice_hum(const void *what, long long n)
{
    (void)what;
    const double turn = 2 * M_PI * 50 * (double)n / RATE;
    return (float)(0.3 * sin(turn) + 0.1 * sin(2 * turn) + 0.05 * sin(3 * turn));
}

// Crackles of a record, as chance has them: four a second.
static float voice_crackle(const void *what, long long n)
{
    (void)what;
    const long long place = n / 20;
    const bool cracks = rng_unit(rng_draw(rng_key(3, 2), (uint32_t)place)) < 4 * 20.0f / RATE;
    return (cracks ? 0.3f : 0.001f) * hiss((uint32_t)n);
}

// Chords that swell and fade, of lengths that chance has.
static float voice_pads(const void *what, long long n)
{
    (void)what;
    static const float hz[][3] = { { 220, 277, 330 }, { 196, 247, 294 }, { 175, 220, 262 } };
    static const double starts[] = { 0, 3.9, 9.1, 12.6, 17.4, 22.9, 26.2, 31 };
    const double time = (double)n / RATE;
    int i = 0;
    while (i + 1 < COUNT_OF(starts) - 1 && starts[i + 1] <= time) i++;
    const double into = time - starts[i], left = starts[i + 1] - time;
    const double swell = fmin(1, into / 1.2) * fmin(1, fmax(0, left) / 1.2);
    double sum = 0;
    for (int k = 0; k < 3; k++) sum += sin(2 * M_PI * hz[i % 3][k] * time);
    return (float)(0.2 * swell * sum);
}

// Somebody speaks: syllables of 0.12 to 0.3 s, three to nine of them a breath, then a pause.  A syllable is
// the pulses of a falling voice through two formants of a vowel, behind a consonant's hiss.
typedef struct {
    double at, lasts;
    uint32_t key;
} Syllable;

typedef struct {
    Syllable syllable[400];
    int count;
} Talk;

static double chance(uint32_t key, uint32_t draw, double low, double high)
{
    return low + (high - low) * (double)rng_unit(rng_draw(key, draw));
}

static Talk talk_of(uint32_t seed, double seconds)
{
    Talk talk = { 0 };
    double at = 0.3;
    int left = 5;
    while (at < seconds && talk.count < COUNT_OF(talk.syllable)) {
        const uint32_t key = rng_key(seed, (uint64_t)talk.count);
        const double lasts = chance(key, 0, 0.12, 0.3);
        talk.syllable[talk.count++] = (Syllable){ at, lasts, key };
        at += lasts;
        if (--left > 0) continue;
        left = (int)chance(key, 1, 3, 10);
        at += chance(key, 2, 0.15, 0.9);
    }
    return talk;
}

static double formant(double since, double hz)
{
    return exp(-300 * since) * sin(2 * M_PI * hz * since);
}

static double syllable(const Syllable *s, double since, uint32_t n)
{
    const double consonant = chance(s->key, 3, 0.01, 0.07), place = since / s->lasts;
    if (since < consonant) return 0.15 * chance(s->key, 4, 0, 1) * (double)hiss(n);
    const double pitch = chance(s->key, 5, 90, 220) * (1 - 0.2 * place);
    const double pulse = fmod(since, 1 / pitch);
    const double vowel = formant(pulse, chance(s->key, 6, 280, 800)) +
                         0.5 * formant(pulse, chance(s->key, 7, 900, 2300));
    return chance(s->key, 8, 0.2, 0.6) * sin(M_PI * fmin(1, place)) * vowel;
}

static float voice_speech(const void *what, long long n)
{
    static int now;
    const Talk *talk = what;
    const double time = (double)n / RATE;
    if (now >= talk->count || talk->syllable[now].at > time) now = 0;
    while (now + 1 < talk->count && talk->syllable[now + 1].at <= time) now++;
    const double since = time - talk->syllable[now].at;
    const bool sounds = since >= 0 && since < talk->syllable[now].lasts;
    return sounds ? (float)syllable(&talk->syllable[now], since, (uint32_t)n) : 0;
}

static float voice_speech_in_a_room(const void *what, long long n)
{
    return voice_speech(what, n) + 0.01f * hiss((uint32_t)n);
}

static void silence_and_dither_have_neither_beat_nor_onset(void **state)
{
    (void)state;
    const Said silent = heard(20, 0, voice_silence, NULL);
    assert_int_equal(silent.beats + silent.onsets, 0);
    assert_true(silent.most_confidence == 0 && silent.bpm == 0);
    const Said dither = heard(20, 0, voice_dither, NULL);
    assert_int_equal(dither.onsets, 0);
    assert_true(dither.most_confidence < 0.3f);
}

static void what_has_no_beat_is_never_sure_of_one(void **state)
{
    (void)state;
    if (SANITIZED) skip(); // figures, of which a sanitizer knows nothing
    static Voice *const voices[] = { voice_noise, voice_hum, voice_crackle, voice_pads };
    for (int i = 0; i < COUNT_OF(voices); i++) {
        const Said said = heard(30, 3, voices[i], NULL);
        if (said.most_confidence >= 0.3f) fail_msg("voice %d: %g", i, said.most_confidence);
    }
}

static void nobody_speaks_in_time(void **state)
{
    (void)state;
    if (SANITIZED) skip(); // figures, of which a sanitizer knows nothing
    static Voice *const voices[] = { voice_speech, voice_speech_in_a_room };
    for (uint32_t seed = 1; seed <= 2; seed++) {
        const Talk talk = talk_of(seed, 30);
        for (int i = 0; i < COUNT_OF(voices); i++) {
            const Said said = heard(30, 8, voices[i], &talk);
            if (said.most_confidence >= 0.3f)
                fail_msg("speaker %u, voice %d: %g", seed, i, said.most_confidence);
            assert_true(said.onsets > 30); // it is heard
        }
    }
}

static HearingSettings moved(HearingSettings settings, BeatHand hand)
{
    settings.beat_hands[hand]++;
    return settings;
}

static void double_and_half_hold_until_freed(void **state)
{
    (void)state;
    const Music music = { .bpm = 120 };
    HearingSettings settings = plain;
    Said said = { 0 };
    Analyser *analyser = analyser_new(RATE);
    hear_on(analyser, 0, 8, voice_music, &music, &settings, &said);
    settings = moved(settings, BEAT_HALF);
    hear_on(analyser, 8, 14, voice_music, &music, &settings, &said);
    tempo_is(said.bpm, 60);
    settings = moved(moved(settings, BEAT_DOUBLE), BEAT_DOUBLE);
    hear_on(analyser, 14, 14.1, voice_music, &music, &settings, &said);
    settings = moved(settings, BEAT_DOUBLE);
    hear_on(analyser, 14.1, 20, voice_music, &music, &settings, &said);
    tempo_is(said.bpm, 240);
    settings = moved(settings, BEAT_FREE);
    hear_on(analyser, 20, 30, voice_music, &music, &settings, &said);
    tempo_is(said.bpm, 120);
    analyser_free(analyser);
}

static void taps_set_tempo_and_phase_even_in_silence(void **state)
{
    (void)state;
    HearingSettings settings = plain;
    Said said = { 0 };
    Analyser *analyser = analyser_new(RATE);
    double at = 3;
    hear_on(analyser, 0, at, voice_silence, NULL, &settings, &said);
    for (int tap = 0; tap < 4; tap++, at += 0.6) {
        settings = moved(settings, BEAT_TAP);
        hear_on(analyser, at, at + 0.6, voice_silence, NULL, &settings, &said);
    }
    tempo_is(said.bpm, 100);
    said = (Said){ .after = at };
    const Music tapped = { .bpm = 100 }; // a beat at 3 s, as it was tapped
    float pairs[2 * ANALYSIS_HOP_MAX] = { 0 };
    const int hop = analyser_hop_frames(analyser);
    for (double time = at; time < at + 6; time += (double)hop / RATE) {
        const Features f = analyser_hop(analyser, pairs, &settings);
        note(&said, &f, &tapped);
    }
    assert_in_range(said.beats, 9, 11);
    assert_int_equal(said.near, said.beats);
    analyser_free(analyser);
}

static void the_range_decides_between_octaves(void **state)
{
    (void)state;
    const Music music = { .bpm = 160, .drums = true };
    static const struct {
        float low, high, expected;
    } ranges[] = { { 100, 199, 160 }, { 60, 110, 80 } };
    for (int i = 0; i < COUNT_OF(ranges); i++) {
        HearingSettings settings = plain;
        settings.bpm_min = ranges[i].low;
        settings.bpm_max = ranges[i].high;
        Said said = { 0 };
        Analyser *analyser = analyser_new(RATE);
        hear_on(analyser, 0, 14, voice_music, &music, &settings, &said);
        tempo_is(said.bpm, ranges[i].expected);
        analyser_free(analyser);
    }
}

static void resync_begins_the_bar(void **state)
{
    (void)state;
    const Music music = { .bpm = 120 };
    HearingSettings settings = plain;
    Said said = { 0 };
    Analyser *analyser = analyser_new(RATE);
    hear_on(analyser, 0, 10, voice_music, &music, &settings, &said);
    for (int beats = 0; beats < 4; beats++) {
        settings = moved(settings, BEAT_RESYNC);
        float pairs[2 * ANALYSIS_HOP_MAX] = { 0 };
        const Features f = analyser_hop(analyser, pairs, &settings);
        const float bar = f.signal[SIGNAL_BAR_PHASE];
        assert_true(bar < 0.02f);
        hear_on(analyser, 10 + 0.5 * beats, 10.5 + 0.5 * beats, voice_music, &music, &settings,
                &said);
    }
    analyser_free(analyser);
}

enum { MOST_BEATS = 32, NEVER = -1 };

typedef struct {
    double beats[MOST_BEATS]; // s
    int count;
    double onsets; // s: the sum of their times
    float phase;   // at the end
} Told;

// From 8.25 to 15.75 s of clicks at 120 BPM, with beats told `early` until it `changes` to 0.
static Told told(double early, double changes)
{
    const Music music = { .bpm = 120 };
    HearingSettings settings = plain;
    Told told = { 0 };
    Analyser *analyser = analyser_new(RATE);
    float pairs[2 * ANALYSIS_HOP_MAX];
    const int hop = analyser_hop_frames(analyser);
    for (long long at = 0; at < (long long)(15.75 * RATE); at += hop) {
        settings.early = changes == NEVER || (double)at < changes * RATE ? (float)early : 0;
        for (int i = 0; i < hop; i++) pairs[2 * i] = pairs[2 * i + 1] = play(&music, at + i);
        const Features f = analyser_hop(analyser, pairs, &settings);
        told.phase = f.signal[SIGNAL_BEAT_PHASE];
        if (f.time < 8.25) continue;
        told.onsets += f.onset ? f.onset_time : 0;
        if (!f.beat) continue;
        assert_true(told.count < MOST_BEATS && told.phase < 0.02f);
        told.beats[told.count++] = f.time;
    }
    analyser_free(analyser);
    return told;
}

static void beats_are_told_early_and_nothing_else_is(void **state)
{
    (void)state;
    static const double early[] = { 0.04, 0.1, 0.5 }; // s
    const double hop = 1 / 187.5;
    const Told usual = told(0, NEVER);
    assert_int_equal(usual.count, 15);
    for (int e = 0; e < COUNT_OF(early); e++) {
        const Told before = told(early[e], NEVER);
        assert_int_equal(before.count, usual.count);
        for (int n = 0; n < usual.count; n++) {
            const double ahead = usual.beats[n] - before.beats[n]; // a whole beat earlier is none
            if (fabs(ahead - fmod(early[e], 0.5)) > 1.01 * hop)
                fail_msg("%g s early: beat %d is %g s ahead", early[e], n, ahead);
        }
        const double turned = before.phase - usual.phase - early[e] / 0.5;
        assert_float_equal(turned - round(turned), 0, 0.02);
        assert_true(before.onsets == usual.onsets);
    }
}

static void no_beat_is_told_twice_when_they_come_less_early(void **state)
{
    (void)state;
    const Told usual = told(0, NEVER), less = told(0.2, 11.9);
    assert_int_equal(less.count, usual.count);
    for (int n = 1; n < less.count; n++)
        assert_in_range(1000 * (less.beats[n] - less.beats[n - 1]), 480, 720);
}

// ---- patterns -----------------------------------------------------------------------------------

// A bar of drums, written as text: one letter a step, '.' nothing; k a kick, K one with a crash, s a
// snare, h a hat, O an open hat that is louder than the kick.
typedef struct {
    double bpm;
    int steps; // in a beat
    const char *bar;
} Pattern;

static float strike(char what, double since, uint32_t n)
{
    switch (what) {
    case 'k':
        return 0.5f * kick(since);
    case 'K':
        return 0.9f * kick(since) + 0.5f * hat(since / 4, n);
    case 's':
        return 0.5f * snare(since, n);
    case 'h':
        return 0.3f * hat(since, n);
    case 'O':
        return 1.2f * hat(since / 3, n);
    default:
        return 0;
    }
}

// What was struck last still rings, however often the text says nothing since.
static float voice_pattern(const void *what, long long n)
{
    const Pattern *pattern = what;
    const double length = 60 / pattern->bpm / pattern->steps, time = (double)n / RATE;
    const long long now = (long long)(time / length), bar = (long long)strlen(pattern->bar);
    float sum = 0;
    for (long long step = now; step >= 0 && step > now - 3; step--)
        sum += strike(pattern->bar[step % bar], time - (double)step * length, (uint32_t)n);
    return sum;
}

typedef struct {
    float bpm;
    int beats, on; // after the first seconds: all; those within 70 ms of the grid of that tempo
    int first[8];  // beats by their place in the bar of the grid that were said to begin a bar
} Followed;

static Followed followed(const Pattern *pattern)
{
    Followed seen = { 0 };
    Analyser *analyser = analyser_new(RATE);
    float pairs[2 * ANALYSIS_HOP_MAX];
    const int hop = analyser_hop_frames(analyser), bar = (int)strlen(pattern->bar) / pattern->steps;
    for (long long at = 0; at < 20 * RATE; at += hop) {
        for (int i = 0; i < hop; i++)
            pairs[2 * i] = pairs[2 * i + 1] = voice_pattern(pattern, at + i);
        const Features f = analyser_hop(analyser, pairs, &plain);
        seen.bpm = f.signal[SIGNAL_BPM];
        if (f.time < 10 || !f.beat) continue;
        const double beat = f.time * pattern->bpm / 60;
        seen.beats++;
        const double grid = seen.bpm > 1.5 * pattern->bpm ? 2 : 1;
        seen.on += fabs(grid * beat - round(grid * beat)) / grid * 60 / pattern->bpm < 0.07;
        seen.first[lround(beat) % bar] += f.signal[SIGNAL_BAR_PHASE] < 0.1f;
    }
    analyser_free(analyser);
    return seen;
}

// Twice or half the tempo is another way to count; three halves of it are not.
static void the_beat_is_where_a_drummer_counts_it(void **state)
{
    (void)state;
    static const Pattern patterns[] = {
        { 122, 2, "kOkOkOkO" },         // open hats between the kicks, louder than they
        { 100, 4, "k.hks.h.k.hks.h." }, // kicks that pull against it
        { 108, 4, "k..hs..k..k.s..h" }, // a break
        { 96, 4, "k.hhs.khk.hhs.hh" },  { 138, 2, "k.shsh" }, // a waltz
        { 116, 3, "k.hs.hk.hs.h" },                           // swung
        { 128, 4, "k.hhk.hhk.hhk.hh" },                       // four on the floor
    };
    for (int i = 0; i < (SANITIZED ? 2 : COUNT_OF(patterns)); i++) {
        const Followed seen = followed(&patterns[i]);
        const double ratio = seen.bpm / patterns[i].bpm;
        const double octave = ratio < 0.75 ? 0.5 : ratio > 1.5 ? 2 : 1;
        if (fabs(ratio / octave - 1) > 0.01 || seen.on < 0.95 * seen.beats)
            fail_msg("%s at %g: %.1f BPM, %d of %d beats on the grid", patterns[i].bar,
                     patterns[i].bpm, seen.bpm, seen.on, seen.beats);
    }
}

static void the_bar_begins_at_the_accent(void **state)
{
    (void)state;
    static const Pattern patterns[] = { { 120, 2, "Khkhkhkh" }, { 120, 2, "khkhKhkh" } };
    for (int i = 0; i < COUNT_OF(patterns); i++) {
        const Followed seen = followed(&patterns[i]);
        for (int place = 0; place < 4; place++)
            if ((seen.first[place] > 0) != (place == 2 * i))
                fail_msg("pattern %d: %d bars begin at beat %d", i, seen.first[place], place);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clicks_of_any_usual_tempo_are_followed),
        cmocka_unit_test(drums_are_followed_at_their_tempo_or_its_half),
        cmocka_unit_test(each_drum_is_heard_as_itself),
        cmocka_unit_test(a_hundred_and_twenty_clicks_are_as_many_onsets),
        cmocka_unit_test(another_tempo_is_followed_within_seconds),
        cmocka_unit_test(a_break_is_counted_through),
        cmocka_unit_test(after_a_long_silence_everything_stands_still),
        cmocka_unit_test(silence_and_dither_have_neither_beat_nor_onset),
        cmocka_unit_test(what_has_no_beat_is_never_sure_of_one),
        cmocka_unit_test(nobody_speaks_in_time),
        cmocka_unit_test(double_and_half_hold_until_freed),
        cmocka_unit_test(taps_set_tempo_and_phase_even_in_silence),
        cmocka_unit_test(the_range_decides_between_octaves),
        cmocka_unit_test(resync_begins_the_bar),
        cmocka_unit_test(beats_are_told_early_and_nothing_else_is),
        cmocka_unit_test(no_beat_is_told_twice_when_they_come_less_early),
        cmocka_unit_test(the_beat_is_where_a_drummer_counts_it),
        cmocka_unit_test(the_bar_begins_at_the_accent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
