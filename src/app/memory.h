// What belongs to this machine (source, channels, gain...) and was set by hand while a show ran, for the
// next show.  What the command line sets holds for that run only.
//
// One line a control, "path=value", in $XDG_STATE_HOME/motes/machine, else ~/.local/state/motes/machine.
#pragma once

#include <stdbool.h>

#include "app/where.h"
#include "control/control.h"

typedef struct {
    char file[WHERE_PATH]; // "" where the environment names no place
    Params *loaded;        // as remembered
    Params *begun;         // as the show began, the command line included
    bool on;               // the show has begun
} Memory;

// Sets what is remembered; a line that does not fit is passed over.  False when out of memory.
bool memory_open(Memory *memory, Params *params);

// Now the show begins: what is set from here on is remembered.
void memory_begin(Memory *memory, const Params *params);

// Writes the file when the show began and something has changed since (`params` may be NULL where it did not
// begin).  False and one sentence in `why` when it cannot be written.
bool memory_close(Memory *memory, const Params *params, char *why, int why_size);
