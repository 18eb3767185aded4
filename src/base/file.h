// Whole files in and out.  Allocates and waits for the disk: never inside a frame.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// A plain file, opened for reading; it never waits, as a named pipe or a device would.  -1 and one
// sentence in `why` when it is something else or cannot be opened; the caller closes.
int file_open(const char *path, char *why, int why_size);

// The whole file as heap memory with a 0 behind it, its length in `length` (may be NULL); the caller
// frees.  NULL and one sentence in `why` when it is no plain file, cannot be read or is
// larger than 64 MiB.
char *file_read(const char *path, size_t *length, char *why, int why_size);

// Replaces the file as one step: what is there stays whole until the new content is safely on disk
// (temporary file beside it, fsync, rename).  False and one sentence in `why` when that fails.
bool file_write(const char *path, const char *content, size_t length, char *why, int why_size);

bool file_exists(const char *path);
