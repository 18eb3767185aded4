// Rows of pictures, one above the other, over the same time: a pixel is so many hops, whatever a second
// needs, and the greatest of its hops is drawn.  Thin lines are whole seconds, brighter ones each ten.
#include "app/plot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gfx/gfx.h"

enum { WIDEST = 16000, MARGIN = 6 };  // pixels
static const double USUAL_SCALE = 60; // pixels a second

typedef struct {
    float peak, gain, confidence;
    float band[ANALYSIS_BANDS], spectrum[ANALYSIS_SPECTRUM];
    float onset, drum[DRUMS];
    bool beat, bar;
} Moment;

struct Plot {
    Moment *moments; // one a hop
    int count, room;
    double end; // s
};

typedef struct {
    uint8_t *rgb;
    int width, height;
} Canvas;

typedef struct {
    uint8_t r, g, b;
} Ink;

static const Ink background = { 14, 16, 20 }, seconds_ink = { 34, 38, 46 },
                 tens_ink = { 74, 80, 92 };
static const Ink wave_ink = { 150, 190, 220 }, gain_ink = { 240, 200, 90 };
static const Ink onset_ink = { 235, 235, 240 }, beat_ink = { 90, 220, 140 },
                 bar_ink = { 255, 120, 90 };
static const Ink sure_ink = { 90, 150, 240 };
static const Ink drum_inks[DRUMS] = { { 255, 106, 92 }, { 118, 217, 128 }, { 107, 168, 255 } };

// The pictures, from top to bottom, and how high they are.
enum { WAVE, BANDS, SPECTROGRAM, ONSETS, DRUM_HITS, BEATS, SURE, GAIN, PICTURES };
static const int heights[PICTURES] = { [WAVE] = 90,
                                       [BANDS] = ANALYSIS_BANDS * 34,
                                       [SPECTROGRAM] = ANALYSIS_SPECTRUM * 3,
                                       [ONSETS] = 50,
                                       [DRUM_HITS] = DRUMS * 22,
                                       [BEATS] = 50,
                                       [SURE] = 50,
                                       [GAIN] = 60 };

Plot *plot_new(void)
{
    return calloc(1, sizeof(Plot));
}

void plot_free(Plot *plot)
{
    if (!plot) return;
    free(plot->moments);
    free(plot);
}

static bool grow(Plot *plot)
{
    if (plot->count < plot->room) return true;
    const int room = plot->room ? 2 * plot->room : 1024;
    Moment *more = realloc(plot->moments, (size_t)room * sizeof *more);
    if (!more) return false;
    plot->moments = more;
    plot->room = room;
    return true;
}

bool plot_hop(Plot *plot, const Features *f)
{
    if (!grow(plot)) return false;
    const float *s = f->signal;
    Moment m = { .peak = s[SIGNAL_PEAK],
                 .gain = f->gain,
                 .confidence = s[SIGNAL_CONFIDENCE],
                 .onset = s[SIGNAL_ONSET],
                 .drum = { s[SIGNAL_KICK], s[SIGNAL_SNARE], s[SIGNAL_HAT] },
                 .beat = f->beat };
    m.bar = f->beat && s[SIGNAL_BAR_PHASE] < 0.25f;
    for (int i = 0; i < ANALYSIS_BANDS; i++) m.band[i] = s[analysis_bands[i]];
    memcpy(m.spectrum, f->spectrum, sizeof m.spectrum);
    plot->moments[plot->count++] = m;
    plot->end = f->time;
    return true;
}

static void take_greater(float *most, const float *value, int count)
{
    for (int i = 0; i < count; i++)
        if (value[i] > most[i]) most[i] = value[i];
}

// The hops of one column as one.
static Moment column(const Plot *plot, int x, int width)
{
    const int first = (int)((long long)x * plot->count / width);
    const int end = (int)((long long)(x + 1) * plot->count / width);
    Moment all = plot->moments[first];
    for (int i = first + 1; i < end; i++) {
        const Moment *m = &plot->moments[i];
        all.peak = fmaxf(all.peak, m->peak);
        all.onset = fmaxf(all.onset, m->onset);
        all.beat |= m->beat;
        all.bar |= m->bar;
        take_greater(all.drum, m->drum, DRUMS);
        take_greater(all.band, m->band, ANALYSIS_BANDS);
        take_greater(all.spectrum, m->spectrum, ANALYSIS_SPECTRUM);
    }
    return all;
}

static void dot(const Canvas *canvas, int x, int y, Ink ink)
{
    if (x < 0 || y < 0 || x >= canvas->width || y >= canvas->height) return;
    memcpy(canvas->rgb + 3 * ((size_t)y * (size_t)canvas->width + (size_t)x), &ink, 3);
}

static void line(const Canvas *canvas, int x, int top, int bottom, Ink ink)
{
    for (int y = top; y < bottom; y++) dot(canvas, x, y, ink);
}

// A bar of `share` of the height, standing on the ground.
static void stand(const Canvas *canvas, int x, int top, int height, float share, Ink ink)
{
    line(canvas, x, top + height - (int)lroundf(share * (float)height), top + height, ink);
}

// Amplitudes in decibels: 0 is -72 dBFS and less.
static float loudness(float amplitude)
{
    return clampf(1 + 20 * log10f(amplitude + 1e-9f) / 72, 0, 1);
}

// From dark over red and yellow to white.
static Ink heat(float share)
{
    return (Ink){ .r = (uint8_t)(14 + 241 * clampf(2 * share, 0, 1)),
                  .g = (uint8_t)(16 + 239 * clampf(2 * share - 0.7f, 0, 1)),
                  .b = (uint8_t)(20 + 60 * clampf(2 * share, 0, 1) +
                                 175 * clampf(4 * share - 3, 0, 1)) };
}

static void draw_spectrum(const Canvas *canvas, int x, int top, const Moment *m)
{
    const int each = heights[SPECTROGRAM] / ANALYSIS_SPECTRUM;
    for (int i = 0; i < ANALYSIS_SPECTRUM; i++) {
        const int y = top + (ANALYSIS_SPECTRUM - 1 - i) * each;
        line(canvas, x, y, y + each, heat(loudness(m->spectrum[i])));
    }
}

static void draw_rows(const Canvas *canvas, int x, int top, int height, const float *values,
                      int count, const Ink *inks)
{
    const int each = height / count;
    for (int i = 0; i < count; i++)
        if (values[i] > 0) stand(canvas, x, top + i * each, each - 2, values[i], inks[i % DRUMS]);
}

static void draw_column(const Canvas *canvas, int x, const int *tops, const Moment *m)
{
    const int half = (int)lroundf(clampf(m->peak, 0, 1) * (float)heights[WAVE] / 2);
    const int middle = tops[WAVE] + heights[WAVE] / 2;
    line(canvas, x, middle - half, middle + half + 1, wave_ink);
    draw_rows(canvas, x, tops[BANDS], heights[BANDS], m->band, ANALYSIS_BANDS, drum_inks);
    draw_spectrum(canvas, x, tops[SPECTROGRAM], m);
    if (m->onset > 0) stand(canvas, x, tops[ONSETS], heights[ONSETS], m->onset, onset_ink);
    draw_rows(canvas, x, tops[DRUM_HITS], heights[DRUM_HITS], m->drum, DRUMS, drum_inks);
    if (m->beat)
        stand(canvas, x, tops[BEATS], heights[BEATS], m->bar ? 1 : 0.6f,
              m->bar ? bar_ink : beat_ink);
    stand(canvas, x, tops[SURE], heights[SURE], m->confidence, sure_ink);
    // 0 dB in the middle, 40 dB to both sides.
    const float db = clampf(20 * log10f(m->gain + 1e-9f), -40, 40);
    const int y = tops[GAIN] + (int)lroundf((float)heights[GAIN] * (0.5f - db / 80));
    line(canvas, x, y - 1, y + 1, gain_ink);
}

static void draw_seconds(const Canvas *canvas, double seconds)
{
    for (int s = 0; s < (int)seconds + 1; s++) {
        const int x = (int)(s / seconds * canvas->width);
        line(canvas, x, 0, canvas->height, s % 10 ? seconds_ink : tens_ink);
    }
}

static void draw(const Plot *plot, const Canvas *canvas, const int *tops)
{
    for (int y = 0; y < canvas->height; y++)
        for (int x = 0; x < canvas->width; x++) dot(canvas, x, y, background);
    draw_seconds(canvas, plot->end);
    for (int x = 0; x < canvas->width; x++) {
        const Moment m = column(plot, x, canvas->width);
        draw_column(canvas, x, tops, &m);
    }
}

bool plot_write(const Plot *plot, const char *path, char *why, int why_size)
{
    int tops[PICTURES], height = MARGIN;
    for (int i = 0; i < PICTURES; i++) {
        tops[i] = height;
        height += heights[i] + MARGIN;
    }
    if (plot->count == 0) {
        snprintf(why, (size_t)why_size, "%s: there is no sound to draw", path);
        return false;
    }
    int width = (int)clampd(plot->end * USUAL_SCALE, 1, WIDEST);
    if (width > plot->count) width = plot->count;
    Canvas canvas = { malloc((size_t)width * (size_t)height * 3), width, height };
    if (!canvas.rgb) {
        snprintf(why, (size_t)why_size, "%s: out of memory", path);
        return false;
    }
    draw(plot, &canvas, tops);
    const bool written = image_write_png(path, (Size){ width, height }, canvas.rgb, why, why_size);
    free(canvas.rgb);
    return written;
}
