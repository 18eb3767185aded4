#version 330 core
// bodies.vert: the CPU's particles as bodies, one an instance (Sprites in src/sim/sim.h).
// in:  a_position (m), a_size (m), a_colour (square roots of linear light, opacity), a_emitter (slot,
//      and a number 0..255 of its own), a_turn (rotation, turns / 65536; number of its axis x 256); and
//      of share.glsl and body.glsl
// out: a corner of a body
#include "common/share.glsl"
#include "common/body.glsl"
layout(location = 0) in vec3 a_position;
layout(location = 1) in float a_size;
layout(location = 2) in vec4 a_colour;
layout(location = 3) in uvec2 a_emitter;
layout(location = 4) in vec2 a_turn;

void main()
{
    float opacity = share_holds(a_emitter.y) ? a_colour.a : 0.0;
    put_body(a_position, a_size, vec4(a_colour.rgb * a_colour.rgb, opacity),
             a_turn.x * (1.0 / 65536.0), a_turn.y * (1.0 / 256.0), int(a_emitter.x));
}
