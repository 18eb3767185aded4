// Inside the room: a shader's text with its includes, and the way back from the driver's words
// about it to file and line.  Knows no OpenGL.
#pragma once

#include <stdbool.h>

typedef struct Source Source;

// The file `name` below `folder` with every `#include "x"` line replaced by that file (below
// `folder` too), each file once.  NULL and one sentence in `why` ("dir/a.frag:3: ...") on failure.
Source *source_load(const char *folder, const char *name, char *why, int why_size);
void source_free(Source *source);

const char *source_text(const Source *source);

// Says in `why` what the driver's log complains of first, as "dir/file:line: text".  Knows the
// forms "0:12(3): error: text" (Mesa), "0(12) : error C1008: text" (NVIDIA) and "ERROR: 0:12: text"
// (AMD, Apple, Intel); anything else is passed on behind the name of the file.
void source_explain(const Source *source, const char *log, char *why, int why_size);
