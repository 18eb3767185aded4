// Hiss and quiet music are equally loud: music 45 dB below full scale has the power of a hiss of
// -60 dBFS.  But hiss has all of it above, music most of it below 1 kHz, where the hiss is 13 dB
// weaker.  So a gate asks of each band whether it is louder than the hiss would be there.
//
// Pink hiss is 11 dB louder below 1 kHz than white hiss, and there as loud as quiet music.  But it is
// steady and has no tones: what is not louder than pink hiss must rise now and then, as notes and hits do,
// or have a tone, to be music.
//
// Music may rest for a moment; only then is it silence.  A gain climbs quickly only until it has found its place; later it climbs slowly, so that a soft
// verse stays softer than its chorus.  Down it goes at once for what is shown, and in itself only as
// long as the loud sound lasts: one knock on the microphone does not turn the music down.
#include "analysis/gain.h"

#include <math.h>

static const float HISS = -57;             // dB: a hiss of -60 dBFS as the amplitude of a sine
static const float HISS_WIDEST = 22050;    // Hz
static const float GATE_MARGIN = 5;        // dB above the hiss opens
static const float GATE_HYSTERESIS = 2.5f; // dB below that closes
static const float GATE_CLEARLY =
    1; // dB above that no hiss reaches even for a moment: it opens at once
static const float GATE_CLEARLY_BAND = 10; // the same where few bins make a restless level
static const float GATE_LOUD = 10;         // dB above that is an attack and no fading in
static const float GATE_SECONDS = 0.15f;   // time constant
static const float GATE_HOLD = 0.3f;       // s
static const float RISE = 4.5f;            // dB within a moment, which steady noise does not
static const float RISE_SECONDS = 0.015f;  // time constant of what rises
static const float MOMENT = 12;     // dB/s by which the least of the last moments is forgotten
static const float AUDIBLE = -85;   // dB: below it nothing rises
static const float ARRIVED = 0.25f; // s above it before a rise is one: a hiss may be switched on
static const float TONE = 14;       // dB that a bin stands out of the least around it
static const float TONE_SECONDS = 0.5f; // time constant: hiss evens out
enum {
    TONE_FIRST = 20,
    TONE_LAST = 42,
    TONE_REACH = 6
};                                 // bins: 210 Hz, above the hum of the mains, to 2 kHz
static const float TONE_LOST = 15; // dB
static const float ALIVE = 2.5f;   // s after a rise; within the past that a gain knows
static const float LOW_FROM = 20, LOW_TO = 1000, WIDE_TO = 16000; // Hz

static const float NOMINAL = 0.8f; // amplitude that the loudest of the past is brought to
static const float MOST = 48, MOST_BAND = 18; // dB, the latter above the gain of all
static const float BLOCK = 0.25f;             // s
static const float QUICK = 14, SLOW = 1;      // dB/s, up
static const float DOWN = 100;                // dB/s
static const float NEAR = 10, FAR = 22;       // dB to climb: slowly, quickly
static const float PAUSE = 1.5f; // s with the gate closed are silence; shorter ones are rests
static const float LOST = 5;     // s of silence after which it looks anew
static const float LOOKED = 1;   // s that it looks at least

static const float SHOWN_SOFTLY = 0.3f, SHOWN_AT_ONCE = 0.01f, HIDDEN = 0.1f; // s
static const float QUIETEST = 1e-6f;

static float decibels(float amplitude)
{
    return 20 * log10f(fmaxf(amplitude, QUIETEST));
}

static float factor(float db)
{
    return powf(10, db / 20);
}

// ---- gate ----

static void gate_set(Gate *gate, float low, float high, float hiss_width)
{
    const float top = fminf(high, hiss_width);
    const float white = fmaxf(1, top - low) / hiss_width;
    const float pink = logf(fmaxf(1, top / low)) / logf(hiss_width / LOW_FROM);
    gate->opens = HISS + 10 * log10f(white) + GATE_MARGIN;
    gate->surely = HISS + 10 * log10f(fmaxf(white, pink)) + GATE_MARGIN;
}

static void gate_hear(Gate *gate, float amplitude, float clearly, bool alive, float seconds)
{
    const float db = decibels(amplitude), opens = alive ? gate->opens : gate->surely;
    gate->level += approach(GATE_SECONDS, seconds) * (db - gate->level);
    if (db > opens + clearly) gate->level = fmaxf(gate->level, db);
    if (gate->level > opens) gate->open = true;
    gate->below_for = gate->level > opens - GATE_HYSTERESIS ? 0 : gate->below_for + seconds;
    if (gate->below_for > GATE_HOLD) gate->open = false;
}

static bool rises(Riser *r, float amplitude, float seconds)
{
    const float db = decibels(amplitude);
    r->level += approach(RISE_SECONDS, seconds) * (db - r->level);
    r->above_for = db > AUDIBLE ? r->above_for + seconds : 0;
    r->least = r->above_for > ARRIVED ? fminf(r->least + MOMENT * seconds, r->level) : r->level;
    return r->level > r->least + RISE;
}

// A mean over the spectrum's past, begun anew where that was much louder: what it was is no matter.
static void remember_spectrum(Gain *g, const float *spectrum, float seconds)
{
    float now = 0, past = 0;
    for (int i = 0; i < ANALYSIS_SPECTRUM; i++) {
        now += spectrum[i] * spectrum[i];
        past += g->power[i];
    }
    const bool anew = now < past * factor(-TONE_LOST) * factor(-TONE_LOST);
    const float share = anew ? 1 : approach(TONE_SECONDS, seconds);
    g->power_for = anew ? 0 : g->power_for + seconds;
    for (int i = 0; i < ANALYSIS_SPECTRUM; i++)
        g->power[i] +=
            share * (fmaxf(spectrum[i] * spectrum[i], QUIETEST * QUIETEST) - g->power[i]);
}

static bool has_tone(const Gain *g)
{
    const float audible = factor(AUDIBLE) * factor(AUDIBLE), high = factor(TONE) * factor(TONE);
    if (g->power_for < 2 * TONE_SECONDS) return false;
    for (int i = TONE_FIRST; i <= TONE_LAST; i++) {
        float least = g->power[i];
        for (int k = i - TONE_REACH; k <= i + TONE_REACH; k++) least = fminf(least, g->power[k]);
        if (g->power[i] > audible && g->power[i] > high * least) return true;
    }
    return false;
}

// ---- leveller ----

static float loudest_of(const Leveller *l)
{
    float loudest = QUIETEST;
    for (int i = 0; i < GAIN_BLOCKS; i++) loudest = fmaxf(loudest, l->loudest[i]);
    return loudest;
}

static void remember(Leveller *l, float amplitude, float seconds)
{
    l->block_age += seconds;
    if (l->block_age > BLOCK) {
        l->block_age = 0;
        l->block = (l->block + 1) % GAIN_BLOCKS;
        l->loudest[l->block] = 0;
    }
    l->loudest[l->block] = fmaxf(l->loudest[l->block], amplitude);
}

static void climb(Leveller *l, float way, float seconds)
{
    const float eager = clampf((way - NEAR) / (FAR - NEAR), 0, 1);
    const float speed = l->settled ? lerpf(SLOW, QUICK, eager) : QUICK;
    l->gain += fminf(way, speed * seconds);
}

static void level(Leveller *l, float amplitude, float most, float seconds)
{
    remember(l, amplitude, seconds);
    l->heard += seconds;
    const float way = clampf(decibels(NOMINAL / loudest_of(l)), 0, most) - l->gain;
    const float over = fminf(decibels(amplitude / NOMINAL) + l->gain, l->gain);
    if (way > 0) climb(l, way, seconds);
    if (over > 0) l->gain -= fminf(over, DOWN * seconds);
    if (way < 1 && l->heard > LOOKED) l->settled = true;
}

static void look_anew(Leveller *l)
{
    *l = (Leveller){ .gain = l->gain };
}

// The gain as a factor, less where this hop would come out above nominal; never below 1.
static float held(const Leveller *l, float amplitude)
{
    return fmaxf(1, fminf(factor(l->gain), NOMINAL / fmaxf(amplitude, QUIETEST)));
}

// ---- both ----

void gain_tune(Gain *g, int rate)
{
    *g = (Gain){ .hiss_width = fminf((float)rate / 2, HISS_WIDEST), .closed_for = LOST };
    gate_set(&g->low, LOW_FROM, LOW_TO, g->hiss_width);
    gate_set(&g->wide, LOW_FROM, WIDE_TO, g->hiss_width);
    g->low.level = g->wide.level = decibels(0);
    for (int i = 0; i < ANALYSIS_BANDS; i++) g->band_gate[i].level = decibels(0);
    g->middle.level = g->top.level = decibels(0);
}

static bool is_open(const Gain *g)
{
    return g->low.open || g->wide.open;
}

static bool is_alive(Gain *g, const GainHeard *heard, float seconds)
{
    const bool middle = rises(&g->middle, heard->middle, seconds);
    const bool top = rises(&g->top, heard->top, seconds);
    const bool loud = decibels(heard->low) > g->low.surely + GATE_CLEARLY;
    remember_spectrum(g, heard->spectrum, seconds);
    g->alive_for = middle || top || loud || has_tone(g) ? ALIVE : fmaxf(0, g->alive_for - seconds);
    return g->alive_for > 0;
}

static void hear_gates(Gain *g, const GainHeard *heard, const float *edges, float seconds)
{
    const bool was_open = is_open(g), alive = is_alive(g, heard, seconds);
    gate_hear(&g->low, heard->low, GATE_CLEARLY, alive, seconds);
    gate_hear(&g->wide, heard->wide, GATE_CLEARLY, alive, seconds);
    for (int i = 0; i < ANALYSIS_BANDS; i++) {
        gate_set(&g->band_gate[i], edges[i], edges[i + 1], g->hiss_width);
        gate_hear(&g->band_gate[i], heard->band[i], GATE_CLEARLY_BAND, true, seconds);
    }
    if (is_open(g) && !was_open)
        g->soft = g->closed_for > PAUSE && g->low.level < g->low.opens + GATE_LOUD &&
                  g->wide.level < g->wide.opens + GATE_LOUD;
    g->closed_for = is_open(g) ? 0 : g->closed_for + seconds;
}

static bool is_silent(const Gain *g)
{
    return g->closed_for > PAUSE;
}

static void show(Gain *g, float seconds)
{
    const float opening = g->soft ? SHOWN_SOFTLY : SHOWN_AT_ONCE;
    const float step = is_open(g) ? seconds / opening : -seconds / HIDDEN;
    g->shown = clampf(g->shown + step, 0, 1);
}

static void look_for_lost(Gain *g)
{
    if (g->closed_for < LOST) return;
    look_anew(&g->all);
    for (int i = 0; i < ANALYSIS_BANDS; i++) look_anew(&g->band[i]);
}

GainReport gain_hear(Gain *g, const GainHeard *heard, const float *edges, float seconds)
{
    hear_gates(g, heard, edges, seconds);
    show(g, seconds);
    look_for_lost(g);
    if (!is_silent(g)) level(&g->all, heard->peak, MOST, seconds);
    const float all = held(&g->all, heard->peak);
    GainReport report = { .all = all * g->shown,
                          .held = factor(g->all.gain),
                          .silent = is_silent(g) };
    for (int i = 0; i < ANALYSIS_BANDS; i++) {
        const float band = heard->band[i] * all;
        if (!is_silent(g) && g->band_gate[i].open) level(&g->band[i], band, MOST_BAND, seconds);
        report.band[i] = report.all * held(&g->band[i], band);
    }
    return report;
}
