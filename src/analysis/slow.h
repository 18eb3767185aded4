// Where in a piece we are: a build climbs, a break does without the bass or is thin, a drop brings all back.
#pragma once

#include <stdbool.h>

enum { SLOW_STEPS = 13 }; // of half a second: what a climb is told by

// What a break may do without.
typedef struct {
    double brief, past;         // means: of a second, of many
    double spread;              // how far the one usually is from the other
    double lacks_for, back_for; // s
} Habit;

// dB: the means over a second, of what is above the bass, of the bass, and of the fullness.
typedef struct {
    float above, bass, full;
} SlowStep;

typedef struct {
    Habit bass, full; // an amplitude; dB
    double above;     // mean over a second
    double heard;     // s of sound
    double silent_for;
    SlowStep steps[SLOW_STEPS]; // the newest first
    int step_count;             // since it was silent
    float step_age;             // s
    float build, drop;
} Slow;

// A hop before any gain.
typedef struct {
    float bass, above; // amplitudes
    float fullness;    // dB, see levels_fullness
    bool silent;
} SlowHeard;

typedef struct {
    float build, drop, pause; // 0..1; `pause` is the break
} SlowReport;

// Starts over.
void slow_start(Slow *slow);

SlowReport slow_hear(Slow *slow, const SlowHeard *heard, float seconds);
