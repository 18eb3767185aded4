// Where the shaders and presets are: beside an installed program (../share/motes), else in the source
// tree that it was built from.
#pragma once

#include <stdbool.h>

enum { WHERE_PATH = 1024 };

// "shaders" or "presets" as a path; false and one sentence in `why` when neither place has it.
bool where_folder(const char *name, char path[WHERE_PATH], char *why, int why_size);

// The preset called so: a file of that path, else presets/NAME.json.
bool where_preset(const char *name, char path[WHERE_PATH], char *why, int why_size);
