// The presets of a folder in order, and the worker that reads and checks them, so that a frame never
// waits for a disk.  Frame thread only; between frames.
#pragma once

#include <stdbool.h>

#include "control/control.h"

enum { PLAYLIST_NAME = 64 };

typedef struct Playlist Playlist;

// Takes the names of all *.json of the folder, sorted; an empty or missing folder is an empty list.
// Steps count from `current`, if it is one of them.  NULL and one sentence in `why` when out of memory.
Playlist *playlist_open(const char *folder, const char *current, char *why, int why_size);
void playlist_close(Playlist *playlist); // NULL is fine

// Asks for a preset by name or file, or for the one `step` places on from the last that loaded; broken
// ones are stepped over, once round at most.
void playlist_ask(Playlist *playlist, const char *name);
void playlist_ask_step(Playlist *playlist, int step);

typedef struct {
    Preset *preset; // the caller applies it and gives it back with playlist_return; NULL: it failed
    char name[PLAYLIST_NAME]; // short
    char why[256];            // what was wrong, "" when nothing was
} PlaylistAnswer;

// What has been loaded since; false when nothing has.
bool playlist_take(Playlist *playlist, PlaylistAnswer *answer);
void playlist_return(Playlist *playlist, Preset *preset);
