// Starts this program again as a capture process.
#pragma once

#include <stdbool.h>
#include <sys/types.h>

typedef struct {
    const char *task;   // what to do, a word of audio_portaudio.c
    const char *name;   // of the input, "" for the default
    const char *option; // "" for none
    const char *pair;   // of channels, "3-4"; NULL for the first two
    int shared;         // becomes CAPTURE_FD, 0: none
    int out;            // becomes its standard output, 0: thrown away
    int log;            // becomes its standard error, 0: thrown away
} ChildDesc;

// Its process id, or 0.  It gets none of our other files, and dies with the thread that started it.
pid_t child_start(const ChildDesc *desc);

// True when it has ended; it is then reaped, and `code` is its exit code, -1 where a signal ended it.
bool child_ended(pid_t child, int *code);

// Kills and reaps it, in a few milliseconds, whatever it does; 0 is fine.  One that hangs in a driver
// cannot die yet and is left after 2 s: it will never run again.
void child_end(pid_t child);

// Seconds of a clock that only goes forward: how long a child has taken.
double child_clock(void);

// A copy of a descriptor that is none of 0..3, so that it cannot be in the way of the child's own;
// closes the one given.  -1 stays -1.
int child_high(int fd);
