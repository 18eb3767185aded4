// Hiss and quiet music are equally loud: music 45 dB below full scale has the power of a hiss of
// -60 dBFS.  But white hiss has all of it above, music most of it below 1 kHz, where the hiss is 13 dB
// weaker.  So a gate asks of each band whether it is louder than white hiss would be there.
//
// A darker hiss, or a hum, may have all its power there.  But it is steady: what is not louder than any
// such thing must live to be music, and have notes and hits, or a tone.  A note or a hit lifts the bins of
// the spectrum together, which is told by the mean of their decibels: chance moves that equally little
// in hiss of any colour, and one loud bin is no more than any other.  A click is over before it counts,
// and what begins out of nothing may be hiss that is switched on, unless it dies away at once.
//
// Music may rest for a moment; only then is it silence.  A gain climbs quickly only until it has found
// its place; later it climbs slowly, so that a soft verse stays softer than its chorus.  Down it goes at
// once for what is shown, and in itself only as long as the loud sound lasts: one knock on the
// microphone does not turn the music down.
#include "analysis/gain.h"

#include <math.h>

#include "analysis/levels.h"

static const float HISS = -57;             // dB: a hiss of -60 dBFS as the amplitude of a sine
static const float HISS_WIDEST = 22050;    // Hz
static const float GATE_MARGIN = 5;        // dB above the hiss opens
static const float GATE_HYSTERESIS = 2.5f; // dB below that closes
static const float GATE_CLEARLY = 1;       // dB above that opens at once what lives
static const float GATE_STARTLING =
    20; // dB above that opens at once whatever it is: louder than crackles
static const float GATE_RESTLESS = 10;   // dB above that no restless level of few bins reaches
static const float GATE_LOUD = 10;       // dB above that is an attack and no fading in
static const float GATE_SECONDS = 0.15f; // time constant
static const float GATE_HOLD = 0.3f;     // s
static const float MOMENT = 12;          // dB/s by which the least of the last moments is forgotten
static const float AUDIBLE = 2;          // dB above LEVELS_NOTHING
static const float ARRIVED = 0.25f;    // s of sound before a rise is one: a hiss may be switched on
static const float TONE_AUDIBLE = -85; // dB
static const float TONE = 14;          // dB that a bin stands out of the least around it
static const float TONE_SECONDS = 0.5f;   // time constant: hiss evens out
static const float TONE_BESIDE_BASS = -6; // dB: the overtones of a hum are weaker than that
enum { TONE_REACH = 6 };                  // bins
static const float TONE_LOST = 15;        // dB
static const float ALIVE = 2.5f;          // s after a rise; within the past that a gain knows

// Parts of the spectrum, in bins: how much steady noise does not rise there within a moment, and how long
// a rise must last, which is longer than a click stays in the windows that these bins are read from.
enum { MIDDLE = 20, TOP = 42 }; // 210 Hz, above the hum of the mains; 2 kHz
static const struct {
    int first, end, hops;
    float rise; // dB
} parts[GAIN_PARTS] = {
    { 0, MIDDLE, 15, 15 },
    { MIDDLE, TOP, 11, 5.5f },
    { TOP, ANALYSIS_SPECTRUM, 8, 3 },
};

static const float LOW_FROM = 20, LOW_TO = 1000, WIDE_TO = 16000; // Hz

static const float NOMINAL = 0.8f; // amplitude that the loudest of the past is brought to
static const float MOST = 48, MOST_BAND = 18; // dB, the latter above the gain of all
static const float BLOCK = 0.25f;             // s
static const float QUICK = 24, SLOW = 1;      // dB/s, up
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
    gate->opens = HISS + 10 * log10f(white) + GATE_MARGIN;
}

static void gate_hear(Gate *gate, float amplitude, bool alive, float clearly, float seconds)
{
    const float db = decibels(amplitude), opens = alive ? gate->opens : HISS + GATE_MARGIN;
    gate->level += approach(GATE_SECONDS, seconds) * (db - gate->level);
    if (db > opens + clearly) gate->level = fmaxf(gate->level, db);
    if (gate->level > opens) gate->open = true;
    gate->below_for = gate->level > opens - GATE_HYSTERESIS ? 0 : gate->below_for + seconds;
    if (gate->below_for > GATE_HOLD) gate->open = false;
}

// What the part was not below while a click would have passed.
static float lasting(const Riser *r, int hops)
{
    float least = r->past[r->at];
    for (int i = 1; i < hops; i++)
        least = fminf(least, r->past[(r->at + GAIN_LASTING - i) % GAIN_LASTING]);
    return least;
}

static void arrive(Riser *r, float db, float seconds)
{
    const bool audible = db > LEVELS_NOTHING + AUDIBLE;
    if (audible && r->audible_for == 0) {
        r->since = 0;
        r->most = LEVELS_NOTHING;
    }
    r->since += seconds;
    r->audible_for = audible ? r->audible_for + seconds : 0;
}

static bool rises(Riser *r, float db, int hops, float rise, float seconds)
{
    arrive(r, db, seconds);
    r->at = (r->at + 1) % GAIN_LASTING;
    r->past[r->at] = db;
    const float level = lasting(r, hops);
    const bool arrived = r->audible_for > ARRIVED;
    r->least = arrived ? fminf(r->least + MOMENT * seconds, level) : level;
    r->most = fmaxf(r->most, level);
    const bool dies_away = r->since < ARRIVED && r->most > LEVELS_NOTHING + AUDIBLE + rise;
    return level > r->least + rise || (dies_away && db < r->most - rise);
}

// A mean over the spectrum's past, begun anew where that was much louder: what it was is no matter.
static void remember_spectrum(Gain *g, const float *spectrum, float bass, float seconds)
{
    float now = 0, past = 0;
    for (int i = 0; i < ANALYSIS_SPECTRUM; i++) {
        now += spectrum[i] * spectrum[i];
        past += g->power[i];
    }
    const bool anew = now < past * factor(-TONE_LOST) * factor(-TONE_LOST);
    const float share = anew ? 1 : approach(TONE_SECONDS, seconds);
    g->power_for = anew ? 0 : g->power_for + seconds;
    g->bass_power += share * (bass * bass - g->bass_power);
    for (int i = 0; i < ANALYSIS_SPECTRUM; i++)
        g->power[i] +=
            share * (fmaxf(spectrum[i] * spectrum[i], QUIETEST * QUIETEST) - g->power[i]);
}

static bool has_tone(const Gain *g)
{
    const float beside = factor(TONE_BESIDE_BASS) * sqrtf(g->bass_power);
    const float least_tone = fmaxf(factor(TONE_AUDIBLE), beside), high = factor(TONE);
    if (g->power_for < 2 * TONE_SECONDS) return false;
    for (int i = MIDDLE; i <= TOP; i++) {
        float least = g->power[i];
        for (int k = i - TONE_REACH; k <= i + TONE_REACH; k++) least = fminf(least, g->power[k]);
        if (g->power[i] > least_tone * least_tone && g->power[i] > high * high * least) return true;
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
    Riser nothing = { .least = LEVELS_NOTHING, .most = LEVELS_NOTHING };
    for (int i = 0; i < GAIN_LASTING; i++) nothing.past[i] = LEVELS_NOTHING;
    *g = (Gain){ .hiss_width = fminf((float)rate / 2, HISS_WIDEST), .closed_for = LOST };
    gate_set(&g->low, LOW_FROM, LOW_TO, g->hiss_width);
    gate_set(&g->wide, LOW_FROM, WIDE_TO, g->hiss_width);
    g->low.level = g->wide.level = decibels(0);
    for (int i = 0; i < ANALYSIS_BANDS; i++) g->band_gate[i].level = decibels(0);
    for (int i = 0; i < GAIN_PARTS; i++) g->part[i] = nothing;
}

static bool is_open(const Gain *g)
{
    return g->low.open || g->wide.open;
}

static bool is_alive(Gain *g, const GainHeard *heard, float seconds)
{
    const float *spectrum = heard->spectrum;
    bool lives = false;
    for (int i = 0; i < GAIN_PARTS; i++) {
        const float db = levels_fullness(spectrum, parts[i].first, parts[i].end);
        lives = rises(&g->part[i], db, parts[i].hops, parts[i].rise, seconds) || lives;
    }
    const bool loud = decibels(heard->low) > HISS + GATE_MARGIN + GATE_RESTLESS;
    remember_spectrum(g, spectrum, heard->bass, seconds);
    g->alive_for = lives || loud || has_tone(g) ? ALIVE : fmaxf(0, g->alive_for - seconds);
    return g->alive_for > 0;
}

static void hear_gates(Gain *g, const GainHeard *heard, const float *edges, float seconds)
{
    const bool was_open = is_open(g), alive = is_alive(g, heard, seconds);
    const float clearly = alive ? GATE_CLEARLY : GATE_STARTLING;
    gate_hear(&g->low, heard->low, alive, clearly, seconds);
    gate_hear(&g->wide, heard->wide, alive, clearly, seconds);
    for (int i = 0; i < ANALYSIS_BANDS; i++) {
        gate_set(&g->band_gate[i], edges[i], edges[i + 1], g->hiss_width);
        gate_hear(&g->band_gate[i], heard->band[i], true, GATE_RESTLESS, seconds);
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
