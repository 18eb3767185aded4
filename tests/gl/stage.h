// A stage for tests of the picture: parameters with one field "main", a simulation, a renderer, and
// a small target, stepped by hand.
#pragma once

#include "gl/gl.h"

#include "render/render.h"

typedef struct {
    Params *params;
    Sim *sim;
    Render *render;
    Target target;
    uint32_t frame;        // of the next
    double time;           // s
    float phase;           // of the turbulence
    Motion motion;         // of the last frame
    const Shape *shape;    // of the field's area, where a test gave it one
    float spoil;           // added to the next frame's acceleration
    const Features *heard; // of every frame; NULL: nothing
    const Past *past;
} Stage;

static inline void stage_set(Stage *stage, const char *path, double value)
{
    const ParamId id = params_find(stage->params, path);
    if (id == PARAM_NONE) fail_msg("there is no %s", path);
    assert_true(params_set(stage->params, id, value));
}

// Makes what was set live, and prepares; the notice goes to `notice` (may be NULL).
static inline void stage_prepare(Stage *stage, char *notice, int notice_size)
{
    char own[256];
    params_prepare(stage->params);
    routes_hop(stage->params, &(Features){ 0 }, 1 / 187.5f);
    assert_true(render_prepare(stage->render, stage->params, stage->target.size,
                               notice ? notice : own, notice ? notice_size : (int)sizeof own));
}

// Nothing is born and no force is felt until a test says so.
static inline void stage_begin(Stage *stage, uint32_t seed)
{
    char why[512] = "";
    stage->params = params_new();
    assert_non_null(stage->params);
    stage->sim =
        sim_new(&(SimDesc){ .capacity = 4096, .threads = 1, .seed = seed }, why, sizeof why);
    if (!stage->sim) fail_msg("%s", why);
    assert_int_equal(params_add(stage->params, OWNER_FIELD, "main", why, sizeof why), 0);
    stage_set(stage, "fields/main/rate", 0);
    stage_set(stage, "sim/capacity", 4096);
}

static inline Stage stage_with(Size size, bool wait_counts)
{
    char why[512] = "";
    Stage stage = { 0 };
    stage.render = render_new(
        &(RenderDesc){ .shaders = SOURCE_DIR "/shaders", .size = size, .wait_counts = wait_counts },
        why, sizeof why);
    if (!stage.render) fail_msg("%s", why);
    assert_true(target_init(&stage.target, size, GL_RGBA8, 1, false, why, sizeof why));
    stage_begin(&stage, 7);
    return stage;
}

// All anew, but for the renderer.
static inline void stage_again(Stage *stage, uint32_t seed)
{
    sim_free(stage->sim);
    params_free(stage->params);
    *stage = (Stage){ .render = stage->render, .target = stage->target };
    stage_begin(stage, seed);
}

static inline Stage stage_new(Size size)
{
    return stage_with(size, true);
}

static inline void stage_free(Stage *stage)
{
    render_free(stage->render);
    target_free(&stage->target);
    sim_free(stage->sim);
    params_free(stage->params);
}

// One frame of dt, with that many hops in it.
static inline void stage_frame(Stage *stage, float dt, int hops)
{
    sim_begin(stage->sim, stage->params);
    for (int h = 0; h < hops; h++)
        sim_hop(stage->sim, stage->params, stage->heard, dt * (float)(hops - h) / (float)hops,
                dt / (float)hops);
    stage->motion = motion_of(stage->params, stage->phase);
    motion_hear(&stage->motion, stage->params, sim_heard(stage->sim));
    stage->motion.acceleration.x += stage->spoil;
    stage->spoil = 0;
    sim_step(stage->sim, stage->params, &stage->motion, stage->frame, dt);
    stage->time += (double)dt;
    const Scene scene = {
        .params = stage->params,
        .sim = stage->sim,
        .motion = stage->motion,
        .frame = stage->frame++,
        .time = stage->time,
        .dt = dt,
        .heard = stage->heard,
        .past = stage->past,
    };
    render_frame(stage->render, &scene, &stage->target);
    stage->phase = fmodf(stage->phase + stage->motion.turbulence_speed * dt, FLOW_PERIOD);
}

static inline const float *stage_field(const Stage *stage)
{
    return params_values(stage->params, OWNER_FIELD, 0);
}

// ---- the law in C, one particle at a time -------------------------------------------------------

static inline void model_move(Particle *p, const Stage *stage, uint32_t key, float dt, float span)
{
    const float *values = stage_field(stage);
    static SpeedCurve curve;
    const float *speed = speed_bake(&curve, stage->params, OWNER_FIELD, 0);
    Motion felt = motion_felt(&stage->motion, values, speed);
    const int count = law_substeps(span);
    const float step = span / (float)count;
    for (int n = 0; n < count; n++) {
        felt.turbulence_phase =
            stage->motion.turbulence_phase + felt.turbulence_speed * (dt - span + (float)n * step);
        law_step(p, &felt, key, (stage->frame - 1) * SUBSTEPS_MAX + (uint32_t)n, step);
    }
}

// The age at the frame's end of the n-th birth of the frame; its index is births->first + n.
static inline float birth_age(const Births *births, uint32_t n)
{
    int run = 0;
    while (n >= births->runs[run].count) n -= births->runs[run++].count;
    return clampf(births->runs[run].age_first - (float)n * births->runs[run].spacing, 0,
                  STALL_LONGEST);
}

static inline Particle model_birth(const Stage *stage, uint32_t seed, uint64_t index, float dt,
                                   float age)
{
    const uint32_t key = rng_key(seed, index);
    Placement place = placement_of(stage->params, OWNER_FIELD, 0);
    place.shape = stage->shape;
    Particle p = law_birth(stage_field(stage), &place, key);
    model_move(&p, stage, key, dt, age);
    return p;
}

static inline bool is_alive(const Particle *p)
{
    return p->age < p->life;
}
