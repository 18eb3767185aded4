// The command line: one table of options, one of commands.  --help is printed from them.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef enum {
    COMMAND_LIVE,
    COMMAND_RENDER,
    COMMAND_ANALYSE,
    COMMAND_DEVICES,
    COMMAND_PARAMS,
    COMMAND_CHECK,
    COMMAND_BENCH,
    COMMAND_HELP,
    COMMAND_VERSION,
} Command;

enum { OPTION_SETS = 64, OPTION_WORDS = 512 }; // --set and words may be given so often

typedef struct {
    Command command;
    const char *words[OPTION_WORDS]; // what stands without dashes, behind the command
    int word_count;

    const char *audio, *audio_log;
    bool strict;
    const char *preset;
    const char *sets[OPTION_SETS];
    int set_count;
    bool fullscreen;
    const char *monitor; // NULL: none named
    int width, height;   // 0: the host's own
    int osc_port;        // 0: the usual one; -1: no OSC
    const char *osc_bind, *osc_allow;
    const char *stats;
    const char *out;
    uint32_t seed;
    uint64_t frames; // 0: no end
    double fps;      // 0: the host's own
    bool json, markdown;
    bool cpu;         // bench: the particle engine alone
    bool hearing;     // bench: a hop, part by part
    bool gpu;         // bench: the GPU fields alone
    const char *plot; // a picture of what was heard; NULL: none
    bool no_vsync;
} Options;

// Exit codes, for all commands.
enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_WRONG = 2, EXIT_CONTEXT_LOST = 3 };

// Reads the command line; it must outlive the options.  False and one sentence in `why`.
bool options_read(Options *options, int argc, char **argv, char *why, int why_size);

void options_help(FILE *out);
