// One hop in, all that it says out.  Levels, spectrum and onsets are looked at afresh each hop, through
// windows that end at its last sample; only what is said to have a past has one.  Nothing sticks (a
// NaN is a zero before anybody sees it), and what is measured depends neither on the frame rate nor
// on how long the show has run.
#include "analysis/analysis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/beat.h"
#include "analysis/follow.h"
#include "analysis/gain.h"
#include "analysis/levels.h"
#include "analysis/loudness.h"
#include "analysis/onset.h"
#include "analysis/slow.h"
#include "analysis/wave.h"

static const float HOPS_PER_SECOND = 187.5f;
static const float LOUDEST = 8;       // full scale; a device's samples may be anything
static const float FAINTEST = 1e-12f; // below it a sample is 0, which keeps denormals out
static const float MOST_GAIN = 1000;
static const float SLOWEST = 60; // s

// Where the five bands end, unless the hands say otherwise.
static const float usual_edges[ANALYSIS_BANDS + 1] = { 20, 60, 200, 700, 3000, 16000 }; // Hz

// The levels, which are followed in time; each has four signals in a row (signals.def).
static const SignalId followed[] = { SIGNAL_LEVEL,   SIGNAL_RMS,      SIGNAL_LOUDNESS, SIGNAL_BASS,
                                     SIGNAL_MID,     SIGNAL_TREBLE,   SIGNAL_SUB,      SIGNAL_LOW,
                                     SIGNAL_LOW_MID, SIGNAL_HIGH_MID, SIGNAL_HIGH };
enum { SMOOTH = 1, PRESENCE, CLOCK }; // places behind the level itself

struct Analyser {
    int rate, hop;
    long long heard; // frames
    float *past[2];  // the newest `past_size` samples of each channel
    int past_size;
    Levels levels;
    Loudness loudness;
    Gain gain;
    Follower followers[COUNT_OF(followed)];
    Slow slow;
    Onset onset;
    Beat beat;
    void (*begins)(void *hand, HearingPart part); // see analyser_watch
    void *hand;
};

Analyser *analyser_new(int rate)
{
    Analyser *a = calloc(1, sizeof *a);
    if (!a) return NULL;
    bool made = levels_init(&a->levels);
    made = onset_init(&a->onset) && made;
    const size_t most = (size_t)levels_largest(&a->levels);
    for (int i = 0; i < 2; i++) made = (a->past[i] = calloc(most, sizeof(float))) && made;
    if (!made) {
        analyser_free(a);
        return NULL;
    }
    analyser_retune(a, rate);
    return a;
}

void analyser_free(Analyser *a)
{
    if (!a) return;
    levels_free(&a->levels);
    onset_free(&a->onset);
    for (int i = 0; i < 2; i++) free(a->past[i]);
    free(a);
}

static void forget_sound(Analyser *a, bool amid_sound)
{
    onset_tune(&a->onset, a->rate, a->hop, amid_sound);
    for (int i = 0; i < 2; i++) memset(a->past[i], 0, (size_t)a->past_size * sizeof(float));
}

void analyser_retune(Analyser *a, int rate)
{
    a->rate = clampi(rate, ANALYSIS_RATE_MIN, ANALYSIS_RATE_MAX);
    a->hop = (int)lroundf((float)a->rate / HOPS_PER_SECOND);
    a->heard = 0;
    levels_tune(&a->levels, a->rate);
    loudness_tune(&a->loudness, a->rate);
    gain_tune(&a->gain, a->rate);
    memset(a->followers, 0, sizeof a->followers);
    slow_start(&a->slow);
    beat_tune(&a->beat, (double)a->hop / a->rate);
    a->past_size = levels_size(&a->levels);
    forget_sound(a, false);
}

void analyser_join(Analyser *a)
{
    forget_sound(a, true);
}

int analyser_rate(const Analyser *a)
{
    return a->rate;
}

int analyser_hop_frames(const Analyser *a)
{
    return a->hop;
}

void analyser_watch(Analyser *a, void (*begins)(void *hand, HearingPart part), void *hand)
{
    a->begins = begins;
    a->hand = hand;
}

static void begin(const Analyser *a, HearingPart part)
{
    if (a->begins) a->begins(a->hand, part);
}

static float sane(float sample)
{
    if (!isfinite(sample) || fabsf(sample) < FAINTEST) return 0;
    return clampf(sample, -LOUDEST, LOUDEST);
}

// Moves the hop into the past; its samples are then the last `hop` of each channel.
static void hear(Analyser *a, const float *pairs)
{
    const int kept = a->past_size - a->hop;
    for (int i = 0; i < 2; i++) {
        memmove(a->past[i], a->past[i] + a->hop, (size_t)kept * sizeof(float));
        for (int n = 0; n < a->hop; n++) a->past[i][kept + n] = sane(pairs[2 * n + i]);
    }
    a->heard += a->hop;
}

static float peak_of(const float *samples, int count)
{
    float peak = 0;
    for (int i = 0; i < count; i++) peak = fmaxf(peak, fabsf(samples[i]));
    return peak;
}

static float rms_of(const float *samples, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++) sum += (double)samples[i] * samples[i];
    return (float)sqrt(sum / count);
}

// What the hop sounds like before any gain.
typedef struct {
    GainHeard is; // the peak, the bands
    float rms, loudness, bass, mid, treble;
    float edges[ANALYSIS_BANDS + 1]; // Hz
} Heard;

static void find_edges(float *edges, const HearingSettings *settings)
{
    memcpy(edges, usual_edges, sizeof usual_edges);
    for (int i = 1; i < ANALYSIS_BANDS; i++) {
        const float asked = settings->edges[i - 1];
        edges[i] = clampf(asked > 0 ? asked : usual_edges[i], edges[i - 1], edges[ANALYSIS_BANDS]);
    }
}

static Heard measure(Analyser *a, const HearingSettings *settings)
{
    const float *left = a->past[0] + a->past_size - a->hop;
    const float *right = a->past[1] + a->past_size - a->hop;
    const Levels *l = &a->levels;
    Heard h = {
        .is = { .peak = fmaxf(peak_of(left, a->hop), peak_of(right, a->hop)),
                .low = levels_band(l, 20, 1000),
                .wide = levels_band(l, 20, 16000) },
        .rms = fmaxf(rms_of(left, a->hop), rms_of(right, a->hop)),
        .bass = levels_band(l, 20, 200),
        .mid = levels_band(l, 200, 2000),
        .treble = levels_band(l, 2000, 16000),
    };
    find_edges(h.edges, settings);
    for (int i = 0; i < ANALYSIS_BANDS; i++)
        h.is.band[i] = levels_band(l, h.edges[i], h.edges[i + 1]);
    h.is.bass = h.bass;
    levels_spectrum(l, h.is.spectrum);
    begin(a, HEARING_LOUDNESS);
    h.loudness = loudness_hear(&a->loudness, left, right, a->hop);
    return h;
}

// The automatic gain listens also while the hand has it, so that it knows what to do when it is asked.
static GainReport find_gain(Analyser *a, const Heard *heard, const HearingSettings *settings,
                            float seconds)
{
    GainReport gain = gain_hear(&a->gain, &heard->is, heard->edges, seconds);
    if (settings->automatic) return gain;
    gain.all = gain.held = clampf(settings->gain, 0, MOST_GAIN);
    for (int i = 0; i < ANALYSIS_BANDS; i++) gain.band[i] = gain.all;
    return gain;
}

// `signal` holds amplitudes, after the gain.
static void tell_levels(float *signal, const Heard *heard, const GainReport *gain)
{
    signal[SIGNAL_PEAK] = clampf(heard->is.peak, 0, 1);
    signal[SIGNAL_LEVEL] = clampf(heard->is.peak * gain->all, 0, 1);
    signal[SIGNAL_RMS] = clampf(heard->rms, 0, 1);
    signal[SIGNAL_LOUDNESS] = clampf(heard->loudness, -70, 0);
    signal[SIGNAL_BASS] = clampf(heard->bass * gain->all, 0, 1);
    signal[SIGNAL_MID] = clampf(heard->mid * gain->all, 0, 1);
    signal[SIGNAL_TREBLE] = clampf(heard->treble * gain->all, 0, 1);
    for (int i = 0; i < ANALYSIS_BANDS; i++)
        signal[analysis_bands[i]] = clampf(heard->is.band[i] * gain->band[i], 0, 1);
}

static float share_of(SignalId id, float value)
{
    const SignalRow *row = &signal_rows[id];
    return clampf((value - row->low) / (row->high - row->low), 0, 1);
}

// `plain`: the same levels before the gain.  The gain is no music: presence is told by these.
static void follow_levels(Analyser *a, float *signal, const float *plain,
                          const FollowSettings *settings)
{
    for (int i = 0; i < COUNT_OF(followed); i++) {
        const SignalId id = followed[i];
        const SignalRow *row = &signal_rows[id];
        Follower *f = &a->followers[i];
        follow(f, share_of(id, signal[id]), share_of(id, plain[id]), settings);
        signal[id + SMOOTH] = lerpf(row->low, row->high, f->smooth);
        signal[id + PRESENCE] = follow_presence(f);
        signal[id + CLOCK] = (float)f->clock;
    }
}

static void tell_shapes(const Analyser *a, const Heard *heard, float gain, Features *f)
{
    for (int i = 0; i < ANALYSIS_SPECTRUM; i++)
        f->spectrum[i] = clampf(heard->is.spectrum[i] * gain, 0, 1);
    wave_take(a->past[0], a->past[1], a->past_size, a->rate, f->waveform);
    for (int i = 0; i < ANALYSIS_WAVEFORM; i++)
        f->waveform[i] = clampf(f->waveform[i] * gain, -1, 1);
}

static void tell_slow(Analyser *a, const Heard *heard, bool silent, float seconds, float *signal)
{
    const SlowHeard slow = { .bass = heard->bass,
                             .above = hypotf(heard->mid, heard->treble),
                             .fullness = levels_fullness(heard->is.spectrum, 0, ANALYSIS_SPECTRUM),
                             .silent = silent };
    const SlowReport report = slow_hear(&a->slow, &slow, seconds);
    signal[SIGNAL_BUILD] = report.build;
    signal[SIGNAL_BREAK] = report.pause;
    signal[SIGNAL_DROP] = report.drop;
}

// Everything but onsets and beats.
static void hear_levels(Analyser *a, const HearingSettings *settings, Features *f)
{
    static const GainReport no_gain = { .all = 1, .band = { 1, 1, 1, 1, 1 } };
    const float seconds = (float)a->hop / (float)a->rate;
    begin(a, HEARING_LEVELS);
    const Heard heard = measure(a, settings);
    begin(a, HEARING_GAIN);
    const GainReport gain = find_gain(a, &heard, settings, seconds);
    begin(a, HEARING_LEVELS);
    float plain[SIGNAL_COUNT] = { 0 };
    tell_levels(f->signal, &heard, &gain);
    tell_levels(plain, &heard, &no_gain);
    follow_levels(a, f->signal, plain,
                  &(FollowSettings){ .attack = clampf(settings->attack, 0, SLOWEST),
                                     .release = clampf(settings->release, 0, SLOWEST),
                                     .seconds = seconds,
                                     .silent = gain.silent });
    tell_shapes(a, &heard, gain.all, f);
    begin(a, HEARING_SLOW);
    tell_slow(a, &heard, gain.silent, seconds, f->signal);
    f->signal[SIGNAL_SILENCE] = gain.silent;
    f->silent = gain.silent;
    f->automatic = settings->automatic;
    f->gain = gain.held;
}

// The gain is left out: an onset is a matter of ratios, and the hand on the gain is no music.
static OnsetReport find_onset(Analyser *a, const HearingSettings *settings, Features *f)
{
    const OnsetReport report = onset_hear(&a->onset, f->time, settings);
    f->signal[SIGNAL_FLUX] = report.flux;
    f->signal[SIGNAL_ONSET] = report.strength;
    f->onset = report.onset;
    f->onset_time = report.onset ? report.time : 0;
    f->signal[SIGNAL_KICK] = report.drum[DRUM_KICK];
    f->signal[SIGNAL_SNARE] = report.drum[DRUM_SNARE];
    f->signal[SIGNAL_HAT] = report.drum[DRUM_HAT];
    return report;
}

static void find_beat(Analyser *a, const OnsetReport *heard, const HearingSettings *settings,
                      Features *f)
{
    const BeatReport report = beat_hear(&a->beat, heard->novelty, settings);
    f->beat = report.beat;
    f->signal[SIGNAL_BEAT] = report.beat;
    f->signal[SIGNAL_BEAT_PHASE] = report.phase;
    f->signal[SIGNAL_BAR_PHASE] = report.bar_phase;
    f->signal[SIGNAL_BPM] = report.bpm;
    f->signal[SIGNAL_CONFIDENCE] = report.confidence;
}

static void take_windows(Analyser *a)
{
    const int from = a->past_size - onset_size(&a->onset);
    levels_hear(&a->levels, a->past[0], a->past[1]);
    onset_take(&a->onset, a->past[0] + from, a->past[1] + from);
}

Features analyser_hop(Analyser *a, const float *pairs, const HearingSettings *settings)
{
    begin(a, HEARING_WINDOWS);
    hear(a, pairs);
    take_windows(a);
    Features f = { .time = (double)a->heard / a->rate };
    hear_levels(a, settings, &f);
    begin(a, HEARING_ONSET);
    const OnsetReport heard = find_onset(a, settings, &f);
    begin(a, HEARING_BEAT);
    find_beat(a, &heard, settings, &f);
    begin(a, HEARING_PARTS);
    return f;
}
