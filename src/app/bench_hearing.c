// Ten seconds of the demo's music, several times over: hops differ, but each is the same in every run, so
// the figure is the mean over the hops of their medians.
#include "app/bench.h"

#include <stdlib.h>

#include "app/clock.h"
#include "app/median.h"
#include "audio/audio.h"
#include "control/control.h"

enum { RATE = 48000, HOPS = 1875 };
static const double HOPS_PER_SECOND = 187.5;

typedef struct {
    Analyser *analyser;
    float *pairs;                                // HOPS hops
    double (*spent)[HEARING_PARTS][MEDIAN_RUNS]; // s, of each hop
    HearingPart part;
    double since; // the clock, when `part` began
    int hop, run;
} Bench;

static void part_begins(void *hand, HearingPart part)
{
    Bench *b = hand;
    const double now = clock_now();
    if (b->part < HEARING_PARTS) b->spent[b->hop][b->part][b->run] += now - b->since;
    b->part = part;
    b->since = now;
}

static void run(Bench *b)
{
    const HearingSettings settings = hearing_of(NULL);
    const int frames = analyser_hop_frames(b->analyser);
    analyser_retune(b->analyser, RATE);
    b->part = HEARING_PARTS;
    for (b->hop = 0; b->hop < HOPS; b->hop++)
        analyser_hop(b->analyser, b->pairs + AUDIO_CHANNELS * frames * b->hop, &settings);
}

// Seconds a hop; the last is of all parts together.
static void sum_up(Bench *b, double *seconds)
{
    seconds[HEARING_PARTS] = 0;
    for (int part = 0; part < HEARING_PARTS; part++) {
        seconds[part] = 0;
        for (int hop = 0; hop < HOPS; hop++)
            seconds[part] += median_of(b->spent[hop][part], MEDIAN_RUNS) / HOPS;
        seconds[HEARING_PARTS] += seconds[part];
    }
}

static const char *name_of(int row)
{
    return row < HEARING_PARTS ? hearing_part_names[row] : "all";
}

static double core_percent(double seconds)
{
    return seconds * HOPS_PER_SECOND * 100;
}

static void print_text(const double *seconds)
{
    printf("hearing at 48 kHz, a hop of 1/187.5 s\n");
    for (int row = 0; row <= HEARING_PARTS; row++)
        printf("%-9s %8.0f ns  %6.3f %% of a core\n", name_of(row), seconds[row] * 1e9,
               core_percent(seconds[row]));
}

static void print_json(const double *seconds)
{
    printf("{\"rate\":%d,\"hops_per_second\":%.1f,\"parts\":[", RATE, HOPS_PER_SECOND);
    for (int row = 0; row <= HEARING_PARTS; row++)
        printf("%s{\"part\":\"%s\",\"ns\":%.0f,\"core_percent\":%.4f}", row ? "," : "",
               name_of(row), seconds[row] * 1e9, core_percent(seconds[row]));
    printf("]}\n");
}

// False and a sentence when there is no memory.
static bool make(Bench *b, char *why, int why_size)
{
    const uint32_t frames = HOPS * ANALYSIS_HOP_MAX;
    snprintf(why, (size_t)why_size, "out of memory");
    b->analyser = analyser_new(RATE);
    b->pairs = calloc((size_t)frames * AUDIO_CHANNELS, sizeof *b->pairs);
    b->spent = calloc(HOPS, sizeof *b->spent);
    if (!b->analyser || !b->pairs || !b->spent) return false;
    Audio *music =
        audio_open(&(AudioDesc){ .source = "demo", .rate = RATE, .wait = true }, why, why_size);
    if (!music) return false;
    audio_read(music, (double)frames / RATE, b->pairs, frames);
    audio_close(music);
    analyser_watch(b->analyser, part_begins, b);
    return true;
}

int bench_hearing(const Options *options)
{
    char why[256];
    Bench b = { 0 };
    const bool made = make(&b, why, sizeof why);
    if (made) {
        double seconds[HEARING_PARTS + 1];
        for (b.run = 0; b.run < MEDIAN_RUNS; b.run++) run(&b);
        sum_up(&b, seconds);
        (options->json ? print_json : print_text)(seconds);
    }
    analyser_free(b.analyser);
    free(b.pairs);
    free(b.spent);
    return made ? EXIT_DONE : complain(why, EXIT_FAILED);
}
