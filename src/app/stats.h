// The stats: one JSON object a frame, formatted and written by a worker, so that a slow disk or a pipe
// that nobody reads costs rows (counted) and never a frame.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "app/show.h"
#include "audio/audio.h"

typedef struct {
    ShowStats show;
    double frame_ms; // to make the frame, without waiting for the monitor
    char preset[64];
    char audio[24];     // state of the source
    char source[128];   // what is really heard
    double age_ms;      // of a device: since its newest sample came
    double callback_ms; // of a device: the longest that its callback has taken
    uint64_t gaps;      // of a device: pauses between its blocks, and losses it told
    uint64_t dropped_samples, dropped_messages;
} StatsRow;

// Fills what the source has to say.
void stats_hear(StatsRow *row, const AudioStatus *audio);

typedef struct Stats Stats;

// Writes to `file`, "-" the standard output.  With `complete` a full queue is waited for (offline) instead of
// dropping.  NULL and one sentence in `why`.
Stats *stats_open(const char *file, bool complete, char *why, int why_size);

// Frame thread; NULL is fine and does nothing.
void stats_row(Stats *stats, const StatsRow *row);

// Writes what is waiting, at most for half a second unless `complete`.  False and a sentence when the file was
// not written wholly.
bool stats_close(Stats *stats, char *why, int why_size);
