// Where in a piece we are: a build climbs, a break does without the bass, a drop brings it back.
#pragma once

#include <stdbool.h>

enum { SLOW_STEPS = 13 }; // of half a second: what a climb is told by

typedef struct {
    double bass_brief, bass_past, energy_brief; // means over a second, and over many
    double heard;                               // s of sound
    double silent_for;                          // s
    double broken_for;                          // s of break
    float steps[SLOW_STEPS];                    // dB of energy_brief, the newest first
    int step_count;
    float step_age; // s
    float build, drop;
} Slow;

typedef struct {
    float build, drop, pause; // 0..1; `pause` is the break
} SlowReport;

// Starts over.
void slow_start(Slow *slow);

// Hears a hop's bass, and what is above it, as amplitudes before any gain.
SlowReport slow_hear(Slow *slow, float bass, float energy, bool silent, float seconds);
