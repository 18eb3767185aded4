// drawn.glsl: the share of a field that is drawn: of each 16 births a fixed row is followed.  Needs
// ring.glsl in front.
#include "common/share.glsl"
uniform uint u_shared[16]; // numbers of those drawn, rising: u_share of them

// How many births came after the n-th that is drawn, oldest first; u_living or more: there is none.
uint drawn_back(uint n)
{
    if (u_share == 16u) return u_living - 1u - n;
    uint oldest = u_last_lo - (u_living - 1u);
    uint birth = (oldest & ~15u) + 16u * (n / u_share) + u_shared[n % u_share];
    return u_last_lo - birth;
}
