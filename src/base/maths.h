// Small arithmetic that everybody needs.  Pure; any thread.
#pragma once

#include <math.h>
#include <stdbool.h>

typedef struct {
    float x, y, z;
} Vec3;

// `value` held between `low` and `high`; NaN becomes `low`.
static inline float clampf(float value, float low, float high)
{
    return value > low ? (value < high ? value : high) : low;
}

static inline double clampd(double value, double low, double high)
{
    return value > low ? (value < high ? value : high) : low;
}

static inline int clampi(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

static inline float lerpf(float a, float b, float share)
{
    return a + (b - a) * share;
}

// How much of something that halves every `half_life` seconds is left after `seconds`; a half-life
// of 0 leaves nothing.
static inline float fade_over(float half_life, float seconds)
{
    return half_life > 0 ? exp2f(-seconds / half_life) : 0;
}

// The share of the way to its target that a one-pole smoother with `time_constant` (seconds) goes
// in `seconds`: 1 at once where the constant is 0.
static inline float approach(float time_constant, float seconds)
{
    return time_constant > 0 ? -expm1f(-seconds / time_constant) : 1;
}
