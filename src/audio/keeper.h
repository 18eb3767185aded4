// The keeper: a thread that starts the capture process, watches whether samples come, and replaces it
// for ever.  It looks at counters in shared memory and never speaks to a sound server itself.
#pragma once

#include <stdbool.h>

#include "audio/audio.h"
#include "audio/capture_shared.h"

typedef struct Keeper Keeper;

typedef struct {
    const char *name;      // of the input; "" the default one, or CAPTURE_SYSTEM
    const char *pair;      // of channels, "3-4"; "" for the first two
    bool strict;           // nothing stands in for a name that is not there
    int memory;            // the descriptor of `shared`; not closed here
    CaptureShared *shared; // stays mapped until keeper_free
    const char *log; // file for the libraries' chatter and the keeper's own notes, may be NULL
} KeeperDesc;

// NULL and what is missing in `why` (a few words).
Keeper *keeper_new(const KeeperDesc *desc, const char **why);

// Kills the child and ends the thread; NULL is fine.
void keeper_free(Keeper *keeper);

// One thread only: true when there is news, and then the newest: state, name, notice, stands_in and reopened.
bool keeper_news(Keeper *keeper, AudioStatus *status);

// The first thing that an opening came to (CHILD_OPENING: nothing yet); any thread.
ChildStep keeper_verdict(const Keeper *keeper);

// The name as one says it.
const char *keeper_words(const char *name);
