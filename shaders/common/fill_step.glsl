// fill_step.glsl: the first pass of a field born by fill: all but births.  In and out: as field_step.glsl,
// which is in front with fill.glsl.

void main()
{
    ivec2 texel = ivec2(gl_FragCoord.xy);
    vec4 position = texelFetch(u_positions, texel, 0), velocity = texelFetch(u_velocities, texel, 0);
    Slot s = slot_at(texel, position, velocity);
    vec3 p = position.xyz, v = velocity.xyz;
    float age = position.w, life = abs(velocity.w);
    uint key = s.filled ? rng_key(u_seed, s.number, FILLED | s.generation) : key_of(s.back);
    move(p, v, age, life, key, u_dt);
    bool alive = s.alive && age < life && is_finite(vec4(p, age), vec4(v, life));

    if (s.alive) s.since = 0.0; // for who dies of a hit
    else if (!is_recent(s)) s.wait = max(s.wait - u_refill_all.x, 0.0);
    uint next = s.alive && s.filled ? (s.generation + 1u) & GENERATIONS : s.generation;
    position_age = alive ? vec4(p, age) : vec4(s.wait, float(next), 0.0, s.since);
    velocity_life = alive ? vec4(v, velocity.w) : vec4(0.0);
}
