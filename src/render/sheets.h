// Sheets: the pictures of particles, each a layer of one texture, its frames side by side and one
// row above another.  Sheets that the program draws itself are drawn when they are first named.
#pragma once

#include "control/control.h"
#include "gfx/gfx.h"
#include "render/sheet_art.h"

enum { SHEET_LAYERS = 16, SHEET_NAME = 256, SHEETS_MISSED = 8 };

// Layer 0 is no sheet: a disc.
typedef struct {
    int layer;
    int columns, rows;
    float wide, high; // of a frame, as shares of the sheet
} Sheet;

typedef struct {
    GLuint texture;                       // 0 until a sheet is named
    char names[SHEET_LAYERS][SHEET_NAME]; // "": a free layer; 0 stays free
    int columns[SHEET_LAYERS], rows[SHEET_LAYERS];
    char missed[SHEETS_MISSED][SHEET_NAME]; // names that were told not to be there, in turn
    int next_missed;
} Sheets;

void sheets_free(Sheets *sheets); // leaves an empty one

// Between frames: draws the built-in sheets that emitters and fields name and that are not there
// yet, for who can wait for tens of milliseconds; others bring them by sheets_set.  A name that is
// not there is drawn as a disc.  What could not be made: one sentence in `notice` where it is "" so
// far, the first time.
void sheets_prepare(Sheets *sheets, const Params *params, char *notice, int notice_size);

// Between frames: takes a sheet as sheet_art.h makes it, with columns x rows frames, in the place of one
// of that name, or of one that is not named any more.  False and a sentence when the machine refuses
// or every layer is in use.
bool sheets_set(Sheets *sheets, const Params *params, const char *name, int columns, int rows,
                const uint8_t *sheet, char *why, int why_size);

// The layer of a name, or 0.
int sheets_find(const Sheets *sheets, const char *name);

// The sheet of an emitter or field, with as many frames as its rows say.
Sheet sheets_of(const Sheets *sheets, const Params *params, Owner owner, int slot);
