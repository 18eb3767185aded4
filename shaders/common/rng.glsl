// rng.glsl: random numbers as a hash of (seed, birth index, draw); the same law as src/base/rng.h.
// Needs nothing.  Exactly equal to the C.

uint rng_mix(uint x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ (x >> 16);
}

// What the keys of all births with the same high half are made with.
uint rng_salt(uint seed, uint hi)
{
    return rng_mix(hi ^ rng_mix(seed));
}

// The key of the birth whose 64-bit index has these low and high halves.
uint rng_key(uint seed, uint lo, uint hi)
{
    return rng_mix(lo ^ rng_salt(seed, hi));
}

uint rng_draw(uint key, uint draw)
{
    return rng_mix(key + draw * 0x9e3779b9u);
}

// 0 to below 1.
float rng_unit(uint bits)
{
    return float(bits >> 8) * (1.0 / 16777216.0);
}
