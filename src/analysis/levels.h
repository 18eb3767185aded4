// How loud each part of the sound is: any band, and the log spectrum.  Three windows, because a low
// band wants resolution and a high one speed.
#pragma once

#include "analysis/analysis.h"
#include "analysis/spectrum.h"

enum { LEVELS_PARTS = 3 }; // lows, mids, highs: each with its own window

typedef struct {
    Spectrum part[LEVELS_PARTS];     // the first has the longest window
    float edge[LEVELS_PARTS + 1];    // Hz: part i speaks from edge[i] to edge[i + 1]
    int bin_part[ANALYSIS_SPECTRUM]; // which part a bin of the log spectrum is read from
    float centre[ANALYSIS_SPECTRUM]; // Hz
    float reach[ANALYSIS_SPECTRUM];  // Hz
    float scale[ANALYSIS_SPECTRUM];  // power read to amplitude squared; 0 beyond Nyquist
} Levels;

// False when out of memory; levels_free takes the half-built.
bool levels_init(Levels *levels);
void levels_free(Levels *levels);

// Does not allocate.
void levels_tune(Levels *levels, int rate);

// Samples of each channel that levels_hear takes, oldest first; at the highest rate.
int levels_size(const Levels *levels);
int levels_largest(const Levels *levels);

void levels_hear(Levels *levels, const float *left, const float *right);

// Of what was heard last, before any gain and not clamped: the amplitude of the sine that has the
// energy from `low` to `high` Hz, and ANALYSIS_SPECTRUM amplitudes.
float levels_band(const Levels *levels, float low, float high);
void levels_spectrum(const Levels *levels, float *spectrum);

// The mean of those bins of a log spectrum, in dB, none counting as less than LEVELS_NOTHING: how full it is
// there, to which every voice counts by its width and not by its loudness.
static const float LEVELS_NOTHING = -110;
float levels_fullness(const float *spectrum, int first, int end);
