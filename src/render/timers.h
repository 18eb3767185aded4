// How long the GPU takes for each pass, by queries of time elapsed, in a ring of frames that is asked
// and never waited for: each frame's times come a few frames later.  A frame that finds the ring
// full is not timed.
#pragma once

#include "gfx/gfx.h"
#include "render/render.h"

enum { TIMED_FRAMES = 6 }; // on their way at a time

typedef struct {
    GLuint queries[TIMED_FRAMES][TIMED_PASSES];
    bool asked[TIMED_FRAMES][TIMED_PASSES];
    int first, pending;
    bool timing, open;      // this frame is timed; a pass of it has begun
    float ms[TIMED_PASSES]; // of the newest frame that came; 0 where a pass was not drawn
    bool known;             // one has come
} Timers;

// A driver without a clock times nothing, and `known` stays false.
void timers_init(Timers *timers);
void timers_free(Timers *timers);

// A frame begins: takes what has come, and opens the next place in the ring.
void timers_begin(Timers *timers);

// A pass begins, at most once a frame, and the one before it ends; or the last one ends.
void timers_open(Timers *timers, TimedPass pass);
void timers_close(Timers *timers);
