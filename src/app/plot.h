// What was heard, as a picture: for each column of time the waveform, the bands, the spectrogram,
// onsets, drums, beats and the gain.
#pragma once

#include "analysis/analysis.h"

typedef struct Plot Plot;

// Empty; NULL when out of memory.
Plot *plot_new(void);
void plot_free(Plot *plot);

// Adds one hop.  False when out of memory, and then the hop is not in the picture.
bool plot_hop(Plot *plot, const Features *features);

// Writes what was added as PNG.  A sentence in `why` when it cannot.
bool plot_write(const Plot *plot, const char *path, char *why, int why_size);
