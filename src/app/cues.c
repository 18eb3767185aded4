#include "app/cues.h"

#include <stdio.h>
#include <string.h>

#include "app/clock.h"
#include "app/where.h"

static const double PATIENCE = 0.25; // s; a blackout must not wait longer for a slow disk

static ParamId preset_id(void)
{
    return params_id(OWNER_GLOBAL, 0, GLOBAL_PRESET);
}

static ParamId save_id(void)
{
    return params_id(OWNER_GLOBAL, 0, GLOBAL_SAVE);
}

bool cues_open(Cues *cues, const Params *params, const char *shown, char *why, int why_size)
{
    char folder[WHERE_PATH], own[WHERE_PATH];
    if (!where_folder("presets", folder, why, why_size)) folder[0] = 0;
    playlist_own(own);
    *cues = (Cues){ .named = params_text_version(params, preset_id()),
                    .saved = params_text_version(params, save_id()) };
    snprintf(cues->shown, sizeof cues->shown, "%s", shown);
    cues->playlist = playlist_open(folder, own, shown, why, why_size);
    return cues->playlist;
}

void cues_close(Cues *cues)
{
    playlist_close(cues->playlist);
}

static bool asks(const Message *message)
{
    const bool names = !strcmp(message->path, "/show/preset") && message->types[0];
    return names || !strcmp(message->path, "/show/next") ||
           !strcmp(message->path, "/show/previous");
}

int cues_allow(const Cues *cues, const Message *messages, int count)
{
    if (cues->asked > 0 && clock_now() < cues->asked + PATIENCE) return 0;
    for (int i = 0; i < count; i++)
        if (asks(&messages[i])) return i + 1;
    return count;
}

static void show_name(Cues *cues, Params *params, const char *name)
{
    char why[256];
    snprintf(cues->shown, sizeof cues->shown, "%s", name);
    params_set_text(params, preset_id(), name, why, sizeof why);
    cues->named = params_text_version(params, preset_id());
}

void cues_take(Cues *cues, Show *show, Notices *notices)
{
    PlaylistAnswer answer;
    while (playlist_take(cues->playlist, &answer)) {
        notices_set(notices, NOTICE_PRESETS, answer.why);
        if (!answer.saved) cues->asked = 0;
        if (answer.preset) show_load(show, answer.preset);
        playlist_return(cues->playlist, answer.preset);
        if (answer.preset || answer.saved) show_name(cues, show_params(show), answer.name);
    }
}

static void save(Cues *cues, const Params *params, Notices *notices)
{
    const uint32_t version = params_text_version(params, save_id());
    const char *name = params_text(params, save_id());
    char why[NOTICE_LENGTH];
    if (version == cues->saved) return;
    cues->saved = version;
    if (name[0] && !playlist_save(cues->playlist, params, name, why, sizeof why))
        notices_set(notices, NOTICE_PRESETS, why);
}

void cues_ask(Cues *cues, const Params *params, Notices *notices)
{
    const float *global = params_values(params, OWNER_GLOBAL, 0);
    const uint32_t named = params_text_version(params, preset_id());
    const bool next = global[GLOBAL_NEXT] != cues->next;
    const bool previous = global[GLOBAL_PREVIOUS] != cues->previous;
    if (next) playlist_ask_step(cues->playlist, 1);
    if (previous) playlist_ask_step(cues->playlist, -1);
    if (named != cues->named) playlist_ask(cues->playlist, params_text(params, preset_id()));
    if (next || previous || named != cues->named) cues->asked = clock_now();
    cues->next = global[GLOBAL_NEXT];
    cues->previous = global[GLOBAL_PREVIOUS];
    cues->named = named;
    save(cues, params, notices);
}
