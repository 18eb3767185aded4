// "did you mean": the known word nearest to an unknown one.
#include "control/state.h"

#include <stdlib.h>
#include <string.h>

// How many letters must change to make one word of the other, or `limit` + 1 when it is more.
static int edit_distance(const char *a, const char *b, int limit)
{
    int row[MESSAGE_PATH];
    const int a_length = (int)strlen(a), b_length = (int)strlen(b);
    if (abs(a_length - b_length) > limit || b_length >= MESSAGE_PATH) return limit + 1;
    for (int j = 0; j <= b_length; j++) row[j] = j;
    for (int i = 1; i <= a_length; i++) {
        int corner = row[0], least = row[0] = i;
        for (int j = 1; j <= b_length; j++) {
            const int replaced = corner + (a[i - 1] != b[j - 1]);
            corner = row[j];
            const int inserted = (row[j - 1] < row[j] ? row[j - 1] : row[j]) + 1;
            row[j] = replaced < inserted ? replaced : inserted;
            if (row[j] < least) least = row[j];
        }
        if (least > limit) return limit + 1;
    }
    return row[b_length];
}

Suggestion suggest_for(const char *typed)
{
    // A letter or two in a short word, three in a long one.
    const int limit = 1 + clampi((int)strlen(typed) / 4, 0, 2);
    return (Suggestion){ .typed = typed, .distance = limit + 1 };
}

void suggest(Suggestion *suggestion, const char *candidate)
{
    const int limit = suggestion->distance - 1;
    if (limit < 0) return;
    const int distance = edit_distance(suggestion->typed, candidate, limit);
    if (distance > limit) return;
    suggestion->distance = distance;
    snprintf(suggestion->nearest, sizeof suggestion->nearest, "%s", candidate);
}

// Candidates are a row's path and its stem, where that is a group.
static void suggest_rows(Suggestion *suggestion, Owner owner)
{
    for (int r = 0; r < owner_rows(owner); r++) {
        char stem[MESSAGE_PATH];
        if (!row_there(owner, r)) continue;
        snprintf(stem, sizeof stem, "%s", owner_row(owner, r)->path);
        suggest(suggestion, stem);
        char *slash = strrchr(stem, '/');
        if (!slash) continue;
        *slash = 0;
        Suggestion with_stem = *suggestion;
        suggest(&with_stem, stem);
        if (with_stem.distance < suggestion->distance && group_find(owner, stem).count > 0)
            *suggestion = with_stem;
    }
}

// For "emitters/sperk/rate": the instance of the nearest name, with the leaf that was typed.
static void suggest_instance(const Params *params, const char *path, char *nearest, int size)
{
    for (Owner owner = OWNER_EMITTER; owner < OWNER_COUNT; owner++) {
        const size_t length = strlen(owner_name(owner));
        if (strncmp(path, owner_name(owner), length) != 0 || path[length] != '/') continue;
        const char *name = path + length + 1, *leaf = strchrnul(name, '/');
        char typed[MESSAGE_PATH];
        snprintf(typed, sizeof typed, "%.*s", (int)(leaf - name), name);
        Suggestion suggestion = suggest_for(typed);
        for (int slot = 0; slot < owner_slots(owner); slot++)
            if (params_exists(params, owner, slot))
                suggest(&suggestion, params_name(params, owner, slot));
        if (*suggestion.nearest)
            snprintf(nearest, (size_t)size, "%s/%s%s", owner_name(owner), suggestion.nearest, leaf);
    }
}

bool suggest_allowed(Params *params)
{
    if (params->searches <= 0) return false;
    params->searches--;
    return true;
}

void suggest_name(Params *params, Owner owner, const char *name, char *text, int size)
{
    Suggestion suggestion = suggest_for(name);
    snprintf(text, (size_t)size, "%s", "");
    if (strlen(name) > ROUTE_NAME_LONGEST || !suggest_allowed(params)) return;
    for (int slot = 0; slot < owner_slots(owner); slot++)
        if (params_exists(params, owner, slot))
            suggest(&suggestion, params_name(params, owner, slot));
    if (*suggestion.nearest) snprintf(text, (size_t)size, "; did you mean %s?", suggestion.nearest);
}

void suggest_path(Params *params, const char *path, char *nearest, int size)
{
    Owner owner;
    int slot;
    const char *leaf;
    snprintf(nearest, (size_t)size, "%s", "");
    if (strlen(path) >= MESSAGE_PATH || !suggest_allowed(params)) return;
    if (!path_split(params, path, &owner, &slot, &leaf)) {
        suggest_instance(params, path, nearest, size);
        return;
    }
    Suggestion suggestion = suggest_for(leaf);
    suggest_rows(&suggestion, owner);
    if (owner == OWNER_SYSTEM) { // what can be said to all of its members
        suggest_rows(&suggestion, OWNER_EMITTER);
        suggest_rows(&suggestion, OWNER_FIELD);
    }
    if (*suggestion.nearest)
        snprintf(nearest, (size_t)size, "%.*s%s", (int)(leaf - path), path, suggestion.nearest);
}
