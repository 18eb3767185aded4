#version 330 core
// field_fill_stir.frag: the same where nothing is in the way.
// See common/field_step.glsl and common/fill.glsl.
#define WITH_FILL
#define WITHOUT_BIRTHS
#define WITHOUT_OBSTACLES
#include "common/field_step.glsl"
