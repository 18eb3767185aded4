// disc.glsl: a round sprite: a disc with a one-pixel edge, or light that falls off to nothing at its
// rim.
// in: v_light (premultiplied), v_rise (how steep the edge is)   out: disc
flat in vec4 v_light;
flat in float v_rise;

// Light at a place of the sprite, -1..1.
vec4 disc(vec2 at)
{
    float inside = clamp((1.0 - dot(at, at)) * v_rise, 0.0, 1.0);
    return v_light * (inside * inside);
}
