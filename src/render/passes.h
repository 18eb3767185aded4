// The shader programs of the picture: one row a pass.
#pragma once

#include "gfx/gfx.h"

typedef enum {
    PASS_FIELD_STEP,  // does all
    PASS_FIELD_BIRTH, // these do a part, each in a fraction of the time: see field.c
    PASS_FIELD_GLIDE,
    PASS_FIELD_GLIDE_LONG,
    PASS_FIELD_STIR,
    PASS_FIELD_STIR_LONG,
    PASS_FIELD_SURGE,
    PASS_FIELD_FILL,
    PASS_FIELD_FILL_STIR,
    PASS_FIELD_FILL_HINDER,
    PASS_FIELD_FILL_BIRTH,
    PASS_FIELD_HINDER,
    PASS_FIELD_COUNT,
    PASS_FIELD_COUNT_BORN,
    PASS_FIELD_POINTS, // of each kind of sprite up to SPRITE_SHEET, in its order
    PASS_FIELD_DISCS,
    PASS_FIELD_SHEETS,
    PASS_FIELD_BODIES,
    PASS_POINTS, // the same
    PASS_DISCS,
    PASS_SHEETS,
    PASS_BODIES,
    PASS_SCOPE,
    PASS_TRAIL,
    PASS_BLOOM_FIRST,
    PASS_BLOOM_DOWN,
    PASS_BLOOM_UP,
    PASS_FINISH,
    PASS_FINISH_SCALED,
    PASS_COUNT
} Pass;

typedef struct {
    Program *program[PASS_COUNT];
} Passes;

// False and the first error in `why` when a file is missing.  Needs no context.
bool passes_check(const char *folder, char *why, int why_size);

// False and the first error in `why`; what was loaded is left for passes_free.
bool passes_load(Passes *passes, const char *folder, char *why, int why_size);

// Loads all anew; the last good one of each stays.  False and the first error in `why`.
bool passes_reload(Passes *passes, char *why, int why_size);
void passes_free(Passes *passes);

// Puts the program of a pass in use and returns it, for its uniforms.
const Program *pass_use(const Passes *passes, Pass pass);
