// sprite.glsl: one round sprite as a point, or as a quad where points would be too large.
uniform mat4 u_view_projection;
uniform vec2 u_target;    // pixels, with the margin
uniform float u_pixels;   // what 1 m is high, 1 m away from the eye
uniform float u_distance; // m, from the eye to the origin
uniform float u_softness;
uniform bool u_points;
uniform float u_point_limit; // pixels
uniform float u_cover;       // 1: the sprite covers what is behind it, 0: it adds light
flat out vec4 v_light;       // premultiplied
flat out float v_rise;       // 1 / rise of (1 - r^2) over the edge
out vec2 v_corner;           // -1..1

// A sprite smaller than this would flicker on its way from pixel to pixel; it fades instead.
const float SMALLEST_RADIUS = 1.25; // pixels

void no_sprite()
{
    v_light = vec4(0.0);
    v_rise = 1.0;
    v_corner = vec2(0.0);
    gl_PointSize = 1.0;
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0); // outside
}

// `colour` is linear light and opacity.
void put_sprite(vec3 position, float size, vec4 colour)
{
    vec4 place = u_view_projection * vec4(position, 1.0);
    float depth = place.w;
    // What comes too near the eye fades before it fills the picture.
    float near = smoothstep(0.03, 0.2, depth / u_distance);
    float radius = 0.5 * size * u_pixels / max(depth, 0.001);
    float strength = near * colour.a;
    if (!(strength > 0.0 && radius > 0.0)) {
        no_sprite();
        return;
    }

    float drawn = max(radius, SMALLEST_RADIUS);
    float share = radius / drawn;
    float outer = drawn + 0.5 * (1.0 - u_softness); // the edge of a hard disc lies around its rim
    float edge = min(max(u_softness, 1.0 / outer), 1.0); // its width, a share of the radius
    strength *= share * share;
    v_light = vec4(colour.rgb * strength, strength * u_cover);
    v_rise = 1.0 / (edge * (2.0 - edge));
    v_corner = vec2(float(gl_VertexID & 1), float((gl_VertexID >> 1) & 1)) * 2.0 - 1.0;
    gl_PointSize = min(2.0 * outer, u_point_limit);
    if (!u_points) place.xy += v_corner * 2.0 * outer / u_target * depth;
    gl_Position = place;
}
