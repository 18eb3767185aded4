#include "sim/area.h"

static float unit(uint32_t key, uint32_t draw)
{
    return rng_unit(rng_draw(key, draw));
}

Vec3 random_direction(uint32_t key, uint32_t draw)
{
    const float z = 2 * unit(key, draw) - 1;
    const float turn = unit(key, draw + 1);
    const float ring = sqrtf(1 - z * z);
    return (Vec3){ ring * sine_of_turns(turn + 0.25f), ring * sine_of_turns(turn), z };
}

// A guess from the exponent's third, then Newton.
float cube_root(float x)
{
    if (!(x > 1e-12f)) return 0;
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = bits / 3 + 709921077U;
    float y;
    memcpy(&y, &bits, sizeof y);
    for (int n = 0; n < 3; n++) y = (2 * y + x / (y * y)) * (1.0f / 3);
    return y;
}

// ---- how far out ----

static float inner_of(const float *values)
{
    return 1 - clampf(values[SWARM_THICKNESS], 0, 1);
}

// How far out in a shell between 1 - thickness and 1, equally likely by volume.
static float depth_in_body(const float *values, uint32_t key)
{
    const float inner = inner_of(values);
    const float inside = inner * inner * inner;
    return cube_root(inside + (1 - inside) * unit(key, DRAW_DEPTH));
}

// The same in a ring, by area.
static float depth_in_ring(const float *values, uint32_t key)
{
    const float inside = inner_of(values) * inner_of(values);
    return sqrtf(inside + (1 - inside) * unit(key, DRAW_DEPTH));
}

static float depth_on_line(const float *values, uint32_t key)
{
    const float inner = inner_of(values);
    return inner + (1 - inner) * unit(key, DRAW_DEPTH);
}

// ---- where on the surface ----

// A place on the cube of half size 1: each pair of faces is as likely as the other two, which fills
// a box evenly, whatever its sides, once scaled by the depth.
static Vec3 random_on_cube(uint32_t key)
{
    const float face = 3 * unit(key, DRAW_FACE);
    const int axis = (int)face;
    const float side = face - (float)axis < 0.5f ? -1 : 1;
    return (Vec3){
        axis == 0 ? side : 2 * unit(key, DRAW_AREA_X) - 1,
        axis == 1 ? side : 2 * unit(key, DRAW_AREA_Y) - 1,
        axis == 2 ? side : 2 * unit(key, DRAW_AREA_Z) - 1,
    };
}

// On the circle of radius 1 across y, as far round as the arc goes.
static Vec3 random_on_arc(const float *values, uint32_t key)
{
    const float turn = values[SWARM_AREA_ARC] / 360 * unit(key, DRAW_AREA_X);
    return (Vec3){ sine_of_turns(turn + 0.25f), 0, sine_of_turns(turn) };
}

static Vec3 scaled(Vec3 v, float depth, const float *values)
{
    return (Vec3){ v.x * depth * values[SWARM_AREA_X], v.y * depth * values[SWARM_AREA_Y],
                   v.z * depth * values[SWARM_AREA_Z] };
}

// ---- the cone ----

float area_lean(const float *values)
{
    const float turns = clampf(values[SWARM_AREA_ANGLE], 0, 89) / 360;
    return sine_of_turns(turns) / sine_of_turns(turns + 0.25f);
}

// How far up a cone, 0..1, equally likely by volume.  It is as wide as (x + s y lean) times
// (z + s y lean) at the share s of its height: a constant, a part that grows with s and one that
// grows with its square, each of which is drawn as often as it is large.
static float random_height(const float *values, uint32_t key)
{
    const float x = values[SWARM_AREA_X], z = values[SWARM_AREA_Z];
    const float wider = values[SWARM_AREA_Y] * area_lean(values);
    const float even = x * z, rising = (x + z) * wider / 2, square = wider * wider / 3;
    const float part = unit(key, DRAW_FACE) * (even + rising + square);
    const float share = unit(key, DRAW_AREA_Y);
    if (part <= even) return share;
    return part < even + rising ? sqrtf(share) : cube_root(share);
}

static Vec3 normalised(Vec3 v)
{
    const float inverse = 1 / sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
    return (Vec3){ v.x * inverse, v.y * inverse, v.z * inverse };
}

static Spot cone_spot(const float *values, uint32_t key)
{
    const Vec3 on = random_on_arc(values, key);
    const float depth = depth_in_ring(values, key), lean = depth * area_lean(values);
    const Vec3 along = { on.x * lean, 1, on.z * lean };
    const float up = values[SWARM_AREA_Y] * random_height(values, key);
    return (Spot){
        .offset = { on.x * depth * values[SWARM_AREA_X] + along.x * up, up,
                    on.z * depth * values[SWARM_AREA_Z] + along.z * up },
        .direction = normalised(along),
    };
}

// ---- mesh and image ----

static Spot patch_spot(const float *values, const Shape *shape, uint32_t key)
{
    Spot spot;
    spot.offset = scaled(shape_place(shape, key, &spot.direction), 1, values);
    return spot;
}

// ---- all ----

static Vec3 offset_in(const float *values, uint32_t key)
{
    switch ((int)values[SWARM_AREA]) {
    case AREA_SPHERE:
        return scaled(random_direction(key, DRAW_AREA_X), depth_in_body(values, key), values);
    case AREA_BOX:
        return scaled(random_on_cube(key), depth_in_body(values, key), values);
    case AREA_CIRCLE:
        return scaled(random_on_arc(values, key), depth_in_ring(values, key), values);
    case AREA_HEMISPHERE: {
        const Vec3 on = random_direction(key, DRAW_AREA_X);
        return scaled((Vec3){ on.x, fabsf(on.y), on.z }, depth_in_body(values, key), values);
    }
    case AREA_LINE: {
        const float side = unit(key, DRAW_FACE) < 0.5f ? -1 : 1;
        return scaled((Vec3){ side, 0, 0 }, depth_on_line(values, key), values);
    }
    default:
        return (Vec3){ 0, 0, 0 };
    }
}

static Vec3 away_from_middle(Vec3 offset, uint32_t key)
{
    const float square = offset.x * offset.x + offset.y * offset.y + offset.z * offset.z;
    if (!(square > 1e-12f)) return random_direction(key, DRAW_OUTWARD);
    const float inverse = 1 / sqrtf(square);
    return (Vec3){ offset.x * inverse, offset.y * inverse, offset.z * inverse };
}

static bool points_nowhere(Vec3 direction)
{
    return direction.x == 0 && direction.y == 0 && direction.z == 0;
}

Spot area_spot(const float *values, const Shape *shape, uint32_t key)
{
    const int area = (int)values[SWARM_AREA];
    Spot spot;
    if (area == AREA_CONE)
        spot = cone_spot(values, key);
    else if (area >= AREA_MESH && shape)
        spot = patch_spot(values, shape, key);
    else
        spot = (Spot){ .offset = offset_in(values, key) };
    spot.away = away_from_middle(spot.offset, key);
    if (area == AREA_LINE)
        spot.direction = (Vec3){ 0, 1, 0 };
    else if (points_nowhere(spot.direction))
        spot.direction = spot.away;
    return spot;
}
