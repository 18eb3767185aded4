// All by ratios to the piece's own past, so that neither the gain nor the mastering matters.  A piece may
// break without its bass, or with it while all else leaves: the one is told by the bass, the other by how
// full the spectrum is.  By how much these go about anyway is no break.  It drops where both are back, which
// they are when a second of them is: one kick in a break, or one last chord, is no drop.  Less is enough where
// both come back at once.
//
// How full it was is told from before the last seconds: a piece often thins out on its way into a break.
#include "analysis/slow.h"

#include <math.h>
#include <string.h>

#include "base/base.h"

static const float BRIEF = 1, PAST = 20; // s, time constants
static const float PAST_LACKING = 120;   // s: a break is hardly its own past
static const float PAST_FULL = 6;        // s, before the last LATELY steps
static const double KNOWN = 8;           // s of sound until there is a past
static const double FORGET = 5;          // s of silence between two pieces

static const float WHOLE = 0.8f, HALF_BROKEN = 0.6f; // of the past's bass: no break, half a one
static const float FULL = 4, HALF_THIN = 6.5f;       // dB less full than the past: the same
static const double THINNEST = 15;                   // dB less than that is no less
static const double BREAK_LEAST = 3;                 // s: from a shorter one nothing drops
static const double BREAK_MOST = 90;                 // s: what is thin for longer is no break
static const float DROP_HALF_LIFE = 1;               // s
static const float TOLD = 0.05f;                     // of a drop: until then, no other

// What is back: so much of the past's bass or more, and no more dB less full than this.
static const float BACK_BASS = 0.75f, BACK_FULL = 4.5f;    // after a break without bass
static const float SURGED_BASS = 0.65f, SURGED_FULL = 7;   // the same where both have surged
static const float FILLED_BASS = 0.7f, FILLED_FULL = 2.5f; // after a thin one
static const double HELD = 0.25;                           // s that it must be
static const float SURGE = 3;                              // dB within SURGE_STEPS

static const float STEP = 0.5f;          // s
enum { SURGE_STEPS = 4, LATELY = 8 };    // steps: two, four seconds
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

static float decibels(double amplitude)
{
    return (float)(20 * log10(fmax(amplitude, NOTHING)));
}

static void keep_step(Slow *s, bool silent, float seconds)
{
    if (silent) s->step_count = 0; // a climb out of silence is a beginning
    s->step_age += seconds;
    if (s->step_age < STEP) return;
    s->step_age -= STEP;
    memmove(s->steps + 1, s->steps, sizeof s->steps - sizeof *s->steps);
    s->steps[0] = (SlowStep){ decibels(s->above), decibels(s->bass.brief), (float)s->full.brief };
    if (!silent && s->step_count < SLOW_STEPS) s->step_count++;
}

static float past_of(const Habit *habit)
{
    return habit->lacks_for > 0 ? PAST_LACKING : PAST;
}

static void learn_past(const Slow *s, Habit *habit, double value, float time, float seconds)
{
    learn(s, &habit->spread, fabs(habit->brief - habit->past), past_of(habit), seconds);
    learn(s, &habit->past, value, time, seconds);
}

// Silence is not learnt by the past: a stop before the drop is part of the break.
static void listen(Slow *s, const SlowHeard *heard, float seconds)
{
    const bool silent = heard->silent, begins = s->heard <= 0;
    if (silent && begins) return;
    const double thinnest = begins ? (double)heard->fullness : s->full.past - THINNEST;
    s->heard += silent ? 0 : seconds;
    learn(s, &s->bass.brief, silent ? 0 : heard->bass, BRIEF, seconds);
    learn(s, &s->above, silent ? 0 : heard->above, BRIEF, seconds);
    learn(s, &s->full.brief, silent ? thinnest : fmax(heard->fullness, thinnest), BRIEF, seconds);
    keep_step(s, silent, seconds);
    if (silent) return;
    const bool has_lately = s->heard > (LATELY + 1) * STEP;
    const double full = has_lately ? (double)s->steps[LATELY - 1].full : s->full.brief;
    learn_past(s, &s->bass, heard->bass, past_of(&s->bass), seconds);
    learn_past(s, &s->full, s->full.lacks_for > 0 ? s->full.past : full, PAST_FULL, seconds);
}

// True where a lack that was long enough for a drop ends, for good; a shorter one ends at once.
static bool ends(Habit *habit, bool lacks, bool back, float seconds)
{
    const bool is_break = habit->lacks_for > BREAK_LEAST;
    habit->back_for = back ? habit->back_for + seconds : 0;
    if (lacks || habit->lacks_for > 0) habit->lacks_for += seconds;
    if (!back || (is_break && habit->back_for < HELD)) return false;
    habit->lacks_for = 0;
    return is_break;
}

// What went before the drop is no past, and no more to rise from.
static void begin_anew(Slow *s)
{
    s->bass.lacks_for = s->full.lacks_for = 0;
    for (int i = 0; i < SLOW_STEPS; i++) {
        s->steps[i].bass = decibels(s->bass.brief);
        s->steps[i].full = (float)s->full.brief;
    }
}

// Now against the past.
typedef struct {
    float bass;                 // share of the past's
    float thinner;              // dB
    float no_bass, no_fullness; // 0.5: half a break
} Against;

static Against compare(const Slow *s)
{
    const bool known = s->heard > KNOWN && s->bass.past > NOTHING;
    if (!known) return (Against){ .bass = 1 };
    Against now = { .bass = (float)(s->bass.brief / s->bass.past),
                    .thinner = (float)(s->full.past - s->full.brief) };
    const float usual = (float)(s->bass.spread / s->bass.past);
    const float whole = fminf(WHOLE, 1 - usual), full = fmaxf(FULL, (float)s->full.spread);
    now.no_bass = 0.5f * (whole - now.bass) / (WHOLE - HALF_BROKEN);
    now.no_fullness = 0.5f * (now.thinner - full) / (HALF_THIN - FULL);
    return now;
}

static bool drops(Slow *s, const Against *now, float seconds)
{
    const SlowStep *before = &s->steps[SURGE_STEPS - 1];
    const bool surges = (float)s->full.brief > before->full + SURGE;
    const bool both_surge = surges && decibels(s->bass.brief) > before->bass + SURGE;
    const bool back = now->bass > BACK_BASS && now->thinner < BACK_FULL;
    const bool surged = both_surge && now->bass > SURGED_BASS && now->thinner < SURGED_FULL;
    const bool filled = now->bass > FILLED_BASS && now->thinner < FILLED_FULL;
    const bool bass_ends = ends(&s->bass, now->no_bass > 0.5f, back || surged, seconds);
    const bool thin_ends = ends(&s->full, now->no_fullness > 0.5f, filled, seconds);
    return bass_ends || (thin_ends && surges);
}

static void find_drop(Slow *s, const Against *now, float seconds)
{
    s->drop *= fade_over(DROP_HALF_LIFE, seconds);
    if (s->drop < 1e-3f) s->drop = 0;
    if (drops(s, now, seconds)) {
        if (s->drop < TOLD) s->drop = 1;
        begin_anew(s);
    }
    if (s->full.lacks_for > BREAK_MOST) {
        s->full.past = s->full.brief;
        s->full.lacks_for = 0;
    }
}

static float climb(const Slow *s)
{
    if (s->step_count < SLOW_STEPS) return 0;
    float least = FULL_BUILD;
    for (int i = 0; i + STRIDE < SLOW_STEPS; i += STRIDE)
        least = fminf(least, s->steps[i].above - s->steps[i + STRIDE].above);
    return clampf(least / FULL_BUILD, 0, 1);
}

static void find_build(Slow *s, bool silent, float seconds)
{
    s->build += approach(BUILD_SECONDS, seconds) * (climb(s) - s->build);
    if (silent || s->build < 1e-3f) s->build = 0;
}

SlowReport slow_hear(Slow *s, const SlowHeard *heard, float seconds)
{
    s->silent_for = heard->silent ? s->silent_for + seconds : 0;
    if (s->silent_for > FORGET) slow_start(s);
    listen(s, heard, seconds);
    const Against now = compare(s);
    find_drop(s, &now, seconds);
    find_build(s, heard->silent, seconds);
    const float pause = heard->silent ? 0 : fmaxf(now.no_bass, now.no_fullness);
    return (SlowReport){ s->build, s->drop, clampf(pause, 0, 1) };
}
