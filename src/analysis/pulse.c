// A hypothesis is scored by how well what sounds has the shape of a beat: most on it, some at its half,
// and before the next beat, at three quarters or, where it swings, at two thirds, more than after this
// one.  The shape has no mean, so that many onsets do not speak for a beat, only well placed ones.  The
// score is a mean over some seconds, and where a beat ends it is handed on to the next, at the same
// tempo or, at a price, at a near one: so a drifting tempo is one hypothesis, not many.  Added to this is
// what the tempo is worth, whatever its phase: how well the music goes round at it (tempo.c), and how
// usual it is.
//
// A ring of hypotheses moves on by turning, not by copying: a step costs one addition a hypothesis.
// Rejected: to decide on the tempo first and then on the phase.  What a syncopated figure repeats is told
// from its beat by where the low drums stand.
//
// After the published ideas of Ellis, "Beat tracking by dynamic programming" (2007: the score that is
// handed on, the weighting of tempos), Whiteley, Cemgil and Godsill, "Bayesian modelling of temporal
// structure in musical audio" (2006: tempo and phase as one state), and Krebs, Boeck and Widmer, "An
// efficient state-space model for joint tempo and meter tracking" (2015: one ring a tempo, which
// changes only where a beat ends).
#include "analysis/pulse.h"

#include <math.h>
#include <string.h>

#include "base/base.h"

static const float MEMORY_SECONDS = 8;   // time constant of a score
static const float LEVEL_SECONDS = 4;    // and of the usual novelty
static const float FAINTEST = 0.01f;     // of its spread
static const float LOUDEST = 4;          // spreads: louder is no more a beat
static const float WORTH_SHARE = 0.5f;   // of the logarithm of what the tempo is worth, in a score
static const float USUAL_SHARE = 0.7f;   // of the logarithm of how usual it is, in its worth
static const float WORTHLESS = 0.001f;   // of the best: less is as little
static const float OTHER_TEMPO = 0.12f;  // log of the ratio that costs as much as a whole score
static const float BETTER = 0.2f;        // so much must another beat be,
static const double RIVAL_SECONDS = 1.5; // for so long
static const double FIRST_SECONDS = 2;   // of music before any leads

enum {
    WEIGH_EVERY = 8, // steps
    HANDED = 6,      // rings to both sides, to which a beat is handed on
    NEAR_RINGS = 4,  // to both sides of the leader's: the same beat
};

// The leader listens to its neighbours once a beat, when the beat before is well heard.
static const float CORRECTED_AT = 0.4f; // of the beat
static const float NEAR_PHASE = 0.08f;
static const float CORRECTED = 0.5f; // of the way
static const float SAME = 0.01f;     // log of the ratio: a period that its ring stands for

// The shape of a beat, by part of the spectrum: how much is expected where.
static const float SHAPE_WIDTH = 0.06f; // of the beat
static const float part_weight[TEMPO_PARTS] = { 1, 0.7f, 0.5f, 0.5f };
static const float half_weight[TEMPO_PARTS] = { 0.25f, 0.6f, 0.7f, 0.6f };
static const struct {
    float at, weight;
} shape_small[] = { { 0.25f, 0.15f }, { 0.75f, 0.4f }, { 2 / 3.0f, 0.5f } };

// ---- the shape ----------------------------------------------------------------------------------

static float bump(float place, float at)
{
    const float off = fabsf(place - at);
    const float around = fminf(off, 1 - off) / SHAPE_WIDTH;
    return expf(-0.5f * around * around);
}

static float expected(int part, float place)
{
    float most = fmaxf(bump(place, 0), half_weight[part] * bump(place, 0.5f));
    for (int i = 0; i < COUNT_OF(shape_small); i++)
        most = fmaxf(most, shape_small[i].weight * bump(place, shape_small[i].at));
    return most;
}

// Without its mean, and all parts alike but for their weight.
static void tune_shape(float *shape, int part)
{
    float mean = 0, power = 0;
    for (int i = 0; i < PULSE_PARTS; i++) {
        shape[i] = expected(part, (float)i / PULSE_PARTS);
        mean += shape[i] / PULSE_PARTS;
    }
    for (int i = 0; i < PULSE_PARTS; i++) {
        shape[i] -= mean;
        power += shape[i] * shape[i] / PULSE_PARTS;
    }
    for (int i = 0; i < PULSE_PARTS; i++) shape[i] *= part_weight[part] / sqrtf(power);
}

static void tune_ring(PulseRing *ring, float period)
{
    ring->period = period;
    ring->places = clampi((int)lroundf(period), 1, PULSE_PLACES);
    for (int i = 0; i < ring->places; i++)
        ring->part[i] = (uint8_t)(i * PULSE_PARTS / ring->places);
}

void pulse_tune(Pulse *p, double step)
{
    memset(p, 0, sizeof *p);
    p->step = step;
    const float shortest = (float)(60 / step) / PULSE_FASTEST;
    const float ratio = powf(PULSE_FASTEST / PULSE_SLOWEST, 1.0f / (PULSE_TEMPOS - 1));
    for (int i = 0; i < PULSE_TEMPOS; i++) tune_ring(&p->ring[i], shortest * powf(ratio, (float)i));
    for (int part = 0; part < TEMPO_PARTS; part++) tune_shape(p->shape[part], part);
}

// ---- the range ----------------------------------------------------------------------------------

static int nearest(const Pulse *p, float period)
{
    int best = 0;
    for (int i = 1; i < PULSE_TEMPOS; i++)
        if (fabsf(p->ring[i].period - period) < fabsf(p->ring[best].period - period)) best = i;
    return best;
}

// What was not kept up until now begins without a score.
static void set_range(Pulse *p, const Tempo *tempo, const TempoRange *range)
{
    const int first = nearest(p, tempo_convert(tempo, range->high));
    const int end = nearest(p, tempo_convert(tempo, range->low)) + 1;
    for (int i = first; i < end; i++)
        if (i < p->first || i >= p->end) memset(p->ring[i].score, 0, sizeof p->ring[i].score);
    p->first = first;
    p->end = end;
}

static float log_prior(const Tempo *tempo, float period, const TempoRange *range)
{
    const float octaves = log2f(tempo_convert(tempo, period) / range->centre) / range->width;
    return -0.5f * octaves * octaves;
}

static void weigh(Pulse *p, const Tempo *tempo, const TempoRange *range)
{
    float most = 1e-9f;
    for (int i = p->first; i < p->end; i++) {
        p->ring[i].worth = tempo_worth(tempo, p->ring[i].period);
        most = fmaxf(most, p->ring[i].worth);
    }
    for (int i = p->first; i < p->end; i++) {
        PulseRing *ring = &p->ring[i];
        ring->worth = WORTH_SHARE * (logf(fmaxf(WORTHLESS, ring->worth / most)) +
                                     USUAL_SHARE * log_prior(tempo, ring->period, range));
    }
}

// ---- the scores ---------------------------------------------------------------------------------

static int index_of(const PulseRing *ring, int place)
{
    const int at = ring->head + place;
    return at < ring->places ? at : at - ring->places;
}

// Turns the rings by a step: a beat of a period that is no whole number of steps sometimes waits.
static void turn(Pulse *p)
{
    for (int i = p->first; i < p->end; i++) {
        PulseRing *ring = &p->ring[i];
        ring->turn += (float)ring->places / ring->period;
        ring->turned = (int)ring->turn;
        ring->turn -= (float)ring->turned;
        ring->head = (ring->head + 2 * ring->places - ring->turned) % ring->places;
    }
}

// The score of the beat that ends about now.
static float ending(const PulseRing *ring)
{
    return ring->turned > 0 ? ring->score[ring->head]
                            : ring->score[index_of(ring, ring->places - 1)];
}

static void hand_on(Pulse *p)
{
    float ended[PULSE_TEMPOS], price[HANDED + 1];
    const float apart = logf(p->ring[1].period / p->ring[0].period) / OTHER_TEMPO;
    for (int i = 0; i <= HANDED; i++) price[i] = apart * (float)i * apart * (float)i;
    for (int i = p->first; i < p->end; i++) ended[i] = ending(&p->ring[i]);
    for (int i = p->first; i < p->end; i++) {
        if (p->ring[i].turned == 0) continue;
        float best = ended[i];
        for (int off = 1; off <= HANDED; off++) {
            if (i - off >= p->first) best = fmaxf(best, ended[i - off] - price[off]);
            if (i + off < p->end) best = fmaxf(best, ended[i + off] - price[off]);
        }
        p->ring[i].score[p->ring[i].head] = best;
    }
}

// The share of the newest in a running mean, which is a plain one at first.
static float learning(float seconds, double step, long long steps)
{
    return fmaxf(approach(seconds, (float)step), 1 / (float)steps);
}

// What this step's novelty says for each part of a beat.
static void judge(Pulse *p, const float *novelty, long long steps, float *said)
{
    const float share = learning(LEVEL_SECONDS, p->step, steps);
    memset(said, 0, PULSE_PARTS * sizeof *said);
    for (int part = 0; part < TEMPO_PARTS; part++) {
        p->mean[part] += share * (novelty[part] - p->mean[part]);
        const float off = novelty[part] - p->mean[part];
        p->power[part] += share * (off * off - p->power[part]);
        const float spread = sqrtf(p->power[part]) + FAINTEST;
        for (int i = 0; i < PULSE_PARTS; i++)
            said[i] += fminf(off / spread, LOUDEST) * p->shape[part][i];
    }
}

typedef struct {
    int ring, place;
    float score;
} Best;

// Moves all scores on and finds the best; what a tempo is worth counts as it stands.
static Best keep_scores(Pulse *p, const float *said, long long steps)
{
    const float share = learning(MEMORY_SECONDS, p->step, steps);
    float news[PULSE_PARTS];
    for (int part = 0; part < PULSE_PARTS; part++) news[part] = share * said[part];
    Best best = { .score = -1e9f };
    for (int i = p->first; i < p->end; i++) {
        PulseRing *ring = &p->ring[i];
        for (int place = 0; place < ring->places; place++) {
            float *score = &ring->score[index_of(ring, place)];
            *score = (1 - share) * *score + news[ring->part[place]];
            if (*score + ring->worth > best.score) best = (Best){ i, place, *score + ring->worth };
        }
    }
    return best;
}

// ---- the leader ---------------------------------------------------------------------------------

// The best of those that are the leader's beat, a little earlier or later, faster or slower.
static Best best_near_leader(const Pulse *p)
{
    Best best = { .ring = -1, .score = -1e9f };
    for (int i = p->leader - NEAR_RINGS; i <= p->leader + NEAR_RINGS; i++) {
        if (i < p->first || i >= p->end) continue;
        const PulseRing *ring = &p->ring[i];
        const int middle = (int)lroundf(p->phase * (float)ring->places);
        const int reach = (int)(NEAR_PHASE * (float)ring->places);
        for (int place = middle - reach; place <= middle + reach; place++) {
            if (place < 0 || place >= ring->places) continue;
            const float score = ring->score[index_of(ring, place)] + ring->worth;
            if (score > best.score) best = (Best){ i, place, score };
        }
    }
    return best;
}

static float phase_of(const Pulse *p, const Best *best)
{
    return (float)best->place / (float)p->ring[best->ring].places;
}

static void lead(Pulse *p, const Best *best, const Tempo *tempo)
{
    p->leader = best->ring;
    p->phase = phase_of(p, best);
    p->period = tempo_refined(tempo, p->ring[best->ring].period);
    p->rival = 0;
    p->jumped = true;
}

// Where nothing goes round, a period that was set stays what it is.
static void measure(Pulse *p, const Tempo *tempo)
{
    const float about = p->ring[p->leader].period;
    const bool same = fabsf(logf(p->period / about)) < SAME;
    p->period = tempo_refined(tempo, same ? p->period : about);
}

// True where the leader is to be corrected.
static bool go_on(Pulse *p)
{
    const bool before = p->phase < CORRECTED_AT;
    p->phase += 1 / p->period;
    const bool due = before && p->phase >= CORRECTED_AT;
    if (p->phase >= 1) p->phase -= 1;
    return due;
}

static void follow(Pulse *p, const Best *best, const Tempo *tempo)
{
    const bool due = go_on(p);
    const Best own = best_near_leader(p);
    if (own.ring < 0) { // the range was moved away from it
        lead(p, best, tempo);
        return;
    }
    if (due) {
        p->leader = own.ring;
        p->phase += CORRECTED * (phase_of(p, &own) - p->phase);
    }
    p->rival = best->score > own.score + BETTER ? p->rival + p->step : 0;
    if (p->rival >= RIVAL_SECONDS) lead(p, best, tempo);
}

void pulse_hear(Pulse *p, const float novelty[TEMPO_PARTS], const Tempo *tempo,
                const TempoRange *range)
{
    float said[PULSE_PARTS];
    const bool weighs = tempo->steps % WEIGH_EVERY == 0;
    set_range(p, tempo, range);
    if (weighs) weigh(p, tempo, range);
    turn(p);
    hand_on(p);
    judge(p, novelty, tempo->steps, said);
    const Best best = keep_scores(p, said, tempo->steps);
    p->jumped = false;
    if (p->period > 0)
        follow(p, &best, tempo);
    else if ((double)tempo->steps * p->step > FIRST_SECONDS)
        lead(p, &best, tempo);
    if (weighs && p->period > 0) measure(p, tempo);
}

void pulse_pass(Pulse *p)
{
    turn(p);
    hand_on(p);
    p->jumped = false;
    if (p->period > 0) go_on(p);
}

void pulse_set(Pulse *p, float period)
{
    const float since = p->phase * p->period; // steps
    p->leader = nearest(p, period);
    p->period = period;
    p->phase = fmodf(since / period, 1);
    p->rival = 0;
}

void pulse_place(Pulse *p, float phase)
{
    float most = BETTER;
    for (int i = p->first; i < p->end; i++) {
        PulseRing *ring = &p->ring[i];
        for (int n = 0; n < ring->places; n++) most = fmaxf(most, ring->score[n]);
        memset(ring->score, 0, sizeof ring->score);
    }
    p->phase = phase;
    p->rival = 0;
    for (int i = p->leader - NEAR_RINGS; i <= p->leader + NEAR_RINGS; i++) {
        if (i < 0 || i >= PULSE_TEMPOS) continue;
        PulseRing *ring = &p->ring[i];
        const int place = (int)(phase * (float)ring->places);
        ring->score[index_of(ring, clampi(place, 0, ring->places - 1))] = most;
    }
}
