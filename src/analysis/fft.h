// The power spectrum of real samples; the only door to KissFFT.
#pragma once

typedef struct Fft Fft;

// With room for any size up to `largest`, and set to it.  NULL when out of memory.
Fft *fft_new(int largest);
void fft_free(Fft *fft);

// The smallest size that is even, has only the factors 2, 3 and 5, and holds `count` samples.
int fft_good_size(int count);

// Changes the size, in samples: an even one, at most `largest`.  Does not allocate.
void fft_set_size(Fft *fft, int size);

// Writes the squared magnitudes |X|^2 of size / 2 + 1 bins from 0 Hz to half the rate, unscaled.
// Does not allocate.
void fft_power(Fft *fft, const float *samples, float *power);
