// A band is the amplitude of the sine that has the band's energy; one that spans two windows takes
// its share of each.  The spectrum's bins are narrower than the transform's at the bottom and wider
// at the top: a triangle of energy that is never narrower than the window's main lobe serves both,
// and each bin is calibrated by letting it hear a sine.
#include "analysis/levels.h"

#include <math.h>

// A step is half heard after a third of the window: 20, 14 and 7 ms.
static const float window_seconds[LEVELS_PARTS] = { 3072 / 48000.0f, 2048 / 48000.0f,
                                                    1024 / 48000.0f };
static const float WINDOW_FALL = 0.125f;
static const float crossovers[LEVELS_PARTS + 1] = { 0, 200, 2000, 1e6f };
static const float SPECTRUM_LOW = 30, SPECTRUM_HIGH = 16000; // Hz
static const float MAIN_LOBE = 2;                            // bins to each side

bool levels_init(Levels *l)
{
    bool made = true;
    for (int p = 0; p < LEVELS_PARTS; p++)
        made = spectrum_init(&l->part[p], window_seconds[p], WINDOW_FALL) && made;
    return made;
}

void levels_free(Levels *l)
{
    for (int p = 0; p < LEVELS_PARTS; p++) spectrum_free(&l->part[p]);
}

static float around(const Levels *l, int i)
{
    return spectrum_around(&l->part[l->bin_part[i]], l->centre[i], l->reach[i]);
}

// What bin `i` reads of a full-scale sine at its centre.
static float reads_of_sine(Levels *l, int i)
{
    Spectrum *s = &l->part[l->bin_part[i]];
    float sum = 0;
    for (int quarter = 0; quarter < 2; quarter++) { // a low sine reads by its phase: take the mean
        const double step = 2 * M_PI * l->centre[i] / (s->bin_hz * (double)s->size);
        for (int n = 0; n < s->size; n++)
            s->frame[n] = s->window[n] * (float)sin(step * n + quarter * M_PI / 2);
        fft_power(s->fft, s->frame, s->power);
        sum += around(l, i) / 2;
    }
    return sum;
}

static int part_at(float hz)
{
    int part = 0;
    while (hz >= crossovers[part + 1]) part++;
    return part;
}

void levels_tune(Levels *l, int rate)
{
    const float nyquist = (float)rate / 2;
    for (int p = 0; p < LEVELS_PARTS; p++) spectrum_tune(&l->part[p], rate);
    for (int p = 0; p <= LEVELS_PARTS; p++) l->edge[p] = fminf(crossovers[p], nyquist);
    const float ratio = powf(SPECTRUM_HIGH / SPECTRUM_LOW, 1.0f / (ANALYSIS_SPECTRUM - 1));
    for (int i = 0; i < ANALYSIS_SPECTRUM; i++) {
        l->centre[i] = SPECTRUM_LOW * powf(ratio, (float)i);
        l->bin_part[i] = part_at(l->centre[i]);
        const float bin_hz = l->part[l->bin_part[i]].bin_hz;
        l->reach[i] = fmaxf(l->centre[i] * (ratio - 1), MAIN_LOBE * bin_hz);
        l->scale[i] = l->centre[i] < nyquist ? 1 / reads_of_sine(l, i) : 0;
    }
}

int levels_size(const Levels *l)
{
    return l->part[0].size;
}

int levels_largest(const Levels *l)
{
    return l->part[0].largest;
}

void levels_hear(Levels *l, const float *left, const float *right)
{
    for (int p = 0; p < LEVELS_PARTS; p++) {
        const int from = l->part[0].size - l->part[p].size;
        spectrum_take(&l->part[p], left + from, right + from);
    }
}

float levels_band(const Levels *l, float low, float high)
{
    float power = 0;
    for (int p = 0; p < LEVELS_PARTS; p++) {
        const float from = fmaxf(low, l->edge[p]), to = fminf(high, l->edge[p + 1]);
        if (from < to) power += spectrum_between(&l->part[p], from, to);
    }
    return sqrtf(power);
}

void levels_spectrum(const Levels *l, float *spectrum)
{
    for (int i = 0; i < ANALYSIS_SPECTRUM; i++) spectrum[i] = sqrtf(l->scale[i] * around(l, i));
}

float levels_fullness(const float *spectrum, int first, int end)
{
    const float least = powf(10, LEVELS_NOTHING / 20);
    float sum = 0;
    for (int i = first; i < end; i++) sum += 20 * log10f(fmaxf(spectrum[i], least));
    return sum / (float)(end - first);
}
