// The likeness of the novelty with itself is kept for every lag as a running sum that forgets over
// some seconds: a step costs one multiplication a lag, always the same, and silence changes no ratio,
// so that a tempo outlives a break.  A period is as good as the likeness at its first multiples is
// high (a comb), weighted by how usual the tempo is: a normal distribution over its logarithm.
//
// After the published ideas of Ellis, "Beat tracking by dynamic programming" (2007: the weighting),
// Davies and Plumbley, "Context-dependent beat tracking of musical audio" (2007: the comb), and Stark,
// Davies and Plumbley, "Real-time beat-synchronous analysis of musical audio" (2009: one step at a time).
#include "analysis/tempo.h"

#include <math.h>

#include "base/base.h"

static const float FORGET_SECONDS = 5; // time constant of the likeness
static const float MEAN_SECONDS = 2;   // and of the novelty's mean
static const float FAINT = 15; // of likeness: what beats in a hum or a chord is far below any drum
static const double LEAST_SECONDS = 1.5; // of music before a tempo is said

enum {
    CHOOSE_EVERY = 8, // steps
    FINEST = 8,       // the multiple that the period is finally measured at
};

// Where the comb looks, in periods.  That half a beat, two, four and eight alike go round tells a beat
// from the length of three quarters of it, or of three halves, which a syncopated figure has too.
static const struct {
    float at, weight;
} comb_teeth[] = { { 0.5f, 0.5f }, { 1, 1 }, { 2, 1 }, { 4, 1 }, { 8, 1 } };

// A period that hardly anything is played at, and only its multiples speak for, is worth less.
static const float PLAYED = 0.03f; // of what its multiples say: so much, and it counts in full
static const float UNPLAYED = 0.25f;
static const float SAME = 0.06f; // log of the ratio up to which two tempos are one that drifts
static const float RIVAL_BETTER = 1.3f;   // so much better must another tempo be,
static const double RIVAL_SECONDS = 2.5f; // for so long

void tempo_tune(Tempo *t, double step)
{
    *t = (Tempo){ .step = step };
}

float tempo_convert(const Tempo *t, float bpm_or_period)
{
    return bpm_or_period > 0 ? (float)(60 / t->step) / bpm_or_period : 0;
}

void tempo_set(Tempo *t, float period)
{
    t->period = period;
    t->rival = 0;
}

static void learn_likeness(Tempo *t, const float *novelty)
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

static float prior(const Tempo *t, float period, const TempoRange *range)
{
    const float octaves = log2f(tempo_convert(t, period) / range->centre) / range->width;
    return expf(-0.5f * octaves * octaves);
}

static float worth(const Tempo *t, float period, const TempoRange *range)
{
    const float all = comb(t, period);
    const float own = all > 0 ? clampf(likeness_at(t, period) / (PLAYED * all), 0, 1) : 0;
    return all * lerpf(UNPLAYED, 1, own) * prior(t, period, range);
}

// The lag of the highest likeness within `reach` steps, placed between lags by a parabola.
static float summit(const Tempo *t, float lag, int reach)
{
    int best = (int)lroundf(lag);
    const int first = best - reach > 1 ? best - reach : 1;
    const int last = best + reach < TEMPO_LAGS - 2 ? best + reach : TEMPO_LAGS - 2;
    if (first > last) return lag;
    best = first;
    for (int i = first; i <= last; i++)
        if (t->likeness[i] > t->likeness[best]) best = i;
    const float a = t->likeness[best - 1], b = t->likeness[best], c = t->likeness[best + 1];
    const float bend = a - 2 * b + c;
    if (bend >= 0) return lag; // no summit: a slope ends at the edge
    return (float)best + clampf(0.5f * (a - c) / bend, -0.5f, 0.5f);
}

// A lag of many beats tells the length of one with as many times the precision.
static float refined(const Tempo *t, const float about)
{
    float period = about;
    for (int k = 1; k <= FINEST && (float)k * period < TEMPO_LAGS - 2; k *= 2)
        period = summit(t, (float)k * period, k == 1 ? 2 : 3) / (float)k;
    return fabsf(logf(period / about)) < SAME ? period : about;
}

static float best_period(Tempo *t, const TempoRange *range)
{
    const float longest = tempo_convert(t, range->low), shortest = tempo_convert(t, range->high);
    const float ratio = powf(longest / shortest, 1.0f / (TEMPO_GUESSES - 1));
    float best = 0, most = 0, period = shortest;
    for (int i = 0; i < TEMPO_GUESSES; i++, period *= ratio) {
        const float score = worth(t, period, range);
        if (score <= most) continue;
        most = score;
        best = period;
    }
    return best;
}

// The tempo that plays follows its own drift at once; another must be better for a while.
static void choose(Tempo *t, const TempoRange *range)
{
    const float best = best_period(t, range);
    if (best <= 0) return;
    const bool same = t->period > 0 && fabsf(logf(best / t->period)) < SAME;
    const bool inside = t->period > 0 && prior(t, t->period, range) > 0;
    const bool better =
        !inside || worth(t, best, range) > RIVAL_BETTER * worth(t, t->period, range);
    t->rival = better && !same ? t->rival + CHOOSE_EVERY : 0;
    if (t->period <= 0 || same || t->rival * t->step >= RIVAL_SECONDS) {
        t->period = refined(t, best);
        t->rival = 0;
    } else {
        t->period = refined(t, t->period);
    }
}

void tempo_hear(Tempo *t, const float novelty[TEMPO_PARTS], const TempoRange *range)
{
    learn_likeness(t, novelty);
    if (t->steps % CHOOSE_EVERY || (double)t->steps * t->step < LEAST_SECONDS) return;
    choose(t, range);
    if (t->period <= 0) return;
    t->regularity = clampf(comb(t, t->period) / (t->likeness[0] + FAINT), 0, 1);
}
