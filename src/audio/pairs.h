// What is done to pairs of samples on their way out: the channel map, and the delay that brings light
// and sound together at the listener.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "audio/audio.h"

// In place.  Samples that are no numbers count as 0 in a mix and pass unchanged otherwise.
void pairs_map(AudioChannels channels, float *pairs, uint32_t count);

// The last pairs that went through, to be heard later.
typedef struct {
    float (*past)[2];
    uint32_t capacity; // pairs, a power of two
    uint64_t in;       // pairs that ever went in
    uint64_t joined;   // value of `in` when the stretch began that is going in
    bool join_due;     // that beginning has not come out yet
} Delay;

// Room for delays of up to `most` pairs; false when out of memory.  delay_free takes what is zero.
bool delay_init(Delay *delay, uint32_t most);
void delay_free(Delay *delay);

// What goes in from now on does not follow on what went in before, which is forgotten.
void delay_join(Delay *delay);

// In place: `count` pairs in, those of `by` pairs ago out (silence where there are none).  True when the
// first pair after a join is among them.
bool delay_run(Delay *delay, uint32_t by, float *pairs, uint32_t count);
