// The offline host: the same show_frame, with samples and time steps that no clock disturbs.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/clock.h"
#include "app/hosts.h"
#include "app/output.h"
#include "app/quality.h"
#include "app/setup.h"
#include "app/stats.h"
#include "app/where.h"
#include "audio/audio.h"

static const double DEMO_SECONDS = 10;
static const double FPS_MIN = 10; // a longer frame would drop time: STALL_LONGEST

typedef struct {
    const char *source; // what audio_open takes
    const char *out;    // NULL: frames are made and thrown away
    Size size;
    double fps;
    uint64_t frames; // 0: the whole source
} Job;

// Everything that a job holds; `close_all` takes any half of it.
typedef struct {
    Audio *audio;
    Context *context;
    Render *render;
    Show *show;
    Assets *assets;
    Stats *stats;
    Output *output;
    Target target;
    float *samples;
    uint8_t *rgb;
    char preset[64];
} Offline;

static bool close_all(Offline *o, char *why, int why_size)
{
    char ignored[256];
    bool whole = output_close(o->output, why, why_size);
    whole &= stats_close(o->stats, whole ? why : ignored, whole ? why_size : (int)sizeof ignored);
    show_free(o->show);
    render_free(o->render);
    assets_close(o->assets);
    target_free(&o->target);
    context_free(o->context);
    audio_close(o->audio);
    free(o->samples);
    free(o->rgb);
    return whole;
}

static bool is_file(const Job *job)
{
    return !strncmp(job->source, "file:", 5);
}

// UINT64_MAX for a file that does not say how long it is: it ends when it ends.
static uint64_t frames_of(const Job *job, const AudioStatus *sound)
{
    if (job->frames > 0) return job->frames;
    if (is_file(job) && sound->duration <= 0) return UINT64_MAX;
    const double seconds = sound->duration > 0 ? sound->duration : DEMO_SECONDS;
    const double frames = seconds * job->fps;
    const uint64_t whole = (uint64_t)frames;
    return frames - (double)whole > 1e-6 ? whole + 1 : whole;
}

// The exit code, EXIT_DONE when everything is open.
static int open_all(Offline *o, const Job *job, const Options *options, char *why, int why_size)
{
    char shaders[WHERE_PATH], notice[256];
    o->audio = audio_open(
        &(AudioDesc){ .source = job->source, .seed = options->seed, .wait = true }, why, why_size);
    if (!o->audio) return EXIT_WRONG;
    const AudioStatus sound = audio_status(o->audio);

    if (!setup_shaders(shaders, why, why_size)) return EXIT_WRONG;
    o->context = context_offscreen(why, why_size);
    if (!o->context) return EXIT_FAILED;
    o->render = render_new(
        &(RenderDesc){ .shaders = shaders, .size = job->size, .wait_counts = true }, why, why_size);
    if (!o->render) return EXIT_FAILED;
    if (!target_init(&o->target, job->size, GL_RGBA8, 1, false, why, why_size)) return EXIT_FAILED;

    o->assets = assets_open(true, why, why_size);
    if (!o->assets) return EXIT_FAILED;
    o->show = show_new(
        &(ShowDesc){
            .seed = options->seed, .rate = sound.rate, .render = o->render, .assets = o->assets },
        why, why_size);
    if (!o->show) return EXIT_FAILED;
    Params *params = show_params(o->show);
    params_set(params, params_id(OWNER_GLOBAL, 0, GLOBAL_QUALITY_AUTO),
               0); // time decides nothing here
    if (!setup_show(o->show, options, o->preset, why, why_size)) return EXIT_WRONG;
    quality_by_hand(params);
    show_prepare(o->show, job->size, notice, sizeof notice);
    if (notice[0]) complain(notice, 0);

    o->samples = malloc((size_t)(sound.rate / job->fps + 2) * AUDIO_CHANNELS * sizeof(float));
    o->rgb = malloc((size_t)job->size.width * (size_t)job->size.height * 3);
    snprintf(why, (size_t)why_size, "out of memory");
    if (!o->samples || !o->rgb) return EXIT_FAILED;

    if (options->stats) o->stats = stats_open(options->stats, true, why, why_size);
    if (options->stats && !o->stats) return EXIT_WRONG;
    if (!job->out) return EXIT_DONE;
    o->output =
        output_open(&(OutputDesc){ .out = job->out,
                                   .size = job->size,
                                   .fps = job->fps,
                                   .sound = is_file(job) ? job->source + 5 : NULL,
                                   .sound_source = is_file(job) ? NULL : job->source,
                                   .sound_seconds = (double)frames_of(job, &sound) / job->fps,
                                   .seed = options->seed },
                    why, why_size);
    return o->output ? EXIT_DONE : EXIT_WRONG;
}

// One line that is written over on a terminal; a line every few seconds elsewhere.
typedef struct {
    double begun, said;
    bool terminal;
} Progress;

static void tell_progress(Progress *p, uint64_t done, uint64_t all, double fps)
{
    const double t = clock_now();
    const bool last = done == all;
    if (!last && t - p->said < (p->terminal ? 0.2 : 5)) return;
    p->said = t;
    const double speed = (double)done / fmax(t - p->begun, 1e-6);
    if (all == UINT64_MAX) {
        fprintf(stderr, "%sframe %llu, %.1f frames/s, %.2f x real time%s", p->terminal ? "\r" : "",
                (unsigned long long)done, speed, speed / fps, p->terminal ? "   " : "\n");
        return;
    }
    fprintf(stderr, "%sframe %llu of %llu, %.1f frames/s, %.2f x real time, %.0f s left%s",
            p->terminal ? "\r" : "", (unsigned long long)done, (unsigned long long)all, speed,
            speed / fps, (double)(all - done) / speed, p->terminal && !last ? "   " : "   \n");
}

static bool one_frame(Offline *o, const Job *job, uint32_t capacity, char *why, int why_size)
{
    const double begun = clock_now();
    const double dt = 1 / job->fps;
    const uint32_t got = audio_read(o->audio, dt, o->samples, capacity);
    const AudioStatus sound = audio_status(o->audio);
    const ShowInput input = { .samples = o->samples, .frames = got, .rate = sound.rate, .dt = dt };
    show_frame(o->show, &input, &o->target);
    if (!context_healthy(o->context)) {
        snprintf(why, (size_t)why_size, "the graphics context was lost");
        return false;
    }
    StatsRow row = { .show = show_stats(o->show), .frame_ms = (clock_now() - begun) * 1000 };
    snprintf(row.preset, sizeof row.preset, "%s", o->preset);
    stats_hear(&row, &sound);
    stats_row(o->stats, &row);
    if (!o->output) return true;
    target_read_rgb(&o->target, o->rgb);
    return output_frame(o->output, o->rgb, why, why_size);
}

static int do_job(const Job *job, const Options *options)
{
    Offline o = { 0 };
    char why[512] = "";
    int code = open_all(&o, job, options, why, sizeof why);
    if (code == EXIT_DONE) {
        const AudioStatus sound = audio_status(o.audio);
        const uint64_t frames = frames_of(job, &sound);
        const uint32_t capacity = (uint32_t)(sound.rate / job->fps) + 2;
        Progress progress = { .begun = clock_now(),
                              .said = clock_now(),
                              .terminal = isatty(STDERR_FILENO) };
        for (uint64_t i = 0; i < frames && code == EXIT_DONE; i++) {
            if (!one_frame(&o, job, capacity, why, sizeof why))
                code = context_healthy(o.context) ? EXIT_FAILED : EXIT_CONTEXT_LOST;
            tell_progress(&progress, i + 1, frames, job->fps);
            if (frames == UINT64_MAX && audio_status(o.audio).state == AUDIO_ENDED) break;
        }
    }
    char end[512] = "";
    if (!close_all(&o, end, sizeof end) && code == EXIT_DONE) {
        code = EXIT_FAILED;
        snprintf(why, sizeof why, "%s", end);
    }
    return code == EXIT_DONE ? code : complain(why, code);
}

static Job job_of(const Options *options, const char *source, const char *out)
{
    return (Job){
        .source = source,
        .out = out,
        .size = { options->width ? options->width : 1280, options->height ? options->height : 720 },
        .fps = options->fps > 0 ? options->fps : 60,
        .frames = options->frames,
    };
}

int host_render(const Options *options)
{
    char source[4096];
    if (options->word_count != 1)
        return complain("render wants one sound file: motes render AUDIO -o OUT", EXIT_WRONG);
    if (!options->out && !options->stats)
        return complain("render wants -o OUT: a video's name, or a folder for PNG files",
                        EXIT_WRONG);
    if (options->fps > 0 && options->fps < FPS_MIN)
        return complain("render --fps takes 10 to 1000: longer frames would skip time", EXIT_WRONG);
    setup_source(options->words[0], source, sizeof source);
    const Job job = job_of(options, source, options->out);
    return do_job(&job, options);
}

int host_without_display(const Options *options, const char *because)
{
    const bool video = output_has_encoder();
    const char *out = options->out ? options->out : video ? "motes-demo.mp4" : "motes-demo";
    const bool offline = options->audio && (!strncmp(options->audio, "file:", 5) ||
                                            !strncmp(options->audio, "demo", 4));
    Job job = job_of(options, offline ? options->audio : "demo", out);
    if (job.frames == 0) job.frames = (uint64_t)(DEMO_SECONDS * job.fps);
    fprintf(stderr, "motes: no window (%s); rendering %.1f s of %s to %s%s\n", because,
            (double)job.frames / job.fps, job.source, out, video ? "" : " (no ffmpeg: PNG files)");
    const int code = do_job(&job, options);
    if (code == EXIT_DONE) {
        char *whole = realpath(out, NULL);
        printf("%s\n", whole ? whole : out);
        free(whole);
    }
    return code;
}
