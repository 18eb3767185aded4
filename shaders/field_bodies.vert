#version 330 core
// field_bodies.vert: a field's particles as bodies, oldest birth first.
// in:  as of field_sprites.vert; and of body.glsl
// out: a corner of a body
#include "common/rng.glsl"
#include "common/law.glsl"
#include "common/birth.glsl"
#include "common/ring.glsl"
#include "common/drawn.glsl"
#include "common/look.glsl"
#include "common/body.glsl"
uniform sampler2D u_positions;
uniform sampler2D u_velocities;
uniform sampler2D u_look;

vec4 look(float share, float row)
{
    return textureLod(u_look, vec2((share * 255.0 + 0.5) / 256.0, row), 0.0);
}

void main()
{
    uint back = drawn_back(uint(gl_InstanceID));
    bool drawn = back < u_living;
    if (!drawn) back = 0u;
    uint slot = ring_slot(back);
    ivec2 texel = ring_texel(slot);
    vec4 position_age = texelFetch(u_positions, texel, 0);
    float signed_life = texelFetch(u_velocities, texel, 0).w, life = abs(signed_life);
    float share = life > 0.0 ? clamp(position_age.w / life, 0.0, 1.0) : 1.0;
    uint key = slot_key(back, slot, signed_life);
    vec4 over = look(share, 0.75), colour = look(share, 0.25);
    if (!(drawn && life > 0.0)) colour.a = 0.0;
    put_body(position_age.xyz, look_size(key, share, over.x), colour,
             look_rotation(key, life, over.y), look_axis(key), 0);
}
