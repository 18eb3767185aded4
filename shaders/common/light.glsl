// light.glsl: the light of this frame.  It is drawn with a margin around the picture, so that
// points whose middle lies just outside are still there; u_light_inner maps the picture into it.
// Premultiplied: rgb is light, a how much of what lies behind is covered.
uniform sampler2D u_light;
uniform vec4 u_light_inner; // scale x, y, offset x, y

// Sums of half floats overflow to infinity and on to NaN; min() as GLSL defines it makes both the
// limit.
vec4 light_bounded(vec4 light)
{
    return max(min(vec4(30000.0), light), vec4(0.0));
}

vec4 light_at(vec2 uv)
{
    return light_bounded(texture(u_light, uv * u_light_inner.xy + u_light_inner.zw));
}
