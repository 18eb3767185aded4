// In which line of a JSON text a member stands.  jansson knows lines for broken syntax only; this
// walks a text that it has already accepted.
#include "control/state.h"

#include <string.h>

static const char *skip_space(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

// From an opening quote to behind the closing one.
static const char *skip_string(const char *at)
{
    for (at++; *at && *at != '"'; at++)
        if (*at == '\\' && at[1]) at++;
    return *at ? at + 1 : at;
}

// Behind one value, however deep, without recursion.
static const char *skip_value(const char *at)
{
    int depth = 0;
    do {
        at = skip_space(at);
        const char *from = at;
        if (*at == '"')
            at = skip_string(at);
        else if (*at == '{' || *at == '[')
            depth++, at++;
        else if (*at == '}' || *at == ']')
            depth--, at++;
        else if (*at == ',' || *at == ':')
            at++;
        else
            at += strcspn(at, ",:[]{}\" \t\r\n");
        if (at == from) break;
    } while (depth > 0);
    return at;
}

static bool is_key(const char *at, const char *key)
{
    const size_t length = strlen(key);
    return strncmp(at + 1, key, length) == 0 && at[1 + length] == '"';
}

// The member of that key (or the element of that index) inside the value at `at`; `value` is where
// its own value begins.  NULL: it is not there.
static const char *find_member(const char *at, const Where *where, const char **value)
{
    at = skip_space(at);
    if (*at != (where->key ? '{' : '[')) return NULL;
    at = skip_space(at + 1);
    for (int index = 0; *at && *at != '}' && *at != ']'; index++) {
        const char *member = at;
        if (where->key) {
            if (*at != '"') return NULL;
            at = skip_space(skip_string(at));
            at = skip_space(*at ? at + 1 : at); // the colon
        }
        *value = at;
        if (where->key ? is_key(member, where->key) : index == where->index) return member;
        at = skip_space(skip_value(at));
        if (*at == ',') at = skip_space(at + 1);
    }
    return NULL;
}

int locate_line(const char *source, const Where *where, int depth)
{
    const char *found = source, *value = source;
    for (int i = 0; i < depth; i++) {
        const char *member = find_member(value, &where[i], &value);
        if (!member) break; // the key was written with escapes: its parent will do
        found = member;
    }
    int line = 1;
    for (const char *at = source; at < found; at++) line += *at == '\n';
    return line;
}
