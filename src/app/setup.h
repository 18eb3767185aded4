// What both hosts do before the first frame.
#pragma once

#include "app/options.h"
#include "app/show.h"
#include "app/where.h"

// The look that a show begins with when none is asked for.
#define FIRST_PRESET "drift"

// Loads the preset that the options name (else FIRST_PRESET; a built-in look when even that is missing
// or broken), then does every --set.  `name` (64 bytes) gets the preset's short name.  False and one
// sentence when what the user named is wrong.
bool setup_show(Show *show, const Options *options, char *name, char *why, int why_size);

// The folder of the shaders, with all of them in it; false and one sentence when one is missing.
bool setup_shaders(char folder[WHERE_PATH], char *why, int why_size);

// False and one sentence when the preset that the options name cannot be loaded: asked before a window
// opens.
bool setup_check(const Options *options, char *why, int why_size);

// What audio_open takes for the word that `render` and `analyse` are given: a source as it is, or a
// file's path.  Writes to `source`.
void setup_source(const char *word, char *source, int size);
