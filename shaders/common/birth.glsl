// birth.glsl: how one particle of a swarm is born, as law_birth() of src/sim/law.c and
// src/sim/area.c have it.
// Needs rng.glsl and law.glsl (sine_of_turns) in front.
// in:  the swarm's rows (src/control/params.def) as u_area (the area's number), u_area_size,
//      u_area_arc, u_area_lean, u_thickness, u_velocity, u_outward, u_spin, u_spread,
//      u_speed_random, u_life, u_life_random; its Placement (src/sim/sim.h) as u_turn and u_middle;
//      u_patches, what the areas mesh and image give birth on (Patch in src/sim/shape.h)
// out: birth, birth_life, size_factor

uniform int u_area;
uniform vec3 u_area_size;     // m, half sizes
uniform float u_area_arc;     // turns
uniform float u_area_lean;    // how far a cone's side goes outwards for each metre up
uniform float u_thickness;    // 0..1
uniform mat3 u_turn;          // the area's axes
uniform vec3 u_middle;        // m
uniform vec3 u_velocity;      // m/s
uniform float u_outward;      // m/s
uniform float u_spin;         // m/s
uniform float u_spread;       // m/s
uniform float u_speed_random; // 0..1
uniform float u_life;         // s
uniform float u_life_random;  // 0..1

uniform sampler2D u_patches;  // four texels a patch, 256 patches a row
uniform int u_patch_count;    // 0: there are none

const int AREA_SPHERE = 1;
const int AREA_BOX = 2;
const int AREA_CIRCLE = 3;
const int AREA_HEMISPHERE = 4;
const int AREA_CONE = 5;
const int AREA_LINE = 6;
const int AREA_MESH = 7; // and AREA_IMAGE behind it

// What each draw is for; step.h has the same list.
const uint DRAW_AREA_X = 2u;
const uint DRAW_AREA_Y = 3u;
const uint DRAW_AREA_Z = 4u;
const uint DRAW_FACE = 5u;
const uint DRAW_DEPTH = 6u;
const uint DRAW_OUTWARD = 7u;
const uint DRAW_SPEED = 9u;
const uint DRAW_SPREAD = 10u;
const uint DRAW_SPREAD_SPEED = 12u;
const uint DRAW_FRAME = 13u;
const uint DRAW_SIZE_END = 18u;
const uint DRAW_TURNING = 19u;
const uint DRAW_WAIT = 20u;

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

// How far out between 1 - thickness and 1, equally likely by volume; in a ring by area.
float depth_in_body(uint key)
{
    float inner = 1.0 - clamp(u_thickness, 0.0, 1.0);
    float inside = inner * inner * inner;
    return cube_root(inside + (1.0 - inside) * unit(key, DRAW_DEPTH));
}

float depth_in_ring(uint key)
{
    float inner = 1.0 - clamp(u_thickness, 0.0, 1.0);
    float inside = inner * inner;
    return sqrt(inside + (1.0 - inside) * unit(key, DRAW_DEPTH));
}

vec3 random_on_arc(uint key)
{
    float turn = u_area_arc * unit(key, DRAW_AREA_X);
    return vec3(sine_of_turns(turn + 0.25), 0.0, sine_of_turns(turn));
}

// How far up a cone, 0..1.
float random_height(uint key)
{
    float wider = u_area_size.y * u_area_lean;
    float even = u_area_size.x * u_area_size.z;
    float rising = (u_area_size.x + u_area_size.z) * wider / 2.0;
    float part = unit(key, DRAW_FACE) * (even + rising + wider * wider / 3.0);
    float share = unit(key, DRAW_AREA_Y);
    if (part <= even) return share;
    return part < even + rising ? sqrt(share) : cube_root(share);
}

vec3 random_in_cone(uint key, out vec3 direction)
{
    vec3 on = random_on_arc(key);
    float depth = depth_in_ring(key), lean = depth * u_area_lean;
    vec3 along = vec3(on.x * lean, 1.0, on.z * lean);
    direction = normalize(along);
    return on * depth * u_area_size + along * (u_area_size.y * random_height(key));
}

vec4 patch_texel(int patch_number, int texel)
{
    return texelFetch(u_patches, ivec2((patch_number & 255) * 4 + texel, patch_number >> 8), 0);
}

vec3 random_on_patch(uint key, out vec3 direction)
{
    int number = int(min(unit(key, DRAW_FACE) * float(u_patch_count), float(u_patch_count - 1)));
    if (!(unit(key, DRAW_DEPTH) < patch_texel(number, 0).w)) number = int(patch_texel(number, 1).w);
    vec4 side = patch_texel(number, 2);
    float a = unit(key, DRAW_AREA_X), b = unit(key, DRAW_AREA_Y);
    if (side.w > 0.0 && a + b > 1.0) {
        a = 1.0 - a;
        b = 1.0 - b;
    }
    direction = patch_texel(number, 3).xyz;
    return (patch_texel(number, 0).xyz + a * patch_texel(number, 1).xyz + b * side.xyz) * u_area_size;
}

vec3 random_offset(uint key)
{
    if (u_area == AREA_SPHERE) return random_direction(key, DRAW_AREA_X) * depth_in_body(key) * u_area_size;
    if (u_area == AREA_BOX) return random_on_cube(key) * depth_in_body(key) * u_area_size;
    if (u_area == AREA_CIRCLE) return random_on_arc(key) * depth_in_ring(key) * u_area_size;
    if (u_area == AREA_HEMISPHERE) {
        vec3 on = random_direction(key, DRAW_AREA_X);
        return vec3(on.x, abs(on.y), on.z) * depth_in_body(key) * u_area_size;
    }
    if (u_area == AREA_LINE) {
        float inner = 1.0 - clamp(u_thickness, 0.0, 1.0);
        float side = unit(key, DRAW_FACE) < 0.5 ? -1.0 : 1.0;
        return vec3(side * (inner + (1.0 - inner) * unit(key, DRAW_DEPTH)) * u_area_size.x, 0.0, 0.0);
    }
    return vec3(0.0);
}

// Life, size and rotation are bits of the key itself, each its own.
float birth_life(uint key)
{
    return u_life * (1.0 - u_life_random * (1.0 / 2048.0) * float(key & 2047u));
}

// At age 0.
void birth(uint key, out vec3 p, out vec3 v, out float life)
{
    vec3 offset, direction = vec3(0.0);
    if (u_area == AREA_CONE)
        offset = random_in_cone(key, direction);
    else if (u_area >= AREA_MESH && u_patch_count > 0)
        offset = random_on_patch(key, direction);
    else
        offset = random_offset(key);
    float square = dot(offset, offset);
    vec3 away = square > 1e-12 ? offset / sqrt(square) : random_direction(key, DRAW_OUTWARD);
    if (u_area == AREA_LINE) direction = vec3(0.0, 1.0, 0.0);
    if (dot(direction, direction) == 0.0) direction = away;
    float share = 1.0 - u_speed_random * unit(key, DRAW_SPEED);
    v = u_velocity + share * (u_outward * direction + u_spin * vec3(-away.y, away.x, 0.0)) +
        u_spread * cube_root(unit(key, DRAW_SPREAD_SPEED)) * random_direction(key, DRAW_SPREAD);
    p = u_middle + u_turn * offset;
    v = u_turn * v;
    life = birth_life(key);
}

// A particle's share of the size.
float size_factor(uint key, float size_random)
{
    return 1.0 - size_random * (1.0 / 2048.0) * float((key >> 11) & 2047u);
}
