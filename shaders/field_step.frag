#version 330 core
// field_step.frag: a frame of a field with all that there is.
// See common/field_step.glsl.
#include "common/field_step.glsl"
