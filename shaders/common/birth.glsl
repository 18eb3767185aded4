// birth.glsl: how one particle of a swarm is born, as law_birth() of src/sim/law.c has it.
// Needs rng.glsl and law.glsl (sine_of_turns) in front.
// in:  the swarm's rows (src/control/params.def) as u_area (0 point, 1 sphere, 2 box), u_area_size,
//      u_thickness, u_position, u_velocity, u_outward, u_spin, u_spread, u_speed_random, u_life,
//      u_life_random
// out: birth, birth_life, size_factor

uniform int u_area;
uniform vec3 u_area_size;     // m, half sizes
uniform float u_thickness;    // 0..1
uniform vec3 u_position;      // m
uniform vec3 u_velocity;      // m/s
uniform float u_outward;      // m/s
uniform float u_spin;         // m/s
uniform float u_spread;       // m/s
uniform float u_speed_random; // 0..1
uniform float u_life;         // s
uniform float u_life_random;  // 0..1

// What each draw is for; step.h has the same list.
const uint DRAW_LIFE = 0u;
const uint DRAW_SIZE = 1u;
const uint DRAW_AREA_X = 2u;
const uint DRAW_AREA_Y = 3u;
const uint DRAW_AREA_Z = 4u;
const uint DRAW_FACE = 5u;
const uint DRAW_DEPTH = 6u;
const uint DRAW_OUTWARD = 7u;
const uint DRAW_SPEED = 9u;
const uint DRAW_SPREAD = 10u;
const uint DRAW_SPREAD_SPEED = 12u;
const uint DRAW_ROTATION = 13u;
const uint DRAW_SIZE_END = 18u;
const uint DRAW_TURNING = 19u;

float unit(uint key, uint draw)
{
    return rng_unit(rng_draw(key, draw));
}

// A direction, all equally likely, from two draws.
vec3 random_direction(uint key, uint draw)
{
    float z = 2.0 * unit(key, draw) - 1.0;
    float turn = unit(key, draw + 1u);
    float ring = sqrt(max(1.0 - z * z, 0.0));
    return vec3(ring * sine_of_turns(turn + 0.25), ring * sine_of_turns(turn), z);
}

float cube_root(float x)
{
    return x > 1e-12 ? pow(x, 1.0 / 3.0) : 0.0;
}

vec3 random_on_cube(uint key)
{
    float face = 3.0 * unit(key, DRAW_FACE);
    int axis = int(face);
    vec3 on = 2.0 * vec3(unit(key, DRAW_AREA_X), unit(key, DRAW_AREA_Y), unit(key, DRAW_AREA_Z)) - 1.0;
    on[axis] = face - float(axis) < 0.5 ? -1.0 : 1.0;
    return on;
}

vec3 random_offset(uint key)
{
    if (u_area == 0) return vec3(0.0);
    vec3 on = u_area == 2 ? random_on_cube(key) : random_direction(key, DRAW_AREA_X);
    float inner = 1.0 - clamp(u_thickness, 0.0, 1.0);
    float inside = inner * inner * inner;
    float depth = cube_root(inside + (1.0 - inside) * unit(key, DRAW_DEPTH));
    return on * depth * u_area_size;
}

float birth_life(uint key)
{
    return u_life * (1.0 - u_life_random * unit(key, DRAW_LIFE));
}

// At age 0.
void birth(uint key, out vec3 p, out vec3 v, out float life)
{
    vec3 offset = random_offset(key);
    float square = dot(offset, offset);
    vec3 away = square > 1e-12 ? offset / sqrt(square) : random_direction(key, DRAW_OUTWARD);
    float share = 1.0 - u_speed_random * unit(key, DRAW_SPEED);
    p = u_position + offset;
    v = u_velocity + share * (u_outward * away + u_spin * vec3(-away.y, away.x, 0.0)) +
        u_spread * cube_root(unit(key, DRAW_SPREAD_SPEED)) * random_direction(key, DRAW_SPREAD);
    life = birth_life(key);
}

// A particle's share of the size.
float size_factor(uint key, float size_random)
{
    return 1.0 - size_random * unit(key, DRAW_SIZE);
}
