// field_step.glsl: birth, motion and death of a field's particles, one a pixel, by the law of motion.
// Most rows of a ring, in most frames, have no births and feel little: programs that leave the rest
// out do them in a fraction of the time.  Define any of WITHOUT_BIRTHS, WITHOUT_SUBSTEPS (for frames
// that take one step), WITHOUT_TURBULENCE, WITHOUT_RINGS and WITHOUT_OBSTACLES in front.
// in:  u_positions (position, age), u_velocities (velocity, life) of the last frame; the ring; this
//      frame's births (births.glsl); u_dt; u_step (number of the frame's first sub-step)
//      A program WITH_FILL takes its main from fill_step.glsl, or, with births, has its own.
// out: position and age, velocity and life; life is 0 for the dead and nowhere else
#include "common/rng.glsl"
#include "common/law.glsl"
#include "common/ring.glsl"
uniform sampler2D u_positions;
uniform sampler2D u_velocities;
uniform float u_dt;
uniform uint u_step;
layout(location = 0) out vec4 position_age;
layout(location = 1) out vec4 velocity_life;

#ifndef WITHOUT_BIRTHS
#include "common/birth.glsl"
#include "common/births.glsl"

// Puts a newborn where a slot got one, and says how much of the frame it has lived.
float give_birth(uint back, inout vec3 p, inout vec3 v, inout float age, inout float life)
{
    if (back >= u_births) return u_dt;
    birth(ring_key(back), p, v, life);
    vec4 away = newborn_away(u_births - 1u - back);
    p += away.xyz;
    age = 0.0;
    return clamp(away.w, 0.0, 0.1);
}

// What is the same for all who take a sub-step of dt.
Course course_of(float dt)
{
    return law_course(dt);
}

uint back_of(uint slot)
{
    return ring_back(slot, u_head, u_capacity);
}

bool may_live(uint back)
{
    return back < u_living;
}

uint key_of(uint back)
{
    return ring_key(back);
}
#else
// The same from field_rows.vert: where a processor draws, a flat varying costs a fraction of a uniform.
flat in vec4 v_drag; // keep, reach, fall, half_way
flat in vec2 v_kick; // kick, dt
flat in vec3 v_acceleration;
flat in vec4 v_pull;
flat in vec2 v_pull_shape;
flat in uvec4 v_ring;  // head, capacity, living, low half of the newest birth's index
flat in uvec2 v_salts; // of the keys with its high half, and with one less

float give_birth(uint back, inout vec3 p, inout vec3 v, inout float age, inout float life)
{
    return u_dt;
}

Course course_of(float dt)
{
    return Course(v_drag.x, v_drag.y, v_drag.z, v_drag.w, v_kick.x, v_kick.y, v_acceleration, v_pull, v_pull_shape);
}

uint back_of(uint slot)
{
    return ring_back(slot, v_ring.x, v_ring.y);
}

bool may_live(uint back)
{
    return back < v_ring.z;
}

uint key_of(uint back)
{
    return rng_mix((v_ring.w - back) ^ (v_ring.w < back ? v_salts.y : v_salts.x));
}
#endif

// The last `span` seconds of the frame, in equal sub-steps.
void move(inout vec3 p, inout vec3 v, inout float age, float life, uint key, float span)
{
#ifdef WITHOUT_SUBSTEPS
    law_step(p, v, age, life, key, law_salt(u_step), course_of(span), 0.0);
#else
    int count = law_substeps(span);
    Course course = course_of(span / float(count));
    for (int n = 0; n < count; n++)
        law_step(p, v, age, life, key, law_salt(u_step + uint(n)), course, u_dt - span + float(n) * course.dt);
#endif
}

#ifdef WITH_FILL
#include "common/fill.glsl"
#endif
#if defined(WITH_FILL) && defined(WITHOUT_BIRTHS)
#include "common/fill_step.glsl"
#elif !defined(WITH_FILL)
void main()
{
    ivec2 texel = ivec2(gl_FragCoord.xy);
    uint back = back_of(uint(texel.y * RING_WIDTH + texel.x));
    vec4 position = texelFetch(u_positions, texel, 0), velocity = texelFetch(u_velocities, texel, 0);
    vec3 p = position.xyz, v = velocity.xyz;
    float age = position.w, life = velocity.w;
    float span = give_birth(back, p, v, age, life);
    bool alive = may_live(back) && age < life;
    move(p, v, age, life, key_of(back), span);
    alive = alive && age < life && is_finite(vec4(p, age), vec4(v, life));
    position_age = alive ? vec4(p, age) : vec4(0.0);
    velocity_life = alive ? vec4(v, life) : vec4(0.0);
}
#endif
