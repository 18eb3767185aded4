#version 330 core
// copy.frag: what no field can do without: its state is read and written.
// in: u_positions, u_velocities   out: the same
uniform sampler2D u_positions;
uniform sampler2D u_velocities;
layout(location = 0) out vec4 position_age;
layout(location = 1) out vec4 velocity_life;

void main()
{
    ivec2 texel = ivec2(gl_FragCoord.xy);
    position_age = texelFetch(u_positions, texel, 0);
    velocity_life = texelFetch(u_velocities, texel, 0);
}
