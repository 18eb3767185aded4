#version 330 core
// field_stir_long.frag: the same in a frame of several steps.
// See common/field_step.glsl.
#define WITHOUT_BIRTHS
#define WITHOUT_RINGS
#define WITHOUT_OBSTACLES
#include "common/field_step.glsl"
