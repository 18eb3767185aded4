// The law of motion and of birth, one particle at a time: the reference for kernel.c and the
// shaders.
#include "sim/area.h"
#include "sim/collide.h"

// ---- the flow -----------------------------------------------------------------------------------

Vec3 law_flow(Vec3 position, float scale, float phase)
{
    const Flow flow = flow_make(flow_per_metre(scale), phase);
    return flow_at(&flow, position.x, position.y, position.z);
}

// ---- motion -------------------------------------------------------------------------------------

static Vec3 unit_or_up(const float *x)
{
    const float square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    if (!(square > 1e-12f)) return (Vec3){ 0, 1, 0 };
    const float inverse = 1 / sqrtf(square);
    return (Vec3){ x[0] * inverse, x[1] * inverse, x[2] * inverse };
}

static void add_colliders(Motion *motion, const float *values)
{
    const int rows = GLOBAL_COLLIDER2_SHAPE - GLOBAL_COLLIDER1_SHAPE;
    for (int n = 0; n < GLOBAL_COLLIDERS; n++) {
        const float *c = values + n * rows;
        if (c[GLOBAL_COLLIDER1_SHAPE] == COLLIDER_NONE) continue;
        motion->colliders[motion->collider_count++] = (Collider){
            .shape = (int)c[GLOBAL_COLLIDER1_SHAPE],
            .side = c[GLOBAL_COLLIDER1_INSIDE] != 0 ? -1 : 1,
            .position = { c[GLOBAL_COLLIDER1_X], c[GLOBAL_COLLIDER1_Y], c[GLOBAL_COLLIDER1_Z] },
            .size = { c[GLOBAL_COLLIDER1_SIZE_X], c[GLOBAL_COLLIDER1_SIZE_Y],
                      c[GLOBAL_COLLIDER1_SIZE_Z] },
            .normal = unit_or_up(c + GLOBAL_COLLIDER1_NORMAL_X),
        };
    }
}

static Rings rings_of(const float *values)
{
    const float *v = values + GLOBAL_SPECTRUM_X;
    const float spacing =
        (values[GLOBAL_SPECTRUM_OUTER] - values[GLOBAL_SPECTRUM_INNER]) / (ANALYSIS_BANDS - 1);
    const float least = 0.01f; // m: rings do not lie in one
    return (Rings){
        .middle = { v[0], v[1], v[2] },
        .axis = unit_or_up(values + GLOBAL_SPECTRUM_NORMAL_X),
        .inner = values[GLOBAL_SPECTRUM_INNER],
        .spacing = spacing < 0 ? fminf(spacing, -least) : fmaxf(spacing, least),
        .outward = values[GLOBAL_SPECTRUM],
        .around = values[GLOBAL_SPECTRUM_VORTEX],
        .along = values[GLOBAL_SPECTRUM_LIFT],
    };
}

void motion_hear(Motion *motion, const Params *params, const float levels[ANALYSIS_BANDS])
{
    const float reaction = params_values(params, OWNER_GLOBAL, 0)[GLOBAL_AUDIO_REACTION];
    for (int b = 0; b < ANALYSIS_BANDS; b++) motion->rings.levels[b] = levels[b] * reaction;
}

bool rings_push(const Rings *rings)
{
    float loudest = 0;
    for (int b = 0; b < ANALYSIS_BANDS; b++) loudest = fmaxf(loudest, rings->levels[b]);
    return loudest > 0 && (rings->outward != 0 || rings->around != 0 || rings->along != 0);
}

float rings_softening(const Rings *rings)
{
    return 0.25f * fabsf(rings->spacing);
}

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
        .rings = rings_of(v),
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
    add_colliders(&motion, v);
    return motion;
}

Motion motion_felt(const Motion *motion, const float *values, const float *speed)
{
    const float force = values[SWARM_FORCE];
    Motion felt = *motion;
    felt.acceleration = (Vec3){
        motion->acceleration.x * force + values[SWARM_OWN_WIND_X],
        motion->acceleration.y * force + (values[SWARM_OWN_WIND_Y] + values[SWARM_OWN_GRAVITY]),
        motion->acceleration.z * force + values[SWARM_OWN_WIND_Z],
    };
    felt.drag = motion->drag + values[SWARM_OWN_DRAG];
    felt.jitter = motion->jitter * force + values[SWARM_OWN_JITTER];
    felt.turbulence = motion->turbulence * force + values[SWARM_OWN_TURBULENCE];
    for (int n = 0; n < felt.attractor_count; n++) {
        felt.attractors[n].strength *= force;
        felt.attractors[n].vortex *= force;
    }
    felt.rings.outward *= force;
    felt.rings.around *= force;
    felt.rings.along *= force;
    if (values[SWARM_COLLIDE] == 0) felt.collider_count = 0;
    felt.bounce = values[SWARM_BOUNCE];
    felt.tangent_keep = values[SWARM_TANGENT_KEEP];
    felt.hit_life = values[SWARM_HIT_LIFE];
    felt.life = values[SWARM_LIFE];
    felt.life_random = values[SWARM_LIFE_RANDOM];
    felt.speed = speed;
    return felt;
}

static void take_colliders(Step *step, const Motion *felt)
{
    step->collider_count = clampi(felt->collider_count, 0, GLOBAL_COLLIDERS);
    memcpy(step->colliders, felt->colliders, sizeof step->colliders);
    step->bounce = felt->bounce;
    step->tangent_keep = felt->tangent_keep;
    step->hit_life = felt->hit_life;
}

static void take_rings(Step *step, const Rings *rings)
{
    step->surges = rings_push(rings);
    if (!step->surges) return;
    const float softening = rings_softening(rings);
    step->surge = (Surge){
        .middle = rings->middle,
        .axis = rings->axis,
        .inner = rings->inner,
        .per_metre = 1 / rings->spacing,
        .softening2 = softening * softening,
        .outward = rings->outward,
        .around = rings->around,
        .along = rings->along,
    };
    memcpy(step->surge.levels, rings->levels, sizeof step->surge.levels);
}

void step_remake(Step *s, const Motion *felt, float phase, uint32_t salt, float dt,
                 const Drag *drag)
{
    s->dt = dt;
    s->salt = salt;
    s->drag = *drag;
    // A contact at rest lasts; what a bounce leaves of the speed along a surface is left of it after
    // every SUBSTEP_LONGEST.
    s->rest_keep = 1 - (1 - felt->tangent_keep) * clampf(dt / SUBSTEP_LONGEST, 0, 1);
    if (s->turbulence != 0) s->flow = flow_make(flow_per_metre(felt->turbulence_scale), phase);
}

Step step_make(const Motion *felt, uint32_t step, float dt)
{
    Step s = {
        .x = felt->acceleration.x,
        .y = felt->acceleration.y,
        .z = felt->acceleration.z,
        .turbulence = felt->turbulence,
        .pull_count = clampi(felt->attractor_count, 0, GLOBAL_ATTRACTORS),
        .life = felt->life,
        .life_random = felt->life_random,
        .speed = felt->speed,
    };
    const Drag drag = drag_of(drag_felt(felt), dt > 0 ? dt : 0, felt->jitter);
    take_colliders(&s, felt);
    take_rings(&s, &felt->rings);
    step_remake(&s, felt, felt->turbulence_phase, step_salt(step), dt, &drag);
    for (int n = 0; n < s.pull_count; n++) {
        const Attractor *a = &felt->attractors[n];
        const float softening = a->softening > 1e-3f ? a->softening : 1e-3f;
        s.pulls[n] = (Pull){ a->position.x, a->position.y, a->position.z,
                             a->strength,   a->vortex,     softening * softening };
    }
    return s;
}

static Vec3 force_at(const Step *s, Vec3 at)
{
    Vec3 a = { s->x, s->y, s->z };
    if (s->turbulence != 0) {
        const Vec3 flow = flow_at(&s->flow, at.x, at.y, at.z);
        a.x += s->turbulence * flow.x;
        a.y += s->turbulence * flow.y;
        a.z += s->turbulence * flow.z;
    }
    if (s->surges) step_surge(&s->surge, at.x, at.y, at.z, &a.x, &a.y, &a.z);
    for (int n = 0; n < s->pull_count; n++)
        step_pull(&s->pulls[n], at.x, at.y, at.z, &a.x, &a.y, &a.z);
    return a;
}

static Meeting meet(const Collider *c, Vec3 at, Vec3 way)
{
    if (c->shape == COLLIDER_PLANE) return meet_plane(c, at, way);
    if (c->shape == COLLIDER_SPHERE) return meet_sphere(c, at, way);
    return c->side > 0 ? meet_box(c, at, way) : meet_walls(c, at, way);
}

// Lets the flight bounce until it is over; returns how often it did.
static float collide(const Step *s, Flight *flight)
{
    float bounces = 0;
    for (int round = 1; round <= ROUNDS; round++) {
        const Vec3 way = from_to(flight->at, flight->to);
        Meeting first = { .share = NO_MEETING };
        for (int n = 0; n < s->collider_count; n++)
            first = meet_first(first, meet(&s->colliders[n], flight->at, way));
        if (first.share > 1) break;
        float bounced;
        take_meeting(s, &first, round < ROUNDS, flight, &bounced);
        bounces += bounced;
    }
    return bounces;
}

void step_particle(const Step *s, Particle *particle, uint32_t key)
{
    Vec3 *p = &particle->position, *v = &particle->velocity;
    const Drag *d = &s->drag;
    const uint32_t bits = step_bits(s->salt, key);
    Flight flight = {
        .at = *p,
        .before = *v,
        .force = force_at(
            s, (Vec3){ p->x + v->x * d->half, p->y + v->y * d->half, p->z + v->z * d->half }),
        .kick = { step_kick(d->kick, bits), step_kick(d->kick, bits >> 10),
                  step_kick(d->kick, bits >> 20) },
        .left = 1,
        .speed = 1,
    };
    step_move(d, flight.force.x, flight.kick.x, &p->x, &v->x);
    step_move(d, flight.force.y, flight.kick.y, &p->y, &v->y);
    step_move(d, flight.force.z, flight.kick.z, &p->z, &v->z);
    particle->age += s->dt;

    if (s->speed) {
        flight.speed = speed_at(s->speed, (particle->age - 0.5f * s->dt) / particle->life);
        *p = beyond(flight.at, flight.speed, from_to(flight.at, *p));
    }
    if (s->collider_count == 0) return;
    flight.to = *p;
    flight.then = *v;
    particle->age += collide(s, &flight) * (s->hit_life * particle->life);
    *p = flight.to;
    *v = flight.then;
}

void law_step(Particle *particle, const Motion *felt, uint32_t key, uint32_t step, float dt)
{
    const Step s = step_make(felt, step, dt);
    step_particle(&s, particle, key);
}

int law_substeps(float dt)
{
    return substeps_of(dt);
}

// ---- birth --------------------------------------------------------------------------------------

float area_lean(const float *values)
{
    const float turns = clampf(values[SWARM_AREA_ANGLE], 0, 89) / 360;
    return sine_of_turns(turns) / sine_of_turns(turns + 0.25f);
}

Emission emission_of(const float *values, const Placement *place)
{
    return (Emission){
        .area = (int)values[SWARM_AREA],
        .x = values[SWARM_AREA_X],
        .y = values[SWARM_AREA_Y],
        .z = values[SWARM_AREA_Z],
        .arc = values[SWARM_AREA_ARC] / 360,
        .inner = 1 - clampf(values[SWARM_THICKNESS], 0, 1),
        .lean = area_lean(values),
        .velocity = { values[SWARM_VELOCITY_X], values[SWARM_VELOCITY_Y],
                      values[SWARM_VELOCITY_Z] },
        .outward = values[SWARM_OUTWARD],
        .spin = values[SWARM_SPIN],
        .spread = values[SWARM_SPREAD],
        .speed_random = values[SWARM_SPEED_RANDOM],
        .life = values[SWARM_LIFE],
        .life_random = values[SWARM_LIFE_RANDOM],
        .place = *place,
    };
}

Particle law_birth(const float *values, const Placement *place, uint32_t key)
{
    const Emission emission = emission_of(values, place);
    return birth_in(emission.area, &emission, key);
}

float law_size_factor(uint32_t key, float size_random)
{
    return size_factor_of(size_random, key);
}
