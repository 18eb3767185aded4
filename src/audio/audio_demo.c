// Why own arithmetic and not libm: sinf and expf differ in the last bit between processors, and a demo
// that is the same everywhere can be compared everywhere.  (The test tones use libm: they want to be
// right rather than alike.)
#include "audio/audio_demo.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

// A wave of one turn a cycle, 0.1 % off a sine.  `turns` must not be negative.
static float wave(double turns)
{
    const float x = (float)(turns - (double)(int64_t)turns) - 0.5f;
    const float y = x * (16 * fabsf(x) - 8);
    return y * (0.775f + 0.225f * fabsf(y));
}

// Falls from 1 like exp(-x), for x >= 0.
static float decay(float x)
{
    float y = 1 / (1 + x * 0.0625f);
    y *= y;
    y *= y;
    y *= y;
    return y * y;
}

// White noise in -1..1; `draw` tells apart what sounds at the same frame.
static float hiss(uint32_t seed, uint64_t frame, uint32_t draw)
{
    return 2 * rng_unit(rng_draw(rng_key(seed, frame), draw)) - 1;
}

// ---- the music: 16 bars at 120 BPM, then again --------------------------------------------------

enum { BARS = 16, BAR_SECONDS = 2, STEPS = 16 }; // a step is a sixteenth, 1/8 s

// How loud each voice is in a bar.  `roll` is claps a beat (0: on two and four), `rise` the noise that
// leads to the drop, at the end of its bar.
typedef struct {
    float kick, bass, hat, clap, pad, arp, rise;
    int roll;
} Bar;

static const Bar score[BARS] = {
    { 1, 1, 0.7f, 0.8f, 0.7f, 0, 0, 0 }, // groove
    { 1, 1, 0.7f, 0.8f, 0.7f, 0, 0, 0 },    { 1, 1, 0.9f, 0.8f, 0.7f, 0.4f, 0, 0 },
    { 1, 1, 0.9f, 0.8f, 0.7f, 0.6f, 0, 0 }, { 1, 1, 1, 1, 0.8f, 0.8f, 0, 0 },
    { 1, 1, 1, 1, 0.8f, 0.8f, 0, 0 },       { 1, 1, 1, 1, 0.8f, 0.9f, 0, 0 },
    { 1, 1, 1, 1, 0.8f, 1, 0, 2 },          { 0, 0, 0, 0, 1, 0.5f, 0, 0 },          // break
    { 0, 0, 0, 0, 1, 0.7f, 0, 0 },          { 0, 0, 0.5f, 0.4f, 1, 0.9f, 0.4f, 2 }, // build
    { 0, 0, 0.8f, 0.7f, 0.8f, 1, 1, 4 },    { 1, 1.1f, 1, 1, 1, 1, 0, 0 },          // drop
    { 1, 1.1f, 1, 1, 1, 1, 0, 0 },          { 1, 1.1f, 1, 1, 1, 1, 0, 0 },
    { 1, 1.1f, 1, 1, 1, 1, 0.3f, 2 },
};

// A minor, F, C, G: the bass note, then four notes from low to high (60 is middle C).
static const int chords[4][5] = {
    { 33, 57, 60, 64, 67 },
    { 29, 57, 60, 64, 65 },
    { 36, 55, 60, 64, 67 },
    { 31, 55, 59, 62, 67 },
};

// Which note of the chord the arpeggio plays in each sixteenth.
static const unsigned char arp_notes[STEPS] = { 1, 3, 2, 4, 3, 2, 4, 1, 2, 4, 3, 1, 4, 3, 2, 4 };

// Sixteenths in which the bass plays: between the kicks, and once before the bar's end.
static const unsigned char bass_steps[STEPS] = { 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 0 };

static double hertz(int note)
{
    static const double octave[12] = { // from C-1
                                       8.175798915643707,  8.661957218027252,
                                       9.177023997418988,  9.722718241315029,
                                       10.300861153527183, 10.913382232281373,
                                       11.562325709738575, 12.249857374429663,
                                       12.978271799373287, 13.75,
                                       14.567617547440307, 15.433853164253883
    };
    return octave[note % 12] * (double)(1 << note / 12);
}

// A moment of the music: where in the bar, beat and sixteenth it is, in seconds since each began.
typedef struct {
    const Demo *demo;
    uint64_t frame; // within the loop
    int bar, step;
    double in_bar;
    float in_beat, in_step;
    float duck; // what a kick leaves of the voices that make room for it
} Moment;

// 1 inside a note of `length` seconds, with ramps of `ramp` seconds at both ends against clicks.
static float gate(float since, float length, float ramp)
{
    const float edge = fminf(since, length - since);
    return clampf(edge / ramp, 0, 1);
}

static float kick(const Moment *m)
{
    const float s = m->in_beat;
    const float fall = 1 / (1 + 40 * s); // 190 Hz falling to 48
    const double turns = 48.0 * s + 142.0 / 40 * s * 40 * fall * 0.5 * (1 + fall);
    return wave(turns) * decay(13 * s) * gate(s + 0.0005f, 0.5f, 0.0005f) +
           0.25f * hiss(m->demo->seed, m->frame, 0) * decay(500 * s);
}

static float bass(const Moment *m)
{
    if (!bass_steps[m->step]) return 0;
    const double turns = hertz(chords[m->bar % 4][0]) * m->in_step;
    const float bright = decay(12 * m->in_step);
    return gate(m->in_step, 0.125f, 0.004f) *
           (wave(turns) + bright * (0.6f * wave(2 * turns) + 0.4f * wave(3 * turns)) +
            0.3f * bright * bright * wave(5 * turns));
}

static float clap(const Moment *m, int roll)
{
    const bool backbeat = m->step / 4 % 2 == 1;
    const float every = 0.5f / (float)(roll ? roll : 1);
    const float s = roll ? fmodf(m->in_beat, every) : m->in_beat;
    if (!roll && !backbeat) return 0;
    return gate(s + 0.0005f, every, 0.0005f) *
           (0.8f * hiss(m->demo->seed, m->frame, 1) * decay(22 * s) +
            0.5f * wave(185.0 * s) * decay(30 * s));
}

// Noise less the noise of the frame before: its highs.
static float hat(const Moment *m)
{
    const bool open = m->step % 4 == 2;
    const float s = m->in_step;
    if (s > 0.1f && !open) return 0;
    const uint32_t seed = m->demo->seed;
    const float highs = hiss(seed, m->frame, 2) - hiss(seed, m->frame + 1, 2);
    return (open ? 0.5f : 0.3f) * highs * decay(s * (open ? 30 : 90)) * gate(s, 0.125f, 0.0004f);
}

// Four notes, each a little higher on one side than on the other.
static void pad(const Moment *m, float *pair)
{
    const float level = 0.25f * gate((float)m->in_bar, BAR_SECONDS, 0.08f) * m->duck;
    for (int n = 1; n <= 4; n++) {
        const double turns = hertz(chords[m->bar % 4][n]) * m->in_bar;
        const double apart = 0.7 * m->in_bar + 0.17 * n;
        pair[0] += level * (wave(turns + apart) + 0.3f * wave(2 * turns) + 0.15f * wave(4 * turns));
        pair[1] += level *
                   (wave(turns) + 0.3f * wave(2 * turns + apart) + 0.15f * wave(4 * turns + apart));
    }
}

static float arp(const Moment *m)
{
    const double turns = hertz(12 + chords[m->bar % 4][arp_notes[m->step]]) * m->in_step;
    const float bell = decay(25 * m->in_step);
    return decay(14 * m->in_step) * gate(m->in_step, 0.125f, 0.002f) *
           wave(turns + 1 + bell * 0.35f * wave(2 * turns));
}

static float rise(const Moment *m)
{
    const float to = score[m->bar].rise;
    if (to <= 0) return 0;
    const float from = score[(m->bar + BARS - 1) % BARS].rise;
    const float level = lerpf(from, to, (float)(m->in_bar / BAR_SECONDS));
    return level * level * hiss(m->demo->seed, m->frame, 3) *
           gate((float)m->in_bar, BAR_SECONDS + 1, 0.01f);
}

static Moment moment(const Demo *demo, uint64_t frame)
{
    Moment m = { .demo = demo,
                 .frame = frame % ((uint64_t)(BARS * BAR_SECONDS) * (uint64_t)demo->rate) };
    const double time = (double)m.frame / demo->rate;
    m.bar = (int)(time / BAR_SECONDS);
    m.in_bar = time - m.bar * BAR_SECONDS;
    m.step = (int)(m.in_bar * 8);
    m.in_step = (float)(m.in_bar - m.step * 0.125);
    m.in_beat = (float)(m.in_bar - m.step / 4 * 0.5);
    m.duck = 1 - 0.75f * score[m.bar].kick * decay(9 * m.in_beat);
    return m;
}

// Bends what is loud towards the ceiling of -1 dBFS, which it never passes.
static float ceiling(float x)
{
    x = clampf(x, -3, 3);
    return 0.891f * x * (27 + x * x) / (27 + 9 * x * x);
}

static void music(const Demo *demo, uint64_t frame, float *pair)
{
    const Moment m = moment(demo, frame);
    const Bar *bar = &score[m.bar];
    const float middle = (bar->kick > 0 ? 1.4f * bar->kick * kick(&m) : 0) +
                         (bar->bass > 0 ? 0.17f * bar->bass * m.duck * bass(&m) : 0) +
                         (bar->clap > 0 ? 0.6f * bar->clap * clap(&m, bar->roll) : 0);
    const float hats = bar->hat > 0 ? 0.45f * bar->hat * hat(&m) : 0;
    const float plucks = bar->arp > 0 ? 0.38f * bar->arp * arp(&m) : 0;
    const float noise = 0.28f * rise(&m);
    const float side = m.step % 2 ? 0.75f : 0.25f; // plucks jump from side to side

    float wide[2] = { 0, 0 };
    pad(&m, wide);
    pair[0] = ceiling(middle + 0.8f * hats + side * plucks + noise + 0.3f * bar->pad * wide[0]);
    pair[1] =
        ceiling(middle + 1.2f * hats + (1 - side) * plucks - noise + 0.3f * bar->pad * wide[1]);
}

// ---- test sounds ---------------------------------------------------------------------------------

static const double TAU = 6.283185307179586;

static void both(float *pair, double value)
{
    pair[0] = pair[1] = (float)value;
}

// A click starts, at its loudest, on the first frame at or after every half second.
static void clicks(const Demo *demo, uint64_t frame, float *pair)
{
    const uint64_t rate = (uint64_t)demo->rate;
    const uint64_t click = 2 * frame / rate;       // how many half seconds have passed
    const uint64_t start = (click * rate + 1) / 2; // the first frame of that click
    const double since = (double)(frame - start) / demo->rate;
    both(pair, since < 0.01 ? 0.9 * exp(-since / 0.001) * cos(TAU * 2000 * since) : 0);
}

static void sine(const Demo *demo, uint64_t frame, float *pair)
{
    const uint64_t rate = (uint64_t)demo->rate;
    both(pair, sin(TAU * (double)(frame % rate * 1000 % rate) / demo->rate));
}

// Ends after a whole number of cycles, so that it joins its own start.
static void sweep(const Demo *demo, uint64_t frame, float *pair)
{
    const double seconds = 10, low = 20, high = fmin(20000, 0.45 * demo->rate);
    const double growth = log(high / low);
    const double cycles = floor(seconds / growth * (high - low));
    const double share =
        (double)(frame % (uint64_t)(10 * (int64_t)demo->rate)) / (seconds * demo->rate);
    const double turns = cycles * expm1(growth * share) / expm1(growth);
    both(pair, sin(TAU * (turns - floor(turns))));
}

static void noise(const Demo *demo, uint64_t frame, float *pair)
{
    const float peak = 0.435f; // -12 dBFS times the square root of 3: evenly spread, not Gaussian
    pair[0] = peak * hiss(demo->seed, frame, 0);
    pair[1] = peak * hiss(demo->seed, frame, 1);
}

static void silence(const Demo *demo, uint64_t frame, float *pair)
{
    (void)demo, (void)frame;
    both(pair, 0);
}

static const struct {
    const char *name;
    void (*frame)(const Demo *demo, uint64_t frame, float *pair);
} kinds[] = {
    { "music", music },   // 16 bars at 120 BPM
    { "clicks", clicks }, // 120 BPM
    { "sine", sine },     // 1 kHz, full scale
    { "sweep", sweep },   // 20 Hz to 20 kHz in 10 s
    { "noise", noise },   // white, -12 dBFS
    { "silence", silence },
};

int demo_find(const char *kind)
{
    if (!kind[0]) return 0;
    for (int k = 0; k < COUNT_OF(kinds); k++)
        if (strcmp(kinds[k].name, kind) == 0) return k;
    return -1;
}

const char *demo_name(int kind)
{
    return kind >= 0 && kind < COUNT_OF(kinds) ? kinds[kind].name : NULL;
}

void demo_fill(const Demo *demo, uint64_t first, float *samples, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++)
        kinds[demo->kind].frame(demo, first + n, samples + 2 * (size_t)n);
}
