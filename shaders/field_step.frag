#version 330 core
// field_step.frag: birth, motion and death of a field's particles, one a pixel, by the law of
// motion.
// in:  u_positions (position, age), u_velocities (velocity, life) of the last frame; the ring; this
//      frame's u_births, newest last, in u_run_count runs: u_run_start (number of the first birth
//      within the frame), u_run_away (from where the field is, its place; its age at the frame's
//      end), u_run_step (how much farther and younger each next one is); u_dt; u_step (number of the
//      frame's first sub-step)
// out: position and age, velocity and life; life is 0 for the dead and nowhere else
#include "common/rng.glsl"
#include "common/law.glsl"
#include "common/birth.glsl"
#include "common/ring.glsl"
uniform sampler2D u_positions;
uniform sampler2D u_velocities;
uniform uint u_births;
uniform int u_run_count;
uniform uint u_run_start[32];
uniform vec4 u_run_away[32];
uniform vec4 u_run_step[32];
uniform float u_dt;
uniform uint u_step;
layout(location = 0) out vec4 position_age;
layout(location = 1) out vec4 velocity_life;

// Place and age at the frame's end of the frame's n-th birth.
vec4 newborn_away(uint n)
{
    int run = 0;
    for (int r = 1; r < u_run_count; r++)
        if (u_run_start[r] <= n) run = r;
    float later = float(n - u_run_start[run]);
    return u_run_away[run] + later * vec4(u_run_step[run].xyz, -u_run_step[run].w);
}

// The last `span` seconds of the frame, in equal sub-steps.
void move(inout vec3 p, inout vec3 v, inout float age, float life, uint key, float span)
{
    int count = law_substeps(span);
    float dt = span / float(count);
    for (int n = 0; n < count; n++)
        law_step_at(p, v, age, life, key, u_step + uint(n), dt, u_dt - span + float(n) * dt);
}

// By its bits: a driver may take x == x for granted.
bool is_finite(vec4 x)
{
    uvec4 exponent = floatBitsToUint(x) & 0x7f800000u;
    return all(notEqual(exponent, uvec4(0x7f800000u)));
}

void main()
{
    ivec2 texel = ivec2(gl_FragCoord.xy);
    uint back = ring_back(uint(texel.y * RING_WIDTH + texel.x));
    position_age = texelFetch(u_positions, texel, 0);
    velocity_life = texelFetch(u_velocities, texel, 0);
    vec3 p = position_age.xyz, v = velocity_life.xyz;
    float age = position_age.w, life = velocity_life.w;
    float span = u_dt;

    if (back < u_births) {
        birth(ring_key(back), p, v, life);
        vec4 away = newborn_away(u_births - 1u - back);
        p += away.xyz;
        span = clamp(away.w, 0.0, 0.1);
        age = 0.0;
    }
    bool alive = back < u_living && age < life;
    if (alive && span > 0.0) {
        move(p, v, age, life, ring_key(back), span);
        alive = age < life;
    }
    position_age = vec4(p, age);
    velocity_life = vec4(v, alive ? life : 0.0);
    if (is_finite(position_age) && is_finite(velocity_life)) return;
    position_age = vec4(0.0);
    velocity_life = vec4(0.0);
}
