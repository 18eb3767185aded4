// The sound as textures, for shaders (shaders/common/sound.glsl reads them): the spectrum, the standing
// waveform, and the spectrogram.  A row of the spectrogram is a hop, so its time is the same at any frame
// rate.
//
// Updating neither allocates nor waits: a frame's rows are a few hundred bytes, which a driver takes
// along with the commands.
#pragma once

#include "gfx/gfx.h"
#include "render/passes.h"
#include "render/picture.h"
#include "render/render.h"

typedef struct {
    GLuint spectrum;    // ANALYSIS_SPECTRUM x 2: as it is; with a fall
    GLuint wave;        // ANALYSIS_WAVEFORM x 1
    GLuint spectrogram; // ANALYSIS_SPECTRUM x PAST_HOPS, a ring of rows as in Past
    uint64_t hops;      // rows that came so far
} Sound;

void sound_init(Sound *sound);
void sound_free(Sound *sound);

// Takes what is new; NULL leaves what there is.
void sound_update(Sound *sound, const Features *heard, const Past *past);

// Puts the textures into the program in use, as units 3 to 5, and where the spectrogram's end is.
void sound_textures(const Sound *sound, const Program *program);

// scope.c: the sound itself as light, into the picture's light, which is bound.
void scope_draw(const Picture *picture, const Passes *passes, const Sound *sound,
                const float *values);
