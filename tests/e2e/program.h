// The built program, run as a user would run it, and what it said.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Runs `motes WORDS...` (a line of words, split at spaces) to its end in `folder` (NULL: here); returns its exit code, and
// what it printed on either stream, in `said` (may be NULL).
int program_run(const char *line, const char *folder, char *said, int said_size);

// The same with another copy of the program.
int program_run_at(const char *program, const char *line, const char *folder, char *said,
                   int said_size);

// Starts `motes WORDS...` and lets it run; stage_end ends it.
int program_start(const char *line);

// Waits until it has ended by itself and returns its exit code; fails the test when it takes longer than
// `seconds`.
int program_end(int process, double seconds);

// Ends it with SIGTERM and returns its exit code; fails the test when it takes longer than `seconds`.
int program_stop(int process, double seconds);

typedef struct {
    uint32_t frame;
    double time, rms, level, frame_ms;
    uint32_t births_cpu, births_gpu, alive_cpu, alive_gpu;
    bool onset;
    char audio[24], preset[64], source[128];
} StatsLine;

// The complete lines of a stats file so far, newly allocated in `lines`; returns how many.
int program_stats(const char *path, StatsLine **lines);

// Waits until the stats have a frame behind `seconds` of show time.
void program_wait(const char *stats, double seconds, double timeout);
