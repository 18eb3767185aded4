#version 330 core
// field_surge.frag: rows without births that the spectrum pushes, where nothing is in the way.
// See common/field_step.glsl.
#define WITHOUT_BIRTHS
#define WITHOUT_OBSTACLES
#include "common/field_step.glsl"
