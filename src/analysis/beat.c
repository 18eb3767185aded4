// A beat is likely where something new sounds, a period after a beat that was likely.  That score is
// kept for every step; half a period before a beat is due, it is carried on into the future without
// sound, and its summit there is the next beat.  So what sounds late moves the beat after, and what
// does not sound moves none.
//
// After the published ideas of Ellis, "Beat tracking by dynamic programming" (2007: the score) and Stark,
// Davies and Plumbley, "Real-time beat-synchronous analysis of musical audio" (2009: the future).
#include "analysis/beat.h"

#include <math.h>
#include <string.h>

#include "base/base.h"

enum { STEP_HOPS = 2 };

static const float CONTINUED = 0.9f; // share of the score that comes from the beats before
static const float TIGHTNESS = 6;    // how much a beat out of period counts less, by the logarithm
static const float AIM_AT = 0.5f;    // of the period after a beat: when the next is decided on
static const float AIM_WIDTH = 0.3f; // of the period: how far from where it is due
static const double WHOLLY =
    3;                        // steps off from which a beat is moved all the way: steps are coarse
static const double LATE = 4; // hops from an attack to its summit in the score

// The phase is the bass's more than anybody's: hats like to stand between the beats.
static const float PART_WEIGHT[TEMPO_PARTS] = { 0.55f, 0.15f, 0.15f, 0.15f };

static const float NOTHING = 0.002f;   // less novelty is none
static const double HOLD_SECONDS = 12; // a break; after a longer one nothing is known any more
static const float ACCENT_KEPT = 0.85f;
static const float ACCENT_BETTER = 1.2f;
static const float CONFIDENT_SECONDS = 1;
static const float EVEN = 0.2f;              // regularity of even odds
static const float LEAST_REGULARITY = 0.02f; // for a beat

static const float USUAL_BPM = 127, USUAL_WIDTH = 0.75f; // octaves
static const float HAND_WIDTH = 0.06f;
static const float SLOWEST = 30, FASTEST = 400; // BPM
static const double TAP_LONGEST = 2.1;          // s between taps of one row

void beat_tune(Beat *b, double hop)
{
    *b = (Beat){ .hop = hop };
    tempo_tune(&b->tempo, STEP_HOPS * hop);
}

// All but the hands' counters is forgotten.
static void forget(Beat *b)
{
    const Beat before = *b;
    beat_tune(b, before.hop);
    b->hops = before.hops;
    memcpy(b->seen, before.seen, sizeof b->seen);
    b->has_seen = before.has_seen;
}

static double period(const Beat *b) // hops
{
    return STEP_HOPS * (double)b->tempo.period;
}

static TempoRange range_of(const Beat *b, const HearingSettings *settings)
{
    const float low = settings->bpm_min > 0 ? settings->bpm_min : BPM_MIN_USUAL;
    const float high = settings->bpm_max > 0 ? settings->bpm_max : BPM_MAX_USUAL;
    if (b->hand > 0) return (TempoRange){ 0.9f * b->hand, 1.1f * b->hand, b->hand, HAND_WIDTH };
    TempoRange range = { clampf(low, SLOWEST, FASTEST), clampf(high, SLOWEST, FASTEST), USUAL_BPM,
                         USUAL_WIDTH };
    range.high = fmaxf(range.high, 1.1f * range.low);
    return range;
}

static float score_at(const Beat *b, int back)
{
    return b->score[(b->now + BEAT_MEMORY - back) % BEAT_MEMORY];
}

// ---- the score ----------------------------------------------------------------------------------

// How much a beat `steps` after another continues it.
static float continuing(float steps, float period)
{
    const float off = TIGHTNESS * logf(steps / period);
    return expf(-0.5f * off * off);
}

// The best of the beats before one that is `ahead` steps after the newest; `future` holds those between.
static float best_before(const Beat *b, int ahead, const float *future, const float *weights,
                         int shortest, int longest)
{
    float best = 0;
    for (int v = shortest; v <= longest && v - ahead < BEAT_MEMORY; v++) {
        const float there = v < ahead ? future[ahead - v] : score_at(b, v - ahead);
        best = fmaxf(best, weights[v] * there);
    }
    return best;
}

typedef struct {
    float weights[BEAT_MEMORY];
    int shortest, longest; // steps back
} Reach;

static Reach reach_of(float period)
{
    Reach reach = { .shortest = (int)fmaxf(1, 0.5f * period),
                    .longest = clampi((int)ceilf(2 * period), 1, BEAT_MEMORY - 1) };
    for (int v = reach.shortest; v <= reach.longest; v++)
        reach.weights[v] = continuing((float)v, period);
    return reach;
}

static void keep_score(Beat *b, float novelty)
{
    float best = 0;
    if (b->tempo.period > 0) {
        const Reach reach = reach_of(b->tempo.period);
        best = best_before(b, 1, NULL, reach.weights, reach.shortest, reach.longest);
    }
    b->now = (b->now + 1) % BEAT_MEMORY;
    const float score = (1 - CONTINUED) * novelty + CONTINUED * best;
    b->score[b->now] = score > 1e-12f ? score : 0;
}

// Carries the score on without sound and takes its summit near where the next beat is due.
static void aim(Beat *b)
{
    const float beat = b->tempo.period;
    const Reach reach = reach_of(beat);
    // Steps from the newest score to where the next beat's would be.
    const double due = (b->last + period(b) + LATE - (double)b->hops) / STEP_HOPS;
    const int last = clampi((int)(due + 0.5 * beat), 1, BEAT_MEMORY - 1);
    float future[BEAT_MEMORY];
    float most = 0;
    int best = 0;
    for (int ahead = 1; ahead <= last; ahead++) {
        future[ahead] = best_before(b, ahead, future, reach.weights, reach.shortest, reach.longest);
        const float off = ((float)ahead - (float)due) / (AIM_WIDTH * beat);
        const float worth = future[ahead] * expf(-0.5f * off * off);
        if ((double)ahead < due - 0.45 * beat || worth <= most) continue;
        most = worth;
        best = ahead;
    }
    b->aimed = true;
    const double off = most > 0 ? best - due : 0; // steps
    b->next = b->last + period(b) + STEP_HOPS * off * fmin(1, fabs(off) / WHOLLY);
}

// ---- the clock ----------------------------------------------------------------------------------

static int place_of(long long beat)
{
    return (int)(beat % BEAT_BAR);
}

static void guess_bar(Beat *b)
{
    float *accent = &b->accents[place_of(b->begun)];
    *accent = ACCENT_KEPT * *accent + (1 - ACCENT_KEPT) * b->accent;
    b->accent = 0;
    int best = b->first;
    for (int i = 0; i < BEAT_BAR; i++)
        if (b->accents[i] > b->accents[best]) best = i;
    if (b->accents[best] > ACCENT_BETTER * b->accents[b->first]) b->first = best;
}

// A beat begins `at`; the next is where it is due until it is aimed at.
static void begin_beat(Beat *b, double at)
{
    b->last = at;
    b->next = at + period(b);
    b->aimed = false;
    b->begun++;
}

static void run_clock(Beat *b)
{
    if (b->tempo.period <= 0) return;
    const double now = (double)b->hops;
    if (b->next <= 0) begin_beat(b, now); // the first: anywhere, the score will tell
    if (!b->aimed && now >= b->last + AIM_AT * period(b)) {
        aim(b);
        guess_bar(b);
    }
    if (now >= b->next) begin_beat(b, b->next);
}

// Where the clock stands `early` hops from now, in beats.  One that was flagged too early, because the
// next has since been decided to come later, stands until then.
static double foretell(const Beat *b, double early)
{
    const double then = (double)b->hops + early;
    if (b->next <= b->last) return (double)b->told;
    const double ahead =
        then < b->next ? (then - b->last) / (b->next - b->last) : 1 + (then - b->next) / period(b);
    return fmax((double)b->begun + ahead, (double)b->told);
}

// ---- what is heard ------------------------------------------------------------------------------

// A fifth of what is heard going round is what the least regular of music with a beat has, and more
// than chance brings; both are kept clear of the middle.
static float sureness(float regularity)
{
    const float square = regularity * regularity;
    return square / (square + EVEN * EVEN);
}

static void step(Beat *b, const TempoRange *range)
{
    float smooth[TEMPO_PARTS], novelty = 0;
    for (int i = 0; i < TEMPO_PARTS; i++) {
        smooth[i] = 0.25f * b->before[0][i] + 0.5f * b->before[1][i] + 0.25f * b->before[2][i];
        novelty += PART_WEIGHT[i] * smooth[i];
    }
    memcpy(b->before[2], b->before[1], sizeof b->before[2]);
    memcpy(b->before[1], b->before[0], sizeof b->before[1]);
    memset(b->before[0], 0, sizeof b->before[0]);
    tempo_hear(&b->tempo, smooth, range);
    keep_score(b, novelty);
    const float share = approach(CONFIDENT_SECONDS, (float)(STEP_HOPS * b->hop));
    b->regularity += share * (b->tempo.regularity - b->regularity);
    b->steps++;
}

// ---- the hands ----------------------------------------------------------------------------------

// A beat is now, whatever was heard: the score begins anew from here.
static void beat_now(Beat *b)
{
    const double now = (double)b->hops;
    float most = 1e-3f;
    for (int i = 0; i < BEAT_MEMORY; i++) most = fmaxf(most, b->score[i]);
    memset(b->score, 0, sizeof b->score);
    b->score[b->now] = most;
    const bool early = b->next > 0 && b->next - now < now - b->last;
    if (!early && b->begun > 0) b->begun--; // it is the beat before, moved
    begin_beat(b, now);
}

static void set_tempo(Beat *b, float bpm)
{
    if (bpm <= 0) return;
    b->hand = clampf(bpm, SLOWEST, FASTEST);
    tempo_set(&b->tempo, tempo_convert(&b->tempo, b->hand));
    b->next = b->last + period(b);
    b->aimed = false;
}

static void take_tap(Beat *b)
{
    const double now = (double)b->hops;
    if (b->taps == 0 || (now - b->tap) * b->hop > TAP_LONGEST) {
        b->taps = 0;
        b->tapped = now;
    }
    b->tap = now;
    b->taps++;
    if (b->taps > 1) set_tempo(b, (float)(60 * (b->taps - 1) / ((now - b->tapped) * b->hop)));
    if (b->tempo.period > 0) beat_now(b);
}

static void take_hand(Beat *b, BeatHand hand)
{
    const float bpm = tempo_convert(&b->tempo, b->tempo.period);
    switch (hand) {
    case BEAT_TAP:
        take_tap(b);
        break;
    case BEAT_DOUBLE:
        set_tempo(b, 2 * bpm <= FASTEST ? 2 * bpm : bpm);
        break;
    case BEAT_HALF:
        set_tempo(b, bpm / 2 >= SLOWEST ? bpm / 2 : bpm);
        break;
    case BEAT_RESYNC:
        if (b->tempo.period > 0) beat_now(b);
        b->first = place_of(b->begun);
        memset(b->accents, 0, sizeof b->accents);
        break;
    case BEAT_FREE:
        b->hand = 0;
        break;
    case BEAT_HANDS:
        break;
    }
}

static void take_hands(Beat *b, const HearingSettings *settings)
{
    for (int i = 0; i < BEAT_HANDS; i++) {
        const bool moved = b->has_seen && settings->beat_hands[i] != b->seen[i];
        b->seen[i] = settings->beat_hands[i];
        if (moved) take_hand(b, (BeatHand)i);
    }
    b->has_seen = true;
}

BeatReport beat_hear(Beat *b, const float novelty[TEMPO_PARTS], const HearingSettings *settings)
{
    b->hops++;
    float all = 0;
    for (int i = 0; i < TEMPO_PARTS; i++) {
        b->before[0][i] += novelty[i];
        all += novelty[i] / TEMPO_PARTS;
    }
    b->accent = fmaxf(b->accent, all + novelty[0]);
    b->still = all > NOTHING ? 0 : b->still + b->hop;
    if (b->still > HOLD_SECONDS && b->steps > 0 && !b->hand) forget(b);
    take_hands(b, settings);
    const TempoRange range = range_of(b, settings);
    if (b->hops % STEP_HOPS == 0) step(b, &range);
    run_clock(b);
    const double beats = foretell(b, settings->early / b->hop);
    const bool beat = (long long)beats > b->told;
    b->told = (long long)beats;
    const bool sure = b->regularity >= LEAST_REGULARITY || b->hand > 0;
    BeatReport report = { .beat = beat && sure, .confidence = sureness(b->regularity) };
    if (!sure) return report;
    report.bpm = tempo_convert(&b->tempo, b->tempo.period);
    report.phase = clampf((float)(beats - (double)b->told), 0, 0.99999f);
    const int place = place_of(b->told + BEAT_BAR - b->first);
    report.bar_phase = ((float)place + report.phase) / BEAT_BAR;
    return report;
}
