// A baseline of `motes bench --cpu`: particles the way that modular engines are first written.  An
// array of structs with a free list, a list of the living by index, one loop over that list for each
// module, curves evaluated where they are needed; on one thread.  Births follow the engine's law
// (same keys, lives and times), so that both have the same particles to move; the motion is the
// usual step by step.
#pragma once

#include "sim/sim.h"

typedef struct Naive Naive;

Naive *naive_new(uint32_t capacity, uint32_t seed); // of the swarm; NULL: no memory
void naive_free(Naive *naive);

// A frame is both of these, and naive_write.  Ageing, the births of one hop as long as dt (dropped
// while the array is full), and deaths:
void naive_live(Naive *naive, const float *values, float dt);
// Every other module:
void naive_move(Naive *naive, const Stops *size, const Stops *colour, const Motion *motion,
                float dt);

// The sprites of the living, as the engine's: position, size, colour, rotation and frame.
void naive_write(const Naive *naive, const Sprites *sprites);

uint32_t naive_alive(const Naive *naive);
uint64_t naive_births(const Naive *naive); // since the beginning
