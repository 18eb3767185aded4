#include "app/options.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "osc/osc.h"

typedef struct {
    const char *name, *words, *help;
    Command command;
} CommandRow;

static const CommandRow commands[] = {
    { "", "[PRESET]", "Plays live: window, sound, OSC", COMMAND_LIVE },
    { "render", "AUDIO -o OUT",
      "The same show offline: a video with its sound, or a folder of PNG files", COMMAND_RENDER },
    { "analyse", "AUDIO", "What the analyser hears: a summary, --json, or a picture (--plot)",
      COMMAND_ANALYSE },
    { "devices", "", "Audio inputs and monitors", COMMAND_DEVICES },
    { "params", "", "The table of controls: text, --markdown or --json", COMMAND_PARAMS },
    { "check", "PRESET...", "Are these presets valid", COMMAND_CHECK },
    { "bench", "", "How fast is this machine", COMMAND_BENCH },
    { "help", "", "This page", COMMAND_HELP },
    { "version", "", "The version", COMMAND_VERSION },
};

typedef enum { FLAG, TEXT, NUMBER, COUNT, SEED, SIZE, SET, OSC_PORT_OR_OFF, MONITOR } Form;

typedef struct {
    const char *name, *value, *help;
    Form form;
    size_t at; // offset in Options
} OptionRow;

#define AT(member) offsetof(Options, member)

static const OptionRow rows[] = {
    { "audio", "SOURCE", "input[:NAME][#PAIR], system, file:PATH, or demo[:KIND]", TEXT,
      AT(audio) },
    { "strict", NULL, "A device that is not there is an error, not a fallback", FLAG, AT(strict) },
    { "audio-log", "FILE", "Where the sound libraries' chatter goes", TEXT, AT(audio_log) },
    { "preset", "NAME", "The preset to begin with: its name, or a file", TEXT, AT(preset) },
    { "set", "PATH=VALUE", "Sets a control once the preset is loaded; may be repeated", SET, 0 },
    { "fullscreen", "[=MONITOR]", "Fullscreen; on the monitor of that name or number", MONITOR, 0 },
    { "size", "WxH", "Size of the window, or of the picture that is rendered", SIZE, 0 },
    { "osc-port", "N", "Port of the OSC server (7700); off: none", OSC_PORT_OR_OFF, 0 },
    { "osc-bind", "ADDRESS", "Address that OSC listens on (127.0.0.1)", TEXT, AT(osc_bind) },
    { "osc-allow", "CIDR", "Only senders of this network are heard", TEXT, AT(osc_allow) },
    { "stats", "FILE", "One JSON object a frame; - is the standard output", TEXT, AT(stats) },
    { "o", "OUT", "What render writes: a video's name, or a folder for PNG files", TEXT, AT(out) },
    { "seed", "N", "Seed of all chance (1)", SEED, AT(seed) },
    { "frames", "N", "Ends after so many frames", COUNT, AT(frames) },
    { "fps", "N", "render: frames a second (60); live: no more than that", NUMBER, AT(fps) },
    { "no-vsync", NULL, "Does not wait for the monitor", FLAG, AT(no_vsync) },
    { "plot", "OUT.png",
      "analyse: draws what is heard: waveform, bands, spectrogram, onsets, beats, gain", TEXT,
      AT(plot) },
    { "cpu", NULL, "bench: the CPU particles against a naive engine and the memory's own speed", FLAG,
      AT(cpu) },
    { "hearing", NULL, "bench: what a hop of hearing costs, part by part", FLAG, AT(hearing) },
    { "gpu", NULL, "bench: the GPU fields against the known scheme and the copying of their state",
      FLAG, AT(gpu) },
    { "json", NULL, "Prints JSON", FLAG, AT(json) },
    { "markdown", NULL, "Prints Markdown", FLAG, AT(markdown) },
};

void options_help(FILE *out)
{
    fprintf(out, "motes: sound into swarms of light, live\n\n");
    for (int i = 0; i < COUNT_OF(commands); i++) {
        char call[64];
        snprintf(call, sizeof call, "motes %s%s%s", commands[i].name, *commands[i].name ? " " : "",
                 commands[i].words);
        fprintf(out, "  %-28s %s\n", call, commands[i].help);
    }
    fprintf(out, "\n");
    for (int i = 0; i < COUNT_OF(rows); i++) {
        char call[64];
        const char *value = rows[i].value ? rows[i].value : "";
        snprintf(call, sizeof call, "%s%s%s%s", rows[i].name[1] ? "--" : "-", rows[i].name,
                 value[0] == '[' ? "" : " ", value);
        fprintf(out, "  %-28s %s\n", call, rows[i].help);
    }
    fprintf(out,
            "\nExit codes: 0 done, 1 failed while running, 2 the command line or a file was wrong, "
            "3 the graphics context was lost.\n");
}

static const OptionRow *find_row(const char *name, size_t length)
{
    for (int i = 0; i < COUNT_OF(rows); i++)
        if (strlen(rows[i].name) == length && !strncmp(rows[i].name, name, length)) return &rows[i];
    return NULL;
}

static bool parse_number(const char *text, double low, double high, double *number)
{
    char *end;
    errno = 0;
    *number = strtod(text, &end);
    return end != text && !*end && !errno && isfinite(*number) && *number >= low && *number <= high;
}

static bool parse_whole(const char *text, double high, double *number)
{
    return parse_number(text, 0, high, number) && floor(*number) == *number;
}

// Puts the text of one option where it belongs; false when it does not fit the option's form.
static bool take(Options *o, const OptionRow *row, const char *text)
{
    void *at = (char *)o + row->at;
    double number;
    char rest;
    switch (row->form) {
    case FLAG:
        *(bool *)at = true;
        return true;
    case TEXT:
        *(const char **)at = text;
        return *text;
    case NUMBER:
        if (!parse_number(text, 1, 1000, &number)) return false;
        *(double *)at = number;
        return true;
    case COUNT:
        if (!parse_whole(text, 1e15, &number)) return false;
        *(uint64_t *)at = (uint64_t)number;
        return true;
    case SEED:
        if (!parse_whole(text, UINT32_MAX, &number)) return false;
        *(uint32_t *)at = (uint32_t)number;
        return true;
    case SIZE:
        return sscanf(text, "%dx%d%c", &o->width, &o->height, &rest) == 2 && o->width >= 16 &&
               o->height >= 16 && o->width <= 16384 && o->height <= 16384;
    case SET:
        if (!strchr(text, '=') || o->set_count == OPTION_SETS) return false;
        o->sets[o->set_count++] = text;
        return true;
    case OSC_PORT_OR_OFF:
        if (!strcmp(text, "off"))
            number = -1;
        else if (!parse_whole(text, 65535, &number) || number == 0)
            return false;
        o->osc_port = (int)number;
        return true;
    case MONITOR:
        o->fullscreen = true;
        o->monitor = text;
        return true;
    }
    return false;
}

static bool wants_value(const OptionRow *row)
{
    return row->form != FLAG && row->form != MONITOR;
}

// A word of its own behind --fullscreen is a monitor's number; a name would read as a preset.
static bool is_monitor(const char *word)
{
    return word && word[0] != '-' && strspn(word, "0123456789") == strlen(word);
}

// Reads the option at argv[i]; returns how many words it took, 0 when it is wrong.
static int read_option(Options *o, int argc, char **argv, int i, char *why, int why_size)
{
    const char *name = argv[i] + (argv[i][1] == '-' ? 2 : 1);
    const char *equals = strchr(name, '=');
    const OptionRow *row = find_row(name, equals ? (size_t)(equals - name) : strlen(name));
    if (!row) {
        snprintf(why, (size_t)why_size, "there is no option %s (motes help lists them)", argv[i]);
        return 0;
    }
    const char *text = equals ? equals + 1 : NULL;
    int taken = 1;
    if (!text &&
        (wants_value(row) || (row->form == MONITOR && i + 1 < argc && is_monitor(argv[i + 1])))) {
        if (i + 1 == argc) {
            snprintf(why, (size_t)why_size, "%s wants a value: %s", argv[i], row->value);
            return 0;
        }
        text = argv[i + 1];
        taken = 2;
    }
    if ((text && row->form == FLAG) || !take(o, row, text)) {
        snprintf(why, (size_t)why_size, "--%s does not take \"%s\"; it wants %s", row->name,
                 text ? text : "", row->value ? row->value : "nothing");
        return 0;
    }
    return taken;
}

static bool find_command(const char *word, Command *command)
{
    for (int i = 1; i < COUNT_OF(commands); i++) {
        if (strcmp(word, commands[i].name)) continue;
        *command = commands[i].command;
        return true;
    }
    return false;
}

static bool read_word(Options *options, const char *word, bool first, char *why, int why_size)
{
    if (first && find_command(word, &options->command)) return true;
    if (options->word_count == OPTION_WORDS) {
        snprintf(why, (size_t)why_size, "more than %d words", OPTION_WORDS);
        return false;
    }
    options->words[options->word_count++] = word;
    return true;
}

bool options_read(Options *options, int argc, char **argv, char *why, int why_size)
{
    bool first = true, only_words = false;
    *options = (Options){ .seed = 1 };
    for (int i = 1; i < argc;) {
        const bool dashed = !only_words && argv[i][0] == '-' && argv[i][1];
        if (dashed && !strcmp(argv[i], "--")) {
            only_words = true;
            i++;
        } else if (dashed && (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))) {
            options->command = COMMAND_HELP;
            return true;
        } else if (dashed && !strcmp(argv[i], "--version")) {
            options->command = COMMAND_VERSION;
            return true;
        } else if (dashed) {
            const int taken = read_option(options, argc, argv, i, why, why_size);
            if (!taken) return false;
            i += taken;
        } else {
            if (!read_word(options, argv[i++], first, why, why_size)) return false;
            first = false;
        }
    }
    return true;
}
