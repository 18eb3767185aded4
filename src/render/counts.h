// How many particles of the fields are alive, counted by the GPU and never waited for: each frame's
// count comes a few frames later.  Counting with queries of samples passed is exact and needs
// neither reductions nor read-backs.
#pragma once

#include "control/control.h"
#include "gfx/gfx.h"

enum { COUNT_FRAMES = 4 }; // on their way at a time

typedef struct {
    GLuint queries[COUNT_FRAMES][FIELD_SLOTS];
    bool asked[COUNT_FRAMES][FIELD_SLOTS];
    uint32_t frames[COUNT_FRAMES];
    int first, pending;
    uint32_t alive[FIELD_SLOTS]; // the newest that came
    uint32_t frame;              // that it was counted in
} Counts;

void counts_init(Counts *counts);
void counts_free(Counts *counts);

// Opens a frame's count; false when too many are on their way, then this frame is not counted.
bool counts_begin(Counts *counts, uint32_t frame);

// Around what draws the living of one field.
void counts_open(Counts *counts, int slot);
void counts_close(void);

// Takes what has come; with `wait` everything that was asked.
void counts_collect(Counts *counts, bool wait);
