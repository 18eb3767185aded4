// The eye of a scene: perspective, looking at the origin from camera/distance, seeing camera/height
// metres there from bottom to top.  Pure.
#pragma once

#include "control/control.h"
#include "gfx/gfx.h"

typedef struct {
    float view_projection[16]; // column-major, onto the picture with its margin
    Vec3 right, up, forward;   // unit; forward is the direction of view
    Vec3 eye;                  // m
    float distance;            // m, from the eye to the origin
    float pixels;              // what 1 m is high, in pixels, 1 m away from the eye
} Camera;

// `orbit`: degrees that the eye has gone round since the start, added to the yaw.  `margin` pixels are
// seen beyond each side of the picture.
Camera camera_of(const Params *params, double orbit, Size picture, int margin);
