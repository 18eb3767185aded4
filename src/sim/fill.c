// Births by fill: a slot at a time.  shaders/common/fill.glsl and field_fill_birth.frag are the same law.
#include "sim/sim.h"
#include "sim/step.h"

// No birth by rate has an index as high as the keys of fill are made with.
static const uint64_t FILLED = 1ULL << 63;

uint32_t fill_key(uint32_t seed, uint32_t slot, uint32_t generation)
{
    return rng_key(seed, FILLED | (uint64_t)(generation % FILL_GENERATIONS) << 32 | slot);
}

// The natural logarithm of a positive number.  The library's is not the graphics chip's to the last
// bits, and births would be seen in other frames there.
static float logarithm(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    const int32_t power = (int32_t)(bits - 0x3f3504f3U) >> 23; // of 2, to leave 0.707 to 1.414
    bits -= (uint32_t)power << 23;
    float m;
    memcpy(&m, &bits, sizeof m);
    const float s = (m - 1) / (m + 1), z = s * s;
    const float series = 1 + z * (1.0f / 3 + z * (1.0f / 5 + z * (1.0f / 7 + z * (1.0f / 9))));
    return (float)power * 0.693147181f + 2 * s * series;
}

float fill_wait(uint32_t key)
{
    return -logarithm(1 - rng_unit(rng_draw(key, DRAW_WAIT)));
}

float fill_life(float life, uint32_t generation)
{
    uint32_t bits;
    memcpy(&bits, &life, sizeof bits);
    bits = (bits & ~(uint32_t)(FILL_GENERATIONS - 1)) | generation % FILL_GENERATIONS;
    memcpy(&life, &bits, sizeof life);
    return life;
}

uint32_t fill_generation(float life)
{
    uint32_t bits;
    memcpy(&bits, &life, sizeof bits);
    return bits % FILL_GENERATIONS;
}

float fill_share(const Refill *refill, uint32_t capacity)
{
    const double share = (double)refill->births / capacity;
    const bool at_once = refill->span.spacing <= 0;
    return at_once ? (float)-log1p(-fmin(share, 1 - 1e-6)) : (float)share;
}

// The first refills may lie before the slot's death.
bool fill_is_due(const Births *births, uint32_t capacity, float since, float *wait,
                 FillBirth *birth)
{
    for (int r = 0; r < births->refill_count; r++) {
        const BirthRun *span = &births->refills[r].span;
        const float share = fill_share(&births->refills[r], capacity);
        const float missed =
            share * clampf((span->age_first - since) / fmaxf(span->spacing, 1e-9f), 0, 1);
        if (*wait < share - missed) {
            const float part = (missed + *wait) / share;
            birth->age = clampf(span->age_first - part * span->spacing, 0, STALL_LONGEST);
            birth->away =
                (Vec3){ span->away.x + part * span->step.x, span->away.y + part * span->step.y,
                        span->away.z + part * span->step.z };
            return true;
        }
        *wait -= share - missed;
    }
    return false;
}
