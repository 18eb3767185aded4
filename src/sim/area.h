// Inside sim: where in an area a particle is born, and which way the area points there.
// shaders/common/birth.glsl has the same areas.
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

typedef struct {
    Vec3 offset;    // m, from the area's middle, along its own axes
    Vec3 direction; // unit; where there is none of its own, any
    Vec3 away;      // unit: from the middle to the place; in the middle, any
} Spot;

// `shape` as in Placement.
Spot area_spot(const float *values, const Shape *shape, uint32_t key);
