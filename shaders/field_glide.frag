#version 330 core
// field_glide.frag: rows without births in a frame of one step, under one attractor at most and no turbulence.
// See common/field_step.glsl.
#define WITHOUT_BIRTHS
#define WITHOUT_SUBSTEPS
#define WITHOUT_TURBULENCE
#define WITHOUT_RINGS
#define WITHOUT_OBSTACLES
#define ATTRACTORS 1
#include "common/field_step.glsl"
