#version 330 core
// sprite.frag: a round sprite on a quad: without the sheet that sheet.frag may read.
// in: v_corner; and of disc.glsl   out: light, premultiplied
#include "common/disc.glsl"
in vec2 v_corner;
out vec4 colour;

void main()
{
    colour = disc(v_corner);
}
