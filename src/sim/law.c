// The law of motion and of birth, one particle at a time: the reference for kernel.c and the
// shaders.
#include "sim/step.h"

// ---- the flow -----------------------------------------------------------------------------------

static Flow flow_make(float scale, float phase)
{
    Flow flow = { .per_metre = 1 / clampf(scale, 1e-3f, 1e6f) };
    for (int w = 0; w < WAVES; w++) {
        const float at = waves[w].start + waves[w].turns * (phase / FLOW_PERIOD);
        flow.at[w] = at - floorf(at);
    }
    return flow;
}

static Vec3 flow_at(const Flow *flow, Vec3 p)
{
    Vec3 sum = { 0, 0, 0 };
    for (int w = 0; w < WAVES; w++) {
        const float wave = flow_wave(flow, w, p.x, p.y, p.z);
        sum.x += waves[w].push_x * wave;
        sum.y += waves[w].push_y * wave;
        sum.z += waves[w].push_z * wave;
    }
    return sum;
}

Vec3 law_flow(Vec3 position, float scale, float phase)
{
    const Flow flow = flow_make(scale, phase);
    return flow_at(&flow, position);
}

// ---- motion -------------------------------------------------------------------------------------

Motion motion_of(const Params *params, float turbulence_phase)
{
    const float *v = params_values(params, OWNER_GLOBAL, 0);
    Motion motion = {
        .acceleration = { v[GLOBAL_WIND_X], v[GLOBAL_WIND_Y] + v[GLOBAL_GRAVITY],
                          v[GLOBAL_WIND_Z] },
        .drag = v[GLOBAL_DRAG],
        .jitter = v[GLOBAL_JITTER],
        .turbulence = v[GLOBAL_TURBULENCE],
        .turbulence_scale = v[GLOBAL_TURBULENCE_SCALE],
        .turbulence_speed = v[GLOBAL_TURBULENCE_SPEED],
        .turbulence_phase = turbulence_phase,
    };
    const int rows = GLOBAL_ATTRACTOR2_STRENGTH - GLOBAL_ATTRACTOR1_STRENGTH;
    for (int n = 0; n < GLOBAL_ATTRACTORS; n++) {
        const float *a = v + n * rows;
        const float hand = n == 0 ? v[GLOBAL_HAND_STRENGTH] * v[GLOBAL_HAND_HOLD] : 0;
        const float strength = a[GLOBAL_ATTRACTOR1_STRENGTH] + hand;
        if (strength == 0 && a[GLOBAL_ATTRACTOR1_VORTEX] == 0) continue;
        motion.attractors[motion.attractor_count++] = (Attractor){
            .position = { a[GLOBAL_ATTRACTOR1_X], a[GLOBAL_ATTRACTOR1_Y], a[GLOBAL_ATTRACTOR1_Z] },
            .strength = strength,
            .vortex = a[GLOBAL_ATTRACTOR1_VORTEX],
            .softening = a[GLOBAL_ATTRACTOR1_SOFTENING],
        };
    }
    return motion;
}

// expm1(2 y) from expm1(y).
static double twice(double m)
{
    return m * (m + 2);
}

// exp(-x) - 1 for x >= 0, without cancellation and without the C library, whose last bit depends on
// the processor: a series for x / 1024, doubled ten times.
static double falloff(double x)
{
    if (!(x < 700)) return -1;
    const double y = -x / 1024;
    double m = 1 + y * (1.0 / 6) * (1 + y * (1.0 / 7));
    m = y *
        (1 + y * (1.0 / 2) * (1 + y * (1.0 / 3) * (1 + y * (1.0 / 4) * (1 + y * (1.0 / 5) * m))));
    for (int n = 0; n < 10; n++) m = twice(m);
    return m;
}

// The exact integral of drag k over dt.  For small k dt the closed forms cancel, so their series.
// Forces felt half-way make the step symplectic: orbits neither grow nor shrink, at any frame rate.
// Kicks are spread over the step and lose to drag as well: what is left of them is the square root
// of (1 - keep^2) / (2 k), which is sqrt(dt) without drag.
static void take_drag(Step *step, double k, double dt, double jitter)
{
    const double x = k * dt;
    const double lost_half = falloff(x / 2), lost = twice(lost_half), lost_twice = twice(lost);
    const bool slight = x < 1e-3;
    const double reach = slight ? dt * (1 - x / 2 * (1 - x / 3 * (1 - x / 4))) : -lost / k;
    const double fall =
        slight ? dt * dt * (0.5 - x / 6 * (1 - x / 4 * (1 - x / 5))) : (dt - reach) / k;
    const double spread =
        slight ? dt * (1 - x * (1 - x * 2 / 3 * (1 - x / 2))) : -lost_twice / (2 * k);
    step->half = (float)(slight ? dt / 2 * (1 - x / 4 * (1 - x / 6)) : -lost_half / k);
    step->keep = (float)(1 + lost);
    step->reach = (float)reach;
    step->fall = (float)fall;
    // 1024 values one apart have the variance (1024^2 - 1) / 12.
    step->kick = (float)(jitter * sqrt(spread) * sqrt(12.0 / (1024.0 * 1024.0 - 1)));
}

Step step_make(const Motion *motion, float force, float own_drag, uint32_t step, float dt)
{
    Step s = {
        .x = motion->acceleration.x * force,
        .y = motion->acceleration.y * force,
        .z = motion->acceleration.z * force,
        .turbulence = motion->turbulence * force,
        .salt = rng_mix(step + 0x6b69636bU),
        .pull_count = clampi(motion->attractor_count, 0, GLOBAL_ATTRACTORS),
    };
    take_drag(&s, clampf(motion->drag + own_drag, 0, 1e30f), dt > 0 ? dt : 0,
              motion->jitter * force);
    if (s.turbulence != 0) s.flow = flow_make(motion->turbulence_scale, motion->turbulence_phase);
    for (int n = 0; n < s.pull_count; n++) {
        const Attractor *a = &motion->attractors[n];
        const float softening = a->softening > 1e-3f ? a->softening : 1e-3f;
        s.pulls[n] = (Pull){ a->position.x,       a->position.y,     a->position.z,
                             a->strength * force, a->vortex * force, softening * softening };
    }
    return s;
}

void law_step(Particle *particle, const Motion *motion, float force, float own_drag, uint32_t key,
              uint32_t step, float dt)
{
    const Step s = step_make(motion, force, own_drag, step, dt);
    Vec3 *p = &particle->position, *v = &particle->velocity;
    const Vec3 at = { p->x + v->x * s.half, p->y + v->y * s.half, p->z + v->z * s.half };
    Vec3 a = { s.x, s.y, s.z };
    if (s.turbulence != 0) {
        const Vec3 flow = flow_at(&s.flow, at);
        a.x += s.turbulence * flow.x;
        a.y += s.turbulence * flow.y;
        a.z += s.turbulence * flow.z;
    }
    for (int n = 0; n < s.pull_count; n++)
        step_pull(&s.pulls[n], at.x, at.y, at.z, &a.x, &a.y, &a.z);
    const uint32_t bits = step_bits(s.salt, key);
    step_move(&s, a.x, step_kick(s.kick, bits), &p->x, &v->x);
    step_move(&s, a.y, step_kick(s.kick, bits >> 10), &p->y, &v->y);
    step_move(&s, a.z, step_kick(s.kick, bits >> 20), &p->z, &v->z);
    particle->age += dt;
}

int law_substeps(float dt)
{
    // A display's frames of 1/60 s are measured a little long or short: a hundredth of a step is
    // let pass.
    return clampi((int)ceilf(clampf(dt, 0, STALL_LONGEST) / SUBSTEP_LONGEST - 0.01f), 1,
                  SUBSTEPS_MAX);
}

// ---- birth --------------------------------------------------------------------------------------

static float unit(uint32_t key, uint32_t draw)
{
    return rng_unit(rng_draw(key, draw));
}

Vec3 random_direction(uint32_t key, uint32_t draw)
{
    const float z = 2 * unit(key, draw) - 1;
    const float turn = unit(key, draw + 1);
    const float ring = sqrtf(1 - z * z);
    return (Vec3){ ring * sine_of_turns(turn + 0.25f), ring * sine_of_turns(turn), z };
}

// The cube root of 0..1: a guess from the exponent's third, then Newton.
float cube_root(float x)
{
    if (!(x > 1e-12f)) return 0;
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = bits / 3 + 709921077U;
    float y;
    memcpy(&y, &bits, sizeof y);
    for (int n = 0; n < 3; n++) y = (2 * y + x / (y * y)) * (1.0f / 3);
    return y;
}

// How far out in a shell between 1 - thickness and 1, equally likely by volume.
static float random_depth(uint32_t key, float thickness)
{
    const float inner = 1 - clampf(thickness, 0, 1);
    const float inside = inner * inner * inner;
    return cube_root(inside + (1 - inside) * unit(key, DRAW_DEPTH));
}

// A place on the cube of half size 1: each pair of faces is as likely as the other two, which fills
// a box evenly, whatever its sides, once scaled by random_depth.
static Vec3 random_on_cube(uint32_t key)
{
    const float face = 3 * unit(key, DRAW_FACE);
    const int axis = (int)face;
    const float side = face - (float)axis < 0.5f ? -1 : 1;
    return (Vec3){
        axis == 0 ? side : 2 * unit(key, DRAW_AREA_X) - 1,
        axis == 1 ? side : 2 * unit(key, DRAW_AREA_Y) - 1,
        axis == 2 ? side : 2 * unit(key, DRAW_AREA_Z) - 1,
    };
}

// Where in the area, from its middle.
static Vec3 random_offset(const float *values, uint32_t key)
{
    const int area = (int)values[SWARM_AREA];
    if (area == AREA_POINT) return (Vec3){ 0, 0, 0 };
    const Vec3 on = area == AREA_BOX ? random_on_cube(key) : random_direction(key, DRAW_AREA_X);
    const float depth = random_depth(key, values[SWARM_THICKNESS]);
    return (Vec3){ on.x * depth * values[SWARM_AREA_X], on.y * depth * values[SWARM_AREA_Y],
                   on.z * depth * values[SWARM_AREA_Z] };
}

static Vec3 outward_of(Vec3 offset, uint32_t key)
{
    const float square = offset.x * offset.x + offset.y * offset.y + offset.z * offset.z;
    if (!(square > 1e-12f)) return random_direction(key, DRAW_OUTWARD);
    const float inverse = 1 / sqrtf(square);
    return (Vec3){ offset.x * inverse, offset.y * inverse, offset.z * inverse };
}

Particle law_birth(const float *values, uint32_t key)
{
    const Vec3 offset = random_offset(values, key);
    const Vec3 out = outward_of(offset, key);
    const Vec3 any = random_direction(key, DRAW_SPREAD);
    const float share = 1 - values[SWARM_SPEED_RANDOM] * unit(key, DRAW_SPEED);
    const float outward = values[SWARM_OUTWARD] * share, spin = values[SWARM_SPIN] * share;
    const float spread = values[SWARM_SPREAD] * cube_root(unit(key, DRAW_SPREAD_SPEED));
    return (Particle){
        .position = { values[SWARM_POSITION_X] + offset.x, values[SWARM_POSITION_Y] + offset.y,
                      values[SWARM_POSITION_Z] + offset.z },
        .velocity = { values[SWARM_VELOCITY_X] + outward * out.x - spin * out.y + spread * any.x,
                      values[SWARM_VELOCITY_Y] + outward * out.y + spin * out.x + spread * any.y,
                      values[SWARM_VELOCITY_Z] + outward * out.z + spread * any.z },
        .life = life_of(values[SWARM_LIFE], values[SWARM_LIFE_RANDOM], key),
    };
}

float law_size_factor(uint32_t key, float size_random)
{
    return size_factor_of(size_random, key);
}
