#version 330 core
// trail.frag: the trail so far, faded by some ticks of 1/60 s, with this frame's light left in it.
// in:  u_trail (so far), u_light (this frame), u_keep (share of the old that stays), u_floor (what is
//      taken away besides, so that a fade ends in black and not in ever smaller numbers)
// out: colour, linear
#include "common/light.glsl"
uniform sampler2D u_trail;
uniform float u_keep;
uniform float u_floor;
in vec2 v_uv;
out vec4 colour;

void main()
{
    vec3 old = texelFetch(u_trail, ivec2(gl_FragCoord.xy), 0).rgb;
    vec3 light = light_at(v_uv).rgb;
    colour = vec4(max(mix(light, old, u_keep) - u_floor, vec3(0.0)), 1.0);
}
