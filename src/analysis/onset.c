// Sound is new where a log band is louder than it and its neighbours were a moment ago: the greatest
// of the neighbours (after SuperFlux), so that vibrato, which only moves energy about, brings nothing.
// Noise is restless in every band: how much a band usually changes from hop to hop is held against
// it, so that hiss stays below what a soft note in a quiet band brings.  An onset is where the flux,
// the mean rise of the bands, stands out from its own recent past and from a floor below which nobody
// hears.  Waiting for the peak of the flux was rejected: it reports every onset one hop later.
#include "analysis/onset.h"

#include <math.h>
#include <string.h>

static const float WINDOW_SECONDS = 1024 / 48000.0f;
static const float WINDOW_FALL = 0.125f;
static const float BANDS_LOW = 60, BANDS_HIGH = 14000; // Hz, the centres
static const float NARROWEST = 1.5f;                   // bins to each side
static const float COMPRESSION = 1000;                 // louder than -60 dBFS counts by ratio

// The threshold, in decades of amplitude, is the sum of these.
static const float FLOOR = 0.005f;
static const float SPREAD = 1;     // of the flux that four fifths of the recent hops stay below
static const float UNREST = 0.03f; // of the bands' mean restlessness
static const float QUANTILE = 0.8f;

static const float TOLERANCE = 3;            // of a band's restlessness: no rise yet
static const float NOVELTY_TOLERANCE = 0.5f; // the same, for what is compared with itself
static const float NO_CHANCE = 7.5f; // restlessnesses beyond it, over all bands: noise never does
static const float CHANGE_LEAST = 0.01f; // decades: no band is quieter than that
static const float REST_SECONDS = 0.4f;  // time constant of a band's restlessness
static const float REST_OUTLIER = 3;     // times it is the most that one hop counts
static const float REST_LEAST = 0.01f;   // decades that a hop may always count

static const float TYPICAL_FLUX = 0.15f; // decades: reads 0.63
static const float PLACED_BEFORE = 1;    // hops: from the first report back to the attack

// A drum is where its bands, and a snare's body and rattle alike, bring this much more.
static const float DRUM_FLOOR = 0.12f; // decades
static const float DRUM_SPREAD = 1;
static const float SNARE_RATTLE = 0.15f;  // of the bass: the least for a snare
static const float SNARE_BODY = 0.05f;    // of all above it: the least, or it is a hat
static const float KICK_BASS = 0.7f;      // of the body: the least for a kick
static const float HAT_OVER_SNARE = 1.5f; // a snare rattles up there too

// Where a drum shows itself, from these frequencies up.
typedef enum { LOW, BODY, BETWEEN, RATTLE, HIGH } Range;
static const float range_hz[ONSET_RANGES] = { 0, 138, 450, 1500, 4800 };

// A start amid sound knows no past: at first nothing is an onset, then, as after any start, only what
// needs no comparison with it.
enum {
    DEAF = ONSET_REACH + 4, // hops until the window and what it is compared with are full of sound
    LEARNING = 94,          // hops until noise is known for what it is
};
enum { DRUM_WAIT = 2 };                   // hops until a hit is told from another
static const float LEARNING_FLOOR = 0.1f; // decades, at the start of it

static const Picker new_picker = { .armed = true, .last = -1e9 };

bool onset_init(Onset *o)
{
    *o = (Onset){ 0 };
    return spectrum_init(&o->sound, WINDOW_SECONDS, WINDOW_FALL);
}

void onset_free(Onset *o)
{
    spectrum_free(&o->sound);
}

void onset_tune(Onset *o, int rate, int hop_frames, bool amid_sound)
{
    const Spectrum sound = o->sound;
    *o = (Onset){ .sound = sound,
                  .hop = (double)hop_frames / rate,
                  .deaf = amid_sound ? DEAF : 0,
                  .all = new_picker };
    for (int i = 0; i < DRUMS; i++) o->drum[i] = new_picker;
    spectrum_tune(&o->sound, rate);
    const float ratio = powf(BANDS_HIGH / BANDS_LOW, 1.0f / (ONSET_BANDS - 1));
    for (int i = 0; i < ONSET_BANDS; i++) {
        o->centre[i] = BANDS_LOW * powf(ratio, (float)i);
        o->reach[i] = fmaxf(o->centre[i] * (ratio - 1), NARROWEST * o->sound.bin_hz);
        o->own[i] = o->centre[i] * (ratio - 1) / o->reach[i];
        if (o->centre[i] < (float)rate / 2) o->bands = i + 1;
    }
    for (int range = 0; range <= ONSET_RANGES; range++) {
        int i = 0;
        while (i < o->bands && (range == ONSET_RANGES || o->centre[i] < range_hz[range])) i++;
        o->first[range] = i;
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

static void compare(Onset *o)
{
    for (int i = 0; i < o->bands; i++)
        o->louder[i] = o->deaf > 0 ? 0 : fmaxf(0, loud(o, i, 0) - loud_before(o, i));
}

static float rise(const Onset *o, int i)
{
    return fmaxf(0, o->louder[i] - TOLERANCE * o->restless[i]);
}

// The mean rise of the bands from `first` to before `end`; 0 where there are none.
static float flux_of(const Onset *o, int first, int end)
{
    float sum = 0;
    end = clampi(end, 0, o->bands);
    for (int i = first; i < end; i++) sum += rise(o, i);
    return end > first ? sum / (float)(end - first) : 0;
}

static float flux_in(const Onset *o, Range range)
{
    return flux_of(o, o->first[range], o->first[range + 1]);
}

static float restlessness(const Onset *o)
{
    float sum = 0;
    for (int i = 0; i < o->bands; i++) sum += o->restless[i];
    return sum / (float)o->bands;
}

// Noise now and then rises in a band or two, which the flux cannot tell from a soft note: so a rise must
// also be more than chance brings.  Low bands share their bins, and count only for what is their own.
static bool is_no_chance(const Onset *o)
{
    float sum = 0;
    for (int i = 0; i < o->bands; i++) {
        const float usual_change = fmaxf(o->restless[i], CHANGE_LEAST);
        sum += o->own[i] * fmaxf(0, o->louder[i] / usual_change - TOLERANCE);
    }
    return sum > NO_CHANCE;
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

// ---- picking ------------------------------------------------------------------------------------

// The flux that QUANTILE of the remembered hops stay below; 0 of none.
static float usual(const Picker *p)
{
    return p->known > 0 ? p->sorted[(int)(QUANTILE * (float)p->known)] : 0;
}

static void take_out(Picker *p, float flux)
{
    int at = 0;
    while (p->sorted[at] < flux) at++;
    p->known--;
    memmove(p->sorted + at, p->sorted + at + 1, (size_t)(p->known - at) * sizeof(float));
}

static void put_in(Picker *p, float flux)
{
    int at = p->known++;
    for (; at > 0 && p->sorted[at - 1] > flux; at--) p->sorted[at] = p->sorted[at - 1];
    p->sorted[at] = flux;
}

static void remember(Picker *p, float flux)
{
    if (p->known == ONSET_MEMORY) take_out(p, p->flux[p->next]);
    put_in(p, flux);
    p->flux[p->next] = flux;
    p->next = (p->next + 1) % ONSET_MEMORY;
}

// True in the hop in which `flux` rises above `limit`, but not within the hush.
static bool pick(Picker *p, float flux, float limit, float hush, double time)
{
    const bool stands_out = flux > limit;
    const bool picked = stands_out && p->armed && time - p->last >= hush;
    if (picked) p->last = time;
    p->armed = !stands_out;
    return picked;
}

// Flux to 0..1: typical onsets in the middle, none beyond the end.
static float relative(float flux)
{
    return -expm1f(-flux / TYPICAL_FLUX);
}

static void find_onset(Onset *o, const HearingSettings *settings, double time, OnsetReport *report)
{
    const float flux = flux_of(o, 0, o->bands);
    const float unsure = LEARNING_FLOOR * fmaxf(0, 1 - (float)o->hops / LEARNING);
    const float limit = FLOOR + unsure + UNREST * restlessness(o) + SPREAD * usual(&o->all);
    const float scale = clampf(settings->onset_threshold, 0.1f, 10);
    report->flux = relative(flux);
    report->onset = pick(&o->all, o->no_chance ? flux : 0, scale * limit, settings->hush, time);
    report->strength = report->onset ? report->flux : 0;
    report->time = fmax(0, time - PLACED_BEFORE * o->hop);
    if (o->deaf == 0) remember(&o->all, flux);
}

// The amplitude that the bands of a range have gained since the hit began.
static float gained(const Onset *o, const Hit *hit, Range range)
{
    float sum = 0;
    for (int i = o->first[range]; i < o->first[range + 1]; i++)
        sum += fmaxf(0, powf(10, loud(o, i, 0)) - powf(10, hit->before[i]));
    return sum;
}

// Any hit begins in all bands at once; what it is shows a moment later.
static bool is_itself(const Onset *o, const Hit *hit, Drum drum)
{
    const float low = gained(o, hit, LOW), body = gained(o, hit, BODY);
    const float rattle = gained(o, hit, RATTLE);
    if (drum == DRUM_KICK) return low > KICK_BASS * body && low > rattle;
    if (drum == DRUM_SNARE)
        return rattle > SNARE_RATTLE * low && body > SNARE_BODY * (rattle + gained(o, hit, HIGH));
    return true;
}

static void begin_hit(Onset *o, Hit *hit, float flux)
{
    hit->wait = DRUM_WAIT;
    hit->flux = flux;
    for (int i = 0; i < o->bands; i++) hit->before[i] = loud(o, i, 0) - o->louder[i];
}

static void find_drums(Onset *o, const HearingSettings *settings, double time, OnsetReport *report)
{
    const float snare = fminf(flux_in(o, BODY), flux_in(o, RATTLE));
    const float flux[DRUMS] = {
        [DRUM_KICK] = flux_in(o, LOW),
        [DRUM_SNARE] = snare,
        [DRUM_HAT] = fmaxf(0, flux_in(o, HIGH) - HAT_OVER_SNARE * snare),
    };
    const float unsure = o->hops < LEARNING ? LEARNING_FLOOR : 0;
    for (int i = 0; i < DRUMS; i++) {
        const DrumSettings *drum = &settings->drum[i];
        const float scale = drum->threshold > 0 ? clampf(drum->threshold, 0.1f, 10) : 1;
        const float hush = drum->hush > 0 ? drum->hush : DRUM_HUSH_USUAL;
        const float limit = DRUM_FLOOR + unsure + DRUM_SPREAD * usual(&o->drum[i]);
        Hit *hit = &o->hit[i];
        if (hit->wait > 0 && --hit->wait == 0 && is_itself(o, hit, (Drum)i))
            report->drum[i] = relative(hit->flux);
        if (pick(&o->drum[i], o->no_chance ? flux[i] : 0, scale * limit, hush, time))
            begin_hit(o, hit, flux[i]);
        if (o->deaf == 0) remember(&o->drum[i], flux[i]);
    }
}

static void tell_novelty(const Onset *o, OnsetReport *report)
{
    const int size = ONSET_BANDS / ONSET_PARTS;
    for (int part = 0; part < ONSET_PARTS; part++) {
        float sum = 0;
        for (int i = part * size; i < (part + 1) * size && i < o->bands; i++)
            sum += fmaxf(0, o->louder[i] - NOVELTY_TOLERANCE * o->restless[i]);
        report->novelty[part] = relative(sum / (float)size);
    }
}

void onset_take(Onset *o, const float *left, const float *right)
{
    spectrum_take(&o->sound, left, right);
}

OnsetReport onset_hear(Onset *o, double time, const HearingSettings *settings)
{
    OnsetReport report = { 0 };
    listen(o);
    compare(o);
    o->no_chance = is_no_chance(o);
    find_onset(o, settings, time, &report);
    find_drums(o, settings, time, &report);
    tell_novelty(o, &report);
    learn_restlessness(o);
    o->hops++;
    if (o->deaf > 0) o->deaf--;
    return report;
}
