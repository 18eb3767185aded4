// The values: two arrays over all rows of all slots of all owners, one behind another, so that a
// ParamId is an index.
#include "control/state.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// ---- ids ----

// How many values lie before those of an owner.
static int first_of(Owner owner)
{
    int first = 0;
    for (Owner before = 0; before < owner; before++)
        first += owner_rows(before) * owner_slots(before);
    return first;
}

ParamId params_id(Owner owner, int slot, int row)
{
    if (slot < 0 || slot >= owner_slots(owner) || row < 0 || row >= owner_rows(owner))
        return PARAM_NONE;
    return first_of(owner) + slot * owner_rows(owner) + row;
}

static bool in_range(ParamId id)
{
    return id >= 0 && id < VALUE_COUNT;
}

Owner params_owner(ParamId id, int *slot, int *row)
{
    assert(in_range(id));
    Owner owner = OWNER_GLOBAL;
    while (owner + 1 < OWNER_COUNT && id >= first_of(owner + 1)) owner++;
    const int within = id - first_of(owner);
    if (slot) *slot = within / owner_rows(owner);
    if (row) *row = within % owner_rows(owner);
    return owner;
}

const ParamRow *params_row(ParamId id)
{
    if (!in_range(id)) return NULL;
    int row;
    const Owner owner = params_owner(id, NULL, &row);
    return owner_row(owner, row);
}

void params_path(const Params *params, ParamId id, char *path, int size)
{
    if (!in_range(id)) {
        snprintf(path, (size_t)size, "%s", "");
        return;
    }
    int slot, row;
    const Owner owner = params_owner(id, &slot, &row);
    const char *leaf = owner_row(owner, row)->path;
    if (owner == OWNER_GLOBAL)
        snprintf(path, (size_t)size, "%s", leaf);
    else
        snprintf(path, (size_t)size, "%s/%s/%s", owner_name(owner),
                 params_name(params, owner, slot), leaf);
}

bool path_split(const Params *params, const char *path, Owner *owner, int *slot, const char **leaf)
{
    *owner = OWNER_GLOBAL;
    *slot = 0;
    *leaf = path;
    for (Owner o = OWNER_EMITTER; o < OWNER_COUNT; o++) {
        const size_t length = strlen(owner_name(o));
        if (strncmp(path, owner_name(o), length) != 0 || path[length] != '/') continue;
        const char *name = path + length + 1;
        const char *end = strchr(name, '/');
        char copy[ROUTE_NAME_LONGEST + 1];
        if (!end || end - name > ROUTE_NAME_LONGEST) return false;
        snprintf(copy, sizeof copy, "%.*s", (int)(end - name), name);
        *owner = o;
        *slot = params_slot(params, o, copy);
        *leaf = end + 1;
        return *slot >= 0;
    }
    return true;
}

ParamId params_find(const Params *params, const char *path)
{
    Owner owner;
    int slot;
    const char *leaf;
    if (*path == '/') path++;
    if (!path_split(params, path, &owner, &slot, &leaf)) return PARAM_NONE;
    const int row = row_find(owner, leaf);
    return row >= 0 ? params_id(owner, slot, row) : PARAM_NONE;
}

// ---- making ----

// Gives each text and each curve its place, and counts them.
static void give_places(Params *params)
{
    for (ParamId id = 0; id < VALUE_COUNT; id++) {
        const ParamKind kind = params_row(id)->kind;
        params->place[id] = -1;
        if (kind == KIND_TEXT) params->place[id] = (int16_t)params->text_count++;
        if (kind_has_stops(kind)) params->place[id] = (int16_t)params->stops_count++;
    }
}

Params *params_new(void)
{
    Params *params = calloc(1, sizeof *params);
    if (!params) return NULL;
    params->searches = SEARCHES_A_HOP;
    give_places(params);
    const size_t texts = (size_t)params->text_count, stops = (size_t)params->stops_count;
    params->texts = calloc(texts, sizeof *params->texts);
    params->texts_versions = calloc(texts, sizeof *params->texts_versions);
    params->stops = calloc(stops, sizeof *params->stops);
    params->stops_versions = calloc(stops, sizeof *params->stops_versions);
    if (!params->texts || !params->texts_versions || !params->stops || !params->stops_versions) {
        params_free(params);
        return NULL;
    }
    for (ParamId id = 0; id < VALUE_COUNT; id++) param_default(params, id);
    for (Owner owner = 0; owner < OWNER_COUNT; owner++)
        for (int slot = 0; slot < SLOTS_MAX; slot++)
            params->instances[owner][slot].system = params->instances[owner][slot].type = -1;
    for (int i = 0; i < ROUTE_SLOTS; i++) route_refresh(params, i);
    params->instances[OWNER_GLOBAL][0].exists = true;
    return params;
}

void params_free(Params *params)
{
    if (!params) return;
    free(params->texts);
    free(params->texts_versions);
    free(params->stops);
    free(params->stops_versions);
    free(params);
}

void params_copy(Params *to, const Params *from)
{
    char(*own_texts)[TEXT_SIZE] = to->texts;
    Stops *own_stops = to->stops;
    uint32_t *own_texts_versions = to->texts_versions, *own_stops_versions = to->stops_versions;
    *to = *from;
    to->texts = own_texts;
    to->stops = own_stops;
    to->texts_versions = own_texts_versions;
    to->stops_versions = own_stops_versions;
    const size_t texts = (size_t)to->text_count, stops = (size_t)to->stops_count;
    memcpy(to->texts, from->texts, texts * sizeof *to->texts);
    memcpy(to->texts_versions, from->texts_versions, texts * sizeof *to->texts_versions);
    memcpy(to->stops, from->stops, stops * sizeof *to->stops);
    memcpy(to->stops_versions, from->stops_versions, stops * sizeof *to->stops_versions);
}

// A default is in force at once, a structural one too: the instance or the show has just begun.
void param_default(Params *params, ParamId id)
{
    int row;
    const Owner owner = params_owner(id, NULL, &row);
    const int place = params->place[id];
    params->base[id] = params->live[id] = owner_row(owner, row)->normal;
    params->moved[id] = 0;
    if (place < 0) return;
    const Stops *stops = owner_stops(owner, row);
    if (stops) {
        params->stops[place] = *stops;
        params->stops_versions[place]++;
    } else {
        memset(params->texts[place], 0, TEXT_SIZE);
        params->texts_versions[place]++;
    }
}

void param_put_text(Params *params, ParamId id, const char *text)
{
    char copy[TEXT_SIZE] = "";
    snprintf(copy, sizeof copy, "%s", text); // `text` may be this very text
    memcpy(params->texts[params->place[id]], copy, sizeof copy);
    params->texts_versions[params->place[id]]++;
}

void param_copy(Params *params, ParamId to, ParamId from)
{
    const int place = params->place[to];
    params->base[to] = params->base[from];
    param_follow(params, to);
    if (place < 0) return;
    if (params_row(to)->kind == KIND_TEXT) {
        param_put_text(params, to, params->texts[params->place[from]]);
    } else {
        params->stops[place] = params->stops[params->place[from]];
        params->stops_versions[place]++;
    }
}

// ---- setting ----

bool param_settable(const Params *params, ParamId id)
{
    if (!in_range(id)) return false;
    int slot, row;
    const Owner owner = params_owner(id, &slot, &row);
    return params_exists(params, owner, slot) && row_there(owner, row);
}

void param_follow(Params *params, ParamId id)
{
    const ParamRow *row = params_row(id);
    if (row->kind == KIND_STRUCTURAL) return;
    if (row->kind == KIND_TRIGGER || params->moved[id] == 0) {
        params->live[id] = params->base[id];
        return;
    }
    const float moved = params->base[id] + params->moved[id];
    params->live[id] = clampf(row->kind == KIND_FLOAT ? moved : roundf(moved), row->min, row->max);
}

// A hand has set it: an emitter's is its own now, a type's goes to its emitters, a system's burst to
// its members.
static void passed_on(Params *params, ParamId id, float before)
{
    int slot, row;
    const Owner owner = params_owner(id, &slot, &row);
    if (owner == OWNER_EMITTER && row_inherited(row)) params->own[slot][row] = true;
    if (owner == OWNER_TYPE) type_set(params, slot, row, before);
    if (owner == OWNER_SYSTEM && row == SYSTEM_BURST) system_burst(params, slot);
}

static bool refused(Params *params)
{
    params->refused++;
    return false;
}

bool params_set(Params *params, ParamId id, double value)
{
    if (!param_settable(params, id) || !isfinite(value)) return refused(params);
    const ParamRow *row = params_row(id);
    const float before = params->base[id];
    if (row->kind == KIND_TRIGGER)
        params->base[id] = fmodf(params->base[id] + 1, TRIGGER_WRAP);
    else if (kind_is_number(row->kind))
        params->base[id] = row_fit(row, value);
    else
        return refused(params);
    if (row->kind == KIND_STRUCTURAL && params->base[id] != params->live[id])
        params->unprepared = true;
    param_follow(params, id);
    passed_on(params, id, before);
    return true;
}

bool params_set_norm(Params *params, ParamId id, double norm)
{
    if (!param_settable(params, id) || !isfinite(norm)) return refused(params);
    const ParamRow *row = params_row(id);
    if (!kind_is_number(row->kind)) return refused(params);
    return params_set(params, id, row_from_norm(row, norm));
}

float params_norm(const Params *params, ParamId id)
{
    const ParamRow *row = params_row(id);
    if (!row || !kind_is_number(row->kind)) return 0;
    return (float)row_to_norm(row, params->base[id]);
}

bool text_fits(const char *text, char *why, int why_size)
{
    if (strnlen(text, TEXT_SIZE) == TEXT_SIZE) {
        snprintf(why, (size_t)why_size, "a text has at most %d bytes", TEXT_SIZE - 1);
        return false;
    }
    for (const char *at = text; *at;) {
        const int length = utf8_length(at);
        if (length == 0 || (length == 1 && *at < 0x20) || *at == 0x7f) {
            snprintf(why, (size_t)why_size, "a text is UTF-8 without control characters");
            return false;
        }
        at += length;
    }
    return true;
}

static bool route_text_fits(Params *params, int row, const char *text, char *why, int why_size)
{
    ParamId target;
    if (row == ROUTE_SIGNAL) return route_signal_fits(params, text, why, why_size);
    return row != ROUTE_TO || route_target_fits(params, text, &target, why, why_size);
}

static bool owner_text_fits(Params *params, ParamId id, const char *text, char *why, int why_size)
{
    int row;
    const Owner owner = params_owner(id, NULL, &row);
    if (id == GLOBAL_SAVE) return *text == 0 || preset_name_fits(text, why, why_size);
    if (owner == OWNER_ROUTE) return route_text_fits(params, row, text, why, why_size);
    if (owner == OWNER_EMITTER && row == EMITTER_TYPE)
        return type_fits(params, text, why, why_size);
    if ((owner == OWNER_EMITTER || owner == OWNER_FIELD) && row == SWARM_SYSTEM)
        return *text == 0 || name_fits(OWNER_SYSTEM, text, why, why_size);
    return true;
}

// What a text that is set brings about.
static void text_acts(Params *params, ParamId id)
{
    int slot, row;
    const Owner owner = params_owner(id, &slot, &row);
    if (owner == OWNER_ROUTE) route_refresh(params, slot);
    if (owner == OWNER_EMITTER && row == EMITTER_TYPE) type_enter(params, slot);
    if ((owner == OWNER_EMITTER || owner == OWNER_FIELD) && row == SWARM_SYSTEM)
        system_join(params, owner, slot);
    passed_on(params, id, 0);
}

bool params_set_text(Params *params, ParamId id, const char *text, char *why, int why_size)
{
    if (!param_settable(params, id) || params_row(id)->kind != KIND_TEXT) {
        snprintf(why, (size_t)why_size, "it does not take a text");
        return refused(params);
    }
    if (!text_fits(text, why, why_size) || !owner_text_fits(params, id, text, why, why_size))
        return refused(params);
    int row;
    const Owner owner = params_owner(id, NULL, &row);
    if (owner == OWNER_ROUTE && row == ROUTE_TO && *text == '/') text++;
    param_put_text(params, id, text);
    text_acts(params, id);
    return true;
}

bool stops_fit(const ParamRow *row, const Stops *stops, char *why, int why_size)
{
    const char *wrong = NULL;
    if (stops->count < 1) wrong = "it needs at least one point";
    if (stops->count > STOPS_MAX) wrong = "it has at most 16 points";
    for (int i = 0; i < stops->count && !wrong; i++) {
        if (!(stops->at[i] >= 0 && stops->at[i] <= 1))
            wrong = "points lie from 0 to 1";
        else if (i > 0 && !(stops->at[i] > stops->at[i - 1]))
            wrong = "points must rise";
        for (int v = 0; v < stops_width(row->kind); v++)
            if (!isfinite(stops->value[i][v])) wrong = "values must be finite numbers";
    }
    if (wrong) snprintf(why, (size_t)why_size, "%s", wrong);
    return !wrong;
}

bool params_set_stops(Params *params, ParamId id, const Stops *stops, char *why, int why_size)
{
    if (!param_settable(params, id) || !kind_has_stops(params_row(id)->kind)) {
        snprintf(why, (size_t)why_size, "it does not take points");
        return refused(params);
    }
    const ParamRow *row = params_row(id);
    if (!stops_fit(row, stops, why, why_size)) return refused(params);
    Stops clean = { .count = stops->count };
    for (int i = 0; i < stops->count; i++) {
        clean.at[i] = stops->at[i] + 0.0f; // no -0: stops are compared by their bytes
        for (int v = 0; v < stops_width(row->kind); v++)
            clean.value[i][v] = clampf(stops->value[i][v], row->min, row->max);
    }
    params->stops[params->place[id]] = clean;
    params->stops_versions[params->place[id]]++;
    passed_on(params, id, 0);
    return true;
}

bool params_prepare(Params *params)
{
    if (!params->unprepared) return false;
    for (ParamId id = 0; id < VALUE_COUNT; id++)
        if (params_row(id)->kind == KIND_STRUCTURAL) params->live[id] = params->base[id];
    params->unprepared = false;
    return true;
}

void params_tell(Params *params, ParamId id, float value)
{
    assert(in_range(id) && params_row(id)->kind == KIND_READING);
    params->base[id] = params->live[id] = value;
}

// ---- asking ----

float params_base(const Params *params, ParamId id)
{
    return in_range(id) ? params->base[id] : 0;
}

float params_live(const Params *params, ParamId id)
{
    return in_range(id) ? params->live[id] : 0;
}

const char *params_text(const Params *params, ParamId id)
{
    return in_range(id) && params_row(id)->kind == KIND_TEXT ? params->texts[params->place[id]]
                                                             : "";
}

uint32_t params_text_version(const Params *params, ParamId id)
{
    return in_range(id) && params_row(id)->kind == KIND_TEXT
               ? params->texts_versions[params->place[id]]
               : 0;
}

const Stops *params_stops(const Params *params, ParamId id)
{
    return in_range(id) && kind_has_stops(params_row(id)->kind) ? &params->stops[params->place[id]]
                                                                : NULL;
}

uint32_t params_stops_version(const Params *params, ParamId id)
{
    return params_stops(params, id) ? params->stops_versions[params->place[id]] : 0;
}

static float hearing_row(const Params *params, GlobalRow row)
{
    const ParamId id = params_id(OWNER_GLOBAL, 0, row);
    return params ? params_live(params, id) : params_row(id)->normal;
}

HearingSettings hearing_of(const Params *params)
{
    HearingSettings settings = {
        .gain = powf(10, hearing_row(params, GLOBAL_AUDIO_GAIN) / 20),
        .onset_threshold = hearing_row(params, GLOBAL_AUDIO_THRESHOLD),
        .hush = hearing_row(params, GLOBAL_AUDIO_HUSH),
        .automatic = hearing_row(params, GLOBAL_AUDIO_AUTO) != 0,
        .attack = hearing_row(params, GLOBAL_AUDIO_ATTACK),
        .release = hearing_row(params, GLOBAL_AUDIO_RELEASE),
        .edges = { hearing_row(params, GLOBAL_BAND_LOW), hearing_row(params, GLOBAL_BAND_LOW_MID),
                   hearing_row(params, GLOBAL_BAND_HIGH_MID),
                   hearing_row(params, GLOBAL_BAND_HIGH) },
        .bpm_min = hearing_row(params, GLOBAL_TEMPO_MIN),
        .bpm_max = hearing_row(params, GLOBAL_TEMPO_MAX),
        .early = fmaxf(0, -hearing_row(params, GLOBAL_AUDIO_OFFSET) / 1000),
    };
    for (int i = 0; i < DRUMS; i++) { // two rows each, in the order of Drum
        settings.drum[i].threshold = hearing_row(params, GLOBAL_AUDIO_KICK_THRESHOLD + 2 * i);
        settings.drum[i].hush = hearing_row(params, GLOBAL_AUDIO_KICK_HUSH + 2 * i);
    }
    for (int i = 0; i < BEAT_HANDS; i++) // a row each, in the order of BeatHand
        settings.beat_hands[i] = hearing_row(params, GLOBAL_TEMPO_TAP + i);
    return settings;
}

uint64_t params_refused(const Params *params)
{
    return params->refused;
}

const float *params_values(const Params *params, Owner owner, int slot)
{
    const ParamId id = params_id(owner, slot, 0);
    assert(id != PARAM_NONE);
    return &params->live[id];
}
