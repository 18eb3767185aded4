// Where rendered frames go: a video with its sound, made by the ffmpeg program that is fed through a
// pipe, or a folder of numbered PNG files.  Waits and allocates: offline only.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "gfx/gfx.h"

typedef struct {
    const char *out; // a name with a video's extension, else a folder (made when it is not there)
    Size size;
    double fps;
    const char *sound;        // a sound file for the video, NULL none
    const char *sound_source; // else what audio_open takes, for `sound_seconds`; NULL none
    double sound_seconds;
    uint32_t seed;
} OutputDesc;

typedef struct Output Output;

// True when the name has the extension of a video.
bool output_is_video(const char *out);

// True when the ffmpeg program can be found.
bool output_has_encoder(void);

// NULL and one sentence in `why`.
Output *output_open(const OutputDesc *desc, char *why, int why_size);

// One frame, RGB rows from the top.  False and one sentence in `why`.
bool output_frame(Output *output, const uint8_t *rgb, char *why, int why_size);

// Finishes the file; false and one sentence when it is not whole.  NULL is fine.
bool output_close(Output *output, char *why, int why_size);
