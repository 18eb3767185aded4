#include "osc/collapse.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static bool only_sets(const Message *message)
{
    if (!message->types[0] || strncmp(message->path, "/inc/", 5) == 0) return false;
    for (int i = 0; message->types[i]; i++)
        if (message->types[i] != 'f' || !isfinite(message->number[i])) return false;
    return true;
}

static bool ends_with(const char *path, const char *row)
{
    const size_t length = strlen(path), tail = strlen(row);
    return length > tail && path[length - tail - 1] == '/' &&
           strcmp(path + length - tail, row) == 0;
}

// Whatever stands in front of it: "/show/next", "/norm/show/next", "/emitters/spark/remove".  Each hit
// counts as well.
static bool is_trigger(const char *path)
{
    if (strncmp(path, "/systems/", 9) == 0 && ends_with(path, "hit")) return true;
    for (Owner owner = 0; owner < OWNER_COUNT; owner++)
        for (int i = 0; i < owner_rows(owner); i++) {
            const ParamRow *row = owner_row(owner, i);
            if (row->kind == KIND_TRIGGER && ends_with(path, row->path)) return true;
        }
    return false;
}

static uint32_t hash_of(const char *text)
{
    uint32_t hash = 2166136261U;
    for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 16777619U;
    return hash;
}

static bool same_address(const Message *a, const Message *b)
{
    return strcmp(a->path, b->path) == 0 && strcmp(a->types, b->types) == 0;
}

// From the newest back: those that stay gather at the end of the array, [first, count); `wall` is the
// earliest of them that nothing is compared across.
int collapse(Message *messages, int count)
{
    assert(count <= COLLAPSE_MAX);
    uint32_t hash[COLLAPSE_MAX];
    int first = count, wall = count;
    for (int i = count - 1; i >= 0; i--) {
        const Message *message = &messages[i];
        const bool sets = only_sets(message);
        const uint32_t own = hash_of(message->path);
        int newer = sets ? first : wall;
        while (newer < wall && !(hash[newer] == own && same_address(&messages[newer], message)))
            newer++;
        if (newer < wall && !is_trigger(message->path)) continue;
        first--;
        if (first != i) messages[first] = *message;
        hash[first] = own;
        if (!sets) wall = first;
    }
    memmove(messages, messages + first, (size_t)(count - first) * sizeof *messages);
    return count - first;
}
