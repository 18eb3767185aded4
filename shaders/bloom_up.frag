#version 330 core
// bloom_up.frag: a coarser level of the glow, smoothed, to be blended over the finer one.
// in: u_source (the coarser level), u_step (half a pixel of it in uv), u_gain   out: colour, linear
uniform sampler2D u_source;
uniform vec2 u_step;
uniform float u_gain;
in vec2 v_uv;
out vec4 colour;

void main()
{
    vec3 sum = texture(u_source, v_uv + u_step * vec2(-1.0, -1.0)).rgb +
               texture(u_source, v_uv + u_step * vec2(1.0, -1.0)).rgb +
               texture(u_source, v_uv + u_step * vec2(-1.0, 1.0)).rgb +
               texture(u_source, v_uv + u_step * vec2(1.0, 1.0)).rgb;
    colour = vec4(0.25 * u_gain * sum, 1.0);
}
