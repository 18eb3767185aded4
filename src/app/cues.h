// Presets as they are asked for while the show runs: /show/preset, /show/next, /show/previous, /show/save.
// The disk is a worker's; what is loaded comes in between two frames.
#pragma once

#include "app/notices.h"
#include "app/playlist.h"
#include "app/show.h"
#include "control/control.h"

typedef struct {
    Playlist *playlist;
    float next, previous;      // trigger counters as last seen
    uint32_t named, saved;     // versions of show/preset and show/save as last seen
    double asked;              // s, when one was asked for that is not in yet; 0 none
    char shown[PLAYLIST_NAME]; // name of the preset that is on
} Cues;

// `shown`: the preset that is on already.  False and one sentence in `why`.
bool cues_open(Cues *cues, const Params *params, const char *shown, char *why, int why_size);
void cues_close(Cues *cues);

// How many of these messages this frame may take: a preset resets the look, so what hands say behind its
// message waits until it is in, a quarter of a second at the most.
int cues_allow(const Cues *cues, const Message *messages, int count);

// Before a frame: applies what has been loaded.
void cues_take(Cues *cues, Show *show, Notices *notices);

// Behind a frame: asks the worker for what its messages asked for.
void cues_ask(Cues *cues, const Params *params, Notices *notices);
