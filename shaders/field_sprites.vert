#version 330 core
// field_sprites.vert: the sprites of a field, oldest birth first.
// in:  u_positions, u_velocities (the field's state); the ring; u_look (texels by normalised age:
//      first row colour and opacity, second row size), u_size, u_size_random, u_intensity; and of
//      sprite.glsl
// out: a point or a corner of a quad
#include "common/rng.glsl"
#include "common/law.glsl"
#include "common/birth.glsl"
#include "common/ring.glsl"
#include "common/sprite.glsl"
uniform sampler2D u_positions;
uniform sampler2D u_velocities;
uniform sampler2D u_look;
uniform float u_size;
uniform float u_size_random;
uniform float u_intensity;

// The ends of the gradient lie in the middles of its first and last texel.
vec4 look(float age, float row)
{
    return textureLod(u_look, vec2((age * 255.0 + 0.5) / 256.0, row), 0.0);
}

void main()
{
    uint back = u_living - 1u - uint(u_points ? gl_VertexID : gl_InstanceID);
    ivec2 texel = ring_texel(ring_slot(back));
    float life = texelFetch(u_velocities, texel, 0).w;
    if (!(life > 0.0)) {
        no_sprite();
        return;
    }
    vec4 position_age = texelFetch(u_positions, texel, 0);
    float age = clamp(position_age.w / life, 0.0, 1.0);
    float size = u_size * size_factor(ring_key(back), u_size_random) * look(age, 0.75).x;
    vec4 colour = look(age, 0.25);
    put_sprite(position_age.xyz, size, vec4(colour.rgb * u_intensity, colour.a));
}
