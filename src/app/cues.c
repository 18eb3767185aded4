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

bool cues_open(Cues *cues, const Params *params, const char *shown, char *why, int why_size)
{
    char folder[WHERE_PATH];
    if (!where_folder("presets", folder, why, why_size)) folder[0] = 0;
    *cues = (Cues){ .named = params_text_version(params, preset_id()) };
    snprintf(cues->shown, sizeof cues->shown, "%s", shown);
    cues->playlist = playlist_open(folder, shown, why, why_size);
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

void cues_take(Cues *cues, Params *params, Notices *notices)
{
    PlaylistAnswer loaded;
    char why[256];
    while (playlist_take(cues->playlist, &loaded)) {
        cues->asked = 0;
        notices_set(notices, NOTICE_PRESETS, loaded.preset ? "" : loaded.why);
        if (!loaded.preset) continue;
        preset_apply(loaded.preset, params);
        playlist_return(cues->playlist, loaded.preset);
        snprintf(cues->shown, sizeof cues->shown, "%s", loaded.name);
        params_set_text(params, preset_id(), loaded.name, why, sizeof why);
        cues->named = params_text_version(params, preset_id());
    }
}

void cues_ask(Cues *cues, const Params *params)
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
}
