// One source that is open: a device, a file or the demo.  What its functions promise stands in audio.h.
#pragma once

#include "audio/audio.h"

typedef struct Source Source;

// May take what audio_open may take.
Source *source_open(const AudioDesc *desc, char *why, int why_size);
void source_close(Source *source); // NULL is fine

uint32_t source_read(Source *source, double seconds, float *samples, uint32_t capacity, bool wait);
bool source_seek(Source *source, double seconds);
bool source_is_live(const Source *source);
int source_rate(const Source *source); // Hz, of what was read last

// Grows when what was read last does not follow on what was read before.
uint64_t source_joins(const Source *source);

AudioStatus source_status(const Source *source);

// Cuts a pair of channels ("#3-4", "#3") off the end of a source's words and says which it is; 0 and 0,
// and all words left, when there is none.
enum { SOURCE_CHANNELS = 256 }; // no card has more
void source_cut_pair(char *words, int *left, int *right);
