// Numbers from 0 up in 16 bits, as graphics chips read them: eleven binary digits, up to 65504.
#pragma once

#include <stdint.h>
#include <string.h>

// To the nearest; what is below 2^-14 to 0.
static inline uint32_t half_of(float x)
{
    const float held = x < 65504 ? x : 65504;
    uint32_t bits;
    memcpy(&bits, &held, sizeof bits);
    return held >= 0x1p-14f ? (bits - 0x38000000 + 0x1000) >> 13 : 0;
}

static inline float half_value(uint32_t half)
{
    const uint32_t bits = half ? (half << 13) + 0x38000000 : 0;
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
