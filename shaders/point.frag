#version 330 core
// point.frag: a round sprite on a point: a program of its own, because one that asks at each pixel
// which of the two it is on costs a third more without a GPU.
// in: of disc.glsl   out: light, premultiplied
#include "common/disc.glsl"
out vec4 colour;

void main()
{
    colour = disc(gl_PointCoord * 2.0 - 1.0);
}
