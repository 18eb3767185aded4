// The GPU against the C: both engines obey one law.
#include "gl/fill.h"

#include <math.h>

#include "render/passes.h"

// ---- which programs are at work -----------------------------------------------------------------

static bool used[PASS_COUNT], counting;

const Program *__real_pass_use(const Passes *passes, Pass pass);
const Program *__wrap_pass_use(const Passes *passes, Pass pass);

const Program *__wrap_pass_use(const Passes *passes, Pass pass)
{
    if (counting) used[pass] = true;
    return __real_pass_use(passes, pass);
}

// What is heard all the time: the rings of the spectrum push where they have strength.
static const Features *heard(void)
{
    static Features features;
    for (int b = 0; b < ANALYSIS_BANDS; b++)
        features.signal[analysis_bands[b]] = 0.9f - 0.15f * (float)b;
    return &features;
}

// A new stage warms all programs up, which does not count.
static Stage counted_stage(void)
{
    counting = false;
    Stage stage = stage_new((Size){ 16, 9 });
    stage.heard = heard();
    counting = true;
    return stage;
}

typedef struct {
    const char *path;
    double value;
} Setting;

enum { SETTINGS = 24 };

typedef struct {
    const char *name;
    float tolerance; // m and m/s after 120 steps
    Setting settings[SETTINGS];
} Force;

// Sums in another order differ in the last bits, and forces that pull apart what is close make more
// of it.
static const Force forces[] = {
    { "none", 1e-4f, { { 0 } } },
    { "gravity", 1e-3f, { { "forces/gravity", -9.81 } } },
    { "wind", 1e-3f, { { "forces/wind/x", 2 }, { "forces/wind/z", -1 } } },
    { "drag", 1e-4f, { { "forces/drag", 1.5 } } },
    { "a drag that stops", 1e-4f, { { "forces/drag", 100 } } },
    { "drag of its own", 1e-3f, { { "fields/main/drag", 3 }, { "forces/gravity", -9.81 } } },
    { "jitter", 1e-3f, { { "forces/jitter", 2 } } },
    { "jitter in drag", 1e-3f, { { "forces/jitter", 5 }, { "forces/drag", 4 } } },
    { "turbulence",
      3e-3f,
      { { "forces/turbulence/strength", 4 }, { "forces/turbulence/speed", 1 } } },
    { "attractor",
      3e-3f,
      { { "forces/attractor1/strength", 10 },
        { "forces/attractor1/position/x", 3 },
        { "forces/attractor1/softening", 1 } } },
    { "vortex",
      3e-3f,
      { { "forces/attractor2/vortex", 20 }, { "forces/attractor2/softening", 2 } } },
    { "eight attractors",
      5e-3f,
      { { "forces/attractor1/strength", 10 },
        { "forces/attractor2/strength", -4 },
        { "forces/attractor2/position/y", 3 },
        { "forces/attractor3/vortex", 8 },
        { "forces/attractor4/strength", 3 },
        { "forces/attractor4/position/z", -2 },
        { "forces/attractor5/strength", 5 },
        { "forces/attractor5/position/x", -4 },
        { "forces/attractor6/vortex", -6 },
        { "forces/attractor7/strength", 2 },
        { "forces/attractor7/position/y", -5 },
        { "forces/attractor8/strength", 20 },
        { "forces/attractor8/position/x", 6 },
        { "forces/attractor8/softening", 2 } } },
    { "the rings of the spectrum",
      3e-3f,
      { { "forces/spectrum/strength", 5 },
        { "forces/spectrum/vortex", 4 },
        { "forces/spectrum/lift", -1 },
        { "forces/spectrum/inner", 0.3 },
        { "forces/spectrum/outer", 2.5 },
        { "forces/spectrum/position/x", 0.4 },
        { "forces/spectrum/normal/y", 0.5 } } },
    { "the rings of the spectrum, in a box",
      1e-2f,
      { { "forces/spectrum/vortex", 8 },
        { "forces/drag", 1 },
        { "forces/collider1/shape", COLLIDER_BOX },
        { "forces/collider1/inside", 1 },
        { "forces/collider1/position/y", 0 } } },
    { "forces of its own",
      3e-3f,
      { { "fields/main/gravity", -3 },
        { "fields/main/wind/x", 1 },
        { "fields/main/wind/z", -2 },
        { "fields/main/jitter", 1 },
        { "fields/main/turbulence", 3 },
        { "fields/main/force", 0.5 },
        { "forces/gravity", 2 },
        { "forces/turbulence/speed", 1 } } },
    { "a floor",
      2e-3f,
      { { "forces/gravity", -9.81 },
        { "forces/collider1/shape", COLLIDER_PLANE },
        { "forces/collider1/position/y", -1 },
        { "fields/main/hit_life", 0.01 } } },
    { "a slope that takes nothing",
      5e-3f,
      { { "forces/gravity", -9.81 },
        { "forces/collider2/shape", COLLIDER_PLANE },
        { "forces/collider2/position/y", -1 },
        { "forces/collider2/normal/x", 0.4 },
        { "fields/main/bounce", 1 },
        { "fields/main/tangent_keep", 1 } } },
    // A round surface makes more of a difference at each bounce.
    { "a sphere that was moved over half of them",
      5e-2f,
      { { "forces/gravity", -1 },
        { "forces/collider1/shape", COLLIDER_SPHERE },
        { "forces/collider1/position/y", -0.3 },
        { "forces/collider1/size/x", 0.4 },
        { "fields/main/outward", 0 } } },
    { "in a sphere",
      1e-2f,
      { { "forces/collider4/shape", COLLIDER_SPHERE },
        { "forces/collider4/inside", 1 },
        { "forces/collider4/position/y", 0 },
        { "forces/collider4/size/x", 1 },
        { "forces/gravity", -3 } } },
    { "a box",
      5e-3f,
      { { "forces/gravity", -9.81 },
        { "forces/collider1/shape", COLLIDER_BOX },
        { "forces/collider1/position/y", -2 },
        { "forces/collider1/size/x", 50 },
        { "forces/collider1/size/z", 50 },
        { "fields/main/hit_life", 0.02 } } },
    { "in a box, in drag",
      5e-3f,
      { { "forces/drag", 0.5 },
        { "forces/gravity", -5 },
        { "forces/collider1/shape", COLLIDER_BOX },
        { "forces/collider1/inside", 1 },
        { "forces/collider1/position/y", 0 },
        { "fields/main/spin", 3 },
        { "fields/main/bounce", 0.8 } } },
    { "through everything",
      1e-3f,
      { { "forces/gravity", -9.81 },
        { "forces/collider1/shape", COLLIDER_PLANE },
        { "forces/collider1/position/y", -1 },
        { "fields/main/collide", 0 } } },
    { "half a share", 1e-3f, { { "fields/main/force", 0.5 }, { "forces/gravity", -9.81 } } },
    { "all together",
      1e-2f,
      { { "forces/gravity", -2 },
        { "forces/wind/x", 1 },
        { "forces/drag", 0.5 },
        { "fields/main/drag", 0.2 },
        { "forces/jitter", 0.5 },
        { "forces/turbulence/strength", 2 },
        { "forces/turbulence/scale", 2 },
        { "forces/turbulence/speed", 0.7 },
        { "forces/attractor1/strength", 5 },
        { "forces/attractor1/softening", 2 },
        { "forces/attractor3/vortex", -8 },
        { "forces/attractor3/position/y", 2 },
        { "forces/attractor3/softening", 2 },
        { "forces/spectrum/strength", 3 },
        { "fields/main/force", 0.8 } } },
};

static float apart(Vec3 a, Vec3 b)
{
    return sqrtf((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

static void expect_near(const char *what, uint32_t n, const Particle *gpu, const Particle *c,
                        float tolerance)
{
    const float position = apart(gpu->position, c->position),
                velocity = apart(gpu->velocity, c->velocity);
    if (!(position <= tolerance))
        fail_msg("%s: particle %u is %g m away", what, n, (double)position);
    if (!(velocity <= tolerance))
        fail_msg("%s: particle %u is %g m/s off", what, n, (double)velocity);
    assert_float_equal(gpu->age, c->age, 1e-4f);
    assert_float_equal(gpu->life, c->life, 1e-5f * c->life);
}

static void give_birth(Stage *stage, float rate, float dt, int hops)
{
    stage_set(stage, "fields/main/rate", rate);
    stage_prepare(stage, NULL, 0);
    stage_frame(stage, dt, hops);
    stage_set(stage, "fields/main/rate", 0);
    stage_prepare(stage, NULL, 0);
}

enum { SWARM = 300, STEPS = 120 };

// Frames of several lengths, so that there are sub-steps too.
static float frame_length(int n)
{
    static const float lengths[] = { 1.0f / 60, 1.0f / 30, 1.0f / 144, 0.05f };
    return lengths[n % COUNT_OF(lengths)];
}

static void hold_against_c(const Force *force)
{
    static Particle c[SWARM], gpu[1024];
    Stage stage = counted_stage();
    stage_set(&stage, "fields/main/capacity", 1024);
    stage_set(&stage, "fields/main/life", 60);
    stage_set(&stage, "fields/main/life_random", 0);
    for (const Setting *s = force->settings; s->path; s++) stage_set(&stage, s->path, s->value);

    give_birth(&stage, SWARM * 60.0f + 1, 1.0f / 60, 3);
    const Births births = *sim_field_births(stage.sim, 0);
    assert_int_equal(births.count, SWARM);
    for (uint32_t n = 0; n < SWARM; n++)
        c[n] = model_birth(&stage, births.seed, births.first + n, 1.0f / 60, birth_age(&births, n));
    for (int step = 0; step < STEPS; step++) {
        const float dt = frame_length(step);
        stage_frame(&stage, dt, 1);
        for (uint32_t n = 0; n < SWARM; n++)
            model_move(&c[n], &stage, rng_key(births.seed, n), dt, dt);
    }

    assert_int_equal(render_field_particles(stage.render, 0, gpu, 1024), 1024);
    for (uint32_t n = 0; n < SWARM; n++)
        expect_near(force->name, n, &gpu[n], &c[n], force->tolerance);
    stage_free(&stage);
}

static void every_force_moves_the_gpu_as_it_moves_the_c(void **state)
{
    (void)state;
    for (int f = 0; f < COUNT_OF(forces); f += SANITIZED ? 3 : 1) hold_against_c(&forces[f]);
}

// A speed over life that the table cannot say.
static void speed_over_life_moves_the_gpu_as_it_moves_the_c(void **state)
{
    (void)state;
    static Particle c[SWARM], gpu[1024];
    Stage stage = counted_stage();
    const Stops curve = { .count = 3, .at = { 0, 0.4f, 1 }, .value = { { 0.2f }, { 3 }, { 0 } } };
    char why[200];
    assert_true(params_set_stops(stage.params, params_id(OWNER_FIELD, 0, SWARM_SPEED_CURVE), &curve,
                                 why, sizeof why));
    stage_set(&stage, "fields/main/capacity", 1024);
    stage_set(&stage, "fields/main/life", 5);
    stage_set(&stage, "forces/gravity", -2);
    stage_set(&stage, "forces/collider1/shape", COLLIDER_PLANE);
    stage_set(&stage, "forces/collider1/position/y", -1);

    give_birth(&stage, SWARM * 60.0f + 1, 1.0f / 60, 3);
    const Births births = *sim_field_births(stage.sim, 0);
    for (uint32_t n = 0; n < SWARM; n++)
        c[n] = model_birth(&stage, births.seed, births.first + n, 1.0f / 60, birth_age(&births, n));
    for (int step = 0; step < STEPS; step++) {
        stage_frame(&stage, 1.0f / 60, 1);
        for (uint32_t n = 0; n < SWARM; n++)
            model_move(&c[n], &stage, rng_key(births.seed, n), 1.0f / 60, 1.0f / 60);
    }
    render_field_particles(stage.render, 0, gpu, 1024);
    for (uint32_t n = 0; n < SWARM; n++)
        if (is_alive(&c[n])) expect_near("speed over life", n, &gpu[n], &c[n], 2e-3f);
    stage_free(&stage);
}

// Births in every frame, so that rows with births lie beside rows without, and in frames of several
// sub-steps too.
static void hold_a_stream_against_c(const Setting *settings)
{
    enum { MOST = 4096 };
    static Particle c[MOST], gpu[MOST];
    uint32_t born = 0;
    Stage stage = counted_stage();
    stage_set(&stage, "fields/main/capacity", MOST);
    stage_set(&stage, "fields/main/life", 60);
    stage_set(&stage, "fields/main/life_random", 0);
    stage_set(&stage, "fields/main/rate", 3000);
    for (const Setting *s = settings; s->path; s++) stage_set(&stage, s->path, s->value);
    stage_prepare(&stage, NULL, 0);
    for (int frame = 0; frame < 45; frame++) {
        const float dt = frame < 30 ? 1.0f / 60 : frame_length(frame);
        stage_frame(&stage, dt, 2);
        const Births *births = sim_field_births(stage.sim, 0);
        for (uint32_t n = 0; n < born; n++)
            model_move(&c[n], &stage, rng_key(births->seed, n), dt, dt);
        for (uint32_t n = 0; n < births->count; n++)
            c[born++] =
                model_birth(&stage, births->seed, births->first + n, dt, birth_age(births, n));
    }
    assert_in_range(born, 2000, MOST);
    assert_int_equal(render_field_particles(stage.render, 0, gpu, MOST), MOST);
    for (uint32_t n = 0; n < born; n++) expect_near("a stream", n, &gpu[n], &c[n], 3e-3f);
    stage_free(&stage);
}

static void births_among_the_old_move_as_in_the_c(void **state)
{
    (void)state;
    static const Setting streams[][SETTINGS] = {
        { { "forces/gravity", -2 }, { "forces/drag", 1 }, { "forces/jitter", 1 } },
        { { "forces/turbulence/strength", 3 }, { "forces/attractor2/strength", 3 } },
        { { "forces/gravity", -9 },
          { "forces/collider1/shape", COLLIDER_PLANE },
          { "forces/collider1/position/y", -1 } },
        { { "forces/spectrum/strength", 4 }, { "forces/spectrum/vortex", 3 } },
    };
    for (int n = 0; n < COUNT_OF(streams); n++) hold_a_stream_against_c(streams[n]);
}

static const Setting areas[][SETTINGS] = {
    { { "fields/main/area", AREA_POINT }, { "fields/main/outward", 3 } },
    { { "fields/main/area", AREA_SPHERE },
      { "fields/main/thickness", 0.3 },
      { "fields/main/spin", 2 } },
    { { "fields/main/area", AREA_BOX },
      { "fields/main/area_size/x", 4 },
      { "fields/main/position/y", 3 },
      { "fields/main/velocity/x", -2 },
      { "fields/main/spread", 1 } },
    { { "fields/main/area", AREA_CIRCLE },
      { "fields/main/area_size/x", 3 },
      { "fields/main/area_arc", 200 },
      { "fields/main/thickness", 0.5 } },
    { { "fields/main/area", AREA_HEMISPHERE },
      { "fields/main/thickness", 0.2 },
      { "fields/main/area_turn/x", 90 },
      { "fields/main/area_turn/z", -33 } },
    { { "fields/main/area", AREA_CONE },
      { "fields/main/area_size/y", 3 },
      { "fields/main/area_angle", 40 },
      { "fields/main/area_arc", 270 },
      { "fields/main/outward", 4 },
      { "fields/main/spin", 2 } },
    { { "fields/main/area", AREA_CONE },
      { "fields/main/area_size/x", 0 },
      { "fields/main/area_size/z", 0 },
      { "fields/main/area_angle", 0 } },
    { { "fields/main/area", AREA_LINE },
      { "fields/main/thickness", 0.7 },
      { "fields/main/outward", 3 },
      { "systems/main/position/x", -4 },
      { "systems/main/rotation/x", 70 },
      { "systems/main/rotation/y", 120 },
      { "systems/main/rotation/z", 45 },
      { "fields/main/position/y", 2 },
      { "fields/main/area_turn/y", 20 },
      { "forces/gravity", -9 } },
    { { "fields/main/area", AREA_MESH },
      { "fields/main/area_size/x", 3 },
      { "fields/main/outward", 2 } },
    { { "fields/main/area", AREA_IMAGE },
      { "fields/main/area_size/y", 2 },
      { "fields/main/area_turn/y", 40 },
      { "fields/main/outward", 2 } },
};

// More patches than one row of their texture has.
static Shape *shape_for(int area)
{
    enum { SIDE = 33 };
    static uint8_t rgba[SIDE * SIDE * 4];
    char why[256] = "";
    for (int n = 0; n < COUNT_OF(rgba); n++) rgba[n] = (uint8_t)(rng_mix((uint32_t)n) | 64);
    Mesh *mesh = mesh_built_in("torus");
    Shape *shape = area == AREA_MESH
                       ? shape_of_mesh(mesh, AREA_FROM_SURFACE, "torus", why, sizeof why)
                       : shape_of_image(rgba, SIDE, SIDE, "noise", why, sizeof why);
    mesh_free(mesh);
    if (!shape) fail_msg("%s", why);
    assert_true(shape->count > 256);
    return shape;
}

enum { BIRTHS = 10000, CAPACITY = 16384 };

static void hold_births_against_c(const Setting *settings)
{
    static Particle gpu[CAPACITY];
    Stage stage = counted_stage();
    stage_set(&stage, "fields/main/capacity", CAPACITY);
    for (const Setting *s = settings; s->path; s++) stage_set(&stage, s->path, s->value);
    char why[256];
    Shape *shape = settings->value >= AREA_MESH ? shape_for((int)settings->value) : NULL;
    stage.shape = shape;
    sim_set_shape(stage.sim, OWNER_FIELD, 0, shape);
    assert_true(render_set_shape(stage.render, stage.params, 0, shape, why, sizeof why));

    give_birth(&stage, BIRTHS * 60.0f + 1, 1.0f / 60, 5);
    const Births *births = sim_field_births(stage.sim, 0);
    assert_int_equal(births->count, BIRTHS);
    assert_int_equal(render_field_particles(stage.render, 0, gpu, CAPACITY), CAPACITY);
    for (uint32_t n = 0; n < BIRTHS; n++) {
        const Particle c = model_birth(&stage, births->seed, n, 1.0f / 60, birth_age(births, n));
        if (is_alive(&c)) expect_near("births", n, &gpu[n], &c, 1e-4f);
        assert_true(is_alive(&c) == is_alive(&gpu[n]));
    }
    for (uint32_t n = BIRTHS; n < CAPACITY; n++) assert_false(is_alive(&gpu[n]));
    stage_free(&stage);
    shape_free(shape);
}

static void the_first_births_are_those_of_the_c(void **state)
{
    (void)state;
    for (int a = 0; a < COUNT_OF(areas); a++) hold_births_against_c(areas[a]);
}

// ---- births by fill -----------------------------------------------------------------------------

// Where one rounds up what the other rounds down, one is already dead and the other not yet, or one born
// in this frame and the other in the next.
static bool on_the_edge(const Particle *p)
{
    return p->age < 1e-3f || p->age > p->life - 1e-3f;
}

static int hold_slots_against_c(const char *what, Stage *stage, const FillSlot *slots,
                                uint32_t capacity, float tolerance)
{
    static Particle gpu[CAPACITY];
    int alive = 0, edges = 0;
    assert_int_equal(render_field_particles(stage->render, 0, gpu, CAPACITY), capacity);
    for (uint32_t n = 0; n < capacity; n++) {
        const bool here = is_alive(&gpu[n]), there = is_alive(&slots[n].p);
        if (here && there) expect_near(what, n, &gpu[n], &slots[n].p, tolerance);
        if (here != there && !on_the_edge(here ? &gpu[n] : &slots[n].p))
            fail_msg("%s: slot %u is alive in one alone", what, n);
        edges += here != there;
        alive += here;
    }
    assert_in_range(edges, 0, 3);
    assert_in_range(render_status(stage->render).alive, alive, alive);
    return alive;
}

static int fill_for(Stage *stage, FillSlot *slots, uint32_t capacity, int frames)
{
    const uint64_t before = render_status(stage->render).born;
    int born = 0;
    for (int f = 0; f < frames; f++) {
        const float dt = frame_length(f);
        stage_frame(stage, dt, 1 + f % 4);
        for (uint32_t n = 0; n < capacity; n++)
            born += model_fill(&slots[n], stage, n, capacity, dt);
        const int counted = (int)(render_status(stage->render).born - before);
        assert_in_range(abs(counted - born), 0, 3); // see on_the_edge
    }
    return born;
}

static void the_first_births_by_fill_are_those_of_the_c(void **state)
{
    (void)state;
    static FillSlot slots[CAPACITY];
    for (int a = 0; a < COUNT_OF(areas); a++) {
        char why[256];
        Stage stage = counted_stage();
        memset(slots, 0, sizeof slots);
        stage_set(&stage, "fields/main/born_by", BORN_BY_FILL);
        stage_set(&stage, "fields/main/capacity", CAPACITY);
        stage_set(&stage, "fields/main/rate", 160000);
        for (const Setting *s = areas[a]; s->path; s++) stage_set(&stage, s->path, s->value);
        Shape *shape = areas[a]->value >= AREA_MESH ? shape_for((int)areas[a]->value) : NULL;
        sim_set_shape(stage.sim, OWNER_FIELD, 0, shape);
        assert_true(render_set_shape(stage.render, stage.params, 0, shape, why, sizeof why));
        stage_prepare(&stage, NULL, 0);
        const int born = fill_for(&stage, slots, CAPACITY, 5);
        assert_in_range(born, 10000, CAPACITY);
        hold_slots_against_c("births by fill", &stage, slots, CAPACITY, 2e-4f);
        stage_free(&stage);
        shape_free(shape);
    }
}

// Many generations, under forces; the field travels, and bursts.
static void generations_of_fill_are_those_of_the_c(void **state)
{
    (void)state;
    static const Setting fills[][SETTINGS] = {
        { { "forces/gravity", -2 }, { "forces/drag", 1 }, { "forces/jitter", 1 } },
        { { "forces/turbulence/strength", 3 },
          { "forces/spectrum/strength", 3 },
          { "fields/main/burst_every", 0.3 },
          { "fields/main/burst_count", 200 } },
        { { "forces/gravity", -9 },
          { "forces/collider1/shape", COLLIDER_PLANE },
          { "forces/collider1/position/y", -1 },
          { "fields/main/hit_life", 0.1 },
          { "fields/main/rate_distance", 300 },
          { "fields/main/path", PATH_ORBIT } },
        { { "fields/main/duration", 0.4 },
          { "fields/main/path", PATH_LISSAJOUS },
          { "fields/main/path_rate/x", 3 } },
    };
    static FillSlot slots[CAPACITY];
    for (int n = 0; n < COUNT_OF(fills); n++) {
        Stage stage = counted_stage();
        memset(slots, 0, sizeof slots);
        stage_set(&stage, "fields/main/born_by", BORN_BY_FILL);
        stage_set(&stage, "fields/main/capacity", 2048);
        stage_set(&stage, "fields/main/rate", 6000);
        stage_set(&stage, "fields/main/life", 0.6);
        for (const Setting *s = fills[n]; s->path; s++) stage_set(&stage, s->path, s->value);
        stage_prepare(&stage, NULL, 0);
        int born = 0;
        for (int part = 0; part < 4; part++) {
            born += fill_for(&stage, slots, 2048, 20);
            const int alive = hold_slots_against_c("fill", &stage, slots, 2048, 5e-3f);
            assert_in_range(alive, 100, 2000);
        }
        assert_true(born > 2 * 2048);
        stage_free(&stage);
    }
}

// A field that travels is born along its way.
static void a_moving_field_leaves_its_births_on_the_way(void **state)
{
    (void)state;
    static Particle gpu[1024];
    Stage stage = counted_stage();
    stage_set(&stage, "fields/main/capacity", 1024);
    stage_set(&stage, "fields/main/area", AREA_POINT);
    stage_set(&stage, "fields/main/outward", 0);
    stage_set(&stage, "fields/main/spread", 0);
    stage_prepare(&stage, NULL, 0);
    stage_frame(&stage, 0.02f, 1);
    stage_set(&stage, "fields/main/position/x", 2);
    give_birth(&stage, 5001, 0.02f, 1);

    const Births *births = sim_field_births(stage.sim, 0);
    assert_int_equal(births->count, 100);
    render_field_particles(stage.render, 0, gpu, 1024);
    for (uint32_t n = 0; n < births->count; n++)
        assert_float_equal(gpu[n].position.x, 2 - 2 * birth_age(births, n) / 0.02f, 1e-3f);
    stage_free(&stage);
}

// A chord between two hops leaves a circle of 3 m, gone round twice a second, by 1.7 mm.
static void an_orbiting_field_is_as_round_at_20_frames_a_second(void **state)
{
    (void)state;
    static Particle gpu[4096];
    Stage stage = counted_stage();
    stage_set(&stage, "fields/main/capacity", 4096);
    stage_set(&stage, "fields/main/rate", 2000);
    stage_set(&stage, "fields/main/life", 60);
    stage_set(&stage, "fields/main/area", AREA_POINT);
    stage_set(&stage, "fields/main/outward", 0);
    stage_set(&stage, "fields/main/spread", 0);
    stage_set(&stage, "fields/main/path", PATH_ORBIT);
    stage_set(&stage, "fields/main/path_size/x", 3);
    stage_set(&stage, "fields/main/path_size/y", 3);
    stage_set(&stage, "fields/main/path_rate/x", 2);
    stage_prepare(&stage, NULL, 0);
    for (int n = 0; n < 20; n++) stage_frame(&stage, 0.05f, 9);

    int alive = 0;
    render_field_particles(stage.render, 0, gpu, 4096);
    for (int n = 0; n < 4096; n++) {
        if (!is_alive(&gpu[n])) continue;
        const Vec3 p = gpu[n].position;
        assert_float_equal(sqrtf(p.x * p.x + p.y * p.y), 3, 0.003f);
        alive++;
    }
    assert_in_range(alive, 1998, 2000);
    stage_free(&stage);
}

// The leaner programs do what the one that does all would: each must have been at work above.
static void every_program_of_a_step_was_held_against_the_c(void **state)
{
    (void)state;
    for (Pass pass = PASS_FIELD_STEP; pass <= PASS_FIELD_HINDER; pass++)
        if (!used[pass]) fail_msg("nothing above used program %d", (int)pass);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_force_moves_the_gpu_as_it_moves_the_c),
        cmocka_unit_test(speed_over_life_moves_the_gpu_as_it_moves_the_c),
        cmocka_unit_test(births_among_the_old_move_as_in_the_c),
        cmocka_unit_test(the_first_births_are_those_of_the_c),
        cmocka_unit_test(the_first_births_by_fill_are_those_of_the_c),
        cmocka_unit_test(generations_of_fill_are_those_of_the_c),
        cmocka_unit_test(a_moving_field_leaves_its_births_on_the_way),
        cmocka_unit_test(an_orbiting_field_is_as_round_at_20_frames_a_second),
        cmocka_unit_test(every_program_of_a_step_was_held_against_the_c), // last
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
