// fill.glsl: what becomes of a slot in a frame of a field in which the dead are born again by chance, as
// src/sim/fill.c has it, or in which some of those born so may be alive; births by rate happen as ever.
// There are two passes, because births are dear and few.  The first one (fill_step.glsl) moves the living and
// lets the dead wait; the second one (field_fill_birth.vert) puts a point over each slot that has a birth, or
// whose particle has died a moment ago.
// A slot that is dead keeps what it waits for (below 0: it is still to be drawn), its next generation, and for
// how long it has been dead where the living have their position and age.  Births by rate leave nothing there:
// then it is still to be drawn.
// Needs rng.glsl, ring.glsl, u_dt, back_of and may_live in front.
// in:  u_refill_all: births a slot, of all refills; how long before the frame's end the first one begins;
//      u_generation, that slots without a past begin with; u_living: the newest that many slots have a past
// out: slot_at, is_recent
uniform vec2 u_refill_all;
uniform uint u_generation;

// What a slot has when the frame begins, and who dies in it.
struct Slot {
    uint number, back;
    bool alive, filled;
    uint generation; // of who lives in it, or comes next
    float wait;      // of the dead
    float since;     // s: dead for so long at the frame's end
};

Slot slot_at(ivec2 texel, vec4 position, vec4 velocity)
{
    Slot s;
    s.number = uint(texel.y * RING_WIDTH + texel.x);
    s.back = back_of(s.number);
    bool known = may_live(s.back) && is_finite(position, velocity);
    float life = known ? abs(velocity.w) : 0.0;
    bool lived = life > 0.0;
    s.filled = velocity.w < 0.0;
    s.since = known ? position.w + u_dt - life : 1.0; // so that a new field is born from the first frame on
    s.alive = lived && s.since < 0.0;
    bool dies = lived && !s.alive;
    if (dies) s.since = min(s.since, u_dt);
    bool waits = known && !lived && position.x != 0.0;
    uint next = waits ? uint(clamp(position.y, 0.0, 16383.0)) : u_generation;
    uint own = floatBitsToUint(velocity.w) + (dies ? 1u : 0u);
    s.generation = (lived && s.filled ? own : next) & GENERATIONS;
    s.wait = waits ? position.x : -1.0;
    return s;
}

// It is not yet known what it waits for, or some of the refills came before its death.
bool is_recent(Slot s)
{
    return s.wait < 0.0 || s.since < u_refill_all.y;
}
