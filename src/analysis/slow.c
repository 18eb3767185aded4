// All by ratios to the piece's own past, so that neither the gain nor the mastering matters.
#include "analysis/slow.h"

#include <math.h>

#include "base/base.h"

static const float NOW = 0.4f, BRIEF = 1, BEFORE = 4, LONG = 12, PAST = 20; // s, time constants
static const float PAST_BROKEN = 60; // s: a break is hardly its own past
static const double KNOWN = 8;       // s of sound until there is a past
static const double FORGET = 5;      // s of silence between two pieces

static const float WHOLE = 0.8f, BROKEN = 0.4f; // of the past's bass: no break, a full one
static const double BREAK_LEAST = 2.5;          // s: from a shorter one nothing drops
static const float RETURNED = 0.8f;             // of the past's bass: the drop
static const float DROP_HALF_LIFE = 1;          // s

static const float JUMP = 6;        // dB, a second against the four before: this is no climb
static const double LEVELLED = 6;   // s until a climb counts again
static const float FULL_BUILD = 2;  // dB of each mean against the next longer one
static const double NOTHING = 1e-6; // amplitude

void slow_start(Slow *s)
{
    *s = (Slow){ 0 };
}

static void learn(const Slow *s, double *mean, double value, float time, float seconds)
{
    const double known = s->heard > 0 ? fmin(1, seconds / s->heard) : 1; // a plain mean at first
    *mean += fmax(approach(time, seconds), known) * (value - *mean);
}

static float decibels(double a, double b)
{
    return a > NOTHING && b > NOTHING ? (float)(20 * log10(a / b)) : 0;
}

// Silence is learnt only by what forgets quickly: a stop before the drop is part of the break.
static void listen(Slow *s, double bass, double energy, bool silent, float seconds)
{
    s->heard += silent ? 0 : seconds;
    learn(s, &s->bass_now, bass, NOW, seconds);
    learn(s, &s->bass_brief, bass, BRIEF, seconds);
    learn(s, &s->energy_brief, energy, BRIEF, seconds);
    if (silent) return;
    learn(s, &s->bass_past, bass, s->broken_for > 0 ? PAST_BROKEN : PAST, seconds);
    learn(s, &s->energy_before, energy, BEFORE, seconds);
    learn(s, &s->energy_past, energy, LONG, seconds);
}

static bool has_past(const Slow *s)
{
    return s->heard > KNOWN && s->bass_past > NOTHING;
}

static float pause_now(const Slow *s)
{
    const float share = has_past(s) ? (float)(s->bass_brief / s->bass_past) : 1;
    return clampf((WHOLE - share) / (WHOLE - BROKEN), 0, 1);
}

static void find_drop(Slow *s, float pause, float seconds)
{
    s->drop *= fade_over(DROP_HALF_LIFE, seconds);
    if (s->drop < 1e-3f) s->drop = 0;
    if (s->broken_for > BREAK_LEAST && s->bass_now > RETURNED * s->bass_past) {
        s->drop = 1;
        s->broken_for = s->level_for = 0;
    }
    if (pause > 0.5f || (s->broken_for > 0 && pause > 0))
        s->broken_for += seconds;
    else
        s->broken_for = 0;
}

static float build_now(Slow *s, float seconds)
{
    const float newest = decibels(s->energy_brief, s->energy_before);
    const float older = decibels(s->energy_before, s->energy_past);
    s->level_for = newest > JUMP || !has_past(s) ? 0 : s->level_for + seconds;
    if (s->level_for < LEVELLED) return 0;
    return clampf(fminf(newest, older) / FULL_BUILD, 0, 1);
}

SlowReport slow_hear(Slow *s, float bass, float energy, bool silent, float seconds)
{
    s->silent_for = silent ? s->silent_for + seconds : 0;
    if (s->silent_for > FORGET) slow_start(s);
    listen(s, silent ? 0 : bass, silent ? 0 : energy, silent, seconds);
    const float pause = pause_now(s);
    find_drop(s, pause, seconds);
    const float build = build_now(s, seconds);
    return (
        SlowReport){ .build = silent ? 0 : build, .drop = s->drop, .pause = silent ? 0 : pause };
}
