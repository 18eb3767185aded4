// Inside sim: one step of the law for one particle, as small inline pieces.  law.c walks them for
// one particle, kernel.c and newborn.c for those of a block; all do the same sums in the same order,
// so that they are equal to the bit on every processor.  For that: float, + - * / and
// sqrt only, no library functions.
#pragma once

#include "sim/clones.h"
#include "sim/sim.h"

#include <string.h>

// What each draw from a particle's key is for; shaders/common/birth.glsl has the same list.
enum {
    DRAW_AREA_X = 2, // another number is another show for the same seed
    DRAW_AREA_Y,
    DRAW_AREA_Z,
    DRAW_FACE,
    DRAW_DEPTH,
    DRAW_OUTWARD,
    DRAW_OUTWARD_TURN,
    DRAW_SPEED,
    DRAW_SPREAD,
    DRAW_SPREAD_TURN,
    DRAW_SPREAD_SPEED,
    DRAW_FRAME,
    DRAW_HIT_COUNT,
    DRAW_HIT_SPREAD,
    DRAW_HIT_SPREAD_TURN,
    DRAW_HIT_SPEED,
    DRAW_SIZE_END,
    DRAW_TURNING,
    DRAW_WAIT,
};

// ---- what is random about a particle; shaders/common/birth.glsl and look.glsl have the same ----

// Life, size and rotation, which every frame asks for, are bits of the key itself, each its own: a key is
// a hash already.  Life is never 0.
static inline float life_of(float life, float life_random, uint32_t key)
{
    return life * (1 - life_random * 0x1p-11f * (float)(int32_t)(key & 2047));
}

static inline float size_factor_of(float random, uint32_t key)
{
    return 1 - random * 0x1p-11f * (float)(int32_t)(key >> 11 & 2047);
}

// Where in its random part the rotation at birth is.
static inline float rotation_of(float random, uint32_t key)
{
    return random * 0x1p-10f * (float)(int32_t)(key >> 22);
}

// In the highest byte, the rest 0: by these those are told apart that are drawn where not all are.
static inline uint32_t chance_of(uint32_t key)
{
    return key * 0x9e3779b9U & 0xff000000U;
}

static inline float size_end_factor(float random, uint32_t key)
{
    return 1 - rng_share(random, rng_draw(key, DRAW_SIZE_END));
}

// Any of that many frames (up to 256).
static inline uint32_t frame_draw(uint32_t key, uint32_t frames)
{
    return (rng_draw(key, DRAW_FRAME) & 0xffff) * frames >> 16;
}

// The share of the speed of turning, below 0 for those that turn the other way round.
static inline float turning_factor(float random, float flip, uint32_t key)
{
    const uint32_t bits = rng_draw(key, DRAW_TURNING);
    const float share = 1 - random * ((float)(bits >> 16) * 0x1p-16f);
    return (float)(bits & 0xffff) * 0x1p-16f < flip ? -share : share;
}

// sin(2 pi turns), within 3e-7.  Adding and taking 1.5 * 2^23 rounds to a whole number; beyond 2^21
// turns a float has no useful fraction, and the argument is held there.
static inline float sine_of_turns(float turns)
{
    const float held = turns < 0x1p21f ? turns : 0x1p21f;
    const float x = held > -0x1p21f ? held : -0x1p21f;
    const float r = x - ((x + 0x1.8p23f) - 0x1.8p23f);
    const float z = r * r;
    const float p =
        (((12.0736628f * z - 38.0636292f) * z + 67.0380325f) * z - 64.8346176f) * z + 25.1327343f;
    return r * (0.25f - z) * p;
}

// The flow is a sum of waves, each of which pushes across its own direction: without sources
// whatever the waves are.  Directions, wavelengths and pushes were searched so that no axis and no
// lattice shows; `turns` are whole over a FLOW_PERIOD, so that the sum repeats exactly.
typedef struct {
    float x, y, z;                // waves a `scale`, along each axis
    float push_x, push_y, push_z; // at right angles to that
    float turns, start;
} Wave;

enum { WAVES = 12 };

static const Wave waves[WAVES] = {
    { 0.1408f, 0.0264f, -0.3895f, 0.097803f, -0.409348f, 0.007610f, 3, 0.612f },
    { -0.3507f, -0.0418f, -0.3250f, 0.259578f, 0.009893f, -0.281377f, -4, 0.624f },
    { 0.2355f, 0.4716f, -0.0918f, -0.155876f, 0.015419f, -0.320666f, 5, 0.069f },
    { -0.2769f, 0.5026f, 0.1573f, -0.293528f, -0.138095f, -0.075470f, -3, 0.596f },
    { 0.4039f, -0.8550f, 0.1925f, -0.043054f, 0.033042f, 0.237092f, 7, 0.342f },
    { -0.0148f, 0.3372f, -1.0417f, 0.166689f, 0.143101f, 0.043954f, -6, 0.404f },
    { -0.4251f, -0.8175f, -0.7766f, 0.183774f, -0.102452f, 0.007252f, 8, 0.332f },
    { 1.3528f, 0.1348f, -0.0368f, -0.019817f, 0.178265f, -0.075493f, -9, 0.126f },
    { 1.7840f, -0.6742f, -0.7098f, -0.028561f, 0.063839f, -0.132422f, 11, 0.361f },
    { -0.0345f, -1.9709f, -1.1947f, -0.137792f, -0.002943f, 0.008833f, -13, 0.954f },
    { -1.3612f, -1.7665f, 1.3656f, 0.041010f, -0.091838f, -0.077921f, 12, 0.319f },
    { -1.1909f, 0.8423f, -2.5469f, 0.049202f, 0.106588f, 0.012244f, -14, 0.760f },
};

// All waves at one scale and phase.
typedef struct {
    float per_metre; // 1 / scale
    float at[WAVES]; // turns
} Flow;

static inline float flow_per_metre(float scale)
{
    return 1 / clampf(scale, 1e-3f, 1e6f);
}

INLINED Flow flow_make(float per_metre, float phase)
{
    Flow flow = { .per_metre = per_metre };
#pragma GCC unroll 12
    for (int w = 0; w < WAVES; w++) {
        const float at = waves[w].start + waves[w].turns * (phase / FLOW_PERIOD);
        flow.at[w] = at - __builtin_floorf(at);
    }
    return flow;
}

INLINED Vec3 flow_at(const Flow *flow, float x, float y, float z)
{
    Vec3 sum = { 0, 0, 0 };
#pragma GCC unroll 12
    for (int w = 0; w < WAVES; w++) {
        const float along = waves[w].x * x + waves[w].y * y + waves[w].z * z;
        const float wave = sine_of_turns(along * flow->per_metre + flow->at[w]);
        sum.x += waves[w].push_x * wave;
        sum.y += waves[w].push_y * wave;
        sum.z += waves[w].push_z * wave;
    }
    return sum;
}

// An attractor as one particle feels it.
typedef struct {
    float x, y, z;
    float strength, vortex;
    float softening2;
} Pull;

// The rings of the spectrum as one particle feels them.
typedef struct {
    Vec3 middle, axis;
    float inner, per_metre; // m; rings a metre
    float softening2;
    float outward, around, along;
    float levels[ANALYSIS_BANDS];
} Surge;

// What drag does over a step.
typedef struct {
    float half;                    // s: forces are felt half-way, at p + v half
    float keep, reach, fall, kick; // v' = v keep + A reach + kick; p' = p + v reach + A fall
} Drag;

// Everything about one step that is the same for all particles of an emitter.
typedef struct {
    float x, y, z; // acceleration of gravity and wind
    float turbulence;
    Drag drag;
    uint32_t salt; // of this step's kicks
    int pull_count;
    Pull pulls[GLOBAL_ATTRACTORS];
    Flow flow;
    bool surges; // else `surge` is not there
    Surge surge;

    float dt;                              // s
    float life, life_random;               // of the emitter
    const float *speed;                    // of SpeedCurve; NULL: 1
    float bounce, tangent_keep, rest_keep; // shares; of the speed along a surface at rest
    float hit_life;
    int collider_count;
    Collider colliders[GLOBAL_COLLIDERS];
} Step;

// The step's constants under a motion as it is felt, at its phase of the turbulence.
Step step_make(const Motion *felt, uint32_t step, float dt);

// Makes another one of it: at that phase of the turbulence, of another length, of which the drag is
// known.
void step_remake(Step *s, const Motion *felt, float phase, uint32_t salt, float dt,
                 const Drag *drag);

// Of the kicks of step number `step` of the show.
static inline uint32_t step_salt(uint32_t step)
{
    return rng_mix(step + 0x6b69636bU);
}

// Whether more than forces may change its course.
static inline bool step_is_hindered(const Step *step)
{
    return step->collider_count > 0 || step->speed;
}

// As law_substeps.
INLINED int substeps_of(float dt)
{
    // A display's frames of 1/60 s are measured a little long or short: a hundredth of a step is
    // let pass.
    return clampi((int)__builtin_ceilf(clampf(dt, 0, STALL_LONGEST) / SUBSTEP_LONGEST - 0.01f), 1,
                  SUBSTEPS_MAX);
}

// Moves one particle by it.
void step_particle(const Step *s, Particle *particle, uint32_t key);

static inline float drag_felt(const Motion *felt)
{
    const float drag = felt->drag > 0 ? felt->drag : 0;
    return drag < 1e30f ? drag : 1e30f;
}

// expm1(2 y) from expm1(y).
static inline double twice(double m)
{
    return m * (m + 2);
}

// exp(-x) - 1 for x >= 0, without cancellation and without the C library, whose last bit depends on
// the processor: a series for x / 1024, doubled ten times.
static inline double falloff(double x)
{
    const double y = -x / 1024;
    double m = 1 + y * (1.0 / 6) * (1 + y * (1.0 / 7));
    m = y *
        (1 + y * (1.0 / 2) * (1 + y * (1.0 / 3) * (1 + y * (1.0 / 4) * (1 + y * (1.0 / 5) * m))));
#pragma GCC unroll 10
    for (int n = 0; n < 10; n++) m = twice(m);
    return x < 700 ? m : -1;
}

// Nobody sees it, but it keeps speeds under drag, and the squares of small distances, from shrinking into
// denormal numbers, which cost many times more.
#define LEAST_JITTER 1e-12 // as that of Motion

// The exact integral of drag k over dt.  For small k dt the closed forms cancel, so their series.
// Forces felt half-way make the step symplectic: orbits neither grow nor shrink, at any frame rate.
// Kicks are spread over the step and lose to drag as well: what is left of them is the square root
// of (1 - keep^2) / (2 k), which is sqrt(dt) without drag.
static inline Drag drag_of(double k, double dt, double jitter)
{
    const double x = k * dt;
    const double lost_half = falloff(x / 2), lost = twice(lost_half), lost_twice = twice(lost);
    const bool slight = x < 1e-3;
    const double reach = slight ? dt * (1 - x / 2 * (1 - x / 3 * (1 - x / 4))) : -lost / k;
    const double fall =
        slight ? dt * dt * (0.5 - x / 6 * (1 - x / 4 * (1 - x / 5))) : (dt - reach) / k;
    const double spread =
        slight ? dt * (1 - x * (1 - x * 2 / 3 * (1 - x / 2))) : -lost_twice / (2 * k);
    return (Drag){
        .half = (float)(slight ? dt / 2 * (1 - x / 4 * (1 - x / 6)) : -lost_half / k),
        .keep = (float)(1 + lost),
        .reach = (float)reach,
        .fall = (float)fall,
        // 1024 values one apart have the variance (1024^2 - 1) / 12.
        .kick = (float)((jitter + LEAST_JITTER) * __builtin_sqrt(spread) *
                        __builtin_sqrt(12.0 / (1024.0 * 1024.0 - 1))),
    };
}

// The pull of one attractor on x, y, z, added to `a`.
static inline void step_pull(const Pull *pull, float x, float y, float z, float *ax, float *ay,
                             float *az)
{
    const float dx = pull->x - x, dy = pull->y - y, dz = pull->z - z;
    const float square = dx * dx + dy * dy + dz * dz + pull->softening2;
    const float weaken = 1 / (square * __builtin_sqrtf(square));
    *ax += (dx * pull->strength + dy * pull->vortex) * weaken;
    *ay += (dy * pull->strength - dx * pull->vortex) * weaken;
    *az += dz * pull->strength * weaken;
}

// The level at `place`, in rings from the innermost: it goes over from each to the next in an S, so that
// equal levels are one even push.
static inline float surge_level(const Surge *surge, float place)
{
    float level = 0;
#pragma GCC unroll 5
    for (int b = 0; b < ANALYSIS_BANDS; b++) {
        const float far = __builtin_fabsf(place - (float)b), t = far < 1 ? far : 1;
        level += surge->levels[b] * (1 - t * t * (3 - 2 * t));
    }
    return level;
}

// The push of the rings on x, y, z, added to `a`.
static inline void step_surge(const Surge *surge, float x, float y, float z, float *ax, float *ay,
                              float *az)
{
    const Vec3 axis = surge->axis;
    const float dx = x - surge->middle.x, dy = y - surge->middle.y, dz = z - surge->middle.z;
    const float up = dx * axis.x + dy * axis.y + dz * axis.z;
    const float ox = dx - up * axis.x, oy = dy - up * axis.y, oz = dz - up * axis.z;
    const float radius = __builtin_sqrtf(ox * ox + oy * oy + oz * oz + surge->softening2);
    const float level = surge_level(surge, (radius - surge->inner) * surge->per_metre);
    const float outward = surge->outward * level / radius, around = surge->around * level / radius;
    const float along = surge->along * level;
    *ax += ox * outward + (axis.y * oz - axis.z * oy) * around + axis.x * along;
    *ay += oy * outward + (axis.z * ox - axis.x * oz) * around + axis.y * along;
    *az += oz * outward + (axis.x * oy - axis.y * ox) * around + axis.z * along;
}

// Ten bits of a hash as a kick of variance 1 (times `kick`).
static inline float step_kick(float kick, uint32_t bits)
{
    const float centred = (float)(int32_t)(bits & 1023) - 511.5f;
    return centred * kick;
}

static inline uint32_t step_bits(uint32_t salt, uint32_t key)
{
    return rng_mix(key ^ salt);
}

// A SpeedCurve's x at `share` of life.
static inline float speed_at(const float *x, float share)
{
    const float positive = share > 0 ? share : 0;
    const float place = (positive < 1 ? positive : 1) * (SPEED_ENTRIES - 1);
    const int whole = (int)place;
    const int n = whole < SPEED_ENTRIES - 2 ? whole : SPEED_ENTRIES - 2;
    return x[n] + (x[n + 1] - x[n]) * (place - (float)n);
}

// One axis of a particle over a step, once its acceleration is known.
static inline void step_move(const Drag *drag, float a, float kick, float *p, float *v)
{
    const float after = *v * drag->keep + a * drag->reach + kick;
    *p = *p + (*v * drag->reach + a * drag->fall);
    *v = after;
}
