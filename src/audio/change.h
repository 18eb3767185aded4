// Another source while the show runs: opened and closed in a thread of its own, because a file waits for
// its disk and a capture process for its end.
#pragma once

#include "audio/source.h"

typedef struct Change Change;

Change *change_new(void); // NULL when out of memory

// Waits for what is under way; NULL is fine.
void change_free(Change *change);

// Asks for that source; of two that are asked for before the first is taken, the later counts.
void change_ask(Change *change, const AudioDesc *desc);

// Once a frame; never waits.  True when the new source is open: it then stands in `source`, and the old
// one is closed beside.  `why` becomes "" then, and one sentence when the new one does not open.
bool change_take(Change *change, Source **source, char *why, int why_size);
