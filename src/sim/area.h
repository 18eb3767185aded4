// Inside sim: where in an area a particle is born, which way the area points there, and how fast it
// goes: the law of birth, as pieces of which kernels are made.  shaders/common/birth.glsl is the
// same law.
//
//   point        one place; the direction is any
//   sphere, box  around the middle; the direction leads away from it
//   circle       flat, across y: half sizes x and z; away from the middle
//   hemisphere   the upper half of a sphere; away from the middle
//   cone         a circle that goes up by size y and opens by the angle; along the nearest line of
//                the cone, so the farther out, the more it leans
//   line         along x; up
//   mesh, image  on a patch of the shape (shape.h); along its normal.  Without a shape, as a point
//
// `thickness` fills evenly between the surface and the surface shrunk towards the middle (a cone's:
// towards its axis) by 1 - thickness; a line's surface is its ends.
#pragma once

#include "sim/step.h"

// What all births of an emitter or field share in a frame.
typedef struct {
    int area;
    float x, y, z; // m, half sizes
    float arc;     // turns
    float inner;   // how far out a thick area begins, 0..1
    float lean;    // how far a cone's side goes outwards for each metre up
    Vec3 velocity; // m/s, along its own axes, like outward, spin and spread
    float outward, spin, spread, speed_random;
    float life, life_random; // s
    Placement place;
} Emission;

// `values` as for law_birth.
Emission emission_of(const float *values, const Placement *place);

typedef struct {
    Vec3 offset;    // m, from the area's middle, along its own axes
    Vec3 direction; // unit; where there is none of its own, any
    Vec3 away;      // unit: from the middle to the place; in the middle, any
} Spot;

// ---- chance -------------------------------------------------------------------------------------

INLINED float unit_draw(uint32_t key, uint32_t draw)
{
    return rng_unit(rng_draw(key, draw));
}

// A direction, all equally likely, from two draws.
INLINED Vec3 random_direction(uint32_t key, uint32_t draw)
{
    const float z = 2 * unit_draw(key, draw) - 1;
    const float turn = unit_draw(key, draw + 1);
    const float ring = __builtin_sqrtf(1 - z * z);
    return (Vec3){ ring * sine_of_turns(turn + 0.25f), ring * sine_of_turns(turn), z };
}

// Of 0..1: a guess from the exponent's third, then Newton.
INLINED float cube_root(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = bits / 3 + 709921077U;
    float y;
    memcpy(&y, &bits, sizeof y);
#pragma GCC unroll 3
    for (int n = 0; n < 3; n++) y = (2 * y + x / (y * y)) * (1.0f / 3);
    return x > 1e-12f ? y : 0;
}

// ---- how far out --------------------------------------------------------------------------------

// How far out in a shell between 1 - thickness and 1, equally likely by volume.
INLINED float depth_in_body(const Emission *e, uint32_t key)
{
    const float inner = e->inner;
    const float inside = inner * inner * inner;
    return cube_root(inside + (1 - inside) * unit_draw(key, DRAW_DEPTH));
}

// The same in a ring, by area.
INLINED float depth_in_ring(const Emission *e, uint32_t key)
{
    const float inside = e->inner * e->inner;
    return __builtin_sqrtf(inside + (1 - inside) * unit_draw(key, DRAW_DEPTH));
}

INLINED float depth_on_line(const Emission *e, uint32_t key)
{
    const float inner = e->inner;
    return inner + (1 - inner) * unit_draw(key, DRAW_DEPTH);
}

// ---- where on the surface -----------------------------------------------------------------------

// A place on the cube of half size 1: each pair of faces is as likely as the other two, which fills
// a box evenly, whatever its sides, once scaled by the depth.
INLINED Vec3 random_on_cube(uint32_t key)
{
    const float face = 3 * unit_draw(key, DRAW_FACE);
    const int axis = (int)face;
    const float side = face - (float)axis < 0.5f ? -1 : 1;
    const float x = 2 * unit_draw(key, DRAW_AREA_X) - 1, y = 2 * unit_draw(key, DRAW_AREA_Y) - 1;
    const float z = 2 * unit_draw(key, DRAW_AREA_Z) - 1;
    return (Vec3){ axis == 0 ? side : x, axis == 1 ? side : y, axis == 2 ? side : z };
}

// On the circle of radius 1 across y, as far round as the arc goes.
INLINED Vec3 random_on_arc(const Emission *e, uint32_t key)
{
    const float turn = e->arc * unit_draw(key, DRAW_AREA_X);
    return (Vec3){ sine_of_turns(turn + 0.25f), 0, sine_of_turns(turn) };
}

INLINED Vec3 scaled(Vec3 v, float depth, const Emission *e)
{
    return (Vec3){ v.x * depth * e->x, v.y * depth * e->y, v.z * depth * e->z };
}

// ---- the cone -----------------------------------------------------------------------------------

// How far up a cone, 0..1, equally likely by volume.  It is as wide as (x + s y lean) times
// (z + s y lean) at the share s of its height: a constant, a part that grows with s and one that
// grows with its square, each of which is drawn as often as it is large.
INLINED float random_height(const Emission *e, uint32_t key)
{
    const float x = e->x, z = e->z;
    const float wider = e->y * e->lean;
    const float even = x * z, rising = (x + z) * wider / 2, square = wider * wider / 3;
    const float part = unit_draw(key, DRAW_FACE) * (even + rising + square);
    const float share = unit_draw(key, DRAW_AREA_Y);
    const float root = __builtin_sqrtf(share), cubic = cube_root(share);
    return part <= even ? share : part < even + rising ? root : cubic;
}

INLINED Vec3 normalised(Vec3 v)
{
    const float inverse = 1 / __builtin_sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
    return (Vec3){ v.x * inverse, v.y * inverse, v.z * inverse };
}

INLINED Spot cone_spot(const Emission *e, uint32_t key)
{
    const Vec3 on = random_on_arc(e, key);
    const float depth = depth_in_ring(e, key), lean = depth * e->lean;
    const Vec3 along = { on.x * lean, 1, on.z * lean };
    const float up = e->y * random_height(e, key);
    return (Spot){
        .offset = { on.x * depth * e->x + along.x * up, up, on.z * depth * e->z + along.z * up },
        .direction = normalised(along),
    };
}

// ---- mesh and image -----------------------------------------------------------------------------

INLINED Spot patch_spot(const Emission *e, uint32_t key)
{
    Spot spot;
    spot.offset = scaled(shape_place(e->place.shape, key, &spot.direction), 1, e);
    return spot;
}

// ---- all ----------------------------------------------------------------------------------------

INLINED Vec3 offset_in(int area, const Emission *e, uint32_t key)
{
    switch (area) {
    case AREA_SPHERE:
        return scaled(random_direction(key, DRAW_AREA_X), depth_in_body(e, key), e);
    case AREA_BOX:
        return scaled(random_on_cube(key), depth_in_body(e, key), e);
    case AREA_CIRCLE:
        return scaled(random_on_arc(e, key), depth_in_ring(e, key), e);
    case AREA_HEMISPHERE: {
        const Vec3 on = random_direction(key, DRAW_AREA_X);
        return scaled((Vec3){ on.x, __builtin_fabsf(on.y), on.z }, depth_in_body(e, key), e);
    }
    case AREA_LINE: {
        const float side = unit_draw(key, DRAW_FACE) < 0.5f ? -1 : 1;
        return scaled((Vec3){ side, 0, 0 }, depth_on_line(e, key), e);
    }
    default:
        return (Vec3){ 0, 0, 0 };
    }
}

INLINED Vec3 away_from_middle(Vec3 offset, uint32_t key)
{
    const float square = offset.x * offset.x + offset.y * offset.y + offset.z * offset.z;
    const float inverse = 1 / __builtin_sqrtf(square);
    const Vec3 any = random_direction(key, DRAW_OUTWARD);
    return square > 1e-12f ? (Vec3){ offset.x * inverse, offset.y * inverse, offset.z * inverse }
                           : any;
}

INLINED bool points_nowhere(Vec3 direction)
{
    return direction.x == 0 && direction.y == 0 && direction.z == 0;
}

// In an area of that kind.  A loop over many keys becomes vectors where `area` is a constant.
INLINED Spot spot_in(int area, const Emission *e, uint32_t key)
{
    const bool on_patch = area >= AREA_MESH && e->place.shape;
    Spot spot;
    if (area == AREA_CONE)
        spot = cone_spot(e, key);
    else if (on_patch)
        spot = patch_spot(e, key);
    else
        spot = (Spot){ .offset = offset_in(area, e, key) };
    spot.away = away_from_middle(spot.offset, key);
    if (area == AREA_LINE)
        spot.direction = (Vec3){ 0, 1, 0 };
    else if (area != AREA_CONE && (!on_patch || points_nowhere(spot.direction)))
        spot.direction = spot.away;
    return spot;
}

// See law_birth.
INLINED Particle birth_in(int area, const Emission *e, uint32_t key)
{
    const Spot spot = spot_in(area, e, key);
    const Vec3 out = spot.direction, away = spot.away;
    const Vec3 any = random_direction(key, DRAW_SPREAD);
    const float share = 1 - e->speed_random * unit_draw(key, DRAW_SPEED);
    const float outward = e->outward * share, spin = e->spin * share;
    const float spread = e->spread * cube_root(unit_draw(key, DRAW_SPREAD_SPEED));
    const Vec3 velocity = {
        e->velocity.x + outward * out.x - spin * away.y + spread * any.x,
        e->velocity.y + outward * out.y + spin * away.x + spread * any.y,
        e->velocity.z + outward * out.z + spread * any.z,
    };
    return (Particle){
        .position = placement_point(&e->place, spot.offset),
        .velocity = placement_turn(&e->place, velocity),
        .life = life_of(e->life, e->life_random, key),
    };
}
