#version 330 core
// field_fill_birth.frag: second pass of a field born by fill: a birth, by the law of birth and motion, or what a
// slot waits for.
// in:  as common/field_step.glsl; v_away and v_born of field_fill_birth.vert
// out: as common/field_step.glsl
#define WITH_FILL
#include "common/field_step.glsl"
flat in vec4 v_away;
flat in uvec4 v_born;

void main()
{
    bool waits = v_born.w == 2u, by_rate = v_born.w == 1u;
    vec3 p, v;
    float age = 0.0, life;
    birth(v_born.x, p, v, life);
    p += v_away.xyz;
    if (!by_rate) life = uintBitsToFloat((floatBitsToUint(life) & ~GENERATIONS) | v_born.y);
    move(p, v, age, life, v_born.x, clamp(v_away.w, 0.0, 0.1));
    bool alive = !waits && age < life && is_finite(vec4(p, age), vec4(v, life));
    vec4 dead = vec4(waits ? v_away.x : -1.0, float(v_born.z & GENERATIONS), 0.0, waits ? v_away.w : 0.0);
    position_age = alive ? vec4(p, age) : dead;
    velocity_life = alive ? vec4(v, by_rate ? life : -life) : vec4(0.0);
}
