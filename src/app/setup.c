#include "app/setup.h"

#include "app/playlist.h"

#include <stdlib.h>
#include <string.h>

// What a --set of show/preset names, or NULL: it is loaded before all other sets, which it would undo.
static const char *set_preset(const char *set)
{
    static const char path[] = "show/preset=";
    set += set[0] == '/';
    return strncmp(set, path, sizeof path - 1) ? NULL : set + sizeof path - 1;
}

// The preset that the user named, or NULL.
static const char *named_preset(const Options *options)
{
    for (int i = options->set_count - 1; i >= 0; i--)
        if (set_preset(options->sets[i])) return set_preset(options->sets[i]);
    const bool word = options->command == COMMAND_LIVE && options->word_count > 0;
    return options->preset ? options->preset : word ? options->words[0] : NULL;
}

static Preset *find_preset(const char *named, char path[WHERE_PATH], char *why, int why_size)
{
    return playlist_find(named, path, why, why_size) ? preset_load(path, why, why_size) : NULL;
}

bool setup_shaders(char folder[WHERE_PATH], char *why, int why_size)
{
    return where_folder("shaders", folder, why, why_size) &&
           render_check_shaders(folder, why, why_size);
}

bool setup_check(const Options *options, char *why, int why_size)
{
    char path[WHERE_PATH];
    const char *named = named_preset(options);
    if (!named) return true;
    Preset *preset = find_preset(named, path, why, why_size);
    preset_free(preset);
    return preset != NULL;
}

static bool load_preset(Show *show, const char *named, char *name, char *why, int why_size)
{
    char path[WHERE_PATH];
    Preset *preset = find_preset(named, path, why, why_size);
    if (!preset) return false;
    show_load(show, preset);
    preset_free(preset);
    const char *slash = strrchr(path, '/');
    snprintf(name, 64, "%s", slash ? slash + 1 : path);
    char *dot = strrchr(name, '.');
    if (dot) *dot = 0;
    return true;
}

// One emitter and one field with their defaults: never a black screen for want of a file.
static void built_in_look(Params *params, char *name)
{
    char why[256];
    params_reset_looks(params);
    params_add(params, OWNER_EMITTER, "main", why, sizeof why);
    params_add(params, OWNER_FIELD, "main", why, sizeof why);
    snprintf(name, 64, "built-in");
}

// "path=1", "path=1,2,3" and "path=text" as the message that another hand would send.
static bool parse_set(const char *set, Message *message, char *why, int why_size)
{
    const char *equals = strchr(set, '=');
    *message = (Message){ 0 };
    if (equals - set >= MESSAGE_PATH - 1) {
        snprintf(why, (size_t)why_size, "--set: the path is too long");
        return false;
    }
    snprintf(message->path, sizeof message->path, "%s%.*s", set[0] == '/' ? "" : "/",
             (int)(equals - set), set);
    int count = 0;
    const char *at = equals + 1;
    for (char *end; *at && count < MESSAGE_ARGS; at = *end ? end + 1 : end) {
        message->number[count] = strtod(at, &end);
        if (end == at || (*end && *end != ',' && *end != ' ')) break;
        message->types[count++] = 'f';
        if (!*end) return true;
    }
    *message = message_text(message->path, equals + 1);
    return true;
}

static bool do_set(Params *params, const char *set, char *why, int why_size)
{
    Message message, answer;
    char reason[256];
    if (!parse_set(set, &message, why, why_size)) return false;
    if (params_message(params, &message, &answer, reason, sizeof reason) != MESSAGE_REFUSED)
        return true;
    snprintf(why, (size_t)why_size, "--set %s: %s", set, reason);
    return false;
}

bool setup_show(Show *show, const Options *options, char *name, char *why, int why_size)
{
    Params *params = show_params(show);
    const char *asked = named_preset(options);
    if (!load_preset(show, asked ? asked : FIRST_PRESET, name, why, why_size)) {
        if (asked) return false;
        built_in_look(params, name);
    }
    params_set_text(params, params_id(OWNER_GLOBAL, 0, GLOBAL_PRESET), name, why, why_size);
    for (int i = 0; i < options->set_count; i++)
        if (!set_preset(options->sets[i]) && !do_set(params, options->sets[i], why, why_size))
            return false;
    return true;
}

void setup_source(const char *word, char *source, int size)
{
    const bool is_source =
        !strncmp(word, "file:", 5) || !strcmp(word, "demo") || !strncmp(word, "demo:", 5);
    snprintf(source, (size_t)size, "%s%s", is_source && !file_exists(word) ? "" : "file:", word);
}
