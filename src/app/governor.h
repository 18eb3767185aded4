// The quality governor: lowers the picture's quality until frames are made in time, and raises it
// when there is room.  Pure: time, work and budget are arguments, and it knows no clock.
//
// Quality is a ladder: first the scale of the picture falls, then the share of particles that are
// drawn.  Work is what a frame takes to make, without any waiting.  It is judged over windows of half
// a second by what nine of ten frames stay below, so that single spikes count for nothing.
// Too much, and it goes down at once, as far as would be right if work followed the pixels, so never
// too far.  It goes up one rung at a time, when what it has learned (how much of the work does follow
// the pixels, or the particles) says that the rung above fits with room to spare.  Where that was
// wrong, it comes back and waits twice as long before it tries again.
#pragma once

#include <stdbool.h>

enum { GOVERNOR_FRAMES = 160, GOVERNOR_SENTENCE = 128 };

typedef struct {
    float scale, share;
} Quality;

typedef struct {
    int rung;                     // 0: full quality
    float loads[GOVERNOR_FRAMES]; // work / budget of this window's frames
    int frames;
    double window;     // s, of this window
    double settled;    // s since the last change, or the start
    double calm;       // s in which the rung above would have fitted
    double hold;       // s of calm that a raise takes
    bool trying;       // the last change was a raise that has not proved itself yet
    bool moved;        // the last change has not been learned from yet
    int before;        // rung before the last change
    float load;        // of the last window
    float load_before; // the same before the last change
    float follow[2];   // 0..1: how much of the work follows the pixels; the particles
} Governor;

void governor_init(Governor *governor);

// What to draw with now.
Quality governor_quality(const Governor *governor);

// A frame of `seconds` took `work` ms, of a `budget` in ms.  True when the quality changes, with one
// sentence in `said` (GOVERNOR_SENTENCE) about what and why.
bool governor_frame(Governor *governor, double seconds, double work, double budget, char *said);
