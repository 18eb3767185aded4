// A sound file as a source.  A thread of its own decodes about two seconds ahead into a ring, so that
// no frame waits for a disk.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct AudioFile AudioFile;

// Opens any file that libsndfile reads and decodes its first two seconds.  NULL and one sentence in
// `why` when there is no sound in it, or its rate cannot be analysed.
AudioFile *audio_file_open(const char *path, bool loop, char *why, int why_size);

// Ends the thread; NULL is fine.
void audio_file_close(AudioFile *file);

// The next `count` frames in order, or fewer: when the file is over, or, unless `wait`, when the disk
// is late (what is missing then comes with the next call).
uint32_t audio_file_read(AudioFile *file, float *samples, uint32_t count, bool wait);

// Goes on reading there (s from the start; held within the file).  Never waits: until the thread has
// got there, reads give nothing (unless they `wait`).  Nothing from before comes after this call.  False
// when such a file cannot be sought in.
bool audio_file_seek(AudioFile *file, double seconds);

// How many seeks have come to something: what was read last follows on nothing when this has changed.
uint32_t audio_file_joins(const AudioFile *file);

int audio_file_rate(const AudioFile *file); // Hz

// In seconds, as the file says; 0 when it loops or does not know.
double audio_file_duration(const AudioFile *file);

// In seconds from the file's start: where the next frame to be read lies.
double audio_file_position(const AudioFile *file);

// True once the last frame has been read.
bool audio_file_ended(const AudioFile *file);
