// Reading a preset: JSON into steps, with the line of the file in every refusal.  The only includer of
// jansson.
#include "control/preset.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
    LARGEST = 1 << 20, // bytes of a preset
    DEEPEST = 12,      // steps down from the top to a number
};

// ---- where we are, and what is wrong there ----

typedef struct {
    Preset *preset;
    Params *trial;
    const char *file, *source;
    Where where[DEEPEST];
    int depth;
    bool given[VALUE_COUNT]; // by the trial's ids
    char *why;
    int why_size;
} Loader;

// The steps down as a path: "forces/wind", "emitters/spark/colour".
static void here(const Loader *loader, char *path, int size)
{
    int used = 0;
    const bool parameters = loader->depth > 1 && strcmp(loader->where[0].key, "parameters") == 0;
    path[0] = 0;
    for (int i = parameters; i < loader->depth && used < size; i++) {
        const char *slash = used > 0 ? "/" : "";
        const Where *where = &loader->where[i];
        used += where->key ? snprintf(path + used, (size_t)(size - used), "%s%s", slash, where->key)
                           : snprintf(path + used, (size_t)(size - used), "[%d]", where->index);
    }
}

// One line of text whatever is in the file.
static void tame(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < 0x20) *text = ' ';
}

__attribute__((format(printf, 2, 3))) static bool wrong(Loader *loader, const char *format, ...)
{
    char path[MESSAGE_PATH], what[2 * MESSAGE_TEXT];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    here(loader, path, sizeof path);
    tame(path);
    tame(what);
    snprintf(loader->why, (size_t)loader->why_size, "%s:%d: %s%s%s", loader->file,
             locate_line(loader->source, loader->where, loader->depth), path, *path ? ": " : "",
             what);
    return false;
}

static bool enter(Loader *loader, const char *key, int index)
{
    if (loader->depth == DEEPEST) return wrong(loader, "too deep");
    loader->where[loader->depth++] = (Where){ key, index };
    return true;
}

static void leave(Loader *loader)
{
    loader->depth--;
}

static bool add_step(Loader *loader, const Step *step)
{
    char reason[MESSAGE_TEXT] = "it cannot be set";
    Preset *preset = loader->preset;
    if (!do_step(loader->trial, step, reason, sizeof reason)) return wrong(loader, "%s", reason);
    if (preset->count == preset->room) {
        const int room = preset->room ? 2 * preset->room : 64;
        Step *larger = realloc(preset->steps, (size_t)room * sizeof *larger);
        if (!larger) return wrong(loader, "out of memory");
        preset->steps = larger;
        preset->room = room;
    }
    preset->steps[preset->count++] = *step;
    return true;
}

static Step step_for(const Loader *loader, StepKind kind, Owner owner, int slot, int row)
{
    Step step = { .kind = kind, .owner = owner, .row = row };
    snprintf(step.name, sizeof step.name, "%s", params_name(loader->trial, owner, slot));
    return step;
}

// ---- values ----

static bool number_fits(Loader *loader, const ParamRow *row, double number)
{
    char min[32], max[32];
    number_text(row->min, min, sizeof min);
    number_text(row->max, max, sizeof max);
    if (!((float)number >= row->min && (float)number <= row->max))
        return wrong(loader, "%g is outside %s .. %s", number, min, max);
    if (row->kind != KIND_FLOAT && !kind_has_stops(row->kind) && number != trunc(number))
        return wrong(loader, "%g is not a whole number", number);
    return true;
}

static bool take_number(Loader *loader, const ParamRow *row, const json_t *value, double *number)
{
    if (row->kind == KIND_BOOL) {
        if (!json_is_boolean(value)) return wrong(loader, "it takes true or false");
        *number = json_is_true(value);
        return true;
    }
    if (row->kind == KIND_ENUM && json_is_string(value)) {
        *number = row_choice_find(row, json_string_value(value));
        return *number >= 0 ||
               wrong(loader, "\"%.60s\" is none of %s", json_string_value(value), row->unit);
    }
    if (!json_is_number(value))
        return row->kind == KIND_ENUM ? wrong(loader, "it takes one of %s", row->unit)
                                      : wrong(loader, "it takes a number");
    *number = json_number_value(value);
    return number_fits(loader, row, *number);
}

static bool take_text(Loader *loader, const json_t *value, char *text)
{
    char reason[MESSAGE_TEXT];
    if (!json_is_string(value)) return wrong(loader, "it takes a text");
    if (!text_fits(json_string_value(value), reason, sizeof reason))
        return wrong(loader, "%s", reason);
    snprintf(text, TEXT_SIZE, "%s", json_string_value(value));
    return true;
}

// One point: [at, value] or [at, r, g, b, opacity].
static bool take_point(Loader *loader, const ParamRow *row, const json_t *point, Stops *stops,
                       int i)
{
    const int width = stops_width(row->kind);
    const json_t *number;
    size_t n;
    if (!json_is_array(point) || json_array_size(point) != (size_t)width + 1)
        return wrong(loader, "a point is %s",
                     width == 1 ? "[at, value]" : "[at, r, g, b, opacity]");
    json_array_foreach(point, n, number)
    {
        if (!json_is_number(number)) return wrong(loader, "a point is made of numbers");
        if (n == 0)
            stops->at[i] = (float)json_number_value(number);
        else if (!number_fits(loader, row, json_number_value(number)))
            return false;
        else
            stops->value[i][n - 1] = (float)json_number_value(number);
    }
    return true;
}

static bool take_stops(Loader *loader, const ParamRow *row, const json_t *value, Stops *stops)
{
    const json_t *point;
    size_t i;
    if (!json_is_array(value)) return wrong(loader, "it takes an array of points");
    if (json_array_size(value) > STOPS_MAX)
        return wrong(loader, "it has at most %d points", STOPS_MAX);
    *stops = (Stops){ .count = (int)json_array_size(value) };
    json_array_foreach(value, i, point)
    {
        if (!enter(loader, NULL, (int)i) || !take_point(loader, row, point, stops, (int)i))
            return false;
        leave(loader);
    }
    return true;
}

static bool take_leaf(Loader *loader, Owner owner, int slot, int r, const json_t *value)
{
    const ParamRow *row = owner_row(owner, r);
    const ParamId id = params_id(owner, slot, r);
    Step step = step_for(loader, STEP_NUMBER, owner, slot, r);
    bool taken;
    if (row->scope != SCOPE_LOOK) return wrong(loader, "it does not belong to a look");
    if (row->kind == KIND_TRIGGER) return wrong(loader, "a trigger cannot stand in a preset");
    if (row->kind == KIND_READING) return wrong(loader, "it is only read");
    if (loader->given[id]) return wrong(loader, "it is given twice");
    loader->given[id] = true;
    if (row->kind == KIND_TEXT) {
        step.kind = STEP_TEXT;
        taken = take_text(loader, value, step.text);
    } else if (kind_has_stops(row->kind)) {
        step.kind = STEP_STOPS;
        taken = take_stops(loader, row, value, &step.stops);
    } else {
        taken = take_number(loader, row, value, &step.number);
    }
    return taken && add_step(loader, &step);
}

static bool take_group(Loader *loader, Owner owner, int slot, RowGroup group, const json_t *value)
{
    const json_t *number;
    size_t i;
    if (!json_is_array(value) || json_array_size(value) != (size_t)group.count)
        return wrong(loader, "it takes an array of %d numbers", group.count);
    json_array_foreach(value, i, number)
    {
        if (!enter(loader, NULL, (int)i)) return false;
        if (!take_leaf(loader, owner, slot, group.first + (int)i, number)) return false;
        leave(loader);
    }
    return true;
}

// ---- names ----

static bool is_stem(Owner owner, const char *leaf)
{
    const size_t length = strlen(leaf);
    for (int r = 0; r < owner_rows(owner); r++) {
        const char *path = owner_row(owner, r)->path;
        if (row_there(owner, r) && strncmp(path, leaf, length) == 0 && path[length] == '/')
            return true;
    }
    return false;
}

static bool unknown(Loader *loader, Owner owner, int slot, const char *leaf)
{
    char path[2 * MESSAGE_PATH] = "", nearest[MESSAGE_PATH];
    if (owner != OWNER_GLOBAL)
        snprintf(path, sizeof path, "%s/%s/", owner_name(owner),
                 params_name(loader->trial, owner, slot));
    snprintf(path + strlen(path), MESSAGE_PATH, "%s", leaf);
    suggest_path(loader->trial, path, nearest, sizeof nearest);
    return wrong(loader, "no such parameter%s%s%s", *nearest ? "; did you mean " : "", nearest,
                 *nearest ? "?" : "");
}

static bool take_members(Loader *loader, Owner owner, int slot, const char *stem, json_t *object);

static bool take_any(Loader *loader, Owner owner, int slot, const char *leaf, json_t *value)
{
    const int row = row_find(owner, leaf);
    if (row >= 0) return take_leaf(loader, owner, slot, row, value);
    if (!is_stem(owner, leaf)) return unknown(loader, owner, slot, leaf);
    if (json_is_object(value)) return take_members(loader, owner, slot, leaf, value);
    const RowGroup group = group_find(owner, leaf);
    if (group.count == 0) return wrong(loader, "it takes an object");
    return take_group(loader, owner, slot, group, value);
}

static bool take_members(Loader *loader, Owner owner, int slot, const char *stem, json_t *object)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        char leaf[MESSAGE_PATH];
        if (!enter(loader, key, 0)) return false;
        if (snprintf(leaf, sizeof leaf, "%s%s%s", stem, *stem ? "/" : "", key) >= (int)sizeof leaf)
            return wrong(loader, "no such parameter");
        if (!take_any(loader, owner, slot, leaf, value)) return false;
        leave(loader);
    }
    return true;
}

// ---- instances ----

static bool add_named(Loader *loader, Owner owner, const char *name)
{
    char reason[MESSAGE_TEXT];
    Step step = { .kind = STEP_ADD, .owner = owner };
    // Asked first with the whole name: the step has room for the longest that is right.
    if (strlen(name) >= sizeof step.name) {
        params_add(loader->trial, owner, name, reason, sizeof reason);
        return wrong(loader, "%s", reason);
    }
    snprintf(step.name, sizeof step.name, "%s", name);
    return add_step(loader, &step);
}

static bool take_instance(Loader *loader, Owner owner, const char *name, json_t *value)
{
    if (!json_is_object(value)) return wrong(loader, "it takes an object");
    if (params_slot(loader->trial, owner, name) < 0 && !add_named(loader, owner, name))
        return false;
    return take_members(loader, owner, params_slot(loader->trial, owner, name), "", value);
}

static bool take_named(Loader *loader, Owner owner, json_t *object)
{
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value)
    {
        if (!enter(loader, name, 0) || !take_instance(loader, owner, name, value)) return false;
        leave(loader);
    }
    return true;
}

static bool remove_route(Loader *loader, int slot)
{
    const Step step = step_for(loader, STEP_REMOVE, OWNER_ROUTE, slot, 0);
    return add_step(loader, &step);
}

// A route to a birth rate takes the place of the default one, unless the preset names that too.
static bool replace_default(Loader *loader, const json_t *routes, const json_t *route)
{
    char name[ROUTE_NAME_LONGEST + 1];
    int slot, row;
    const char *to = json_string_value(json_object_get(route, "to"));
    const ParamId target = to ? params_find(loader->trial, to) : PARAM_NONE;
    if (target == PARAM_NONE) return true;
    const Owner owner = params_owner(target, &slot, &row);
    if ((owner != OWNER_EMITTER && owner != OWNER_FIELD) || row != SWARM_RATE) return true;
    default_route_name(owner, params_name(loader->trial, owner, slot), name, sizeof name);
    const int standing = params_slot(loader->trial, OWNER_ROUTE, name);
    if (standing < 0 || json_object_get(routes, name)) return true;
    return remove_route(loader, standing);
}

// What goes, goes first, so that there is room for what comes.
static bool clear_routes(Loader *loader, json_t *routes)
{
    const char *name;
    json_t *route;
    json_object_foreach(routes, name, route)
    {
        const int slot = params_slot(loader->trial, OWNER_ROUTE, name);
        if (!enter(loader, name, 0)) return false;
        if (json_is_null(route) && slot < 0)
            return wrong(loader, "there is no such route to take away");
        if (json_is_null(route) ? !remove_route(loader, slot)
                                : !replace_default(loader, routes, route))
            return false;
        leave(loader);
    }
    return true;
}

static bool take_routes(Loader *loader, json_t *routes)
{
    const char *name;
    json_t *route;
    if (!clear_routes(loader, routes)) return false;
    json_object_foreach(routes, name, route)
    {
        if (json_is_null(route)) continue;
        if (!enter(loader, name, 0)) return false;
        const bool fresh = params_slot(loader->trial, OWNER_ROUTE, name) < 0;
        if (fresh && json_is_object(route) && !json_object_get(route, "to"))
            return wrong(loader, "a route needs \"to\", the parameter that it moves");
        if (!take_instance(loader, OWNER_ROUTE, name, route)) return false;
        leave(loader);
    }
    return true;
}

// ---- the file ----

static const char *const sections[] = { "version",  "title",  "parameters", "types",
                                        "emitters", "fields", "systems",    "routes" };

static bool take_section(Loader *loader, json_t *root, const char *key,
                         bool (*take)(Loader *loader, json_t *object))
{
    json_t *object = json_object_get(root, key);
    if (!object) return true;
    if (!enter(loader, key, 0)) return false;
    if (!json_is_object(object)) return wrong(loader, "it takes an object");
    if (!take(loader, object)) return false;
    leave(loader);
    return true;
}

static bool take_parameters(Loader *loader, json_t *object)
{
    return take_members(loader, OWNER_GLOBAL, 0, "", object);
}

static bool take_types(Loader *loader, json_t *object)
{
    return take_named(loader, OWNER_TYPE, object);
}

static bool take_systems(Loader *loader, json_t *object)
{
    return take_named(loader, OWNER_SYSTEM, object);
}

static bool take_emitters(Loader *loader, json_t *object)
{
    return take_named(loader, OWNER_EMITTER, object);
}

static bool take_fields(Loader *loader, json_t *object)
{
    return take_named(loader, OWNER_FIELD, object);
}

static bool sections_known(Loader *loader, json_t *root)
{
    const char *key;
    json_t *value;
    json_object_foreach(root, key, value)
    {
        Suggestion suggestion = suggest_for(key);
        bool known = false;
        for (int i = 0; i < COUNT_OF(sections); i++) {
            known = known || strcmp(sections[i], key) == 0;
            suggest(&suggestion, sections[i]);
        }
        if (known) continue;
        enter(loader, key, 0);
        return wrong(loader, "a preset has no such part%s%s%s",
                     *suggestion.nearest ? "; did you mean " : "", suggestion.nearest,
                     *suggestion.nearest ? "?" : "");
    }
    return true;
}

static bool take_version(Loader *loader, const json_t *root)
{
    const json_t *version = json_object_get(root, "version");
    if (!version) return wrong(loader, "a preset needs \"version\": %d", PRESET_VERSION);
    enter(loader, "version", 0);
    if (!json_is_integer(version) || json_integer_value(version) != PRESET_VERSION)
        return wrong(loader, "this program reads version %d", PRESET_VERSION);
    leave(loader);
    return true;
}

// Without a title the file's name is one.
static bool take_title(Loader *loader, const json_t *root)
{
    const json_t *title = json_object_get(root, "title");
    char *into = loader->preset->title;
    if (!title) {
        const char *slash = strrchr(loader->file, '/');
        snprintf(into, TEXT_SIZE, "%s", slash ? slash + 1 : loader->file);
        char *dot = strrchr(into, '.');
        if (dot && dot > into) *dot = 0;
        return true;
    }
    enter(loader, "title", 0);
    if (!take_text(loader, title, into)) return false;
    leave(loader);
    return true;
}

static bool take_preset(Loader *loader, json_t *root)
{
    if (!json_is_object(root)) return wrong(loader, "a preset is an object: { ... }");
    return take_version(loader, root) && sections_known(loader, root) && take_title(loader, root) &&
           take_section(loader, root, "parameters", take_parameters) &&
           take_section(loader, root, "types", take_types) &&
           take_section(loader, root, "emitters", take_emitters) &&
           take_section(loader, root, "fields", take_fields) &&
           take_section(loader, root, "systems", take_systems) &&
           take_section(loader, root, "routes", take_routes);
}

static json_t *parse(const char *file, const char *source, size_t length, char *why, int why_size)
{
    json_error_t error;
    json_t *root = json_loadb(source, length, JSON_REJECT_DUPLICATES, &error);
    if (root) return root;
    tame(error.text);
    snprintf(why, (size_t)why_size, "%s:%d: not JSON: %s", file, error.line > 0 ? error.line : 1,
             error.text);
    return NULL;
}

Preset *preset_load(const char *file, char *why, int why_size)
{
    size_t length;
    json_t *root = NULL;
    Preset *made = NULL;
    Loader *loader = NULL;
    char *source = file_read(file, &length, why, why_size);
    if (!source) return NULL;
    if (length > LARGEST) {
        snprintf(why, (size_t)why_size, "%s: larger than 1 MiB, not a preset", file);
        goto done;
    }
    root = parse(file, source, length, why, why_size);
    if (!root) goto done;

    snprintf(why, (size_t)why_size, "%s: out of memory", file);
    loader = calloc(1, sizeof *loader);
    if (!loader) goto done;
    *loader = (Loader){ .file = file, .source = source, .why = why, .why_size = why_size };
    loader->trial = params_new();
    loader->preset = calloc(1, sizeof *loader->preset);
    if (!loader->trial || !loader->preset || !take_preset(loader, root)) goto done;
    made = loader->preset;
    loader->preset = NULL;
    snprintf(why, (size_t)why_size, "%s", "");

done:
    if (loader) {
        params_free(loader->trial);
        preset_free(loader->preset);
    }
    free(loader);
    json_decref(root);
    free(source);
    return made;
}
