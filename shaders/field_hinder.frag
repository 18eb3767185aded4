#version 330 core
// field_hinder.frag: rows without births.
// See common/field_step.glsl.
#define WITHOUT_BIRTHS
#define WITHOUT_RINGS
#include "common/field_step.glsl"
