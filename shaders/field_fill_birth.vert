#version 330 core
// field_fill_birth.vert: second pass of a field born by fill: a point over each slot that has a birth in the
// frame, or of which the first pass could not know what it waits for; others are nowhere.
// in:  gl_VertexID: the slot; the ring, common/births.glsl, common/fill.glsl; u_refill_count, u_refill_away (from
//      where the field is, its place where the refill begins; how long before the frame's end that is),
//      u_refill_way (to where it ends; how long it takes), u_refill_share (births a slot)
// out: where the point is; what v_born and v_away say
#include "common/rng.glsl"
#include "common/ring.glsl"
#include "common/births.glsl"
uniform sampler2D u_positions;
uniform sampler2D u_velocities;
uniform float u_dt;
uniform int u_refill_count;
uniform vec4 u_refill_away[32];
uniform vec4 u_refill_way[32];
uniform float u_refill_share[32];
flat out vec4 v_away; // place and age of the birth; of who waits, for what, and for how long it has
flat out uvec4 v_born; // key; generation; next generation; 0: by fill, 1: by rate, 2: none

uint back_of(uint slot)
{
    return ring_back(slot, u_head, u_capacity);
}

bool may_live(uint back)
{
    return back < u_living;
}

#include "common/fill.glsl"

// As in src/sim/fill.c: the language's own is another one on each machine.
float logarithm(float x)
{
    uint bits = floatBitsToUint(x);
    int power = int(bits - 0x3f3504f3u) >> 23;
    float m = uintBitsToFloat(bits - (uint(power) << 23));
    float s = (m - 1.0) / (m + 1.0), z = s * s;
    float series = 1.0 + z * (1.0 / 3.0 + z * (1.0 / 5.0 + z * (1.0 / 7.0 + z * (1.0 / 9.0))));
    return float(power) * 0.693147181 + 2.0 * s * series;
}

float fill_wait(uint key)
{
    return -logarithm(1.0 - rng_unit(rng_draw(key, 20u))); // DRAW_WAIT of birth.glsl
}

// Place and age of a birth of the slot, or what is left of its wait and an age below 0.
vec4 fill_due(float since, inout float wait)
{
    vec4 born = vec4(0.0, 0.0, 0.0, -1.0);
    float left = wait;
    for (int r = 0; r < u_refill_count; r++) {
        vec4 away = u_refill_away[r], way = u_refill_way[r];
        float share = u_refill_share[r];
        float missed = share * clamp((away.w - since) / max(way.w, 1e-9), 0.0, 1.0);
        float part = (missed + left) / share;
        if (left < share - missed && born.w < 0.0)
            born = vec4(away.xyz + part * way.xyz, clamp(away.w - part * way.w, 0.0, 0.1));
        left -= share - missed;
    }
    wait = left;
    return born;
}

void main()
{
    ivec2 texel = ring_texel(uint(gl_VertexID));
    Slot s = slot_at(texel, texelFetch(u_positions, texel, 0), texelFetch(u_velocities, texel, 0));
    uint key = rng_key(u_seed, s.number, FILLED | s.generation);
    bool by_rate = s.back < u_births, recent = !s.alive && is_recent(s);
    if (s.wait < 0.0) s.wait = fill_wait(key);
    v_away = s.alive ? vec4(-1.0) : fill_due(s.since, s.wait);
    bool by_fill = v_away.w >= 0.0;
    v_born = uvec4(key, s.generation, (s.generation + 1u) & GENERATIONS, 0u);
    if (!by_fill) {
        v_away = vec4(s.wait, 0.0, 0.0, s.since);
        v_born = uvec4(key, s.generation, s.generation, 2u);
    }
    if (by_rate) {
        v_away = newborn_away(u_births - 1u - s.back);
        v_born = uvec4(ring_key(s.back), 0u, u_generation, 1u);
    }
    vec2 size = vec2(float(RING_WIDTH), float(u_capacity / uint(RING_WIDTH)));
    vec2 at = (vec2(texel) + 0.5) / size * 2.0 - 1.0;
    gl_Position = by_rate || by_fill || recent ? vec4(at, 0.0, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
    gl_PointSize = 1.0;
}
