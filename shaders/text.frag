#version 330 core
// text.frag: a letter from its distances, one pixel soft at any height, or a filled rectangle.
// in:  v_at, v_cell, v_filled, v_color (text.vert), u_atlas (distances, 128 / 255 on the edge),
//      u_cell (size of a cell, texels), u_slope (change of distance a texel)
// out: color, as given, alpha not multiplied in
in vec2 v_at;
flat in vec2 v_cell;
flat in int v_filled;
flat in vec4 v_color;

uniform sampler2D u_atlas;
uniform vec2 u_cell;
uniform float u_slope;

out vec4 color;

void main()
{
    // Held half a texel inside, so that no neighbour of the atlas shines in.
    vec2 texel = v_cell + clamp(v_at, vec2(0.5), u_cell - 0.5);
    float inside = texture(u_atlas, texel / vec2(textureSize(u_atlas, 0))).r - 128.0 / 255.0;
    float texels_a_pixel = max(fwidth(v_at.y), 1e-4);
    float cover = clamp(inside / (u_slope * texels_a_pixel) + 0.5, 0.0, 1.0);
    color = vec4(v_color.rgb, v_color.a * (v_filled == 1 ? 1.0 : cover));
}
