#include "app/bench_cpu.h"

#include <stddef.h>
#include <stdlib.h>

#include "app/bench_naive.h"
#include "app/clock.h"
#include "app/median.h"

static const float DT = 1.0f / 60; // s a frame

// ---- the workload -------------------------------------------------------------------------------

// The engine gives back whole blocks: beside what lives it wants room for one that is being filled
// and one that is emptying.
enum { SPARE = 4096 };

// Lives of 10 s and a little less: of a million, 100,000 a second are born and as many die.
static const float LIFE = 10, LIFE_RANDOM = 0.04f; // so 98 % of rate x LIFE are alive

static bool set(Crowd *crowd, const char *path, double value)
{
    return params_set(crowd->params, params_find(crowd->params, path), value);
}

static bool crowd_tune(Crowd *crowd, uint32_t particles)
{
    return set(crowd, "emitters/crowd/rate", particles / LIFE) &&
           set(crowd, "emitters/crowd/life", LIFE) &&
           set(crowd, "emitters/crowd/life_random", LIFE_RANDOM) &&
           set(crowd, "forces/gravity", -1) && set(crowd, "forces/drag", 0.5) &&
           set(crowd, "forces/jitter", 0.5) && set(crowd, "forces/attractor1/strength", 5);
}

bool crowd_init(Crowd *crowd, uint32_t particles, int threads, char *why, int why_size)
{
    *crowd = (Crowd){ .params = params_new() };
    if (!crowd->params) goto no_memory;
    crowd->emitter = params_add(crowd->params, OWNER_EMITTER, "crowd", why, why_size);
    if (crowd->emitter < 0) return false;
    if (!crowd_tune(crowd, particles)) {
        snprintf(why, (size_t)why_size, "a control that the benchmark sets is not there");
        return false;
    }
    crowd->sim = sim_new(&(SimDesc){ .capacity = particles + SPARE, .threads = threads, .seed = 1 },
                         why, why_size);
    if (!crowd->sim) return false;
    crowd->capacity = sim_capacity(crowd->sim);
    crowd->view = (SpriteView){ .forward = { 0, 0, -1 } };
    crowd->view.kinds[crowd->emitter] = SPRITE_SHEET;
    crowd->view.frames[crowd->emitter] = 64;
    if (sprites_init(&crowd->sprites, crowd->capacity)) return true;
no_memory:
    snprintf(why, (size_t)why_size, "no memory to measure %u particles", (unsigned)particles);
    return false;
}

void crowd_free(Crowd *crowd)
{
    sprites_free(&crowd->sprites);
    sim_free(crowd->sim);
    params_free(crowd->params);
    *crowd = (Crowd){ 0 };
}

void crowd_step(Crowd *crowd, float dt)
{
    const Motion motion = motion_of(crowd->params, 0);
    sim_begin(crowd->sim, crowd->params);
    sim_hop(crowd->sim, crowd->params, NULL, dt, dt);
    sim_step(crowd->sim, crowd->params, &motion, crowd->frame++, dt);
}

uint32_t crowd_draw(Crowd *crowd, float dt)
{
    SpriteRun runs[EMITTER_SLOTS];
    int run_count;
    sim_will_draw(crowd->sim, &crowd->view, &crowd->sprites, crowd->capacity);
    crowd_step(crowd, dt);
    return sim_sprites(crowd->sim, crowd->params, &crowd->view, &crowd->sprites, crowd->capacity,
                       runs, &run_count);
}

void crowd_settle(Crowd *crowd)
{
    for (float age = 0; age < 1.2f * LIFE; age += STALL_LONGEST) crowd_step(crowd, STALL_LONGEST);
}

// Everything that an emitter and the forces can do.
static void crowd_fill(Crowd *crowd)
{
    set(crowd, "forces/wind/x", 0.2);
    set(crowd, "forces/turbulence/strength", 2);
    set(crowd, "forces/attractor1/vortex", 1);
    set(crowd, "forces/attractor2/strength", 3);
    set(crowd, "emitters/crowd/spin", 1);
    set(crowd, "emitters/crowd/drag", 0.1);
}

// ---- by turns -----------------------------------------------------------------------------------

typedef struct {
    Crowd crowd;
    Naive *naive;
} Match;

static bool match_init(Match *match, uint32_t particles, int threads, char *why, int why_size)
{
    *match = (Match){ 0 };
    if (!crowd_init(&match->crowd, particles, threads, why, why_size)) return false;
    match->naive = naive_new(particles, 1);
    if (match->naive) return true;
    snprintf(why, (size_t)why_size, "no memory to measure %u particles", (unsigned)particles);
    return false;
}

static void match_free(Match *match)
{
    naive_free(match->naive);
    crowd_free(&match->crowd);
}

static const float *values_of(const Crowd *crowd)
{
    return params_values(crowd->params, OWNER_EMITTER, crowd->emitter);
}

static const Stops *stops_of(const Crowd *crowd, int row)
{
    return params_stops(crowd->params, params_id(OWNER_EMITTER, crowd->emitter, row));
}

static void run_state(Match *match)
{
    crowd_step(&match->crowd, DT);
}

static void run_drawn(Match *match)
{
    crowd_draw(&match->crowd, DT);
}

static void run_naive(Match *match)
{
    const Crowd *crowd = &match->crowd;
    const Motion motion = motion_of(crowd->params, 0);
    naive_live(match->naive, values_of(crowd), DT);
    naive_move(match->naive, stops_of(crowd, SWARM_SIZE_CURVE), stops_of(crowd, SWARM_COLOUR),
               &motion, DT);
    naive_write(match->naive, &crowd->sprites);
}

static void run_bound(Match *match)
{
    sim_stream(match->crowd.sim, 1);
}

static const struct {
    void (*run)(Match *match);
    size_t at; // in CpuRow
    float turbulence;
} subjects[] = {
    { run_state, offsetof(CpuRow, state), 0 },      { run_drawn, offsetof(CpuRow, drawn), 0 },
    { run_state, offsetof(CpuRow, turbulence), 2 }, { run_naive, offsetof(CpuRow, naive), 0 },
    { run_bound, offsetof(CpuRow, bound), 0 },
};

enum { SUBJECTS = COUNT_OF(subjects), RUNS_MAX = 64 };

// Until as many die as are born, and, in the naive engine, places are taken in no order any more.
static void settle(Match *match)
{
    const float *values = values_of(&match->crowd);
    crowd_settle(&match->crowd);
    for (float age = 0; age < 2 * LIFE; age += STALL_LONGEST)
        naive_live(match->naive, values, STALL_LONGEST);
}

// Small crowds are measured over several frames, as a clock has its own grain, and after as many: by then
// the caches have what it needs, and not what the one before it left.
static double seconds_a_frame(Match *match, int subject, int frames)
{
    set(&match->crowd, "forces/turbulence/strength", subjects[subject].turbulence);
    for (int n = 0; n < frames; n++) subjects[subject].run(match);
    const double begun = clock_now();
    for (int n = 0; n < frames; n++) subjects[subject].run(match);
    return (clock_now() - begun) / frames;
}

static bool measure_row(CpuRow *row, uint32_t particles, int threads, int runs, char *why,
                        int why_size)
{
    double figures[SUBJECTS][RUNS_MAX];
    Match match;
    const bool ready = match_init(&match, particles, threads, why, why_size);
    if (ready) {
        settle(&match);
        const int frames = clampi(1000000 / (int)particles, 1, 20);
        for (int run = 0; run < runs; run++)
            for (int s = 0; s < SUBJECTS; s++) figures[s][run] = seconds_a_frame(&match, s, frames);
        *row = (CpuRow){ .particles = particles, .threads = sim_threads(match.crowd.sim) };
        const double alive = fmax(1, sim_alive(match.crowd.sim));
        for (int s = 0; s < SUBJECTS; s++)
            *(double *)((char *)row + subjects[s].at) = median_of(figures[s], runs) / alive * 1e9;
    }
    match_free(&match);
    return ready;
}

static bool measure_full(CpuFigures *figures, uint32_t particles, int runs, char *why, int why_size)
{
    double seconds[RUNS_MAX];
    Crowd crowd;
    const bool ready = crowd_init(&crowd, particles, 0, why, why_size);
    if (ready) {
        crowd_fill(&crowd);
        crowd_settle(&crowd);
        for (int run = 0; run < runs; run++) {
            const double begun = clock_now();
            crowd_step(&crowd, DT);
            seconds[run] = clock_now() - begun;
        }
        figures->full_particles = particles;
        figures->clone = sim_clone(crowd.sim);
        figures->full_threads = sim_threads(crowd.sim);
        figures->full_ms = median_of(seconds, runs) * 1e3;
    }
    crowd_free(&crowd);
    return ready;
}

bool bench_cpu_measure(CpuFigures *figures, const uint32_t *sizes, int size_count,
                       uint32_t full_particles, int runs, char *why, int why_size)
{
    *figures = (CpuFigures){ .clone = "" };
    runs = clampi(runs, 1, RUNS_MAX);
    for (int n = 0; n < size_count; n++)
        for (int threads = 1; threads >= 0; threads--) { // 0: all
            CpuRow *row = &figures->rows[figures->row_count++];
            if (!measure_row(row, sizes[n], threads, runs, why, why_size)) return false;
        }
    return measure_full(figures, full_particles, runs, why, why_size);
}

// ---- what is printed ----------------------------------------------------------------------------

void bench_cpu_json(const CpuFigures *figures, FILE *out)
{
    fprintf(out, "{\"cpu\": [");
    for (int n = 0; n < figures->row_count; n++) {
        const CpuRow *r = &figures->rows[n];
        fprintf(out,
                "%s{\"particles\": %u, \"threads\": %d, \"ns\": %.3f, \"ns_drawn\": %.3f, "
                "\"ns_turbulence\": %.3f, \"ns_naive\": %.3f, \"ns_bound\": %.3f}",
                n ? ", " : "", (unsigned)r->particles, r->threads, r->state, r->drawn,
                r->turbulence, r->naive, r->bound);
    }
    fprintf(out,
            "], \"all_modules\": {\"particles\": %u, \"threads\": %d, \"ms\": %.3f}, \"clone\": "
            "\"%s\"}\n",
            (unsigned)figures->full_particles, figures->full_threads, figures->full_ms,
            figures->clone);
}

void bench_cpu_table(const CpuFigures *figures, FILE *out)
{
    fprintf(out,
            "ns a particle and frame, medians; the clone is %s\n\n"
            "particles  threads   bound   state  x bound   drawn  x bound   naive  / drawn  "
            "turbulence\n",
            figures->clone);
    for (int n = 0; n < figures->row_count; n++) {
        const CpuRow *r = &figures->rows[n];
        fprintf(out, "%9u  %7d %7.2f %7.2f %8.2f %7.2f %8.2f %7.1f %8.1f %11.2f\n",
                (unsigned)r->particles, r->threads, r->bound, r->state, r->state / r->bound,
                r->drawn, r->drawn / r->bound, r->naive, r->naive / r->drawn, r->turbulence);
    }
    fprintf(out, "\n%u particles with all modules on %d threads: %.2f ms a frame\n",
            (unsigned)figures->full_particles, figures->full_threads, figures->full_ms);
}

int bench_cpu(const Options *options)
{
    static const uint32_t sizes[] = { 10000, 100000, 1000000 };
    char why[256];
    CpuFigures figures;
    if (!bench_cpu_measure(&figures, sizes, COUNT_OF(sizes), 1000000, MEDIAN_RUNS, why, sizeof why))
        return complain(why, EXIT_FAILED);
    (options->json ? bench_cpu_json : bench_cpu_table)(&figures, stdout);
    return EXIT_DONE;
}
