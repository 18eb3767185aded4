// Where in a piece we are: a build climbs, a break does without the bass, a drop brings it back.
#pragma once

#include <stdbool.h>

typedef struct {
    double bass_now, bass_brief, bass_past; // means over shorter and longer times
    double energy_brief, energy_before, energy_past;
    double heard;      // s of sound
    double silent_for; // s
    double broken_for; // s of break
    double level_for;  // s since the energy last jumped up
    float drop;
} Slow;

typedef struct {
    float build, drop, pause; // 0..1; `pause` is the break
} SlowReport;

// Starts over.
void slow_start(Slow *slow);

// Hears a hop's bass, and what is above it, as amplitudes before any gain.
SlowReport slow_hear(Slow *slow, float bass, float energy, bool silent, float seconds);
