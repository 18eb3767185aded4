// The HUD's words: what sound, OSC, particles and the frame are doing.
#pragma once

#include "app/show.h"
#include "audio/audio.h"
#include "osc/osc.h"

typedef struct {
    ShowStats show;
    AudioStatus audio;
    OscStatus osc;
    bool has_osc;
    double frame_ms, fps, worst_ms; // worst of the last second
    Size size;
    const char *renderer, *preset;
    const char *quality; // what the governor did last, "" nothing
    const char *notice;  // what is wrong now, "" nothing
    uint64_t refused;    // messages refused with a reason
} Status;

// Fills the lines of the status page.
void status_lines(Hud *hud, const Status *status);
