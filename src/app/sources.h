// Stepping through what can be heard: the default input, what the machine plays, each input by name, the demo.
//
// A sound server may take seconds to say what there is: a worker asks it.  Frame thread only.
#pragma once

#include <stdbool.h>

#include "control/control.h"

typedef struct Sources Sources;

// NULL when out of memory or threads; sources_close takes it.
Sources *sources_open(void);
void sources_close(Sources *sources); // waits for a list under way, at most 1.5 s

// Asks for the source behind `current` (a value of audio/source).
void sources_ask(Sources *sources, const char *current);

// The message that sets it, once it is known; false until then.
bool sources_take(Sources *sources, Message *message);
