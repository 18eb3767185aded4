// Random numbers as a hash of (seed, birth index, draw): nothing is stored, any draw of any birth
// can be computed anywhere, in any order, with the same result.  shaders/common/rng.glsl is the same
// law; tests/gl holds the two together.  Pure; any thread.
#pragma once

#include <stdint.h>

// The 32-bit finaliser "lowbias32" (found by Chris Wellons' hash prospector; bias 0.17).
static inline uint32_t rng_mix(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    return x ^ x >> 16;
}

// The key of one birth: everything random about a particle is drawn from it.
static inline uint32_t rng_key(uint32_t seed, uint64_t index)
{
    return rng_mix((uint32_t)index ^ rng_mix((uint32_t)(index >> 32) ^ rng_mix(seed)));
}

// The draw of that number from a key.
static inline uint32_t rng_draw(uint32_t key, uint32_t draw)
{
    return rng_mix(key + draw * 0x9e3779b9U);
}

// Bits to a number in [0, 1), in steps of 2^-24.
static inline float rng_unit(uint32_t bits)
{
    return (float)(bits >> 8) * 0x1p-24f;
}

// A share of `most` (0 to below it), as most * rng_unit(bits) to the bit, in one multiplication less.
static inline float rng_share(float most, uint32_t bits)
{
    return most * 0x1p-24f * (float)(int32_t)(bits >> 8);
}
