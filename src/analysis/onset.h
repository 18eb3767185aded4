// When something new begins to sound: spectral flux over log bands, picked causally; over all, and for
// what sounds like a kick, a snare or a hat.
#pragma once

#include "analysis/analysis.h"
#include "analysis/spectrum.h"

enum {
    ONSET_BANDS = 36,
    ONSET_REACH = 6,   // hops back that new sound is compared with
    ONSET_MEMORY = 96, // hops of flux that make the threshold
    ONSET_RANGES = 5,  // of the spectrum, in which drums are looked for
    ONSET_PARTS = 4,   // of the spectrum, from low to high, whose novelty is told
};

// Finds where a flux stands out from what it lately was.
typedef struct {
    float flux[ONSET_MEMORY];   // the last hops', a ring
    float sorted[ONSET_MEMORY]; // the same, rising
    int known, next;
    bool armed;  // it fell below the threshold since the last time
    double last; // s
} Picker;

// A hit that began and is not told yet.
typedef struct {
    int wait; // hops until it is; 0: none
    float flux, before[ONSET_BANDS];
} Hit;

typedef struct {
    Spectrum sound;
    int bands;                            // below Nyquist
    float centre[ONSET_BANDS];            // Hz
    float reach[ONSET_BANDS];             // Hz
    float own[ONSET_BANDS];               // share of it that no neighbour hears as well
    int first[ONSET_RANGES + 1];          // band of each range
    float loud[ONSET_REACH][ONSET_BANDS]; // decades above -60 dBFS, newest at `now`
    float restless[ONSET_BANDS];          // usual change from hop to hop, in decades
    float louder[ONSET_BANDS];            // decades, this hop: than a moment ago
    bool no_chance;                       // noise does not rise like that
    int now;
    long long hops; // heard
    int deaf;       // hops until there is something to compare with
    double hop;     // s
    Picker all, drum[DRUMS];
    Hit hit[DRUMS];
} Onset;

typedef struct {
    float flux; // 0..1
    bool onset;
    float strength;             // 0..1 of the onset
    double time;                // s: where it is placed
    float drum[DRUMS];          // strength 0..1 in the hop of its hit, else 0
    float novelty[ONSET_PARTS]; // 0..1, noise and all: for what compares it with itself
} OnsetReport;

// False when out of memory; onset_free takes the half-built.
bool onset_init(Onset *onset);
void onset_free(Onset *onset);

// Starts over at a rate, out of silence, where what sounds at once is an onset, or amid sound, where it
// is none.  Does not allocate.
void onset_tune(Onset *onset, int rate, int hop_frames, bool amid_sound);

// Samples of each channel that onset_take takes, oldest first.
int onset_size(const Onset *onset);

// Takes the window, one hop after the one before.
void onset_take(Onset *onset, const float *left, const float *right);

// Hears what was taken; its window ends at `time` (s).
OnsetReport onset_hear(Onset *onset, double time, const HearingSettings *settings);
