// Files that looks name: meshes and images of areas, bodies, sheets.  A worker reads them, so that a
// frame never waits for a disk; what is ready comes in between two frames, and what cannot be read is
// one sentence, while the look goes on without it.
#pragma once

#include <stdbool.h>

#include "control/control.h"
#include "render/render.h"
#include "sim/sim.h"

typedef struct Assets Assets;

// `wait`: assets_give reads at once what is new, for a show whose every frame must be right.  NULL and
// one sentence when out of memory or threads.
Assets *assets_open(bool wait, char *why, int why_size);

// Waits for what is being read, but no longer than a second for a disk that hangs.  NULL is fine.  What was given is no longer to be used.
void assets_close(Assets *assets);

// Between frames: asks for what the parameters name that was not named before, and gives the simulation
// and the picture (NULL: none) what is there.  The newest sentence about what could not be read goes to
// `notice`, unless there stands one already; each is said once.
void assets_give(Assets *assets, const Params *params, Sim *sim, Render *render, char *notice,
                 int notice_size);

// Waits until all that was asked for is read or refused; for tests.
void assets_settle(Assets *assets);
