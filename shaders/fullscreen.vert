#version 330 core
// fullscreen.vert: one triangle over the whole target.
// in: gl_VertexID 0..2   out: v_uv, 0..1 over the target
out vec2 v_uv;

void main()
{
    vec2 corner = vec2(float((gl_VertexID << 1) & 2), float(gl_VertexID & 2));
    v_uv = corner;
    gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}
