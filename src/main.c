// Arguments in, exit code out; picks who does the work.
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "app/clock.h"
#include "app/analyse.h"
#include "app/bench.h"
#include "app/hosts.h"
#include "app/options.h"
#include "app/playlist.h"
#include "app/where.h"
#include "audio/audio.h"
#include "control/control.h"

static int analyse(const Options *options)
{
    char why[512];
    if (options->word_count != 1) return complain("analyse wants one sound file", EXIT_WRONG);
    const int code =
        analyse_file(options->words[0], options->json, options->plot, stdout, why, sizeof why);
    return code == EXIT_DONE ? code : complain(why, code);
}

static int check(const Options *options)
{
    char why[512], path[WHERE_PATH];
    int code = EXIT_DONE;
    if (options->word_count == 0)
        return complain("check wants presets: names or files", EXIT_WRONG);
    for (int i = 0; i < options->word_count; i++) {
        const bool found = playlist_find(options->words[i], path, why, sizeof why);
        Preset *preset = found ? preset_load(path, why, sizeof why) : NULL;
        if (preset)
            printf("%s: fine\n", path);
        else
            code = complain(why, EXIT_WRONG);
        preset_free(preset);
    }
    return code;
}

static int print_params(const Options *options)
{
    params_print(stdout, options->json       ? PRINT_JSON
                         : options->markdown ? PRINT_MARKDOWN
                                             : PRINT_TEXT);
    return EXIT_DONE;
}

int main(int argc, char **argv)
{
    Options options;
    char why[512];
    if (argc > 1 && !strcmp(argv[1], AUDIO_CAPTURE_COMMAND)) return audio_capture_main(argc, argv);
    signal(SIGPIPE, SIG_IGN); // a pipe that closes is an error to report, not an end
    if (!options_read(&options, argc, argv, why, sizeof why)) return complain(why, EXIT_WRONG);
    switch (options.command) {
    case COMMAND_LIVE:
        return host_live(&options);
    case COMMAND_RENDER:
        return host_render(&options);
    case COMMAND_ANALYSE:
        return analyse(&options);
    case COMMAND_DEVICES:
        return audio_list(stdout, options.json) ? EXIT_DONE : EXIT_FAILED;
    case COMMAND_PARAMS:
        return print_params(&options);
    case COMMAND_CHECK:
        return check(&options);
    case COMMAND_BENCH:
        return bench(&options);
    case COMMAND_HELP:
        options_help(stdout);
        return EXIT_DONE;
    case COMMAND_VERSION:
        printf("motes %s\n", MOTES_VERSION);
        return EXIT_DONE;
    }
    return EXIT_FAILED;
}
