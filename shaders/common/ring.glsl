// ring.glsl: births in a ring of slots: birth n lies in slot n % u_capacity, so that each slot's
// latest birth is known without reading anything back.  Indices are 64 bits, as low and high
// halves.  Particles that were born by fill (fill.glsl) have their slot and its generation instead, and a
// life below 0 in the textures, whose last bits are the generation.  Needs rng.glsl in front.
uniform uint u_capacity; // slots
uniform uint u_head;     // slot of the newest birth
uniform uint u_last_lo;  // index of the newest birth
uniform uint u_last_hi;
uniform uint u_living;   // this many newest births may be alive; at most u_capacity
uniform uint u_seed;     // of the swarm

const int RING_WIDTH = 1024; // slots in a row of the textures
const uint FILLED = 0x80000000u; // no birth by rate has an index as high
const uint GENERATIONS = 16383u; // FILL_GENERATIONS - 1 of src/sim/sim.h

// How many births came after the latest one in this slot.
uint ring_back(uint slot, uint head, uint capacity)
{
    int back = int(head - slot);
    return uint(back < 0 ? back + int(capacity) : back);
}

// The slot of the birth after which that many came.
uint ring_slot(uint back)
{
    return back <= u_head ? u_head - back : u_head + u_capacity - back;
}

ivec2 ring_texel(uint slot)
{
    return ivec2(int(slot % uint(RING_WIDTH)), int(slot / uint(RING_WIDTH)));
}

uint ring_key(uint back)
{
    uint borrow = u_last_lo < back ? 1u : 0u;
    return rng_key(u_seed, u_last_lo - back, u_last_hi - borrow);
}

// Of the particle in that slot, with its life as it is in the textures.
uint slot_key(uint back, uint slot, float life)
{
    bool filled = life < 0.0;
    uint borrow = u_last_lo < back ? 1u : 0u;
    uint lo = filled ? slot : u_last_lo - back;
    uint hi = filled ? FILLED | (floatBitsToUint(life) & GENERATIONS) : u_last_hi - borrow;
    return rng_key(u_seed, lo, hi);
}

// By the bits of their sum: a driver may take x == x for granted.
bool is_finite(vec4 x, vec4 y)
{
    vec4 sum = x + y;
    return (floatBitsToUint((sum.x + sum.y) + (sum.z + sum.w)) & 0x7f800000u) != 0x7f800000u;
}
