#version 330 core
// sprites.vert: the CPU's sprites (Sprite in src/sim/sim.h).
// in:  a_position (m), a_size (m), a_colour (square roots of linear light, opacity); u_intensity;
//      and of sprite.glsl   out: a point or a corner of a quad
#include "common/sprite.glsl"
uniform float u_intensity;
layout(location = 0) in vec3 a_position;
layout(location = 1) in float a_size;
layout(location = 2) in vec4 a_colour;

void main()
{
    put_sprite(a_position, a_size, vec4(a_colour.rgb * a_colour.rgb * u_intensity, a_colour.a));
}
