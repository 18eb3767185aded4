#version 330 core
// velocity.frag: the known scheme, first pass: forces.
// in: u_positions (position, age), u_velocities (velocity, life), the forces, u_dt, u_frame
// out: velocity and life
#include "common/rng.glsl"
uniform sampler2D u_positions;
uniform sampler2D u_velocities;
uniform float u_gravity; // m/s2
uniform float u_drag;    // 1/s
uniform float u_pull;    // m3/s2, to the middle
uniform float u_jitter;  // m/s per sqrt(s)
uniform float u_dt;
uniform uint u_frame;
out vec4 velocity_life;

void main()
{
    ivec2 texel = ivec2(gl_FragCoord.xy);
    vec3 p = texelFetch(u_positions, texel, 0).xyz;
    vec4 velocity = texelFetch(u_velocities, texel, 0);
    uint bits = rng_mix(uint(texel.y * 1024 + texel.x) ^ rng_mix(u_frame));
    vec3 kick = vec3(float(bits & 1023u), float((bits >> 10) & 1023u), float((bits >> 20) & 1023u)) / 511.5 - 1.0;
    float square = dot(p, p) + 0.25;
    vec3 v = velocity.xyz;
    v += u_dt * (vec3(0.0, u_gravity, 0.0) - p * u_pull / (square * sqrt(square)));
    v += kick * (u_jitter * sqrt(3.0 * u_dt));
    velocity_life = vec4(v * max(1.0 - u_drag * u_dt, 0.0), velocity.w);
}
