#version 330 core
// field_count.frag: lets only the living through, so that a query of samples passed counts them.
// in: u_velocities (velocity, life)   out: nothing that is kept
uniform sampler2D u_velocities;
out vec4 colour;

void main()
{
    if (texelFetch(u_velocities, ivec2(gl_FragCoord.xy), 0).w == 0.0) discard;
    colour = vec4(1.0);
}
