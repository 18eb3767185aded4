// How many particles of the fields are alive, and how many were born by fill, counted by the GPU and never
// waited for: each frame's counts come a few frames later.  Counting with queries of samples passed is
// exact and needs neither reductions nor read-backs.
#pragma once

#include "control/control.h"
#include "gfx/gfx.h"

enum { COUNT_FRAMES = 4 }; // on their way at a time

typedef enum { COUNT_LIVING, COUNT_BORN, COUNT_KINDS } CountKind;

typedef struct {
    GLuint queries[COUNT_FRAMES][COUNT_KINDS][FIELD_SLOTS];
    bool asked[COUNT_FRAMES][COUNT_KINDS][FIELD_SLOTS];
    uint32_t frames[COUNT_FRAMES];
    int first, pending;
    uint32_t alive[FIELD_SLOTS]; // the newest that came
    uint32_t frame;              // that it was counted in
    uint64_t born;               // by all counts that came
} Counts;

void counts_init(Counts *counts);
void counts_free(Counts *counts);

// Opens a frame's count; false when too many are on their way, then this frame is not counted.
bool counts_begin(Counts *counts, uint32_t frame);

// Around what draws the living, or the births, of one field: each kind at most once a frame.
void counts_open(Counts *counts, CountKind kind, int slot);
void counts_close(void);

// Takes what has come; with `wait` everything that was asked.
void counts_collect(Counts *counts, bool wait);
