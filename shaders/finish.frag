#version 330 core
// finish.frag: the last pass, where the light is as large as the picture.
// in: of finish.glsl; u_offset (of the picture in u_light, pixels)   out: colour, sRGB, opaque
#include "common/finish.glsl"
uniform int u_offset;

vec4 picture_light(vec2 uv)
{
    return light_bounded(texelFetch(u_light, ivec2(gl_FragCoord.xy) + u_offset, 0));
}
