// analysis: what the music is doing.  A hop of samples in, Features out.  Pure: the same samples give
// the same features; no clock, no allocation after `new`.  One thread at a time.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"

typedef enum {
#define SIGNAL(id, name, low, high, unit, frame, help) SIGNAL_##id,
#include "analysis/signals.def"
#undef SIGNAL
    SIGNAL_COUNT
} SignalId;

// Which of its values counts in a frame that had several hops.
typedef enum {
    FRAME_MOST,  // the greatest
    FRAME_LAST,  // the newest: it goes round, or stands for a while
    FRAME_FLASH, // the greatest, and 0 in a frame without a hop
} SignalFrame;

typedef struct {
    const char *name;
    float low, high;
    const char *unit;
    SignalFrame frame;
    const char *help;
} SignalRow;

enum {
    ANALYSIS_BANDS = 5,         // SIGNAL_SUB .. SIGNAL_HIGH, see analysis_bands
    ANALYSIS_SPECTRUM = 64,     // bins of the log spectrum
    ANALYSIS_WAVEFORM = 256,    // points
    ANALYSIS_RATE_MIN = 8000,   // Hz
    ANALYSIS_RATE_MAX = 192000, // Hz
    ANALYSIS_HOP_MAX = 1024,    // frames: a hop at the highest rate
};

extern const SignalRow signal_rows[SIGNAL_COUNT];

extern const SignalId analysis_bands[ANALYSIS_BANDS]; // from low to high

// The signal of that name, or -1.
int signal_find(const char *name);

// Everything that one hop said; small and plain, copied and not pointed at.
typedef struct {
    double time;                       // s: the end of the hop, since `new` or the last reset
    float signal[SIGNAL_COUNT];        // by SignalId, each in its row's range
    bool onset;                        // an onset is reported in this hop
    bool beat;                         // a beat sounds in this hop (or `early` after it)
    double onset_time;                 // s: where it is placed; valid when `onset`
    float spectrum[ANALYSIS_SPECTRUM]; // amplitudes 0..1 after the gain, log-spaced 30 Hz .. 16 kHz
    float waveform[ANALYSIS_WAVEFORM]; // -1..1 after the gain: 20 ms that stand still when drawn
    bool silent;                       // nothing but silence or hiss
    bool automatic;                    // who was in charge of the gain
    float gain; // amplitude factor from peak to level; automatic and silent: held
} Features;

// The spectra of the newest hops, for pictures of the past: hop n lies in row n % PAST_HOPS.
enum { PAST_HOPS = 1024 };
typedef struct {
    float spectrum[PAST_HOPS][ANALYSIS_SPECTRUM];
    uint64_t hops; // so far
} Past;

void past_hop(Past *past, const Features *features);

typedef enum { DRUM_KICK, DRUM_SNARE, DRUM_HAT, DRUMS } Drum;

typedef struct {
    float threshold; // 0.1..10; larger hears fewer; 0: 1
    float hush;      // s without a second hit after one; 0: the usual
} DrumSettings;

// What hands do about beats.  A trigger is a counter: where it is not what it was, the hand has moved.
typedef enum {
    BEAT_TAP,    // a beat is now; several in a row set the tempo
    BEAT_DOUBLE, // twice as fast, half as fast, until another hand says so
    BEAT_HALF,
    BEAT_RESYNC, // the bar begins now
    BEAT_FREE,   // the tempo is what is heard again, whatever the hands said
    BEAT_HANDS
} BeatHand;

static const float BPM_MIN_USUAL = 60, BPM_MAX_USUAL = 200;
static const float DRUM_HUSH_USUAL = 0.06f; // s

typedef struct {
    float gain;                      // amplitude factor from peak to level; 1 leaves it
    float onset_threshold;           // 0.1..10, 1 is the default sensitivity; larger hears fewer
    float hush;                      // s without a second onset after one
    bool automatic;                  // the gain is found, and `gain` is not used
    float attack, release;           // s, time constants of the smooth signals; 0: none
    float edges[ANALYSIS_BANDS - 1]; // Hz, between the bands; 0: the usual
    DrumSettings drum[DRUMS];
    float bpm_min, bpm_max;       // BPM: where a tempo is looked for; 0: the usual
    float beat_hands[BEAT_HANDS]; // counters
    float early;                  // s: so much before they sound beats are told; 0: as they sound
} HearingSettings;

typedef struct Analyser Analyser;

// For samples at `rate` Hz (clamped to the range above).  NULL when out of memory.
Analyser *analyser_new(int rate);
void analyser_free(Analyser *analyser);

// Starts over at another (or the same) rate, without allocating.  Before the first hop there was silence:
// a sound that begins with it is an onset, unless it is joined.
void analyser_retune(Analyser *analyser, int rate);

// The next hop does not follow on the last one (a stall, a reopening): the seam is no sound, so it is no
// onset.  Tempo, gain and levels go on.  Allocates nothing.
void analyser_join(Analyser *analyser);

int analyser_rate(const Analyser *analyser);

// Frames in a hop: round(rate / 187.5).
int analyser_hop_frames(const Analyser *analyser);

// What a hop is made of, for measuring.
typedef enum {
    HEARING_WINDOWS, // of the spectra, with their transforms
    HEARING_LEVELS,  // peak, bands, what follows them, log spectrum, waveform
    HEARING_LOUDNESS,
    HEARING_GAIN,
    HEARING_SLOW, // build, break, drop
    HEARING_ONSET,
    HEARING_BEAT,
    HEARING_PARTS
} HearingPart;

extern const char *const hearing_part_names[HEARING_PARTS];

// From now on, `begins` is called in a hop whenever another of its parts begins, and with HEARING_PARTS
// at its end.  NULL: never.
void analyser_watch(Analyser *analyser, void (*begins)(void *hand, HearingPart part), void *hand);

// Hears one hop of interleaved pairs.  NaN and infinite samples count as 0.
Features analyser_hop(Analyser *analyser, const float *pairs, const HearingSettings *settings);
