// Who decides on the quality of the picture, and tells it as the readings quality/scale_now and
// quality/share_now, which render follows: hands, or the governor.
//
// This is the one place where time changes what is seen, and only these two: what is born, and how it
// moves, knows nothing of them.
#pragma once

#include "app/governor.h"
#include "app/show.h"

// Between frames: quality/scale and quality/share are in use.
void quality_by_hand(Params *params);

typedef struct {
    double seconds; // since the last frame
    double cpu_ms;  // that the last frame took to make, without waiting for the monitor
    double fps;     // of the display
    bool software;  // the processor draws
    const ShowStats *stats;
} QualityFrame;

// Between frames, live: lets the governor decide while quality/auto is on, else hands.  True and one
// sentence in `said` (GOVERNOR_SENTENCE) when the governor changes something.
bool quality_frame(Governor *governor, Params *params, const QualityFrame *frame, char *said);
