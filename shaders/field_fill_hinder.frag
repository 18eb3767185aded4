#version 330 core
// field_fill_hinder.frag: the same with all that there is.
// See common/field_step.glsl and common/fill.glsl.
#define WITH_FILL
#define WITHOUT_BIRTHS
#include "common/field_step.glsl"
