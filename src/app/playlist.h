// The presets of two folders in order, and the worker that reads, checks and saves them, so that a
// frame never waits for a disk.  Frame thread only; between frames.
#pragma once

#include <stdbool.h>

#include "app/where.h"
#include "control/control.h"

enum { PLAYLIST_NAME = 64 };

typedef struct Playlist Playlist;

// Takes the names of all *.json of `folder`, sorted, and behind them those of `own`, the user's (see
// playlist_own); of a name that stands in both, the own one is loaded.  An empty or missing folder, ""
// or NULL is an empty list.  Steps count from `current`, if it is one of them.  NULL and one sentence
// in `why` when out of memory.
Playlist *playlist_open(const char *folder, const char *own, const char *current, char *why,
                        int why_size);

// Waits until what is to be saved is saved, but no longer than 3 s for a disk that hangs.  NULL is fine.
void playlist_close(Playlist *playlist);

// Asks for a preset by name or file, or for the one `step` places on from the last that loaded; broken
// ones are stepped over, once round at most.
void playlist_ask(Playlist *playlist, const char *name);
void playlist_ask_step(Playlist *playlist, int step);

// Saves the look as it is now under this name, which replaces a preset called so; the look is copied,
// the rest is the worker's.  It goes where the name is loaded from or, when that cannot be written, to
// the own folder, which is made.  False and one sentence in `why` when it is no preset_name_fits, or
// the last look is still being saved.
bool playlist_save(Playlist *playlist, const Params *params, const char *name, char *why,
                   int why_size);

typedef struct {
    Preset *preset; // the caller applies it and gives it back with playlist_return; NULL: none
    bool saved;     // the look of that name is on the disk and in the list; steps go on from it
    char name[PLAYLIST_NAME]; // short
    char why[256];            // what was wrong, "" when nothing was
} PlaylistAnswer;

// What has been loaded or saved since; false when nothing has.
bool playlist_take(Playlist *playlist, PlaylistAnswer *answer);
void playlist_return(Playlist *playlist, Preset *preset);

// ---- without a list; waits for the disk ----

// The folder of the user's own presets, there or not: $XDG_DATA_HOME/motes/presets, else
// ~/.local/share/motes/presets.  False, and "", when the environment names neither.
bool playlist_own(char path[WHERE_PATH]);

// The preset called so: the own one, else what where_preset finds.
bool playlist_find(const char *name, char path[WHERE_PATH], char *why, int why_size);

// A file that a look names (mesh, image, sheet): a path, or a name beside the user's own presets or the
// shipped ones.  False and one sentence in `why` when there is none.
bool playlist_asset(const char *name, char path[WHERE_PATH], char *why, int why_size);
