#version 330 core
// finish_scaled.frag: the last pass, where the light is smaller than the picture.  No sprite is finer
// than 2.5 pixels of the light, so straight lines between them lose nothing that a dearer filter would
// find.  A program of its own, as the usual case is read without filtering.
// in: of finish.glsl   out: colour, sRGB, opaque
#include "common/finish.glsl"

vec4 picture_light(vec2 uv)
{
    return light_at(uv);
}
