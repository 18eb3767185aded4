#version 330 core
// birth.frag: the known scheme, third pass: a share of the dead is born again, in a ball.
// in: u_positions (position, age), u_velocities (velocity, life), u_share (0..1), u_life (s), u_frame
// out: position and age, velocity and life
#include "common/rng.glsl"
uniform sampler2D u_positions;
uniform sampler2D u_velocities;
uniform float u_share;
uniform float u_life;
uniform uint u_frame;
layout(location = 0) out vec4 position_age;
layout(location = 1) out vec4 velocity_life;

vec3 any(uint key)
{
    return vec3(rng_unit(rng_draw(key, 1u)), rng_unit(rng_draw(key, 2u)), rng_unit(rng_draw(key, 3u))) * 2.0 - 1.0;
}

void main()
{
    ivec2 texel = ivec2(gl_FragCoord.xy);
    position_age = texelFetch(u_positions, texel, 0);
    velocity_life = texelFetch(u_velocities, texel, 0);
    uint key = rng_mix(uint(texel.y * 1024 + texel.x) ^ rng_mix(u_frame));
    if (position_age.w < velocity_life.w || rng_unit(key) > u_share) return;
    vec3 away = any(key);
    position_age = vec4(away, 0.0);
    velocity_life = vec4(away + 0.2 * any(key + 1u), u_life * (1.0 - 0.5 * rng_unit(rng_draw(key, 4u))));
}
