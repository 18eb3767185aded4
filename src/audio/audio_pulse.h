// The sound server's own list of sources, which PortAudio cannot see.  PipeWire serves it too.  For the
// capture process only: with a frozen server pulse_sources waits for ever.  A build without libpulse
// knows no server.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    char name[128];  // what opens it
    char title[128]; // what it is called on screen
    bool monitor;    // plays back what an output plays
    bool chosen;     // what is heard when no name is given
    bool system;     // the monitor of the default output
    bool dummy;      // of an output or input that the server makes up where there is no card
    int channels, rate;
} PulseSource;

// Up to `capacity` sources; returns how many, or -1 when there is no server.
int pulse_sources(PulseSource *sources, int capacity);

// An eye on the server: has a source come, gone or changed, or the default moved?
typedef struct PulseWatch PulseWatch;

// NULL when that cannot be had.  Never freed: it lives as long as the capture process.
PulseWatch *pulse_watch_new(void);

// Looks on for that many seconds (NULL: sleeps).  True when there was any such change meanwhile, and
// once when the watch has begun.
bool pulse_watch_changed(PulseWatch *watch, double seconds);

// Hears a source from now on with all its channels as they are, which PortAudio's way to the server
// cannot: that mixes them by their positions.  `heard` is called within pulse_watch_changed, with
// frames of source->channels floats at `rate` Hz.  False when it does not open.
typedef void (*PulseHeard)(void *hearing, const float *samples, uint32_t frames);
bool pulse_watch_hear(PulseWatch *watch, const char *source, int channels, int rate,
                      PulseHeard heard, void *hearing);

// True when what pulse_watch_hear opened has come to its end.
bool pulse_watch_ended(const PulseWatch *watch);
