// How loud each part of the sound is: the three bands and the log spectrum.
#pragma once

#include "analysis/analysis.h"
#include "analysis/spectrum.h"

typedef struct {
    Spectrum sound;
    float nyquist;                   // Hz
    float centre[ANALYSIS_SPECTRUM]; // Hz
    float reach[ANALYSIS_SPECTRUM];  // Hz
    float scale[ANALYSIS_SPECTRUM];  // power read to amplitude squared; 0 beyond Nyquist
} Levels;

// False when out of memory; levels_free takes the half-built.
bool levels_init(Levels *levels);
void levels_free(Levels *levels);

// Does not allocate.
void levels_tune(Levels *levels, int rate);

// Samples of each channel that levels_hear takes, oldest first.
int levels_size(const Levels *levels);

// Writes bands and spectrum, as amplitudes before the gain, not clamped.
void levels_hear(Levels *levels, const float *left, const float *right, float *bands,
                 float *spectrum);
