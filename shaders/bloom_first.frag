#version 330 core
// bloom_first.frag: the light of the picture (this frame's and the trail's), made smaller by
// u_ratio.
// in: u_light, u_trail, u_trail_amount, u_pixel (size of a pixel of the picture in uv), u_ratio
//     (1..4)
// out: colour, linear
#include "common/light.glsl"
uniform sampler2D u_trail;
uniform float u_trail_amount;
uniform vec2 u_pixel;
uniform float u_ratio;
in vec2 v_uv;
out vec4 colour;

vec3 picture_at(vec2 uv)
{
    vec3 light = light_at(uv).rgb;
    if (u_trail_amount > 0.0) light += u_trail_amount * texture(u_trail, uv).rgb;
    return light;
}

// Four bilinear taps cover what one pixel of the target stands for.
void main()
{
    vec2 reach = u_pixel * (0.25 * u_ratio + 0.25);
    vec3 sum = picture_at(v_uv + reach * vec2(-1.0, -1.0));
    sum += picture_at(v_uv + reach * vec2(1.0, -1.0));
    sum += picture_at(v_uv + reach * vec2(-1.0, 1.0));
    sum += picture_at(v_uv + reach * vec2(1.0, 1.0));
    colour = vec4(0.25 * sum, 1.0);
}
