#version 330 core
// bloom_down.frag: a level of the glow from the finer one before it: 13 bilinear taps in five
// overlapping boxes, so that a small bright thing does not pulse while it moves.  Keeps the energy.
// in: u_source (the finer level), u_step (half a pixel of the target in uv)   out: colour, linear
uniform sampler2D u_source;
uniform vec2 u_step;
in vec2 v_uv;
out vec4 colour;

vec3 tap(float x, float y)
{
    return min(vec3(60000.0), texture(u_source, v_uv + u_step * vec2(x, y)).rgb);
}

void main()
{
    vec3 middle = tap(-1.0, -1.0) + tap(1.0, -1.0) + tap(-1.0, 1.0) + tap(1.0, 1.0);
    vec3 corners = tap(-2.0, -2.0) + tap(2.0, -2.0) + tap(-2.0, 2.0) + tap(2.0, 2.0);
    vec3 sides = tap(0.0, -2.0) + tap(0.0, 2.0) + tap(-2.0, 0.0) + tap(2.0, 0.0);
    vec3 centre = tap(0.0, 0.0);
    colour = vec4(0.125 * middle + 0.03125 * corners + 0.0625 * sides + 0.125 * centre, 1.0);
}
