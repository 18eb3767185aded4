// Medians of repeated runs: a machine that does something else as well costs a run, not the figure.
#pragma once

enum { MEDIAN_RUNS = 15 };

// Puts `figures` in order; the middle one.
double median_of(double *figures, int count);

// Runs once for warmth, then MEDIAN_RUNS times; the median of what `run` returned.
double median_run(double (*run)(void *subject), void *subject);
