// All by ratios to the piece's own past, so that neither the gain nor the mastering matters.  The bass
// is back when a second of it is: one kick in a break is no drop, the second one is.
#include "analysis/slow.h"

#include <math.h>
#include <string.h>

#include "base/base.h"

static const float BRIEF = 1, PAST = 20; // s, time constants
static const float PAST_BROKEN = 120;    // s: a break is hardly its own past
static const double KNOWN = 8;           // s of sound until there is a past
static const double FORGET = 5;          // s of silence between two pieces

static const float WHOLE = 0.8f, BROKEN = 0.4f; // of the past's bass: no break, a full one
static const double BREAK_LEAST = 3;            // s: from a shorter one nothing drops
static const float RETURNED = 0.75f;            // of the past's bass: the drop
static const float DROP_HALF_LIFE = 1;          // s

static const float STEP = 0.5f;          // s
enum { STRIDE = (SLOW_STEPS - 1) / 3 };  // steps: a climb rises over each of three such
static const float FULL_BUILD = 1.5f;    // dB by which it does
static const float BUILD_SECONDS = 0.5f; // time constant
static const double NOTHING = 1e-6;      // amplitude

void slow_start(Slow *s)
{
    *s = (Slow){ 0 };
}

static void learn(const Slow *s, double *mean, double value, float time, float seconds)
{
    const double known = s->heard > 0 ? fmin(1, seconds / s->heard) : 1; // a plain mean at first
    *mean += fmax(approach(time, seconds), known) * (value - *mean);
}

// Silence is not learnt by the past: a stop before the drop is part of the break.
static void listen(Slow *s, double bass, double energy, bool silent, float seconds)
{
    s->heard += silent ? 0 : seconds;
    learn(s, &s->bass_brief, bass, BRIEF, seconds);
    learn(s, &s->energy_brief, energy, BRIEF, seconds);
    if (!silent) learn(s, &s->bass_past, bass, s->broken_for > 0 ? PAST_BROKEN : PAST, seconds);
}

// Bass against its past; 1 while there is none.
static float bass_share(const Slow *s)
{
    const bool known = s->heard > KNOWN && s->bass_past > NOTHING;
    return known ? (float)(s->bass_brief / s->bass_past) : 1;
}

static float find_drop(Slow *s, float seconds)
{
    const float share = bass_share(s), pause = clampf((WHOLE - share) / (WHOLE - BROKEN), 0, 1);
    s->drop *= fade_over(DROP_HALF_LIFE, seconds);
    if (s->drop < 1e-3f) s->drop = 0;
    if (s->broken_for > BREAK_LEAST && share > RETURNED) s->drop = 1;
    if (share > RETURNED)
        s->broken_for = 0;
    else if (pause > 0.5f || s->broken_for > 0)
        s->broken_for += seconds;
    return pause;
}

static float climb(const Slow *s)
{
    if (s->step_count < SLOW_STEPS) return 0;
    float least = FULL_BUILD;
    for (int i = 0; i + STRIDE < SLOW_STEPS; i += STRIDE)
        least = fminf(least, s->steps[i] - s->steps[i + STRIDE]);
    return clampf(least / FULL_BUILD, 0, 1);
}

static void find_build(Slow *s, float seconds)
{
    s->step_age += seconds;
    if (s->step_age >= STEP) {
        s->step_age -= STEP;
        memmove(s->steps + 1, s->steps, sizeof s->steps - sizeof *s->steps);
        s->steps[0] = (float)(20 * log10(fmax(s->energy_brief, NOTHING)));
        s->step_count += s->step_count < SLOW_STEPS;
    }
    s->build += approach(BUILD_SECONDS, seconds) * (climb(s) - s->build);
    if (s->build < 1e-3f) s->build = 0;
}

SlowReport slow_hear(Slow *s, float bass, float energy, bool silent, float seconds)
{
    s->silent_for = silent ? s->silent_for + seconds : 0;
    if (s->silent_for > FORGET) slow_start(s);
    listen(s, silent ? 0 : bass, silent ? 0 : energy, silent, seconds);
    const float pause = find_drop(s, seconds);
    if (silent)
        s->step_count = 0, s->build = 0; // a climb out of silence is a beginning
    else
        find_build(s, seconds);
    return (SlowReport){ s->build, s->drop, silent ? 0 : pause };
}
