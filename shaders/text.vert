#version 330 core
// text.vert: the corners of one rectangle of a batch of text, an instance each.
// in:  a_rect (x, y, width, height in pixels, y down), a_cell (of the atlas; -1: filled), a_color,
//      u_size (of the target, pixels), u_cell (size of a cell, texels), u_columns (cells a row)
// out: v_at (texels inside the cell), v_cell (the cell's first texel), v_filled, v_color
layout(location = 0) in vec4 a_rect;
layout(location = 1) in int a_cell;
layout(location = 2) in vec4 a_color;

uniform vec2 u_size;
uniform vec2 u_cell;
uniform int u_columns;

out vec2 v_at;
flat out vec2 v_cell;
flat out int v_filled;
flat out vec4 v_color;

void main()
{
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    vec2 at = (a_rect.xy + corner * a_rect.zw) / u_size;
    gl_Position = vec4(2.0 * at.x - 1.0, 1.0 - 2.0 * at.y, 0.0, 1.0);

    int cell = max(a_cell, 0);
    v_at = corner * u_cell;
    v_cell = vec2(cell % u_columns, cell / u_columns) * u_cell;
    v_filled = a_cell < 0 ? 1 : 0;
    v_color = a_color;
}
