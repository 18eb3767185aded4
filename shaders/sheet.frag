#version 330 core
// sheet.frag: a sprite on a quad: a frame of a sheet, or two that melt into each other, or a disc.
// in: u_sheets (square roots of premultiplied linear light); v_corner, v_cells, v_sheet, v_level
//     (sprite.glsl); and of disc.glsl   out: light, premultiplied
#include "common/disc.glsl"
uniform sampler2DArray u_sheets;
flat in vec4 v_cells;
flat in vec4 v_sheet;
flat in vec3 v_level;
in vec2 v_corner;
out vec4 colour;

vec4 frame_at(vec2 cell, vec2 at)
{
    vec4 root = textureLod(u_sheets, vec3(cell + at, v_sheet.x), v_level.x);
    return root * root;
}

void main()
{
    if (v_sheet.x < 0.5) {
        colour = disc(v_corner);
        return;
    }
    // The first row of a sheet is its top.
    vec2 at = clamp(v_corner * vec2(0.5, -0.5) + 0.5, v_level.yz, 1.0 - v_level.yz) * v_sheet.yz;
    vec4 seen = frame_at(v_cells.xy, at);
    if (v_sheet.w > 0.0) seen = mix(seen, frame_at(v_cells.zw, at), v_sheet.w);
    colour = v_light * seen;
}
