// A baseline of `motes bench --cpu`: what memory allows.  Arrays of the same shape as the engine's
// particles, in blocks shared out over a team, of which each frame reads all and writes all that a
// frame changes: 32 bytes read and 28 written a particle.
#pragma once

#include "base/base.h"

typedef struct Bound Bound;

Bound *bound_new(uint32_t particles, int threads); // NULL: no memory
void bound_free(Bound *bound);
void bound_step(Bound *bound);
float bound_written(const Bound *bound); // the sum of all that was written last
