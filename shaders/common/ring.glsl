// ring.glsl: births in a ring of slots: birth n lies in slot n % u_capacity, so that each slot's
// latest birth is known without reading anything back.  Indices are 64 bits, as low and high
// halves. Needs rng.glsl in front.
uniform uint u_capacity; // slots
uniform uint u_head;     // slot of the newest birth
uniform uint u_last_lo;  // index of the newest birth
uniform uint u_last_hi;
uniform uint u_living;   // this many newest births may be alive; at most u_capacity
uniform uint u_seed;     // of the swarm

const int RING_WIDTH = 1024; // slots in a row of the textures

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
