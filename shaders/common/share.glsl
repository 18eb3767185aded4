// share.glsl: where not all particles are drawn, those that are stay the same ones, and a larger share
// holds all of a smaller one.
uniform uint u_share; // of 16

// Of the CPU's particles, by the number 0..255 that each has.
bool share_holds(uint chance)
{
    return chance < 16u * u_share;
}
