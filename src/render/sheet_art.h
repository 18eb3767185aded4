// The sheets that the program draws itself, as numbers: no OpenGL, any thread.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    SHEET_SIDE = 512,  // texels of a sheet, whatever it shows
    SHEET_LEVELS = 8,  // mip levels, down to 4 texels
    SHEET_FRAMES = 16, // frames a side at most
};

// A sheet as the graphics memory takes it: the levels one behind another, rows from the top,
// RGBA bytes that are square roots of premultiplied linear light and cover.
enum { SHEET_BYTES = 4 * (SHEET_SIDE * SHEET_SIDE * 4 - 4 * 4) / 3 };

// Where a level begins.
uint32_t sheet_level_at(int level);
int sheet_level_side(int level);

// Texels of a frame's side, a power of two, so that no mip level mixes frames.
int sheet_frame_side(int frames);

// Fills in the coarser levels.
void sheet_make_levels(uint8_t *sheet);

typedef struct {
    const char *name;
    int columns, rows;
    int samples; // a texel's side
    bool shaded; // by itself: its light is its cover, less where it lies in its own shadow
    // Premultiplied linear light and cover at x, y in -1..1, y up.
    void (*paint)(float x, float y, int frame, float rgba[4]);
} SheetArt;

extern const SheetArt sheet_arts[];
extern const int sheet_art_count;

const SheetArt *sheet_art_find(const char *name); // NULL: none of that name

// Draws it into `sheet` (SHEET_BYTES).  Tens of milliseconds.
void sheet_art_draw(const SheetArt *art, uint8_t *sheet);

// A picture of at least one pixel as a sheet: 8-bit sRGB rows, top row first, alpha not multiplied in, with
// columns x rows frames in it (1..SHEET_FRAMES).  A large one takes a second.
void sheet_of_picture(const uint8_t *rgba, int width, int height, int columns, int rows,
                      uint8_t *sheet);
