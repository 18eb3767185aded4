// Half of a symmetric window's length passes before a step is half heard.  An asymmetric one, two
// halves of cosines of unequal length, keeps the resolution and hears the step in a third of the time.
#include "analysis/spectrum.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/analysis.h"

static int size_at(const Spectrum *s, int rate)
{
    return fft_good_size((int)lround(s->seconds * rate));
}

bool spectrum_init(Spectrum *s, double seconds, double fall)
{
    *s = (Spectrum){ .seconds = seconds, .fall = fall };
    s->largest = size_at(s, ANALYSIS_RATE_MAX);
    const size_t bins = (size_t)s->largest / 2 + 1;
    s->fft = fft_new(s->largest);
    s->power = calloc(bins, sizeof(float));
    s->other = calloc(bins, sizeof(float));
    s->window = calloc((size_t)s->largest, sizeof(float));
    s->frame = calloc((size_t)s->largest, sizeof(float));
    return s->fft && s->power && s->other && s->window && s->frame;
}

void spectrum_free(Spectrum *s)
{
    fft_free(s->fft);
    free(s->power);
    free(s->other);
    free(s->window);
    free(s->frame);
    *s = (Spectrum){ 0 };
}

static double window_at(double place, double fall)
{
    const double part = place < 1 - fall ? place / (1 - fall) : (1 - place) / fall;
    return 0.5 - 0.5 * cos(M_PI * part);
}

void spectrum_tune(Spectrum *s, int rate)
{
    s->size = size_at(s, rate);
    s->bins = s->size / 2 + 1;
    s->bin_hz = (float)rate / (float)s->size;
    fft_set_size(s->fft, s->size);
    double energy = 0;
    for (int i = 0; i < s->size; i++) {
        const double w = window_at((i + 0.5) / s->size, s->fall);
        energy += w * w;
        s->window[i] = (float)w;
    }
    // Parseval: a sine of amplitude 1 leaves size x energy / 4 in the positive half.
    const float scale = (float)sqrt(4 / (s->size * energy));
    s->window_sum = 0;
    for (int i = 0; i < s->size; i++) s->window_sum += s->window[i] *= scale;
}

// In lanes, so that the compiler may add them side by side.
static float sum_of_products(const float *a, const float *b, int count)
{
    float lanes[8] = { 0 }, sum = 0;
    int i = 0;
    for (; i + 8 <= count; i += 8)
        for (int lane = 0; lane < 8; lane++) lanes[lane] += a[i + lane] * b[i + lane];
    for (; i < count; i++) sum += a[i] * b[i];
    for (int lane = 0; lane < 8; lane++) sum += lanes[lane];
    return sum;
}

// The mean, as the window sees it, is taken away: an offset would leak into the lowest bins.
static void power_of(Spectrum *s, const float *samples, float *power)
{
    const float mean = sum_of_products(s->window, samples, s->size) / s->window_sum;
    for (int i = 0; i < s->size; i++) s->frame[i] = s->window[i] * (samples[i] - mean);
    fft_power(s->fft, s->frame, power);
}

void spectrum_take(Spectrum *s, const float *left, const float *right)
{
    power_of(s, left, s->power);
    power_of(s, right, s->other);
    for (int i = 0; i < s->bins; i++)
        s->power[i] = s->other[i] > s->power[i] ? s->other[i] : s->power[i];
}

float spectrum_between(const Spectrum *s, float low, float high)
{
    const float from = low / s->bin_hz, to = high / s->bin_hz; // in bins
    const int first = clampi((int)floorf(from), 0, s->bins - 1);
    const int last = clampi((int)ceilf(to), 0, s->bins - 1);
    float sum = 0;
    for (int i = first; i <= last; i++) {
        const float inside = fminf(to, (float)i + 0.5f) - fmaxf(from, (float)i - 0.5f);
        sum += clampf(inside, 0, 1) * s->power[i];
    }
    return sum;
}

float spectrum_around(const Spectrum *s, float centre, float reach)
{
    const float middle = centre / s->bin_hz, slope = s->bin_hz / reach;
    const int first = clampi((int)ceilf((centre - reach) / s->bin_hz), 0, s->bins - 1);
    const int last = clampi((int)floorf((centre + reach) / s->bin_hz), 0, s->bins - 1);
    float sum = 0;
    for (int i = first; i <= last; i++) {
        sum += clampf(1 - fabsf((float)i - middle) * slope, 0, 1) * s->power[i];
    }
    return sum;
}
