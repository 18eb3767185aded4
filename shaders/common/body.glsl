// body.glsl: one particle as a lit body of triangles, turned about an axis of its own.
// in:  a corner of the mesh and its normal (a cube of half side 1); the camera; the swarm's linear
//      tint x intensity and opacity, and of its second vector whether it covers (as in sprite.glsl)
// out: gl_Position, and what body.frag takes
layout(location = 6) in vec3 a_corner;
layout(location = 7) in vec3 a_normal;
uniform mat4 u_view_projection;
uniform float u_pixels;   // what 1 m is high, 1 m away from the eye
uniform float u_distance; // m, from the eye to the origin
uniform vec3 u_eye;       // m
uniform vec4 u_swarms[192];
flat out vec4 v_light; // light and opacity, before it is lit
flat out float v_cover;
out vec3 v_normal;
out vec3 v_to_eye;

const float SMALLEST_BODY = 1.0; // pixels of half a side: below it fades instead of flickering

// Any of 256 axes, spread over the sphere (golden angle).
vec3 axis_of(float number)
{
    float y = 1.0 - (number + 0.5) / 128.0;
    float angle = 2.39996323 * number;
    return vec3(cos(angle) * sqrt(1.0 - y * y), y, sin(angle) * sqrt(1.0 - y * y));
}

// Rodrigues' rotation.
vec3 turn_about(vec3 v, vec3 axis, float turns)
{
    float c = cos(6.2831853 * turns), s = sin(6.2831853 * turns);
    return v * c + cross(axis, v) * s + axis * dot(axis, v) * (1.0 - c);
}

void put_body(vec3 position, float size, vec4 colour, float turns, float axis_number, int swarm)
{
    vec4 tint = u_swarms[3 * swarm];
    float depth = (u_view_projection * vec4(position, 1.0)).w;
    float near = smoothstep(0.03, 0.2, depth / u_distance);
    float radius = 0.5 * size * u_pixels / max(depth, 0.001);
    float strength = near * colour.a * tint.a;
    v_light = vec4(0.0);
    v_cover = u_swarms[3 * swarm + 1].z >= 4.0 ? 1.0 : 0.0;
    v_normal = v_to_eye = vec3(0.0, 0.0, 1.0);
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0); // outside
    if (!(strength > 0.0 && radius > 0.0)) return;

    float drawn = max(radius, SMALLEST_BODY), share = radius / drawn;
    vec3 axis = axis_of(axis_number);
    vec3 place = position + turn_about(a_corner, axis, turns) * (0.5 * size / share);
    v_light = vec4(colour.rgb * tint.rgb, strength * share * share);
    v_normal = turn_about(a_normal, axis, turns);
    v_to_eye = u_eye - place;
    gl_Position = u_view_projection * vec4(place, 1.0);
}
