#include "app/bench.h"

#include "app/bench_cpu.h"
#include "app/bench_gpu.h"
#include "app/clock.h"
#include "app/median.h"
#include "app/show.h"
#include "app/where.h"

enum { HOPS = 512, PARTICLES = 100000, FIELD = 65536 };
static const float DT = 1.0f / 60;

static double hear(void *subject)
{
    const HearingSettings settings = hearing_of(NULL);
    float pairs[ANALYSIS_HOP_MAX * 2];
    Analyser *analyser = subject;
    for (int i = 0; i < COUNT_OF(pairs); i++) pairs[i] = rng_unit(rng_mix((uint32_t)i)) - 0.5f;
    const double begun = clock_now();
    for (int i = 0; i < HOPS; i++) analyser_hop(analyser, pairs, &settings);
    return clock_now() - begun;
}

static double move(void *subject)
{
    const double begun = clock_now();
    crowd_step(subject, DT);
    return clock_now() - begun;
}

static double picture(void *subject)
{
    static const float silence[2 * 800];
    void **parts = subject;
    const double begun = clock_now();
    show_frame(parts[0], &(ShowInput){ .samples = silence, .frames = 800, .rate = 48000, .dt = DT },
               parts[1]);
    glFinish();
    return clock_now() - begun;
}

static void set(Params *params, const char *path, double value)
{
    params_set(params, params_find(params, path), value);
}

static double hearing_ns(void)
{
    Analyser *analyser = analyser_new(48000);
    if (!analyser) return 0;
    const double seconds = median_run(hear, analyser);
    analyser_free(analyser);
    return seconds / HOPS * 1e9;
}

static double particle_ns(int threads)
{
    char why[256];
    Crowd crowd;
    double seconds = 0, alive = 1;
    if (crowd_init(&crowd, PARTICLES, threads, why, sizeof why)) {
        crowd_settle(&crowd);
        seconds = median_run(move, &crowd);
        alive = fmax(1, sim_alive(crowd.sim));
    }
    crowd_free(&crowd);
    return seconds / alive * 1e9;
}

static double picture_ms(Size size, char *renderer, int renderer_size)
{
    char why[512], shaders[WHERE_PATH];
    double seconds = 0;
    Render *render = NULL;
    Show *show = NULL;
    Target target = { 0 };
    Context *context = context_offscreen(why, sizeof why);
    if (context && where_folder("shaders", shaders, why, sizeof why))
        render = render_new(&(RenderDesc){ .shaders = shaders, .size = size }, why, sizeof why);
    if (render) show = show_new(&(ShowDesc){ .seed = 1, .render = render }, why, sizeof why);
    if (show && target_init(&target, size, GL_RGBA8, 1, false, why, sizeof why)) {
        Params *params = show_params(show);
        params_add(params, OWNER_FIELD, "main", why, sizeof why);
        set(params, "fields/main/rate", FIELD / 2);
        set(params, "fields/main/capacity", FIELD);
        show_prepare(show, size, why, sizeof why);
        for (int i = 0; i < 60; i++) picture((void *[]){ show, &target });
        seconds = median_run(picture, (void *[]){ show, &target });
        snprintf(renderer, (size_t)renderer_size, "%s", context_renderer(context));
    } else {
        snprintf(renderer, (size_t)renderer_size, "none (%s)", why);
    }
    show_free(show);
    render_free(render);
    target_free(&target);
    context_free(context);
    return seconds * 1000;
}

int bench(const Options *options)
{
    if (options->hearing) return bench_hearing(options);
    if (options->cpu) return bench_cpu(options);
    if (options->gpu) return bench_gpu(options);
    char renderer[512];
    const Size size = { options->width ? options->width : 1280,
                        options->height ? options->height : 720 };
    const double hop = hearing_ns(), one = particle_ns(1), all = particle_ns(0);
    const double frame = picture_ms(size, renderer, sizeof renderer);
    if (options->json)
        printf("{\"hearing_ns_a_hop\":%.0f,\"cpu_ns_a_particle\":{\"one_thread\":%.3f,\"all_"
               "threads\":%.3f},"
               "\"picture_ms\":%.3f,\"renderer\":\"%s\"}\n",
               hop, one, all, frame, renderer);
    else
        printf("hearing          %8.0f ns a hop (%.2f %% of a core)\n"
               "CPU particles    %8.2f ns a particle on one thread, %.2f on all\n"
               "picture          %8.2f ms a frame: %d x %d, a field of %d\n"
               "OpenGL           %s\n",
               hop, hop * 187.5 / 1e9 * 100, one, all, frame, size.width, size.height, FIELD,
               renderer);
    return EXIT_DONE;
}
