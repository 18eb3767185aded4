// Who calls the show: a window live, or nobody's clock offline.  Both return the process's exit code
// and print errors as one sentence on standard error.
#pragma once

#include "app/options.h"

// `motes [PRESET]`: a window, sound, OSC, until it is closed.  Where no window can be had, ten seconds
// are rendered to a video instead.
int host_live(const Options *options);

// `motes render AUDIO -o OUT`.
int host_render(const Options *options);

// Ten seconds of the demo (or of the file that the options name) without a display; says where.
int host_without_display(const Options *options, const char *because);
