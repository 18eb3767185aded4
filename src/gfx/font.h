// Inside the room: the letters that bake_font.c draws while motes is built.
#pragma once

typedef struct {
    // A cell holds one letter as distances to its edge: 128 on the edge, `slope` more a pixel
    // inwards.  It reaches `padding` pixels over the letter's own place on all sides.
    int cell_width, cell_height, padding;
    float slope;
    float advance, line; // from letter to letter and from line to line, in pixels of the atlas
    int columns, rows;   // of cells
    int count;
    const unsigned short *letters; // their Unicode numbers, rising; the last, 0xffff, is the box
    const unsigned char *pixels;   // columns * cell_width by rows * cell_height
} Font;

extern const Font font;
