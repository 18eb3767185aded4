// A sound card, heard through a child process of the same program that can be killed: PortAudio hangs
// with a frozen sound server, and cannot be abandoned inside a process.  A keeper thread starts the
// child, watches whether samples come, and replaces it for ever; the frame thread only reads rings.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "audio/audio.h"

// The name of whatever the default output plays.  (PulseAudio's own word.)
#define CAPTURE_SYSTEM "@DEFAULT_MONITOR@"

typedef struct Capture Capture;

typedef struct {
    const char
        *name;       // of a device or source, a part of it, or CAPTURE_SYSTEM; "" the default input
    int left, right; // channels to hear, from 1; 0: the first two
    bool strict;     // never hears anything else, and capture_open waits up to 3 s to see it there
    const char *log; // file for the libraries' chatter and the keeper's notes, may be NULL
} CaptureDesc;

// NULL and one sentence in `why` when the process cannot be had, or (strict) the device.
Capture *capture_open(const CaptureDesc *desc, char *why, int why_size);

// Kills the child; NULL is fine.
void capture_close(Capture *capture);

// What has arrived, at most `capacity` frames, none older than 0.25 s.  Never waits.
uint32_t capture_read(Capture *capture, float *samples, uint32_t capacity);

int capture_rate(const Capture *capture); // Hz, of what was read last

// How often what capture_read gave did not follow on what it gave before (see AudioStatus).
uint64_t capture_joins(const Capture *capture);

// All of AudioStatus but what only a file has.
AudioStatus capture_status(Capture *capture);
