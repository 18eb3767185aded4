#version 330 core
// sprite.frag: a round sprite: a disc with a one-pixel edge, or light that falls off to nothing at
// its rim.
// in: v_light (premultiplied), v_rise (how steep the edge is), v_corner, u_points
// out: light, premultiplied
uniform bool u_points;
flat in vec4 v_light;
flat in float v_rise;
in vec2 v_corner;
out vec4 colour;

void main()
{
    vec2 at = u_points ? gl_PointCoord * 2.0 - 1.0 : v_corner;
    float inside = clamp((1.0 - dot(at, at)) * v_rise, 0.0, 1.0);
    colour = v_light * (inside * inside);
}
