// Sound is new where a log band is louder than it and its neighbours were a moment ago: the greatest
// of the neighbours (after SuperFlux), so that vibrato, which only moves energy about, brings nothing.
// Noise is restless in every band: how much a band usually changes from hop to hop is held against
// it, so that hiss stays below what a soft note in a quiet band brings.  An onset is where the flux,
// the mean rise of the bands, stands out from its own recent past and from a floor below which nobody
// hears.  Waiting for the peak of the flux was rejected: it reports every onset one hop later.
#include "analysis/onset.h"

#include <math.h>

static const float WINDOW_SECONDS = 1024 / 48000.0f;
static const float WINDOW_FALL = 0.125f;
static const float BANDS_LOW = 60, BANDS_HIGH = 14000; // Hz, the centres
static const float NARROWEST = 1.5f;                   // bins to each side
static const float COMPRESSION = 1000;                 // louder than -60 dBFS counts by ratio

// The threshold, in decades of amplitude, is the sum of these.
static const float FLOOR = 0.008f;
static const float SPREAD = 1.5f; // of the flux that four fifths of the recent hops stay below
static const float UNREST = 0.3f; // of the bands' mean restlessness
static const float QUANTILE = 0.8f;

static const float TOLERANCE = 2.5f;    // of a band's restlessness: no rise yet
static const float REST_SECONDS = 0.4f; // time constant of a band's restlessness
static const float REST_OUTLIER = 3;    // times it is the most that one hop counts
static const float REST_LEAST = 0.01f;  // decades that a hop may always count

static const float TYPICAL_FLUX = 0.15f; // decades: reads 0.63
static const float PLACED_BEFORE = 1;    // hops: from the first report back to the attack

// A start knows no past: at first nothing is an onset, then only what needs no comparison with it.
enum {
    DEAF = ONSET_REACH + 4, // hops until the window and what it is compared with are full of sound
    LEARNING = 94,          // hops until noise is known for what it is
};
static const float LEARNING_FLOOR = 0.1f; // decades, at the start of it

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

static float rise(const Onset *o, int i)
{
    return fmaxf(0, loud(o, i, 0) - loud_before(o, i) - TOLERANCE * o->restless[i]);
}

static float flux_now(const Onset *o)
{
    if (o->hops < DEAF) return 0;
    float sum = 0;
    for (int i = 0; i < o->bands; i++) sum += rise(o, i);
    return sum / (float)o->bands;
}

// The value that `share` of the values stay below; 0 of none.
static float quantile(const float *values, int count, float share)
{
    float sorted[ONSET_MEMORY];
    for (int i = 0; i < count; i++) {
        int place = i;
        for (; place > 0 && sorted[place - 1] > values[i]; place--)
            sorted[place] = sorted[place - 1];
        sorted[place] = values[i];
    }
    return count > 0 ? sorted[(int)(share * (float)count)] : 0;
}

static float threshold(const Onset *o, float scale)
{
    const int known = clampi((int)o->hops - DEAF, 0, ONSET_MEMORY);
    float restless = 0;
    for (int i = 0; i < o->bands; i++) restless += o->restless[i] / (float)o->bands;
    const float unsure = LEARNING_FLOOR * fmaxf(0, 1 - (float)o->hops / LEARNING);
    return scale *
           (FLOOR + unsure + UNREST * restless + SPREAD * quantile(o->flux, known, QUANTILE));
}

// A running mean of the change from hop to hop in which an onset, an outlier, counts little.
static void learn_restlessness(Onset *o)
{
    const float steady = approach(REST_SECONDS, (float)o->hop);
    const float share = fmaxf(steady, 1 / (float)(o->hops + 1)); // a plain mean at first
    for (int i = 0; i < o->bands; i++) {
        const float change = fabsf(loud(o, i, 0) - loud(o, i, 1));
        const float most = REST_OUTLIER * o->restless[i] + REST_LEAST;
        o->restless[i] += share * (fminf(change, most) - o->restless[i]);
        if (o->restless[i] < 1e-9f) o->restless[i] = 0; // silence ends in 0, not in denormals
    }
}

static void remember(Onset *o, float flux)
{
    learn_restlessness(o);
    if (o->hops >= DEAF) o->flux[(o->hops - DEAF) % ONSET_MEMORY] = flux;
    o->hops++;
}

// Flux to 0..1: typical onsets in the middle, none beyond the end.
static float relative(float flux)
{
    return -expm1f(-flux / TYPICAL_FLUX);
}

OnsetReport onset_hear(Onset *o, const float *left, const float *right, double time,
                       const HearingSettings *settings)
{
    spectrum_take(&o->sound, left, right);
    listen(o);
    const float flux = flux_now(o);
    const float limit = threshold(o, clampf(settings->onset_threshold, 0.1f, 10));
    const bool stands_out = flux > limit;
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
