#include "app/governor.h"

#include <stdio.h>
#include <string.h>

#include "base/base.h"

// Shares are whole sixteenths, as they are drawn.
static const Quality ladder[] = {
    { 1, 1 },         { 0.84f, 1 },      { 0.71f, 1 },      { 0.59f, 1 },
    { 0.5f, 1 },      { 0.5f, 0.8125f }, { 0.5f, 0.625f },  { 0.5f, 0.5f },
    { 0.5f, 0.375f }, { 0.5f, 0.25f },   { 0.5f, 0.1875f }, { 0.5f, 0.125f },
};
enum { RUNGS = COUNT_OF(ladder), PIXELS = 0, PARTICLES = 1 };

static const double WINDOW = 0.5;    // s
static const double SETTLES = 0.4;   // s: the GPU tells its times a few frames late
static const double STARTS = 1;      // s: what is slow only once
static const int FRAMES_LEAST = 8;   // of a window
static const float TOO_MUCH = 0.97f; // of the budget
static const float AIM = 0.85f;      // of a fall
static const float FITS = 0.9f;      // what a raise may come to
static const float SURE = 0.6f;      // the same, at worst
static const double HOLD_LEAST = 2;  // s
static const double HOLD_SURE = 16;  // s
static const double HOLD_MOST = 256; // s
static const double PROVES = 20;     // s that a raise must last, and twice the hold

void governor_init(Governor *governor)
{
    *governor = (Governor){ .hold = HOLD_LEAST, .settled = SETTLES - STARTS, .follow = { 1, 1 } };
}

Quality governor_quality(const Governor *governor)
{
    return ladder[governor->rung];
}

// ---- what a rung costs --------------------------------------------------------------------------

static float pixels_of(int rung)
{
    return ladder[rung].scale * ladder[rung].scale;
}

// Work on one rung as a share of that on another, where so much of it follows.
static float ratio(int to, int from, const float follow[2])
{
    return powf(pixels_of(to) / pixels_of(from), follow[PIXELS]) *
           powf(ladder[to].share / ladder[from].share, follow[PARTICLES]);
}

static float at_worst(int to, int from)
{
    return ratio(to, from, (const float[2]){ 1, 1 });
}

// From what the last change did.
static void learn(Governor *g)
{
    if (!g->moved) return;
    g->moved = false;
    if (g->load <= 0 || g->load_before <= 0) return;
    const int part = ladder[g->rung].share < 1 || ladder[g->before].share < 1 ? PARTICLES : PIXELS;
    const float follows = logf(g->load / g->load_before) / logf(at_worst(g->rung, g->before));
    g->follow[part] = clampf(follows, 0, 1);
}

// ---- deciding -----------------------------------------------------------------------------------

static void go(Governor *g, int rung)
{
    g->before = g->rung;
    g->rung = rung;
    g->load_before = g->load;
    g->moved = true;
    g->settled = 0;
    g->calm = 0;
}

// The highest rung that could be enough.
static int enough(const Governor *g)
{
    int rung = g->rung + 1;
    while (rung < RUNGS - 1 && g->load * at_worst(rung, g->rung) > AIM) rung++;
    return rung;
}

static bool lower(Governor *g)
{
    if (g->load <= TOO_MUCH || g->rung == RUNGS - 1) {
        if (g->load > TOO_MUCH) g->calm = 0;
        return false;
    }
    if (g->trying) g->hold = fmin(2 * g->hold, HOLD_MOST);
    g->trying = false;
    go(g, enough(g));
    return true;
}

// How long it must have been calm.  Where there is room for much more, failures of the past count for
// less; and having gone up, it goes on.
static double patience(const Governor *g)
{
    if (g->load * at_worst(g->rung - 1, g->rung) > SURE) return g->hold;
    return g->rung < g->before ? HOLD_LEAST : fmin(g->hold, HOLD_SURE);
}

static bool raise(Governor *g)
{
    if (g->trying && g->settled > fmax(PROVES, 2 * g->hold)) {
        g->trying = false;
        g->hold = fmax(g->hold / 2, HOLD_LEAST);
    }
    if (g->rung == 0) return false;
    const bool fits = g->load * ratio(g->rung - 1, g->rung, g->follow) <= FITS;
    g->calm = fits ? g->calm + g->window : 0;
    if (g->calm < patience(g)) return false;
    g->trying = true;
    go(g, g->rung - 1);
    return true;
}

static bool decide(Governor *g)
{
    learn(g);
    return lower(g) || raise(g);
}

// ---- windows ------------------------------------------------------------------------------------

// What nine of ten frames stay below.
static float load_of_window(Governor *g)
{
    for (int n = 1; n < g->frames; n++) {
        const float load = g->loads[n];
        int at = n;
        for (; at > 0 && g->loads[at - 1] > load; at--) g->loads[at] = g->loads[at - 1];
        g->loads[at] = load;
    }
    return g->loads[(g->frames - 1) * 9 / 10];
}

static void begin_window(Governor *g)
{
    g->frames = 0;
    g->window = 0;
}

static void say(const Governor *g, double budget, char *said)
{
    const Quality now = governor_quality(g);
    snprintf(said, GOVERNOR_SENTENCE,
             "quality %s: scale %.2g, share %.2g (frames took %.1f ms of %.1f)",
             g->rung > g->before ? "lowered" : "raised", now.scale, now.share,
             (double)g->load * budget, budget);
}

bool governor_frame(Governor *g, double seconds, double work, double budget, char *said)
{
    g->settled += seconds;
    if (g->settled < SETTLES || budget <= 0) return false;
    if (g->frames < GOVERNOR_FRAMES) g->loads[g->frames++] = (float)(work / budget);
    g->window += seconds;
    if (g->window < WINDOW || g->frames < FRAMES_LEAST) return false;
    g->load = load_of_window(g);
    const bool changed = decide(g);
    begin_window(g);
    if (changed) say(g, budget, said);
    return changed;
}
