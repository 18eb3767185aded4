// sprite.glsl: one sprite as a point, or as a quad: a disc, or a frame of a sheet.
// in:  the camera and the picture, and of each swarm three vectors: linear tint x intensity and
//      opacity; softness, stretch, facing + 4 x cover, frames; layer of its sheet (0: a disc),
//      columns, size of a frame as a share of the sheet
// out: gl_Position, gl_PointSize and what disc.glsl and sheet.frag take
uniform mat4 u_view_projection;
uniform vec2 u_target;    // pixels, with the margin
uniform float u_pixels;   // what 1 m is high, 1 m away from the eye
uniform float u_distance; // m, from the eye to the origin
uniform vec3 u_eye;       // m
uniform bool u_points;
uniform float u_point_limit; // pixels
uniform float u_sheet_side;  // texels
uniform vec4 u_swarms[192];
flat out vec4 v_light; // premultiplied
flat out float v_rise; // 1 / rise of (1 - r^2) over the edge
flat out vec4 v_cells; // corners of the two frames that are seen, shares of the sheet
flat out vec4 v_sheet; // layer, size of a frame, how much of the second one
flat out vec3 v_level; // mip level, how far from the frame's sides its picture begins
out vec2 v_corner;     // -1..1, y up

// A sprite smaller than this would flicker on its way from pixel to pixel; it fades instead.
const float SMALLEST_RADIUS = 1.25; // pixels

const int FACING_HORIZONTAL = 1;
const int FACING_VERTICAL = 2;
const int FACING_STRETCHED = 3;

struct Sprite {
    vec3 position;
    float size;     // m, diameter
    vec4 colour;    // linear light, opacity
    float rotation; // turns, counter-clockwise
    float frame;
    vec3 velocity;
};

void no_sprite()
{
    v_light = vec4(0.0);
    v_rise = 1.0;
    v_cells = vec4(0.0);
    v_sheet = vec4(0.0);
    v_level = vec3(0.0);
    v_corner = vec2(0.0);
    gl_PointSize = 1.0;
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0); // outside
}

vec2 frame_corner(float frame, vec4 sheet)
{
    float row = floor((frame + 0.5) / sheet.y);
    return vec2(frame - row * sheet.y, row) * sheet.zw;
}

// `radius` in pixels: by it the mip level is chosen, and how far a frame's rim must be kept from its
// neighbours.
void put_frame(float frame, float frames, vec4 sheet, float radius)
{
    float whole = min(floor(frame), max(frames - 1.0, 0.0));
    float next = whole + 1.0 < frames ? whole + 1.0 : 0.0;
    vec2 texels = sheet.zw * u_sheet_side;
    float most = max(log2(min(texels.x, texels.y)) - 2.0, 0.0);
    float level = clamp(log2(min(texels.x, texels.y) / (2.0 * radius)), 0.0, most);
    v_cells = vec4(frame_corner(whole, sheet), frame_corner(next, sheet));
    v_sheet = vec4(sheet.x, sheet.zw, frame - whole);
    v_level = vec3(level, 0.5 * exp2(ceil(level)) / texels);
}

// By how much a corner is away from the sprite's middle, on the picture: `reach` in pixels.
vec2 turned(vec2 reach, float turns)
{
    float c = cos(6.2831853 * turns), s = sin(6.2831853 * turns);
    return vec2(c * reach.x - s * reach.y, s * reach.x + c * reach.y);
}

// A sprite that lies in space.  At its distance a pixel is `pixel` m.
vec4 laid(Sprite sprite, vec2 reach, float pixel, int facing)
{
    vec3 right = vec3(1.0, 0.0, 0.0), up = vec3(0.0, 0.0, -1.0);
    if (facing == FACING_VERTICAL) {
        vec2 to_eye = u_eye.xz - sprite.position.xz;
        right = dot(to_eye, to_eye) > 1e-12 ? normalize(vec3(to_eye.y, 0.0, -to_eye.x)) : right;
        up = vec3(0.0, 1.0, 0.0);
    }
    vec2 at = turned(reach, sprite.rotation) * pixel;
    return u_view_projection * vec4(sprite.position + right * at.x + up * at.y, 1.0);
}

// How far the velocity carries it over the picture in a second, in pixels.
vec2 seen_velocity(vec3 velocity, vec4 place)
{
    vec4 moved = u_view_projection * vec4(velocity, 0.0);
    return 0.5 * u_target * (moved.xy * place.w - place.xy * moved.w) / (place.w * place.w);
}

vec4 facing_eye(vec4 place, vec2 reach)
{
    return vec4(place.xy + reach * 2.0 / u_target * place.w, place.zw);
}

// Longer along its way over the picture, which the sprite's top points to.
vec4 stretched(Sprite sprite, vec4 place, vec2 corner, float outer, float stretch)
{
    vec2 way = seen_velocity(sprite.velocity, place) * stretch;
    float longer = min(length(way), 2.0 * u_target.y);
    vec2 up = longer > 1e-3 ? normalize(way) : vec2(0.0, 1.0);
    vec2 reach = corner.x * outer * vec2(up.y, -up.x) + corner.y * (outer + 0.5 * longer) * up;
    return facing_eye(place, reach);
}

void put_sprite(Sprite sprite, int swarm)
{
    vec4 tint = u_swarms[3 * swarm], drawn_as = u_swarms[3 * swarm + 1];
    float softness = drawn_as.x;
    bool covers = drawn_as.z >= 4.0;
    vec4 place = u_view_projection * vec4(sprite.position, 1.0);
    float depth = place.w;
    // What comes too near the eye fades before it fills the picture.
    float near = smoothstep(0.03, 0.2, depth / u_distance);
    float radius = 0.5 * sprite.size * u_pixels / max(depth, 0.001);
    float strength = near * sprite.colour.a * tint.a;
    if (!(strength > 0.0 && radius > 0.0)) {
        no_sprite();
        return;
    }

    float drawn = max(radius, SMALLEST_RADIUS);
    float share = radius / drawn;
    float outer = drawn + 0.5 * (1.0 - softness); // the edge of a hard disc lies around its rim
    float edge = min(max(softness, 1.0 / outer), 1.0); // its width, a share of the radius
    strength *= share * share;
    v_light = vec4(sprite.colour.rgb * tint.rgb * strength, covers ? strength : 0.0);
    v_rise = 1.0 / (edge * (2.0 - edge));
    v_cells = vec4(0.0);
    v_sheet = vec4(0.0);
    v_level = vec3(0.0);
    v_corner = vec2(float(gl_VertexID & 1), float((gl_VertexID >> 1) & 1)) * 2.0 - 1.0;
    gl_PointSize = min(2.0 * outer, u_point_limit);
    gl_Position = place;
    if (u_points) return;

    vec4 sheet = u_swarms[3 * swarm + 2];
    int facing = int(drawn_as.z) & 3;
    if (sheet.x > 0.0) {
        outer = drawn;
        put_frame(sprite.frame, drawn_as.w, sheet, drawn);
    }
    if (facing == FACING_STRETCHED)
        gl_Position = stretched(sprite, place, v_corner, outer, drawn_as.y);
    else if (facing != 0)
        gl_Position = laid(sprite, v_corner * outer, depth / u_pixels, facing);
    else
        gl_Position = facing_eye(place, turned(v_corner * outer, sprite.rotation));
}
