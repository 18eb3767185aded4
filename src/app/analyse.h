// `motes analyse`: what the analyser hears in a sound file.
#pragma once

#include <stdbool.h>
#include <stdio.h>

// Hears the file to its end, as fast as it can be read, and prints to `out` a summary for people, or
// with `json` one object a hop and last an object "summary"; draws it as PNG into the file `picture`
// (NULL: none).  Returns an exit code: 0; 1 and one
// sentence in `why` when it cannot be written; 2 and one sentence when the file is wrong.
int analyse_file(const char *path, bool json, const char *picture, FILE *out, char *why,
                 int why_size);
