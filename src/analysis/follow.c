#include "analysis/follow.h"

#include <math.h>

#include "base/base.h"

static const float BRIEF = 2, PAST = 30; // s, time constants
static const float TAIL = 1.0f / 1024;   // a fall ends here
static const double NOTHING = 1e-9;

void follow(Follower *f, float shown, float heard, const FollowSettings *s)
{
    f->smooth +=
        approach(shown > f->smooth ? s->attack : s->release, s->seconds) * (shown - f->smooth);
    if (shown == 0 && f->smooth < TAIL) f->smooth = 0;
    f->clock = fmod(f->clock + (double)shown * s->seconds, 1); // at full level a turn a second

    if (!s->silent) f->heard += s->seconds;
    const double known = f->heard > 0 ? fmin(1, s->seconds / f->heard) : 1; // a plain mean at first
    f->brief += fmax(approach(BRIEF, s->seconds), known) * ((s->silent ? 0 : heard) - f->brief);
    if (!s->silent) f->past += fmax(approach(PAST, s->seconds), known) * (heard - f->past);
    if (f->brief < NOTHING) f->brief = 0;
}

float follow_presence(const Follower *f)
{
    return f->brief > 0 ? (float)(f->brief / (f->brief + f->past)) : 0;
}
