#version 330 core
// position.frag: the known scheme, second pass: motion and ageing.
// in: u_positions (position, age), u_velocities (velocity, life), u_dt   out: position and age
uniform sampler2D u_positions;
uniform sampler2D u_velocities;
uniform float u_dt;
out vec4 position_age;

void main()
{
    ivec2 texel = ivec2(gl_FragCoord.xy);
    vec3 v = texelFetch(u_velocities, texel, 0).xyz;
    position_age = texelFetch(u_positions, texel, 0) + vec4(v, 1.0) * u_dt;
}
