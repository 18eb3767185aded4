// What the light of a frame goes through until it is a picture: trails, bloom, finish.
#pragma once

#include "control/control.h"
#include "gfx/gfx.h"
#include "render/passes.h"

enum {
    MARGIN = 16,         // pixels drawn beyond each side: points vanish when their middle leaves
    BLOOM_RANKS = 7,     // sizes of the glow
    BLOOM_TALLEST = 256, // pixels: height of the finest of them, whatever the picture's
    BLOOM_LEVELS = BLOOM_RANKS + 6,
};

// A picture of the light at one size.
typedef struct {
    Target target;
    int rank; // 0 is the finest of the glow; -1: only on the way there
} BloomLevel;

typedef struct {
    Size whole;      // of the finished picture
    float scale;     // of `size` to it
    Size size;       // of the light
    Target light;    // with MARGIN, linear, premultiplied; filled by draw.c
    Target trail[2]; // the newer one is trail[newer]
    int newer;
    bool trail_empty;
    int64_t tick;                   // 1/60 s of the show's time that the trail stands at
    BloomLevel bloom[BLOOM_LEVELS]; // finest first
    int bloom_count, bloom_first;   // the first with a rank
    Target glow;                    // the sum of the ranks, smooth enough to be made larger
} Picture;

// For a finished picture of size `whole`; light, trails and glow are drawn in one of `scale` (0..1) of
// its height.  False and one sentence in `why` when the machine refuses; then `picture` is empty.
//
// Another scale is another Picture, made between frames.  Drawing into a part of textures that are
// large enough for all would save making them, once in many seconds, and would cost every pass care at
// the part's edges, and graphics memory at the very moment when the machine is short of everything.
bool picture_init(Picture *picture, Size whole, float scale, char *why, int why_size);
void picture_free(Picture *picture);

// Goes on with the trail of another picture, at its own size.
void picture_resume(Picture *picture, const Picture *before);

// Binds the light for drawing, empty.
void picture_begin(const Picture *picture);

// trails.c: advances the trail to `time` (s, the show's) by ticks of 1/60 s.
void trails_step(Picture *picture, const Passes *passes, const float *values, double time);

// bloom.c: makes the glow.  Its energy is that of the light.
void bloom_draw(Picture *picture, const Passes *passes, const float *values);

// The share of the glow that would be finer than this picture can show: it belongs to the light
// itself.
float bloom_share_of_light(const Picture *picture, float radius);

// finish.c: everything together into `target`.
void finish_draw(const Picture *picture, const Passes *passes, const float *values, uint32_t frame,
                 const Target *target);

// The light and what it is read with, as units 0 and 1 of the program in use.
void picture_textures(const Picture *picture, const Program *program, const float *values);
