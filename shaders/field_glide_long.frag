#version 330 core
// field_glide_long.frag: the same in a frame of several steps.
// See common/field_step.glsl.
#define WITHOUT_BIRTHS
#define WITHOUT_TURBULENCE
#define WITHOUT_RINGS
#define WITHOUT_OBSTACLES
#define ATTRACTORS 1
#include "common/field_step.glsl"
