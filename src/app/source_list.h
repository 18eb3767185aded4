// What can be heard, in order: the default input, each input and monitor by name, what the machine plays,
// the demo.  Pure: how it is stepped through, and how the HUD shows it.
#pragma once

#include "audio/audio.h"
#include "render/render.h"

enum { SOURCES_INPUTS = 64, SOURCES_WORDS = AUDIO_NAME + 8 };

typedef struct {
    AudioInput inputs[SOURCES_INPUTS];
    int count; // of them
} SourceList;

// The source that is `steps` behind `current` (a value of audio/source), round and round; one that is not
// in the list lies before its first and behind its last.
void source_list_step(const SourceList *list, const char *current, int steps,
                      char words[SOURCES_WORDS]);

// Fills the HUD's rows: `current` is marked, as chosen where `heard` is that source, else as missing, and
// what stands in for it as chosen.  `demo`: the demo loop stands in.
void source_list_show(const SourceList *list, const char *current, const AudioStatus *heard,
                      bool demo, Hud *hud);
