// One hop in, all that it says out.  Every hop looks at the sound afresh through windows that end at
// its last sample: nothing decays over hops, so nothing sticks (one NaN does not stay for ever), and
// what is measured depends neither on the frame rate nor on how long the show has run.  Two windows,
// because loudness wants resolution in frequency and onsets want it in time; both scale with the rate.
#include "analysis/analysis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/levels.h"
#include "analysis/onset.h"

static const float HOPS_PER_SECOND = 187.5f;
static const float LOUDEST = 8;       // full scale; a device's samples may be anything
static const float FAINTEST = 1e-12f; // below it a sample is 0, which keeps denormals out
static const float MOST_GAIN = 1000;

struct Analyser {
    int rate, hop;
    long long heard; // frames
    float *past[2];  // the newest `past_size` samples of each channel
    int past_size;
    Levels levels;
    Onset onset;
};

Analyser *analyser_new(int rate)
{
    Analyser *a = calloc(1, sizeof *a);
    if (!a) return NULL;
    bool made = levels_init(&a->levels);
    made = onset_init(&a->onset) && made;
    const size_t most = (size_t)a->levels.sound.largest; // the longer window, at the highest rate
    for (int i = 0; i < 2; i++) made = (a->past[i] = calloc(most, sizeof(float))) && made;
    if (!made) {
        analyser_free(a);
        return NULL;
    }
    analyser_retune(a, rate);
    return a;
}

void analyser_free(Analyser *a)
{
    if (!a) return;
    levels_free(&a->levels);
    onset_free(&a->onset);
    for (int i = 0; i < 2; i++) free(a->past[i]);
    free(a);
}

void analyser_retune(Analyser *a, int rate)
{
    a->rate = clampi(rate, ANALYSIS_RATE_MIN, ANALYSIS_RATE_MAX);
    a->hop = (int)lroundf((float)a->rate / HOPS_PER_SECOND);
    a->heard = 0;
    levels_tune(&a->levels, a->rate);
    onset_tune(&a->onset, a->rate, a->hop);
    a->past_size = levels_size(&a->levels);
    for (int i = 0; i < 2; i++) memset(a->past[i], 0, (size_t)a->past_size * sizeof(float));
}

int analyser_rate(const Analyser *a)
{
    return a->rate;
}

int analyser_hop_frames(const Analyser *a)
{
    return a->hop;
}

static float sane(float sample)
{
    if (!isfinite(sample) || fabsf(sample) < FAINTEST) return 0;
    return clampf(sample, -LOUDEST, LOUDEST);
}

// Moves the hop into the past; its samples are then the last `hop` of each channel.
static void hear(Analyser *a, const float *pairs)
{
    const int kept = a->past_size - a->hop;
    for (int i = 0; i < 2; i++) {
        memmove(a->past[i], a->past[i] + a->hop, (size_t)kept * sizeof(float));
        for (int n = 0; n < a->hop; n++) a->past[i][kept + n] = sane(pairs[2 * n + i]);
    }
    a->heard += a->hop;
}

static float peak_of(const float *samples, int count)
{
    float peak = 0;
    for (int i = 0; i < count; i++) peak = fmaxf(peak, fabsf(samples[i]));
    return peak;
}

static float rms_of(const float *samples, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++) sum += (double)samples[i] * samples[i];
    return (float)sqrt(sum / count);
}

static void measure_hop(const Analyser *a, float gain, float *signal)
{
    const float *left = a->past[0] + a->past_size - a->hop;
    const float *right = a->past[1] + a->past_size - a->hop;
    const float peak = fmaxf(peak_of(left, a->hop), peak_of(right, a->hop));
    const float rms = fmaxf(rms_of(left, a->hop), rms_of(right, a->hop));
    signal[SIGNAL_PEAK] = clampf(peak, 0, 1);
    signal[SIGNAL_LEVEL] = clampf(peak * gain, 0, 1);
    signal[SIGNAL_RMS] = clampf(rms, 0, 1);
}

static void measure_sound(Analyser *a, float gain, Features *f)
{
    float bands[ANALYSIS_BANDS];
    levels_hear(&a->levels, a->past[0], a->past[1], bands, f->spectrum);
    f->signal[SIGNAL_BASS] = clampf(bands[0] * gain, 0, 1);
    f->signal[SIGNAL_MID] = clampf(bands[1] * gain, 0, 1);
    f->signal[SIGNAL_TREBLE] = clampf(bands[2] * gain, 0, 1);
    for (int i = 0; i < ANALYSIS_SPECTRUM; i++)
        f->spectrum[i] = clampf(f->spectrum[i] * gain, 0, 1);
}

// The gain is left out: an onset is a matter of ratios, and the hand on the gain is no music.
static void find_onset(Analyser *a, const HearingSettings *settings, Features *f)
{
    const int from = a->past_size - onset_size(&a->onset);
    const OnsetReport report =
        onset_hear(&a->onset, a->past[0] + from, a->past[1] + from, f->time, settings);
    f->signal[SIGNAL_FLUX] = report.flux;
    f->signal[SIGNAL_ONSET] = report.strength;
    f->onset = report.onset;
    f->onset_time = report.time;
}

Features analyser_hop(Analyser *a, const float *pairs, const HearingSettings *settings)
{
    hear(a, pairs);
    const float gain = clampf(settings->gain, 0, MOST_GAIN);
    Features f = { .time = (double)a->heard / a->rate };
    measure_hop(a, gain, f.signal);
    measure_sound(a, gain, &f);
    find_onset(a, settings, &f);
    return f;
}
