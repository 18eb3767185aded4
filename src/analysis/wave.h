// A piece of the sound that stands still when drawn, as on an oscilloscope.
#pragma once

#include "analysis/analysis.h"

// Seconds of sound that wave_take looks at.
float wave_seconds(void);

// Writes ANALYSIS_WAVEFORM points of the channel with more power, from a rising zero crossing on.
// `count`: samples of each channel, oldest first, wave_seconds() long or longer.
void wave_take(const float *left, const float *right, int count, int rate, float *points);
