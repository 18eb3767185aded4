#include "audio/pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static float number(float sample)
{
    return isfinite(sample) ? sample : 0;
}

void pairs_map(AudioChannels channels, float *pairs, uint32_t count)
{
    if (channels == AUDIO_LOUDEST) return; // both are analysed, bin by bin
    for (uint32_t n = 0; n < count; n++) {
        float *pair = pairs + 2 * (size_t)n;
        if (channels == AUDIO_LEFT) pair[1] = pair[0];
        if (channels == AUDIO_RIGHT) pair[0] = pair[1];
        if (channels == AUDIO_MIX)
            pair[0] = pair[1] = 0.5f * number(pair[0]) + 0.5f * number(pair[1]);
    }
}

bool delay_init(Delay *d, uint32_t most)
{
    *d = (Delay){ .capacity = 1 };
    while (d->capacity < most + 1) d->capacity *= 2;
    d->past = calloc(d->capacity, sizeof *d->past);
    return d->past != NULL;
}

void delay_free(Delay *d)
{
    free(d->past);
}

void delay_join(Delay *d)
{
    d->joined = d->in;
    d->join_due = true;
}

bool delay_run(Delay *d, uint32_t by, float *pairs, uint32_t count)
{
    const uint32_t mask = d->capacity - 1, late = by < mask ? by : mask;
    bool joins = false;
    for (uint32_t n = 0; n < count; n++, d->in++) {
        float *pair = pairs + 2 * (size_t)n;
        memcpy(d->past[d->in & mask], pair, sizeof *d->past);
        if (d->in - d->joined < late)
            pair[0] = pair[1] = 0;
        else
            memcpy(pair, d->past[(d->in - late) & mask], sizeof *d->past);
        joins = joins || (d->join_due && d->in - d->joined == late);
    }
    if (joins) d->join_due = false;
    return joins;
}
