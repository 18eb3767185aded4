#include "app/bench_gpu.h"

#include <stddef.h>
#include <string.h>

#include "app/bench_known.h"
#include "app/bench_splat.h"
#include "app/clock.h"
#include "app/median.h"
#include "app/where.h"
#include "render/render.h"

static const float DT = 1.0f / 60; // s a frame

// ---- the workload -------------------------------------------------------------------------------

// So 98 % of rate x LIFE are alive.
static const float LIFE = 4, LIFE_RANDOM = 0.04f;

// One field, whose ring is filled to a share.
typedef struct {
    Params *params;
    Sim *sim;
    Render *render;
    uint32_t frame;
} Rig;

static bool set(Rig *rig, const char *path, double value)
{
    return params_set(rig->params, params_find(rig->params, path), value);
}

static bool rig_tune(Rig *rig, uint32_t particles, double share)
{
    return set(rig, "fields/crowd/capacity", particles) &&
           set(rig, "fields/crowd/rate", share * particles / LIFE) &&
           set(rig, "fields/crowd/life", LIFE) &&
           set(rig, "fields/crowd/life_random", LIFE_RANDOM) &&
           set(rig, "fields/crowd/size", 0.04) && set(rig, "forces/gravity", -1) &&
           set(rig, "forces/drag", 0.5) && set(rig, "forces/jitter", 0.5) &&
           set(rig, "forces/attractor1/strength", 5);
}

static bool rig_init(Rig *rig, const char *shaders, Size size, uint32_t particles, double share,
                     char *why, int why_size)
{
    snprintf(why, (size_t)why_size, "no memory to measure %u particles", (unsigned)particles);
    *rig = (Rig){ .params = params_new() };
    if (!rig->params) return false;
    if (params_add(rig->params, OWNER_FIELD, "crowd", why, why_size) < 0) return false;
    if (!rig_tune(rig, particles, share)) {
        snprintf(why, (size_t)why_size, "a control that the benchmark sets is not there");
        return false;
    }
    rig->sim = sim_new(&(SimDesc){ .capacity = 1, .threads = 1, .seed = 1 }, why, why_size);
    if (!rig->sim) return false;
    rig->render = render_new(&(RenderDesc){ .shaders = shaders, .size = size }, why, why_size);
    if (!rig->render) return false;
    params_prepare(rig->params);
    return render_prepare(rig->render, rig->params, size, why, why_size) && !why[0];
}

static void rig_free(Rig *rig)
{
    render_free(rig->render);
    sim_free(rig->sim);
    params_free(rig->params);
    *rig = (Rig){ 0 };
}

static Scene rig_scene(const Rig *rig, float dt)
{
    return (Scene){ .params = rig->params,
                    .sim = rig->sim,
                    .motion = motion_of(rig->params, 0),
                    .frame = rig->frame,
                    .time = rig->frame * (double)DT,
                    .dt = dt };
}

static void rig_step(Rig *rig, float dt)
{
    const Scene scene = rig_scene(rig, dt);
    sim_begin(rig->sim, rig->params);
    sim_hop(rig->sim, rig->params, NULL, dt, dt);
    sim_step(rig->sim, rig->params, &scene.motion, rig->frame, dt);
    render_step(rig->render, &scene);
    rig->frame++;
}

// Until as many die as are born.
static void rig_settle(Rig *rig)
{
    for (float age = 0; age < 1.1f * LIFE; age += DT) rig_step(rig, DT);
    glFinish();
}

// ---- by turns -----------------------------------------------------------------------------------

typedef struct {
    Rig full, quarter, filled;
    Known *known;
    Splat splat;
    GLuint light; // texture that the splat's is brought into
} Match;

static bool match_init(Match *match, const char *shaders, Size size, uint32_t particles, char *why,
                       int why_size)
{
    *match = (Match){ 0 };
    if (!rig_init(&match->full, shaders, size, particles, 1, why, why_size)) return false;
    if (!rig_init(&match->quarter, shaders, size, particles, 0.25, why, why_size)) return false;
    if (!rig_init(&match->filled, shaders, size, particles, 1, why, why_size)) return false;
    if (!set(&match->filled, "fields/crowd/born_by", BORN_BY_FILL)) return false;
    match->known = known_new(shaders, particles, why, why_size);
    match->light = texture_new(&(TextureDesc){ .size = size, .format = GL_RGBA16F });
    return match->known && splat_init(&match->splat, particles, size, 0, why, why_size);
}

static void match_free(Match *match)
{
    if (match->light) glDeleteTextures(1, &match->light);
    splat_free(&match->splat);
    known_free(match->known);
    rig_free(&match->filled);
    rig_free(&match->quarter);
    rig_free(&match->full);
}

static void run_step(Match *match)
{
    rig_step(&match->full, DT);
}

static void run_quarter(Match *match)
{
    rig_step(&match->quarter, DT);
}

static void run_filled(Match *match)
{
    rig_step(&match->filled, DT);
}

static void run_draw(Match *match)
{
    const Scene scene = rig_scene(&match->full, DT);
    render_draw(match->full.render, &scene);
}

static void run_known(Match *match)
{
    known_step(match->known, DT);
}

static void run_copy(Match *match)
{
    known_copy(match->known);
}

static void run_splat(Match *match)
{
    const Splat *splat = &match->splat;
    const Size size = splat->light.size;
    splat_frame(&match->splat, DT);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, match->light);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, size.width, size.height, GL_RGBA, GL_HALF_FLOAT,
                    splat->halves);
}

typedef struct {
    const char *path;
    double value;
} Setting;

enum { SETTINGS = 20 };

typedef struct {
    const char *name; // in the JSON
    size_t at;        // in GpuRow
    void (*run)(Match *match);
    bool slow;                  // one frame a run is enough
    Setting settings[SETTINGS]; // of the full rig, on top of the workload
} Subject;

static const Subject subjects[] = {
    { "ms", offsetof(GpuRow, step), run_step, false, { { 0 } } },
    { "ms_three_pass", offsetof(GpuRow, three_pass), run_known, false, { { 0 } } },
    { "ms_copy", offsetof(GpuRow, copy), run_copy, false, { { 0 } } },
    { "ms_quarter", offsetof(GpuRow, quarter), run_quarter, false, { { 0 } } },
    { "ms_fill", offsetof(GpuRow, fill), run_filled, false, { { 0 } } },
    { "ms_turbulence",
      offsetof(GpuRow, turbulence),
      run_step,
      false,
      { { "forces/turbulence/strength", 2 } } },
    { "ms_attractors",
      offsetof(GpuRow, attractors),
      run_step,
      false,
      { { "forces/attractor2/strength", 3 },
        { "forces/attractor2/position/x", 4 },
        { "forces/attractor3/strength", 3 },
        { "forces/attractor3/position/x", -4 },
        { "forces/attractor4/strength", -3 },
        { "forces/attractor4/position/y", 4 },
        { "forces/attractor5/vortex", 5 },
        { "forces/attractor6/vortex", -5 },
        { "forces/attractor6/position/y", -4 },
        { "forces/attractor7/strength", 3 },
        { "forces/attractor7/position/z", 4 },
        { "forces/attractor8/strength", 3 },
        { "forces/attractor8/position/z", -4 } } },
    { "ms_colliders",
      offsetof(GpuRow, colliders),
      run_step,
      false,
      { { "forces/collider1/shape", COLLIDER_PLANE },
        { "forces/collider2/shape", COLLIDER_SPHERE },
        { "forces/collider2/position/y", 3 } } },
    { "ms_draw", offsetof(GpuRow, draw), run_draw, true, { { 0 } } },
    { "ms_splat", offsetof(GpuRow, splat), run_splat, true, { { 0 } } },
};

enum { SUBJECTS = COUNT_OF(subjects), RUNS_MAX = 64 };

static void use_settings(Rig *rig, const Setting *settings, bool on)
{
    for (const Setting *s = settings; s->path; s++) {
        const ParamId id = params_find(rig->params, s->path);
        params_set(rig->params, id, on ? s->value : (double)params_row(id)->normal);
    }
}

// Few particles are measured over several frames: a clock has its own grain.
static double seconds_a_frame(Match *match, const Subject *subject, int frames)
{
    use_settings(&match->full, subject->settings, true);
    subject->run(match); // brings its own into the caches
    glFinish();
    const double begun = clock_now();
    for (int n = 0; n < frames; n++) subject->run(match);
    glFinish();
    const double seconds = clock_now() - begun;
    use_settings(&match->full, subject->settings, false);
    return seconds / frames;
}

static double *figure_of(const GpuRow *row, const Subject *subject)
{
    return (double *)((char *)row + subject->at);
}

static bool measure_row(GpuRow *row, const char *shaders, Size size, uint32_t particles, int runs,
                        char *why, int why_size)
{
    double figures[SUBJECTS][RUNS_MAX];
    Match match;
    const bool ready = match_init(&match, shaders, size, particles, why, why_size);
    if (ready) {
        rig_settle(&match.full);
        rig_settle(&match.quarter);
        rig_settle(&match.filled);
        crowd_settle(&match.splat.crowd);
        const int frames = clampi(2000000 / (int)particles, 1, 16);
        for (int run = 0; run < runs; run++)
            for (int s = 0; s < SUBJECTS; s++)
                figures[s][run] =
                    seconds_a_frame(&match, &subjects[s], subjects[s].slow ? 1 : frames);
        *row = (GpuRow){ .particles = particles };
        for (int s = 0; s < SUBJECTS; s++)
            *figure_of(row, &subjects[s]) = median_of(figures[s], runs) * 1e3;
    }
    match_free(&match);
    return ready;
}

bool bench_gpu_measure(GpuFigures *figures, const uint32_t *sizes, int size_count, int width,
                       int height, int runs, char *why, int why_size)
{
    char shaders[WHERE_PATH];
    *figures = (GpuFigures){ 0 };
    Context *context = context_offscreen(why, why_size);
    bool good = context && where_folder("shaders", shaders, why, why_size);
    if (context)
        snprintf(figures->renderer, sizeof figures->renderer, "%s", context_renderer(context));
    for (int n = 0; good && n < size_count && n < GPU_ROWS; n++)
        good = measure_row(&figures->rows[figures->row_count++], shaders, (Size){ width, height },
                           sizes[n], clampi(runs, 1, RUNS_MAX), why, why_size);
    context_free(context);
    return good;
}

// ---- what is printed ----------------------------------------------------------------------------

void bench_gpu_json(const GpuFigures *figures, FILE *out)
{
    fprintf(out, "{\"gpu\": [");
    for (int n = 0; n < figures->row_count; n++) {
        const GpuRow *row = &figures->rows[n];
        fprintf(out, "%s{\"particles\": %u", n ? ", " : "", (unsigned)row->particles);
        for (int s = 0; s < SUBJECTS; s++)
            fprintf(out, ", \"%s\": %.4f", subjects[s].name, *figure_of(row, &subjects[s]));
        fprintf(out, "}");
    }
    fprintf(out, "], \"renderer\": \"%s\"}\n", figures->renderer);
}

void bench_gpu_table(const GpuFigures *figures, FILE *out)
{
    fprintf(
        out,
        "ms a frame, medians; %s\n\n"
        "particles     step  x copy  three passes  / step    copy  quarter    fill  turbulence  "
        "attractors  colliders    draw   splat  (step + draw) / splat\n",
        figures->renderer);
    for (int n = 0; n < figures->row_count; n++) {
        const GpuRow *r = &figures->rows[n];
        fprintf(out,
                "%9u %8.3f %7.2f %13.3f %7.2f %7.3f %8.3f %7.3f %11.3f %11.3f %10.3f %7.2f %7.2f "
                "%22.2f\n",
                (unsigned)r->particles, r->step, r->step / r->copy, r->three_pass,
                r->three_pass / r->step, r->copy, r->quarter, r->fill, r->turbulence, r->attractors,
                r->colliders, r->draw, r->splat, (r->step + r->draw) / r->splat);
    }
}

int bench_gpu(const Options *options)
{
    static const uint32_t sizes[] = { 65536, 262144, 524288 };
    char why[512];
    GpuFigures figures;
    const int width = options->width ? options->width : 1280;
    const int height = options->height ? options->height : 720;
    if (!bench_gpu_measure(&figures, sizes, COUNT_OF(sizes), width, height, MEDIAN_RUNS, why,
                           sizeof why))
        return complain(why, EXIT_FAILED);
    (options->json ? bench_gpu_json : bench_gpu_table)(&figures, stdout);
    return EXIT_DONE;
}
