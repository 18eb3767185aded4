#version 330 core
// field_fill_birth.vert: second pass of a field born by fill: a point over each slot that has a birth in the
// frame, or of which the first pass could not know what it waits for; others are nowhere.
// in:  gl_VertexID: the slot; u_births; the ring, common/fill.glsl   out: where the point is
#include "common/rng.glsl"
#include "common/ring.glsl"
uniform sampler2D u_positions;
uniform sampler2D u_velocities;
uniform float u_dt;
uniform uint u_births;

uint back_of(uint slot)
{
    return ring_back(slot, u_head, u_capacity);
}

bool may_live(uint back)
{
    return back < u_living;
}

#include "common/fill.glsl"

void main()
{
    ivec2 texel = ring_texel(uint(gl_VertexID));
    Slot s = slot_at(texel, texelFetch(u_positions, texel, 0), texelFetch(u_velocities, texel, 0));
    // A little more, so that none is missed that another order of sums would have.
    bool by_fill = !s.alive && (is_recent(s) || s.wait < u_refill_all.x * 1.0001);
    vec2 size = vec2(float(RING_WIDTH), float(u_capacity / uint(RING_WIDTH)));
    vec2 at = (vec2(texel) + 0.5) / size * 2.0 - 1.0;
    gl_Position = by_fill || s.back < u_births ? vec4(at, 0.0, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
    gl_PointSize = 1.0;
}
