// Of all rising zero crossings the one before the largest hump is taken: a wave with several
// crossings a period has one of them, so that it does not jump between them.
#include "analysis/wave.h"

static const float SHOWN = 0.02f;  // s
static const float SEARCH = 0.03f; // s: a period of the lowest tone that is held

float wave_seconds(void)
{
    return SHOWN + SEARCH + 0.001f;
}

// Roughly: every eighth sample tells which channel is the louder one.
static float power(const float *samples, int count)
{
    float sum = 0;
    for (int i = 0; i < count; i += 8) sum += samples[i] * samples[i];
    return sum;
}

// Where the line from sample i to i + 1 crosses zero.
static float crossing(const float *samples, int i)
{
    return (float)i + samples[i] / (samples[i] - samples[i + 1]);
}

// The trigger's place, in samples; `latest` where nothing crosses.
static float trigger(const float *samples, int latest)
{
    float best = 0, place = (float)latest, hump = 0, start = -1;
    for (int i = 0; i < latest; i++) {
        if (samples[i] <= 0 && samples[i + 1] > 0) {
            start = crossing(samples, i);
            hump = 0;
        }
        hump += samples[i + 1];
        if (start < 0 || hump <= best * 1.001f) continue;
        best = hump;
        place = start;
    }
    return place;
}

void wave_take(const float *left, const float *right, int count, int rate, float *points)
{
    const float shown = SHOWN * (float)rate;
    const int wanted = (int)(wave_seconds() * (float)rate);
    const float *samples = power(right, count) > power(left, count) ? right : left;
    samples += count - wanted;
    const int latest = wanted - (int)shown - 2;
    const float from = trigger(samples, latest);
    for (int i = 0; i < ANALYSIS_WAVEFORM; i++) {
        const float at = from + shown * (float)i / (ANALYSIS_WAVEFORM - 1);
        const int before = (int)at;
        points[i] = lerpf(samples[before], samples[before + 1], at - (float)before);
    }
}
