#version 330 core
// field_sprites.vert: the sprites of a field, oldest birth first.
// in:  u_positions, u_velocities (the field's state); the ring; u_look (texels by normalised age:
//      first row colour and opacity, second row size and what is turned); u_speeds, u_has_speeds; of
//      look.glsl, drawn.glsl and sprite.glsl
// out: a point or a corner of a quad
#include "common/rng.glsl"
#include "common/law.glsl"
#include "common/birth.glsl"
#include "common/ring.glsl"
#include "common/drawn.glsl"
#include "common/look.glsl"
#include "common/sprite.glsl"
uniform sampler2D u_positions;
uniform sampler2D u_velocities;
uniform sampler2D u_look;

// The ends of the tables lie in the middles of the first and last texel.
vec4 look(float share, float row)
{
    return textureLod(u_look, vec2((share * 255.0 + 0.5) / 256.0, row), 0.0);
}

void main()
{
    uint back = drawn_back(uint(u_points ? gl_VertexID : gl_InstanceID));
    if (back >= u_living) {
        no_sprite();
        return;
    }
    uint slot = ring_slot(back);
    ivec2 texel = ring_texel(slot);
    vec4 velocity_life = texelFetch(u_velocities, texel, 0);
    float life = abs(velocity_life.w);
    if (!(life > 0.0)) {
        no_sprite();
        return;
    }
    vec4 position_age = texelFetch(u_positions, texel, 0);
    float share = clamp(position_age.w / life, 0.0, 1.0);
    uint key = slot_key(back, slot, velocity_life.w);
    vec4 over = look(share, 0.75);
    Sprite sprite;
    sprite.position = position_age.xyz;
    sprite.size = look_size(key, share, over.x);
    sprite.colour = look(share, 0.25);
    sprite.rotation = 0.0;
    sprite.frame = 0.0;
    sprite.velocity = velocity_life.xyz * (u_has_speeds ? law_speed(share) : 1.0);
    if (u_frames > 0) {
        sprite.rotation = look_rotation(key, life, over.y);
        sprite.frame = look_frame(key, share, position_age.w);
    }
    put_sprite(sprite, 0);
}
