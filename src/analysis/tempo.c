// The likeness of the novelty with itself is kept for every lag as a running sum that forgets over
// some seconds: a step costs one multiplication a lag, always the same, and silence changes no ratio,
// so that a tempo outlives a break.  A period is as good as the likeness at its multiples is high (a
// comb).  It is measured where the whole comb fits best: a lag of many beats tells the length of one
// with as many times the precision, and in what is played freely only whole bars come again.
//
// After the published ideas of Davies and Plumbley, "Context-dependent beat tracking of musical audio"
// (2007: the comb), and Stark, Davies and Plumbley, "Real-time beat-synchronous analysis of musical
// audio" (2009: one step at a time).
#include "analysis/tempo.h"

#include <math.h>

#include "base/base.h"

static const float FORGET_SECONDS = 5; // time constant of the likeness
static const float MEAN_SECONDS = 2;   // and of the novelty's mean
static const float FAINT = 15; // of likeness: what beats in a hum or a chord is far below any drum

// Where the comb looks, in periods.  That half a beat, two, four and eight alike go round tells a beat
// from the length of three quarters of it, or of three halves, which a syncopated figure has too.
static const struct {
    float at, weight;
} comb_teeth[] = { { 0.25f, 0.2f }, { 0.5f, 0.5f }, { 1, 1 }, { 2, 1 }, { 4, 1 }, { 8, 1 } };

// A period that hardly anything is played at, and only its multiples speak for, is worth less.
static const float PLAYED = 0.03f; // of what its multiples say: so much, and it counts in full
static const float UNPLAYED = 0.25f;

// How finely a period is looked at, to both sides.
static const float LOOSE = 0.0025f, FINE = 0.001f; // of it
enum { LOOSE_STEPS = 2, FINE_STEPS = 20 };

void tempo_tune(Tempo *t, double step)
{
    *t = (Tempo){ .step = step };
}

float tempo_convert(const Tempo *t, float bpm_or_period)
{
    return bpm_or_period > 0 ? (float)(60 / t->step) / bpm_or_period : 0;
}

void tempo_hear(Tempo *t, const float novelty[TEMPO_PARTS])
{
    const float share = fmaxf(approach(MEAN_SECONDS, (float)t->step), 1 / (float)(t->steps + 1));
    t->now = (t->now + 1) % TEMPO_LAGS;
    float *fresh = t->past[t->now];
    for (int i = 0; i < TEMPO_PARTS; i++) {
        t->mean[i] += share * (novelty[i] - t->mean[i]);
        if (t->mean[i] < 1e-9f) t->mean[i] = 0; // silence ends in 0, not in denormals
        fresh[i] = novelty[i] - t->mean[i];
    }
    const float kept = 1 - approach(FORGET_SECONDS, (float)t->step);
    for (int lag = 0; lag < TEMPO_LAGS; lag++) {
        const float *then = t->past[(t->now + TEMPO_LAGS - lag) % TEMPO_LAGS];
        float sum = 0;
        for (int i = 0; i < TEMPO_PARTS; i++) sum += fresh[i] * then[i];
        t->likeness[lag] = kept * t->likeness[lag] + sum;
    }
    t->steps++;
}

// Between whole lags, by a line.
static float likeness_at(const Tempo *t, float lag)
{
    const int whole = (int)lag;
    if (whole + 1 >= TEMPO_LAGS) return 0;
    return lerpf(t->likeness[whole], t->likeness[whole + 1], lag - (float)whole);
}

static float comb(const Tempo *t, float period)
{
    float sum = 0, teeth = 0;
    for (int i = 0; i < COUNT_OF(comb_teeth); i++) {
        const float lag = comb_teeth[i].at * period;
        if (lag >= TEMPO_LAGS - 1) break;
        sum += comb_teeth[i].weight * likeness_at(t, lag);
        teeth += comb_teeth[i].weight;
    }
    return teeth > 0 ? fmaxf(0, sum / teeth) : 0;
}

float tempo_worth(const Tempo *t, float period)
{
    float all = 0;
    for (int i = -LOOSE_STEPS; i <= LOOSE_STEPS; i++)
        all = fmaxf(all, comb(t, period * (1 + LOOSE * (float)i)));
    const float own = all > 0 ? clampf(likeness_at(t, period) / (PLAYED * all), 0, 1) : 0;
    return all * lerpf(UNPLAYED, 1, own);
}

float tempo_refined(const Tempo *t, float period)
{
    float best = period, most = comb(t, period);
    for (int i = -FINE_STEPS; i <= FINE_STEPS; i++) {
        const float near = period * (1 + FINE * (float)i), worth = comb(t, near);
        if (worth <= most) continue;
        most = worth;
        best = near;
    }
    return best;
}

// The second highest likeness under the comb.
static float second_likeness(const Tempo *t, float period)
{
    float first = -INFINITY, second = -INFINITY;
    for (int i = 0; i < COUNT_OF(comb_teeth); i++) {
        const float likeness = likeness_at(t, comb_teeth[i].at * period);
        second = fmaxf(second, fminf(first, likeness));
        first = fmaxf(first, likeness);
    }
    return second;
}

// What comes again after one lag alone is a recording that is repeated, and no beat.
float tempo_regularity(const Tempo *t, float period)
{
    const float most = second_likeness(t, period);
    float sum = 0, teeth = 0;
    for (int i = 0; i < COUNT_OF(comb_teeth); i++) {
        sum += comb_teeth[i].weight * fminf(most, likeness_at(t, comb_teeth[i].at * period));
        teeth += comb_teeth[i].weight;
    }
    return clampf(sum / teeth / (t->likeness[0] + FAINT), 0, 1);
}
