#version 330 core
// field_stir.frag: rows without births in a frame of one step, where nothing is in the way.
// See common/field_step.glsl.
#define WITHOUT_BIRTHS
#define WITHOUT_SUBSTEPS
#define WITHOUT_RINGS
#define WITHOUT_OBSTACLES
#include "common/field_step.glsl"
