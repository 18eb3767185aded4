// Inside sim: how many are born, and when: one Swarm for each emitter and each field.  Pure, but
// for the memory of a swarm's marks.
#pragma once

#include "sim/sim.h"

// From `time` + its life on, no birth before `index` is alive.
typedef struct {
    double time; // of the last birth before index, on the swarm's clock
    double life; // s, the longest at that time
    uint64_t index;
} Mark;

enum {
    MARKS = 12288
}; // one a hop over the longest life: 60 s at 187.5 hops a second, and some room

typedef struct {
    Births births;
    bool exists;
    uint32_t generation;
    double debt;   // the share of the next birth that has grown already, 0..1
    double clock;  // s, the end of the last frame stepped
    Vec3 position; // at the end of that frame
    bool placed;   // position is known
    Mark *marks;   // a ring of MARKS, or NULL: `oldest` is not kept
    uint32_t mark_first, mark_count;
} Swarm;

// Starts over as another instance: births from index 0.
void swarm_start(Swarm *swarm, uint32_t seed, uint32_t generation);

// This frame's births are forgotten.
void swarm_begin(Swarm *swarm);

// A hop of `seconds` that starts `age` seconds before the frame's end.
void swarm_hop(Swarm *swarm, float rate, float age, float seconds);

// The frame of dt ends: moved and oldest.
void swarm_step(Swarm *swarm, const float *values, float dt);

// All die, this frame's too.
void swarm_clear(Swarm *swarm);
