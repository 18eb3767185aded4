// A band is the amplitude of the sine that has the band's energy.  The spectrum's bins are narrower
// than the transform's at the bottom and wider at the top: a triangle of energy that is never narrower
// than the window's main lobe serves both, and each bin is calibrated by letting it hear a sine.
#include "analysis/levels.h"

#include <math.h>

static const float WINDOW_SECONDS = 2048 / 48000.0f;
static const float WINDOW_FALL = 0.25f;
static const float SPECTRUM_LOW = 30, SPECTRUM_HIGH = 16000; // Hz
static const float MAIN_LOBE = 2;                            // bins to each side

static const struct {
    float low, high; // Hz
} bands_hz[ANALYSIS_BANDS] = { { 20, 200 }, { 200, 2000 }, { 2000, 16000 } };

bool levels_init(Levels *l)
{
    return spectrum_init(&l->sound, WINDOW_SECONDS, WINDOW_FALL);
}

void levels_free(Levels *l)
{
    spectrum_free(&l->sound);
}

// What bin `i` reads of a full-scale sine at its centre.
static float reads_of_sine(Levels *l, int i)
{
    Spectrum *s = &l->sound;
    float sum = 0;
    for (int quarter = 0; quarter < 2; quarter++) { // a low sine reads by its phase: take the mean
        const double step = 2 * M_PI * l->centre[i] / (s->bin_hz * (double)s->size);
        for (int n = 0; n < s->size; n++)
            s->frame[n] = s->window[n] * (float)sin(step * n + quarter * M_PI / 2);
        fft_power(s->fft, s->frame, s->power);
        sum += spectrum_around(s, l->centre[i], l->reach[i]) / 2;
    }
    return sum;
}

void levels_tune(Levels *l, int rate)
{
    spectrum_tune(&l->sound, rate);
    l->nyquist = (float)rate / 2;
    const float ratio = powf(SPECTRUM_HIGH / SPECTRUM_LOW, 1.0f / (ANALYSIS_SPECTRUM - 1));
    for (int i = 0; i < ANALYSIS_SPECTRUM; i++) {
        l->centre[i] = SPECTRUM_LOW * powf(ratio, (float)i);
        l->reach[i] = fmaxf(l->centre[i] * (ratio - 1), MAIN_LOBE * l->sound.bin_hz);
        l->scale[i] = l->centre[i] < l->nyquist ? 1 / reads_of_sine(l, i) : 0;
    }
}

int levels_size(const Levels *l)
{
    return l->sound.size;
}

void levels_hear(Levels *l, const float *left, const float *right, float *bands, float *spectrum)
{
    const Spectrum *s = &l->sound;
    spectrum_take(&l->sound, left, right);
    for (int i = 0; i < ANALYSIS_BANDS; i++) {
        const float high = fminf(bands_hz[i].high, l->nyquist);
        bands[i] = sqrtf(spectrum_between(s, bands_hz[i].low, high));
    }
    for (int i = 0; i < ANALYSIS_SPECTRUM; i++)
        spectrum[i] = sqrtf(l->scale[i] * spectrum_around(s, l->centre[i], l->reach[i]));
}
