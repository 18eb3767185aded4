// The very analyser of the show, at its default settings, so that what is printed is what a show would
// have reacted to.
#include "app/analyse.h"

#include <math.h>
#include <string.h>

#include "analysis/analysis.h"
#include "app/plot.h"
#include "audio/audio.h"
#include "control/control.h"

// What the whole file came to.
typedef struct {
    int rate;         // Hz
    long long frames; // of the file
    long long hops, onsets, beats;
    float bpm, sureness; // at the end of what is as sure as half of the surest; 0: none
    float peak;
    double power;                 // sum over hops of the mean square
    double bands[ANALYSIS_BANDS]; // sum over hops
    long long forgotten;          // hops that the picture had no room for
} Summary;

static void add_hop(Summary *s, const Features *f, uint32_t frames)
{
    s->frames += frames;
    s->hops++;
    s->onsets += f->onset;
    s->beats += f->beat;
    s->sureness = fmaxf(s->sureness, f->signal[SIGNAL_CONFIDENCE]);
    if (f->signal[SIGNAL_BPM] > 0 && f->signal[SIGNAL_CONFIDENCE] >= s->sureness / 2)
        s->bpm = f->signal[SIGNAL_BPM];
    s->peak = fmaxf(s->peak, f->signal[SIGNAL_PEAK]);
    s->power += (double)f->signal[SIGNAL_RMS] * f->signal[SIGNAL_RMS];
    for (int i = 0; i < ANALYSIS_BANDS; i++) s->bands[i] += f->signal[analysis_bands[i]];
}

// Frames read: fewer than `count` only at the end of the file.
static uint32_t read_hop(Audio *audio, int rate, float *pairs, uint32_t count)
{
    uint32_t got = 0;
    while (got < count) {
        const uint32_t left = count - got;
        got += audio_read(audio, (double)left / rate, pairs + AUDIO_CHANNELS * got, left);
        if (got < count && audio_status(audio).state == AUDIO_ENDED) break;
    }
    return got;
}

static void print_bpm(FILE *out, double bpm)
{
    if (bpm > 0)
        fprintf(out, "%.3f", bpm);
    else
        fprintf(out, "null");
}

static void print_hop(FILE *out, const Features *f)
{
    const float *s = f->signal;
    fprintf(out, "{\"time\": %.6f, \"peak\": %.5g, \"level\": %.5g, \"rms\": %.5g, ", f->time,
            s[SIGNAL_PEAK], s[SIGNAL_LEVEL], s[SIGNAL_RMS]);
    fprintf(out, "\"bands\": [");
    for (int i = 0; i < ANALYSIS_BANDS; i++)
        fprintf(out, "%s%.5g", i > 0 ? ", " : "", s[analysis_bands[i]]);
    fprintf(out, "], \"flux\": %.5g, ", s[SIGNAL_FLUX]);
    fprintf(out, "\"onset\": %s, ", f->onset ? "true" : "false");
    if (f->onset) fprintf(out, "\"onset_time\": %.6f, ", f->onset_time);
    fprintf(out, "\"kick\": %.5g, \"snare\": %.5g, \"hat\": %.5g, ", s[SIGNAL_KICK],
            s[SIGNAL_SNARE], s[SIGNAL_HAT]);
    fprintf(out, "\"beat\": %s, \"bpm\": ", f->beat ? "true" : "false");
    print_bpm(out, s[SIGNAL_BPM]);
    fprintf(out, ", \"bar_phase\": %.5g, \"confidence\": %.5g}\n", s[SIGNAL_BAR_PHASE],
            s[SIGNAL_CONFIDENCE]);
}

static double duration(const Summary *s)
{
    return (double)s->frames / s->rate;
}

static double onsets_per_second(const Summary *s)
{
    return s->frames > 0 ? (double)s->onsets / duration(s) : 0;
}

static double rms(const Summary *s)
{
    return s->hops > 0 ? sqrt(s->power / (double)s->hops) : 0;
}

static double band(const Summary *s, int i)
{
    return s->hops > 0 ? s->bands[i] / (double)s->hops : 0;
}

static void print_summary_json(FILE *out, const Summary *s)
{
    fprintf(out, "{\"summary\": {\"duration\": %.6f, \"rate\": %d, \"hops\": %lld, ", duration(s),
            s->rate, s->hops);
    fprintf(out, "\"onsets\": %lld, \"onsets_per_second\": %.5g, \"peak\": %.5g, \"rms\": %.5g, ",
            s->onsets, onsets_per_second(s), s->peak, rms(s));
    fprintf(out, "\"bands\": [");
    for (int i = 0; i < ANALYSIS_BANDS; i++) fprintf(out, "%s%.5g", i > 0 ? ", " : "", band(s, i));
    fprintf(out, "], \"beats\": %lld, \"bpm\": ", s->beats);
    print_bpm(out, s->bpm);
    fprintf(out, "}}\n");
}

static double decibels(double amplitude)
{
    return 20 * log10(amplitude);
}

static void print_level(FILE *out, const char *name, double amplitude)
{
    if (amplitude > 0)
        fprintf(out, "%-9s %.4f (%.1f dBFS)\n", name, amplitude, decibels(amplitude));
    else
        fprintf(out, "%-9s 0 (silence)\n", name);
}

static void print_summary(FILE *out, const Summary *s)
{
    fprintf(out, "%-9s %.3f s at %d Hz\n", "duration", duration(s), s->rate);
    fprintf(out, "%-9s %lld (%.2f a second)\n", "onsets", s->onsets, onsets_per_second(s));
    if (s->bpm > 0) fprintf(out, "%-9s %.2f BPM, %lld beats\n", "tempo", s->bpm, s->beats);
    print_level(out, "peak", s->peak);
    print_level(out, "rms", rms(s));
    for (int i = 0; i < ANALYSIS_BANDS; i++)
        print_level(out, signal_rows[analysis_bands[i]].name, band(s, i));
}

static Summary hear(Audio *audio, Analyser *analyser, FILE *hops, Plot *plot)
{
    float pairs[AUDIO_CHANNELS * ANALYSIS_HOP_MAX];
    const uint32_t hop = (uint32_t)analyser_hop_frames(analyser);
    const HearingSettings settings = hearing_of(NULL);
    Summary summary = { .rate = analyser_rate(analyser) };
    for (uint32_t got = hop; got == hop;) {
        got = read_hop(audio, summary.rate, pairs, hop);
        if (got == 0) break;
        memset(pairs + AUDIO_CHANNELS * got, 0, AUDIO_CHANNELS * (hop - got) * sizeof *pairs);
        const Features f = analyser_hop(analyser, pairs, &settings);
        add_hop(&summary, &f, got);
        if (hops) print_hop(hops, &f);
        if (plot && !plot_hop(plot, &f)) summary.forgotten++;
    }
    return summary;
}

static int draw(const Plot *plot, const Summary *summary, const char *picture, char *why,
                int why_size)
{
    if (!summary->forgotten) return plot_write(plot, picture, why, why_size) ? 0 : 1;
    snprintf(why, (size_t)why_size, "%s: out of memory", picture);
    return 1;
}

static int analyse(const char *path, Audio *audio, bool json, const char *picture, FILE *out,
                   char *why, int why_size)
{
    Analyser *analyser = analyser_new(audio_status(audio).rate);
    Plot *plot = picture ? plot_new() : NULL;
    if (!analyser || (picture && !plot)) {
        snprintf(why, (size_t)why_size, "%s: out of memory", path);
        analyser_free(analyser);
        plot_free(plot);
        return 1;
    }
    const Summary summary = hear(audio, analyser, json ? out : NULL, plot);
    analyser_free(analyser);
    const int drawn = picture ? draw(plot, &summary, picture, why, why_size) : 0;
    plot_free(plot);
    if (drawn != 0) return drawn;
    (json ? print_summary_json : print_summary)(out, &summary);
    if (fflush(out) == 0 && !ferror(out)) return 0;
    snprintf(why, (size_t)why_size, "%s: what it sounds like cannot be written", path);
    return 1;
}

int analyse_file(const char *path, bool json, const char *picture, FILE *out, char *why,
                 int why_size)
{
    char source[4096];
    if (snprintf(source, sizeof source, "file:%s", path) >= (int)sizeof source) {
        snprintf(why, (size_t)why_size, "%.80s...: the path is too long", path);
        return 2;
    }
    Audio *audio =
        audio_open(&(AudioDesc){ .source = source, .strict = true, .wait = true }, why, why_size);
    if (!audio) return 2;
    const int code = analyse(path, audio, json, picture, out, why, why_size);
    audio_close(audio);
    return code;
}
