#version 330 core
// field_fill_birth.frag: second pass of a field born by fill: a birth, by the law of birth and motion, or what a
// slot waits for.
// in:  as common/field_step.glsl; u_refill_count, u_refill_away (from where the field is, its place where the
//      refill begins; how long before the frame's end that is), u_refill_way (to where it ends; how long it
//      takes), u_refill_share (births a slot); common/fill.glsl
// out: as common/field_step.glsl; depth 0 for births by fill, 1 for others, so that they can be counted
#define WITH_FILL
#include "common/field_step.glsl"
uniform int u_refill_count;
uniform vec4 u_refill_away[32];
uniform vec4 u_refill_way[32];
uniform float u_refill_share[32];

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
    return -logarithm(1.0 - rng_unit(rng_draw(key, DRAW_WAIT)));
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
    ivec2 texel = ivec2(gl_FragCoord.xy);
    Slot s = slot_at(texel, texelFetch(u_positions, texel, 0), texelFetch(u_velocities, texel, 0));
    bool by_rate = s.back < u_births;
    uint key = rng_key(u_seed, s.number, FILLED | s.generation), next = (s.generation + 1u) & GENERATIONS;
    if (s.wait < 0.0) s.wait = fill_wait(key);
    vec4 born = fill_due(s.since, s.wait);
    gl_FragDepth = born.w >= 0.0 && !by_rate ? 0.0 : 1.0;
    vec4 waiting = vec4(s.wait, float(s.generation), 0.0, s.since);
    if (by_rate) {
        key = ring_key(s.back);
        born = newborn_away(u_births - 1u - s.back);
        next = u_generation;
    }
    bool bears = by_rate || born.w >= 0.0;

    vec3 p, v;
    float age = 0.0, life;
    birth(key, p, v, life);
    p += born.xyz;
    if (!by_rate) life = uintBitsToFloat((floatBitsToUint(life) & ~GENERATIONS) | s.generation);
    move(p, v, age, life, key, clamp(born.w, 0.0, 0.1));
    bool alive = bears && age < life && is_finite(vec4(p, age), vec4(v, life));
    position_age = alive ? vec4(p, age) : bears ? vec4(-1.0, float(next), 0.0, 0.0) : waiting;
    velocity_life = alive ? vec4(v, by_rate ? life : -life) : vec4(0.0);
}
