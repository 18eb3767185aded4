// KissFFT is small and needs microseconds a hop.  Its configuration lies in memory of ours, reserved
// once for the largest size, so that another rate costs no malloc.  Sizes have only the factors 2, 3
// and 5, because for any other its butterfly allocates inside every transform.
#include "analysis/fft.h"

#include <kiss_fftr.h>

#include <assert.h>
#include <stdlib.h>

struct Fft {
    int size;
    kiss_fftr_cfg config; // lies in `memory`
    void *memory;
    size_t room; // bytes of `memory`
    kiss_fft_cpx *bins;
};

static size_t config_bytes(int size)
{
    size_t bytes = 0;
    kiss_fftr_alloc(size, 0, NULL, &bytes);
    return bytes;
}

Fft *fft_new(int largest)
{
    Fft *fft = calloc(1, sizeof *fft);
    if (!fft) return NULL;
    fft->room = config_bytes(largest);
    fft->memory = malloc(fft->room);
    fft->bins = malloc(((size_t)largest / 2 + 1) * sizeof *fft->bins);
    if (!fft->memory || !fft->bins) {
        fft_free(fft);
        return NULL;
    }
    fft_set_size(fft, largest);
    return fft;
}

void fft_free(Fft *fft)
{
    if (!fft) return;
    free(fft->memory);
    free(fft->bins);
    free(fft);
}

int fft_good_size(int count)
{
    return kiss_fftr_next_fast_size_real(count);
}

void fft_set_size(Fft *fft, int size)
{
    size_t bytes = fft->room;
    fft->size = size;
    fft->config = kiss_fftr_alloc(size, 0, fft->memory, &bytes);
    assert(fft->config); // a size above the largest
}

void fft_power(Fft *fft, const float *samples, float *power)
{
    kiss_fftr(fft->config, samples, fft->bins);
    for (int i = 0; i <= fft->size / 2; i++)
        power[i] = fft->bins[i].r * fft->bins[i].r + fft->bins[i].i * fft->bins[i].i;
}
