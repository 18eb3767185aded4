// law.glsl: the law of motion, as src/sim/law.c has it.
// Needs rng.glsl in front.
// in:  the Motion of this frame as the field's particles feel it (motion_felt of src/sim/sim.h) as
//      u_acceleration, u_drag, u_jitter, u_turbulence, u_turbulence_scale, u_turbulence_speed,
//      u_turbulence_phase, u_attractor (position, strength), u_attractor_shape (vortex, softening),
//      those that are not there without strength; the rings of the spectrum as u_rings_middle (and their
//      innermost radius), u_rings_axis (and rings a metre), u_rings_push (outward, around, along; softening),
//      u_rings_levels; u_speeds (its speed over life) where u_has_speeds;
//      those of collide.glsl
// out: Course, law_course, law_step, law_substeps, law_flow, sine_of_turns
// A program that is only used where they are not felt leaves parts out: define WITHOUT_TURBULENCE,
// WITHOUT_RINGS, WITHOUT_OBSTACLES (colliders and speed over life), or fewer ATTRACTORS, in front.  What stands behind a
// condition is worked out all the same where a processor draws, eight or sixteen particles at a time.
#ifndef ATTRACTORS
#define ATTRACTORS 8
#endif

uniform vec3 u_acceleration;      // m/s2
uniform float u_drag;             // 1/s
uniform float u_jitter;           // m/s per sqrt(s)
uniform float u_turbulence;       // m/s2
uniform float u_turbulence_scale; // m
uniform float u_turbulence_speed; // 1/s
uniform float u_turbulence_phase; // at the start of the frame
uniform vec4 u_attractor[8]; // GLOBAL_ATTRACTORS of src/control/control.h
uniform vec2 u_attractor_shape[8];
uniform vec4 u_rings_middle;
uniform vec4 u_rings_axis;
uniform vec4 u_rings_push;
uniform float u_rings_levels[5]; // ANALYSIS_BANDS of src/analysis/analysis.h
uniform sampler2D u_speeds; // one row, x times the velocity; the ends lie in its first and last texel
uniform bool u_has_speeds;

const float FLOW_PERIOD = 16.0;
const int SUBSTEPS_MAX = 6;

// sin(2 pi turns)
float sine_of_turns(float turns)
{
    float x = clamp(turns, -2097152.0, 2097152.0);
    float r = x - floor(x + 0.5);
    float z = r * r;
    float p = (((12.0736628 * z - 38.0636292) * z + 67.0380325) * z - 64.8346176) * z + 25.1327343;
    return r * (0.25 - z) * p;
}

// Each wave: where it goes and how far it turns over a FLOW_PERIOD; then its push, across that, and where
// it starts.  step.h has the same table.
const int WAVES = 12;
const vec4 wave_along[WAVES] = vec4[WAVES](
    vec4(0.1408, 0.0264, -0.3895, 3.0),
    vec4(-0.3507, -0.0418, -0.3250, -4.0),
    vec4(0.2355, 0.4716, -0.0918, 5.0),
    vec4(-0.2769, 0.5026, 0.1573, -3.0),
    vec4(0.4039, -0.8550, 0.1925, 7.0),
    vec4(-0.0148, 0.3372, -1.0417, -6.0),
    vec4(-0.4251, -0.8175, -0.7766, 8.0),
    vec4(1.3528, 0.1348, -0.0368, -9.0),
    vec4(1.7840, -0.6742, -0.7098, 11.0),
    vec4(-0.0345, -1.9709, -1.1947, -13.0),
    vec4(-1.3612, -1.7665, 1.3656, 12.0),
    vec4(-1.1909, 0.8423, -2.5469, -14.0));
const vec4 wave_push[WAVES] = vec4[WAVES](
    vec4(0.097803, -0.409348, 0.007610, 0.612),
    vec4(0.259578, 0.009893, -0.281377, 0.624),
    vec4(-0.155876, 0.015419, -0.320666, 0.069),
    vec4(-0.293528, -0.138095, -0.075470, 0.596),
    vec4(-0.043054, 0.033042, 0.237092, 0.342),
    vec4(0.166689, 0.143101, 0.043954, 0.404),
    vec4(0.183774, -0.102452, 0.007252, 0.332),
    vec4(-0.019817, 0.178265, -0.075493, 0.126),
    vec4(-0.028561, 0.063839, -0.132422, 0.361),
    vec4(-0.137792, -0.002943, 0.008833, 0.954),
    vec4(0.041010, -0.091838, -0.077921, 0.319),
    vec4(0.049202, 0.106588, 0.012244, 0.760));

vec3 law_flow(vec3 p, float scale, float phase)
{
    float per_metre = 1.0 / clamp(scale, 1e-3, 1e6);
    vec3 sum = vec3(0.0);
    for (int w = 0; w < WAVES; w++) {
        float at = fract(wave_push[w].w + wave_along[w].w * (phase / FLOW_PERIOD));
        sum += wave_push[w].xyz * sine_of_turns(dot(wave_along[w].xyz, p) * per_metre + at);
    }
    return sum;
}

// Pull and vortex of one attractor.
vec3 law_pull(vec4 attractor, vec2 shape, vec3 p)
{
    vec3 d = attractor.xyz - p;
    float softening = max(shape.y, 1e-3);
    float square = dot(d, d) + softening * softening;
    float weaken = 1.0 / (square * sqrt(square));
    return (d * attractor.w + vec3(d.y, -d.x, 0.0) * shape.x) * weaken;
}

#ifndef WITHOUT_RINGS
// The level at `place`, in rings from the innermost.
float rings_level(float place)
{
    float level = 0.0;
    for (int b = 0; b < 5; b++) {
        float t = min(abs(place - float(b)), 1.0);
        level += u_rings_levels[b] * (1.0 - t * t * (3.0 - 2.0 * t));
    }
    return level;
}

// Each band of the spectrum pushes what is on its ring.
vec3 law_rings(vec3 p)
{
    vec3 d = p - u_rings_middle.xyz, axis = u_rings_axis.xyz;
    vec3 out_of = d - dot(d, axis) * axis;
    float softening = u_rings_push.w;
    float radius = sqrt(dot(out_of, out_of) + softening * softening);
    float level = rings_level((radius - u_rings_middle.w) * u_rings_axis.w);
    return level * ((out_of * u_rings_push.x + cross(axis, out_of) * u_rings_push.y) / radius +
                    axis * u_rings_push.z);
}
#endif

// What makes the kicks of one step differ from those of the next.
uint law_salt(uint step)
{
    return rng_mix(step + 0x6b69636bu);
}

vec3 law_kick(uint key, uint salt)
{
    uint bits = rng_mix(key ^ salt);
    ivec3 ten = ivec3(uvec3(bits, bits >> 10, bits >> 20) & 1023u); // signed ones become floats at less cost
    return (vec3(ten) - 511.5) * 0.0033829134; // of variance 1
}

// What is the same for all particles of a step of dt.
struct Course {
    float keep;         // what drag leaves of a velocity
    float reach, fall;  // s and s2: the way of a velocity and of a force, in drag
    float half_way;     // s: that of a velocity until half of the step
    float kick, dt;     // m/s, s
    vec3 acceleration;  // m/s2
    vec4 pull;          // of the first attractor, as u_attractor
    vec2 pull_shape;
};

// Drag, integrated exactly; the closed forms cancel where k dt is small.
Course law_course(float dt)
{
    float k = max(u_drag, 0.0);
    float x = k * dt;
    float keep = exp(-x);
    if (x < 0.1) {
        float y = 2.0 * x;
        float spread = dt * (1.0 - y / 2.0 * (1.0 - y / 3.0 * (1.0 - y / 4.0 * (1.0 - y / 5.0 * (1.0 - y / 6.0)))));
        return Course(keep, dt * (1.0 - x / 2.0 * (1.0 - x / 3.0 * (1.0 - x / 4.0 * (1.0 - x / 5.0)))),
                      dt * dt * (0.5 - x / 6.0 * (1.0 - x / 4.0 * (1.0 - x / 5.0 * (1.0 - x / 6.0)))),
                      dt / 2.0 * (1.0 - x / 4.0 * (1.0 - x / 6.0 * (1.0 - x / 8.0))),
                      u_jitter * sqrt(max(spread, 0.0)), dt, u_acceleration, u_attractor[0],
                      u_attractor_shape[0]);
    }
    float reach = (1.0 - keep) / k;
    return Course(keep, reach, (dt - reach) / k, (1.0 - exp(-x / 2.0)) / k,
                  u_jitter * sqrt((1.0 - keep * keep) / (2.0 * k)), dt, u_acceleration, u_attractor[0],
                  u_attractor_shape[0]);
}

#ifndef WITHOUT_OBSTACLES
#include "common/collide.glsl"

// How fast a particle goes at that share of its life.
float law_speed(float share)
{
    float place = clamp(share, 0.0, 1.0) * 255.0;
    int n = min(int(place), 254);
    float here = texelFetch(u_speeds, ivec2(n, 0), 0).x, next = texelFetch(u_speeds, ivec2(n + 1, 0), 0).x;
    return here + (next - here) * (place - float(n));
}
#endif

// One step whose start lies `since` seconds behind the frame's start: the turbulence has gone on.
void law_step(inout vec3 p, inout vec3 v, inout float age, float life, uint key, uint salt, Course course, float since)
{
    // Forces are felt half-way: orbits neither grow nor shrink.
    vec3 at = p + v * course.half_way;
    vec3 a = course.acceleration;
#ifndef WITHOUT_TURBULENCE
    if (u_turbulence != 0.0)
        a += u_turbulence * law_flow(at, u_turbulence_scale, u_turbulence_phase + u_turbulence_speed * since);
#endif
#ifndef WITHOUT_RINGS
    a += law_rings(at);
#endif
    a += law_pull(course.pull, course.pull_shape, at);
    for (int n = 1; n < ATTRACTORS; n++) a += law_pull(u_attractor[n], u_attractor_shape[n], at);
    vec3 kick = course.kick * law_kick(key, salt);
    float speed = 1.0;
#ifndef WITHOUT_OBSTACLES
    if (u_has_speeds) speed = law_speed((age + 0.5 * course.dt) / life);
#endif

    vec3 to = p + speed * (v * course.reach + a * course.fall), then = v * course.keep + a * course.reach + kick;
    age += course.dt;
#ifndef WITHOUT_OBSTACLES
    if (u_collider_count > 0) {
        Flight flight = Flight(p, to, v, then, a, kick, 1.0, speed);
        age += collide(course, flight) * u_hit_life * life;
        to = flight.to;
        then = flight.then;
    }
#endif
    p = to;
    v = then;
}

// How many equal sub-steps a span of dt takes.
int law_substeps(float dt)
{
    return clamp(int(ceil(clamp(dt, 0.0, 0.1) * 60.0 - 0.01)), 1, SUBSTEPS_MAX);
}
