// What can be heard, as the sound server says, and stepping through it.
//
// A sound server may take seconds to say what there is: a worker asks it.  Frame thread only.
#pragma once

#include <stdbool.h>

#include "app/source_list.h"
#include "control/control.h"

typedef struct Sources Sources;

// NULL when out of memory or threads; sources_close takes it.
Sources *sources_open(void);
void sources_close(Sources *sources); // waits for nobody

// The source so many steps behind the current one is wanted, as soon as it is known which that is.
void sources_step(Sources *sources, int steps);

// Once a frame, `now` in seconds: looks again every few seconds while the list is `shown`, and when a step
// waits for it.  True when a step is done: `message` then sets the source that follows on `current`.
bool sources_take(Sources *sources, double now, bool shown, const char *current, Message *message);

// The newest list; NULL before the first.
const SourceList *sources_list(const Sources *sources);
