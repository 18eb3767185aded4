#version 330 core
// field_fill.frag: first pass of a field born by fill in a frame of one step, under one attractor at most, no
// turbulence and no rings.
// See common/field_step.glsl and common/fill.glsl.
#define WITH_FILL
#define WITHOUT_BIRTHS
#define WITHOUT_SUBSTEPS
#define WITHOUT_TURBULENCE
#define WITHOUT_RINGS
#define WITHOUT_OBSTACLES
#define ATTRACTORS 1
#include "common/field_step.glsl"
