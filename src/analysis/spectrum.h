// The spectrum of the newest sound: a window over both channels, combined by the greater power bin by
// bin, so that anti-phase cancels nothing and a sound on one side alone counts as much as on both.
#pragma once

#include <stdbool.h>

#include "analysis/fft.h"

// Power is scaled so that all of a sine's bins together sum to its amplitude squared.
typedef struct {
    double seconds, fall; // of the window; the share of it that falls at its newest end
    int size, bins;       // samples; size / 2 + 1
    int largest;          // size at the highest rate
    float bin_hz;
    float window_sum;
    float *power; // `bins` of them
    float *other, *window, *frame;
    Fft *fft;
} Spectrum;

// For windows of about `seconds` that rise over all but the last `fall` (0..1) of it: a short fall
// hears new sound sooner, at the price of wider skirts.  Reserves for the highest rate; false when out
// of memory.  spectrum_free takes what init left, whole or not, or zeros.
bool spectrum_init(Spectrum *spectrum, double seconds, double fall);
void spectrum_free(Spectrum *spectrum);

// Sets size and window for a rate.  Does not allocate.
void spectrum_tune(Spectrum *spectrum, int rate);

// Takes `size` samples of each channel, oldest first.  A constant offset counts as nothing.
void spectrum_take(Spectrum *spectrum, const float *left, const float *right);

// The power from `low` to `high` Hz; bins at the edges count by the share of them that is inside.
float spectrum_between(const Spectrum *spectrum, float low, float high);

// The power around `centre` Hz, weighted by a triangle that reaches `reach` Hz to both sides.
float spectrum_around(const Spectrum *spectrum, float centre, float reach);
