// What `motes bench --gpu` holds the GPU fields against: the known scheme of particles in textures,
// with a pass each for velocities, positions and births; and the bound, a pass that only copies the
// state of as many particles.  Frame thread, with a context.
#pragma once

#include <stdint.h>

typedef struct Known Known;

// As many particles as whole rows hold.  NULL and one sentence in `why`.
Known *known_new(const char *shaders, uint32_t particles, char *why, int why_size);
void known_free(Known *known);

void known_step(Known *known, float dt); // a frame: forces, motion, births in the place of the dead
void known_copy(Known *known);           // the bound
