#version 330 core
// field_rows.vert: one triangle over the whole target, with what is the same for all of a field's old
// particles in the frame: worked out three times instead of once a particle.
// in:  the forces of law.glsl, the ring, u_dt   out: see common/field_step.glsl
#define WITHOUT_TURBULENCE
#define WITHOUT_RINGS
#define WITHOUT_OBSTACLES
#include "common/rng.glsl"
#include "common/law.glsl"
#include "common/ring.glsl"
uniform float u_dt;
flat out vec4 v_drag;
flat out vec2 v_kick;
flat out vec3 v_acceleration;
flat out vec4 v_pull;
flat out vec2 v_pull_shape;
flat out uvec4 v_ring;
flat out uvec2 v_salts;

void main()
{
    vec2 corner = vec2(float((gl_VertexID << 1) & 2), float(gl_VertexID & 2));
    Course course = law_course(u_dt / float(law_substeps(u_dt)));
    v_drag = vec4(course.keep, course.reach, course.fall, course.half_way);
    v_kick = vec2(course.kick, course.dt);
    v_acceleration = course.acceleration;
    v_pull = course.pull;
    v_pull_shape = course.pull_shape;
    v_ring = uvec4(u_head, u_capacity, u_living, u_last_lo);
    v_salts = uvec2(rng_salt(u_seed, u_last_hi), rng_salt(u_seed, u_last_hi - 1u));
    gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}
