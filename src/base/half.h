// Numbers from 0 up in 16 bits, as graphics chips read them: eleven binary digits, up to 65504.
#pragma once

#include <stdint.h>
#include <string.h>

// To the nearest; what is below 2^-14 to 0, what is above all to 65504, NaN to either.
static inline uint32_t half_of(float x)
{
    const int32_t least = 0x38800000, most = 0x477fe000; // 2^-14, 65504: bits rise with numbers
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    const int32_t held = bits < most ? bits : most;
    return held >= least ? (uint32_t)(held - 0x38000000 + 0x1000) >> 13 : 0;
}

static inline float half_value(uint32_t half)
{
    const uint32_t bits = half ? (half << 13) + 0x38000000 : 0;
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
