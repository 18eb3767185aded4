#version 330 core
// sprites.vert: the CPU's sprites (Sprites in src/sim/sim.h).
// in:  a_position (m), a_size (m), a_colour (square roots of linear light, opacity), a_turn
//      (rotation, turns / 65536; frame / 256), a_velocity (m/s * 256), a_emitter (slot, and a number 0..255 of
//      its own); and of share.glsl and sprite.glsl
// out: a point or a corner of a quad
#include "common/share.glsl"
#include "common/sprite.glsl"
layout(location = 0) in vec3 a_position;
layout(location = 1) in float a_size;
layout(location = 2) in vec4 a_colour;
layout(location = 3) in uvec2 a_emitter;
layout(location = 4) in vec2 a_turn;
layout(location = 5) in vec3 a_velocity;

void main()
{
    if (!share_holds(a_emitter.y)) {
        no_sprite();
        return;
    }
    Sprite sprite;
    sprite.position = a_position;
    sprite.size = a_size;
    sprite.colour = vec4(a_colour.rgb * a_colour.rgb, a_colour.a);
    sprite.rotation = a_turn.x * (1.0 / 65536.0);
    sprite.frame = a_turn.y * (1.0 / 256.0);
    sprite.velocity = a_velocity * (1.0 / 256.0);
    put_sprite(sprite, int(a_emitter.x));
}
