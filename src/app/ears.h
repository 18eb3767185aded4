// What the live host hears: the source that was asked for, or, where none was and the machine has no
// input, the demo loop until an input appears.
#pragma once

#include "app/options.h"
#include "audio/audio.h"
#include "control/control.h"

typedef struct {
    AudioDesc desc;
    Audio *chosen, *demo;
    const Audio *last; // what was read last
    bool asked;        // a source was named: nothing else is put in its place
    uint32_t source;   // version of audio/source as last seen
    float seek, restart;
    uint64_t joins; // of what was read last
} Ears;

// What one frame heard.
typedef struct {
    uint32_t frames;
    AudioStatus status;
    bool joined; // the samples do not follow on the last ones
    bool demo;   // the demo stands in for an input
} Heard;

// Begins to open the source; false and one sentence in `why`.
bool ears_open(Ears *ears, const Options *options, const Params *params, char *why, int why_size);
void ears_close(Ears *ears);

// Does what the controls say (audio/source, channels, offset, pause, seek), and reads the next samples.
// Neither waits nor allocates, but in the frame in which the demo first stands in.
Heard ears_read(Ears *ears, const Params *params, double seconds, float *pairs, uint32_t capacity);
