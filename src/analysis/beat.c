// The clock that beats are told by.  Half-way through a beat it asks the pulse, which has heard the one
// before by then, when the next is due; so what sounds late moves the beat after, and what does not
// sound moves none.
#include "analysis/beat.h"

#include <math.h>
#include <string.h>

#include "base/base.h"

enum { STEP_HOPS = 2 };

static const float AIM_AT = 0.5f;      // of the period after a beat: when the next is decided on
static const double SOONEST = 0.4;     // of the period after a beat: the next
static const double LATE = 3;          // hops from an attack to its summit in the novelty
static const double BREAK_SECONDS = 2; // of stillness

static const float NOTHING = 0.002f;   // less novelty is none
static const double HOLD_SECONDS = 12; // a break; after a longer one nothing is known any more
static const float ACCENT_KEPT = 0.85f;
static const float ACCENT_BETTER = 1.15f;
static const float MOST_NOVELTY = 0.999f;
static const float CONFIDENT_SECONDS = 1;
static const float EVEN = 0.18f;             // regularity of even odds
static const float LEAST_REGULARITY = 0.02f; // for a beat

static const float USUAL_BPM = 130, USUAL_WIDTH = 0.9f; // octaves
static const float HAND_WIDTH = 0.06f;
static const double TAP_LONGEST = 2.1; // s between taps of one row

void beat_tune(Beat *b, double hop)
{
    memset(b, 0, sizeof *b);
    b->hop = hop;
    tempo_tune(&b->tempo, STEP_HOPS * hop);
    pulse_tune(&b->pulse, STEP_HOPS * hop);
}

// All but the hands' counters is forgotten.
static void forget(Beat *b)
{
    const long long hops = b->hops;
    float seen[BEAT_HANDS];
    memcpy(seen, b->seen, sizeof seen);
    const bool has_seen = b->has_seen;
    beat_tune(b, b->hop);
    b->hops = hops;
    memcpy(b->seen, seen, sizeof seen);
    b->has_seen = has_seen;
}

static double period(const Beat *b) // hops
{
    return STEP_HOPS * (double)b->pulse.period;
}

static TempoRange range_of(const Beat *b, const HearingSettings *settings)
{
    const float low = settings->bpm_min > 0 ? settings->bpm_min : BPM_MIN_USUAL;
    const float high = settings->bpm_max > 0 ? settings->bpm_max : BPM_MAX_USUAL;
    if (b->hand > 0) return (TempoRange){ 0.9f * b->hand, 1.1f * b->hand, b->hand, HAND_WIDTH };
    TempoRange range = { clampf(low, PULSE_SLOWEST, PULSE_FASTEST),
                         clampf(high, PULSE_SLOWEST, PULSE_FASTEST), USUAL_BPM, USUAL_WIDTH };
    range.high = fmaxf(range.high, 1.1f * range.low);
    return range;
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

// The pulse stands where it was at the last step.
static void aim(Beat *b)
{
    const double left = (1 - (double)b->pulse.phase) * period(b);
    b->next = (double)(b->hops - b->hops % STEP_HOPS) + left - LATE;
    while (b->next < b->last + SOONEST * period(b)) b->next += period(b);
    b->aimed = true;
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
    if (period(b) <= 0) return;
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
    float sharp[TEMPO_PARTS], smooth[TEMPO_PARTS];
    for (int i = 0; i < TEMPO_PARTS; i++) {
        sharp[i] = b->before[0][i] / STEP_HOPS;
        smooth[i] = 0.25f * b->before[0][i] + 0.5f * b->before[1][i] + 0.25f * b->before[2][i];
    }
    memcpy(b->before[2], b->before[1], sizeof b->before[2]);
    memcpy(b->before[1], b->before[0], sizeof b->before[1]);
    memset(b->before[0], 0, sizeof b->before[0]);
    tempo_hear(&b->tempo, smooth);
    if (b->still < BREAK_SECONDS)
        pulse_hear(&b->pulse, sharp, &b->tempo, range);
    else
        pulse_pass(&b->pulse);
    if (b->pulse.jumped) b->aimed = false;
    const float now = period(b) > 0 ? tempo_regularity(&b->tempo, b->pulse.period) : 0;
    b->regularity +=
        approach(CONFIDENT_SECONDS, (float)(STEP_HOPS * b->hop)) * (now - b->regularity);
    b->steps++;
}

// ---- the hands ----------------------------------------------------------------------------------

// A beat is now, whatever was heard.
static void beat_now(Beat *b)
{
    const double now = (double)b->hops;
    pulse_place(&b->pulse, (float)fmax(0, 1 - LATE / period(b)));
    const bool early = b->next > 0 && b->next - now < now - b->last;
    if (!early && b->begun > 0) b->begun--; // it is the beat before, moved
    begin_beat(b, now);
}

static void set_tempo(Beat *b, float bpm)
{
    if (bpm <= 0) return;
    b->hand = clampf(bpm, PULSE_SLOWEST, PULSE_FASTEST);
    pulse_set(&b->pulse, tempo_convert(&b->tempo, b->hand));
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
    if (period(b) > 0) beat_now(b);
}

static void take_hand(Beat *b, BeatHand hand)
{
    const float bpm = tempo_convert(&b->tempo, b->pulse.period);
    switch (hand) {
    case BEAT_TAP:
        take_tap(b);
        break;
    case BEAT_DOUBLE:
        set_tempo(b, 2 * bpm <= PULSE_FASTEST ? 2 * bpm : bpm);
        break;
    case BEAT_HALF:
        set_tempo(b, bpm / 2 >= PULSE_SLOWEST ? bpm / 2 : bpm);
        break;
    case BEAT_RESYNC:
        if (period(b) > 0) beat_now(b);
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

// How heavy a stroke is, the bass counting twice.  Novelty ends at 1, where all strokes are alike: it is
// taken back to what it was before.
static float weight_of(const float novelty[TEMPO_PARTS])
{
    float sum = -logf(1 - fminf(novelty[0], MOST_NOVELTY));
    for (int i = 0; i < TEMPO_PARTS; i++) sum -= logf(1 - fminf(novelty[i], MOST_NOVELTY));
    return sum;
}

BeatReport beat_hear(Beat *b, const float novelty[TEMPO_PARTS], const HearingSettings *settings)
{
    b->hops++;
    float all = 0;
    for (int i = 0; i < TEMPO_PARTS; i++) {
        b->before[0][i] += novelty[i];
        all += novelty[i] / TEMPO_PARTS;
    }
    b->accent = fmaxf(b->accent, weight_of(novelty));
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
    report.bpm = tempo_convert(&b->tempo, b->pulse.period);
    report.phase = clampf((float)(beats - (double)b->told), 0, 0.99999f);
    const int place = place_of(b->told + BEAT_BAR - b->first);
    report.bar_phase = ((float)place + report.phase) / BEAT_BAR;
    return report;
}
