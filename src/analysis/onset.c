// Sound is new where a log band is louder than it and its neighbours were a moment ago: the greatest
// of the neighbours (after SuperFlux), so that vibrato and a beating pair of tones, which only move
// energy about, bring nothing.  An onset is where the flux stands out from its own recent median, which
// steady noise raises, and from an absolute floor, below which nobody hears.
#include "analysis/onset.h"

#include <math.h>
#include <string.h>

static const float WINDOW_SECONDS = 1024 / 48000.0f;
static const float WINDOW_FALL = 0.125f;
static const float BANDS_LOW = 60, BANDS_HIGH = 14000; // Hz, the centres
static const float NARROWEST = 1.5f;                   // bins to each side
static const float COMPRESSION = 1000;                 // louder than -60 dBFS counts by ratio
#define FLOOR  0.012f
#define SPREAD 3.0f
#define QUANT  0.9f
#define TOL    2.5f
#define TAU    0.3f
#define CAP    0.3f
static const float PLACED_BEFORE = 0.75f; // hops
static const float FULL_FLUX = 0.5f;
enum {
    DEAF = ONSET_REACH + 4, // hops until windows and history are full of sound
    QUIET = DEAF + 10,      // hops until the median knows the sound
};

bool onset_init(Onset *o)
{
    *o = (Onset){ 0 };
    return spectrum_init(&o->sound, WINDOW_SECONDS, WINDOW_FALL);
}

void onset_free(Onset *o)
{
    spectrum_free(&o->sound);
}

void onset_tune(Onset *o, int rate, int hop_frames)
{
    const Spectrum sound = o->sound;
    *o = (Onset){ .sound = sound, .hop = (double)hop_frames / rate, .last = -1e9 };
    spectrum_tune(&o->sound, rate);
    const float ratio = powf(BANDS_HIGH / BANDS_LOW, 1.0f / (ONSET_BANDS - 1));
    for (int i = 0; i < ONSET_BANDS; i++) {
        o->centre[i] = BANDS_LOW * powf(ratio, (float)i);
        o->reach[i] = fmaxf(o->centre[i] * (ratio - 1), NARROWEST * o->sound.bin_hz);
        if (o->centre[i] < (float)rate / 2) o->bands = i + 1;
    }
}

int onset_size(const Onset *o)
{
    return o->sound.size;
}

// How loud band `i` was, `back` hops ago.
static float loud(const Onset *o, int i, int back)
{
    return o->loud[(o->now + back) % ONSET_REACH][i];
}

static void listen(Onset *o)
{
    o->now = (o->now + ONSET_REACH - 1) % ONSET_REACH;
    for (int i = 0; i < o->bands; i++) {
        const float power = spectrum_around(&o->sound, o->centre[i], o->reach[i]);
        o->loud[o->now][i] = log10f(1 + COMPRESSION * sqrtf(power));
    }
}

// The loudest that band `i` or a neighbour was.  The hop just before is left out: in it, the window
// had begun to rise with the same sound.
static float loud_before(const Onset *o, int i)
{
    float most = 0;
    for (int band = i > 0 ? i - 1 : 0; band <= i + 1 && band < o->bands; band++)
        for (int back = 2; back < ONSET_REACH; back++) most = fmaxf(most, loud(o, band, back));
    return most;
}

static float flux_now(const Onset *o)
{
    float sum = 0;
    for (int i = 0; i < o->bands; i++)
        sum += fmaxf(0, loud(o, i, 0) - loud_before(o, i) - TOL * o->restless[i]);
    return sum / (float)o->bands;
}

static float median(const float *values, int count)
{
    float sorted[ONSET_MEMORY];
    for (int i = 0; i < count; i++) {
        int place = i;
        for (; place > 0 && sorted[place - 1] > values[i]; place--)
            sorted[place] = sorted[place - 1];
        sorted[place] = values[i];
    }
    return count > 0 ? sorted[(int)(QUANT * (float)count)] : 0;
}

static float threshold(const Onset *o, float scale)
{
    const int known = clampi((int)o->hops - DEAF, 0, ONSET_MEMORY);
    return scale * (FLOOR + SPREAD * median(o->flux, known));
}

static void remember(Onset *o, float flux)
{
    const float share = fmaxf(approach(TAU, (float)o->hop), 1 / (float)(o->hops + 1));
    for (int i = 0; i < o->bands; i++)
        o->restless[i] +=
            share * (fminf(fabsf(loud(o, i, 0) - loud(o, i, 1)), CAP) - o->restless[i]);
    if (o->hops >= DEAF) o->flux[(o->hops - DEAF) % ONSET_MEMORY] = flux;
    o->hops++;
}

static float relative(float flux)
{
    return clampf(flux / FULL_FLUX, 0, 1);
}

OnsetReport onset_hear(Onset *o, const float *left, const float *right, double time,
                       const HearingSettings *settings)
{
    spectrum_take(&o->sound, left, right);
    listen(o);
    const float flux = o->hops < DEAF ? 0 : flux_now(o);
    const float limit = threshold(o, clampf(settings->onset_threshold, 0.1f, 10));
    const bool stands_out = o->hops >= QUIET && flux > limit;
    OnsetReport report = { .flux = relative(flux) };
    if (stands_out && o->armed && time - o->last >= settings->hush) {
        report.onset = true;
        report.strength = report.flux;
        report.time = fmax(0, time - PLACED_BEFORE * o->hop);
        o->last = time;
    }
    o->armed = !stands_out;
    remember(o, flux);
    return report;
}
