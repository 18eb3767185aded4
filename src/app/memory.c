#include "app/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool find_file(char file[WHERE_PATH])
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    int needed = WHERE_PATH;
    if (state && state[0] == '/')
        needed = snprintf(file, WHERE_PATH, "%s/motes/machine", state);
    else if (home && home[0] == '/')
        needed = snprintf(file, WHERE_PATH, "%s/.local/state/motes/machine", home);
    if (needed >= WHERE_PATH) file[0] = 0;
    return file[0];
}

static bool is_machine(int row)
{
    const ParamRow *is = owner_row(OWNER_GLOBAL, row);
    return is->scope == SCOPE_MACHINE && is->kind != KIND_TRIGGER && is->kind != KIND_READING;
}

static ParamId id_of(int row)
{
    return params_id(OWNER_GLOBAL, 0, row);
}

static void set_line(Params *params, char *line)
{
    char *equals = strchr(line, '='), *end, why[256];
    if (!equals) return;
    *equals = 0;
    const ParamId id = params_find(params, line);
    if (id == PARAM_NONE || params_row(id)->scope != SCOPE_MACHINE) return;
    if (params_row(id)->kind == KIND_TEXT) {
        params_set_text(params, id, equals + 1, why, sizeof why);
        return;
    }
    const double number = strtod(equals + 1, &end);
    if (end != equals + 1 && !*end) params_set(params, id, number);
}

static void load(const char *file, Params *params)
{
    char why[256], *rest = NULL;
    char *text = file_read(file, NULL, why, sizeof why);
    if (!text) return; // nothing is remembered yet
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        set_line(params, line);
    free(text);
}

bool memory_open(Memory *memory, Params *params)
{
    *memory = (Memory){ .loaded = params_new(), .begun = params_new() };
    if (!memory->loaded || !memory->begun) return false;
    if (find_file(memory->file)) load(memory->file, params);
    params_copy(memory->loaded, params);
    return true;
}

void memory_begin(Memory *memory, const Params *params)
{
    params_copy(memory->begun, params);
    memory->on = true;
}

static bool same(const Params *a, const Params *b, int row)
{
    const ParamId id = id_of(row);
    if (params_row(id)->kind == KIND_TEXT) return !strcmp(params_text(a, id), params_text(b, id));
    return params_base(a, id) == params_base(b, id);
}

static void write_row(FILE *out, const Params *params, const Params *usual, int row)
{
    const ParamId id = id_of(row);
    if (same(params, usual, row)) return;
    if (params_row(id)->kind == KIND_TEXT)
        fprintf(out, "%s=%s\n", params_row(id)->path, params_text(params, id));
    else
        fprintf(out, "%s=%.9g\n", params_row(id)->path, params_base(params, id));
}

// The folders of the file, as far as they are missing.
static void make_folders(const char *file)
{
    char path[WHERE_PATH];
    snprintf(path, sizeof path, "%s", file);
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(path, 0700);
        *slash = '/';
    }
}

static bool save(const Memory *memory, const Params *params, char *why, int why_size)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    Params *usual = params_new();
    bool whole = out && usual;
    if (!whole) snprintf(why, (size_t)why_size, "out of memory");
    for (int row = 0; whole && row < GLOBAL_ROWS; row++)
        if (is_machine(row))
            write_row(out, same(params, memory->begun, row) ? memory->loaded : params, usual, row);
    if (out) whole &= fclose(out) == 0;
    if (whole) {
        make_folders(memory->file);
        whole = file_write(memory->file, text, length, why, why_size);
    }
    params_free(usual);
    free(text);
    return whole;
}

static bool changed(const Memory *memory, const Params *params)
{
    for (int row = 0; row < GLOBAL_ROWS; row++)
        if (is_machine(row) && !same(params, memory->begun, row)) return true;
    return false;
}

bool memory_close(Memory *memory, const Params *params, char *why, int why_size)
{
    bool whole = true;
    if (memory->on && memory->file[0] && changed(memory, params))
        whole = save(memory, params, why, why_size);
    params_free(memory->loaded);
    params_free(memory->begun);
    return whole;
}
