// When something new begins to sound: spectral flux over log bands, picked causally.
#pragma once

#include "analysis/analysis.h"
#include "analysis/spectrum.h"

enum {
    ONSET_BANDS = 24,
    ONSET_REACH = 6,   // hops back that new sound is compared with
    ONSET_MEMORY = 96, // hops of flux that make the threshold
};

typedef struct {
    Spectrum sound;
    int bands;                            // below Nyquist
    float centre[ONSET_BANDS];            // Hz
    float reach[ONSET_BANDS];             // Hz
    float loud[ONSET_REACH][ONSET_BANDS]; // decades above -60 dBFS, newest at `now`
    float restless[ONSET_BANDS];          // usual change from hop to hop, in decades
    float flux[ONSET_MEMORY];             // a ring, in no order
    int now;
    long long hops; // heard
    double hop;     // s
    double last;    // s: the onset before
    bool armed;     // flux fell below the threshold since then
} Onset;

typedef struct {
    float flux; // 0..1
    bool onset;
    float strength; // 0..1 of the onset
    double time;    // s: where it is placed
} OnsetReport;

// False when out of memory; onset_free takes the half-built.
bool onset_init(Onset *onset);
void onset_free(Onset *onset);

// Starts over at a rate.  Does not allocate.
void onset_tune(Onset *onset, int rate, int hop_frames);

// Samples of each channel that onset_hear takes, oldest first.
int onset_size(const Onset *onset);

// Hears the window that ends at `time` (s), one hop after the one before.
OnsetReport onset_hear(Onset *onset, const float *left, const float *right, double time,
                       const HearingSettings *settings);
