// Presets: a look as one JSON file.  Loading makes a list of steps, each of them tried on parameters
// of its own, so that a preset is either right as a whole or refused, and applying it cannot fail.
// The only includer of jansson.
#include "control/state.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
    VERSION = 1,
    LARGEST = 1 << 20, // bytes of a preset
    DEEPEST = 12,      // steps down from the top to a number
};

typedef enum { STEP_ADD, STEP_REMOVE, STEP_NUMBER, STEP_TEXT, STEP_STOPS } StepKind;

// Instances are named, not numbered: slots are given anew each time.
typedef struct {
    StepKind kind;
    Owner owner;
    int row;
    char name[ROUTE_NAME_LONGEST + 1];
    union {
        double number;
        char text[TEXT_SIZE];
        Stops stops;
    };
} Step;

struct Preset {
    char title[TEXT_SIZE];
    Step *steps;
    int count, room;
};

// ---- steps ----

static bool do_step(Params *params, const Step *step, char *why, int why_size)
{
    if (step->kind == STEP_ADD)
        return params_add(params, step->owner, step->name, why, why_size) >= 0;
    const int slot = step->owner == OWNER_GLOBAL ? 0 : params_slot(params, step->owner, step->name);
    const ParamId id = params_id(step->owner, slot, step->row);
    switch (step->kind) {
    case STEP_REMOVE:
        params_remove(params, step->owner, slot);
        return true;
    case STEP_NUMBER:
        return params_set(params, id, step->number);
    case STEP_TEXT:
        return params_set_text(params, id, step->text, why, why_size);
    default:
        return params_set_stops(params, id, &step->stops, why, why_size);
    }
}

void preset_apply(const Preset *preset, Params *params)
{
    char why[MESSAGE_TEXT];
    params_reset_looks(params);
    for (int i = 0; i < preset->count; i++) do_step(params, &preset->steps[i], why, sizeof why);
}

void preset_free(Preset *preset)
{
    if (!preset) return;
    free(preset->steps);
    free(preset);
}

const char *preset_title(const Preset *preset)
{
    return preset->title;
}

// ---- loading: where we are, and what is wrong there ----

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

// ---- loading: values ----

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

// ---- loading: names ----

static int row_find(Owner owner, const char *leaf)
{
    for (int r = 0; r < owner_rows(owner); r++)
        if (strcmp(owner_row(owner, r)->path, leaf) == 0) return r;
    return -1;
}

static bool is_stem(Owner owner, const char *leaf)
{
    const size_t length = strlen(leaf);
    for (int r = 0; r < owner_rows(owner); r++) {
        const char *path = owner_row(owner, r)->path;
        if (strncmp(path, leaf, length) == 0 && path[length] == '/') return true;
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

// ---- loading: instances ----

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

static bool take_swarms(Loader *loader, Owner owner, json_t *object)
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

// ---- loading: the file ----

static const char *const sections[] = { "version",  "title",  "parameters",
                                        "emitters", "fields", "routes" };

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

static bool take_emitters(Loader *loader, json_t *object)
{
    return take_swarms(loader, OWNER_EMITTER, object);
}

static bool take_fields(Loader *loader, json_t *object)
{
    return take_swarms(loader, OWNER_FIELD, object);
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
    if (!version) return wrong(loader, "a preset needs \"version\": %d", VERSION);
    enter(loader, "version", 0);
    if (!json_is_integer(version) || json_integer_value(version) != VERSION)
        return wrong(loader, "this program reads version %d", VERSION);
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
           take_section(loader, root, "emitters", take_emitters) &&
           take_section(loader, root, "fields", take_fields) &&
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

// ---- saving ----

typedef struct {
    FILE *out;
    int indent;
    bool first;
} Writer;

static void write_key(Writer *writer, const char *key)
{
    fprintf(writer->out, "%s\n%*s", writer->first ? "" : ",", writer->indent, "");
    json_text(writer->out, key);
    fputs(": ", writer->out);
    writer->first = false;
}

static void open_object(Writer *writer, const char *key)
{
    if (key) write_key(writer, key);
    fputc('{', writer->out);
    writer->indent += 2;
    writer->first = true;
}

static void close_object(Writer *writer)
{
    writer->indent -= 2;
    if (writer->first)
        fputc('}', writer->out);
    else
        fprintf(writer->out, "\n%*s}", writer->indent, "");
    writer->first = false;
}

static void write_value(FILE *out, const Params *params, ParamId id)
{
    const ParamRow *row = params_row(id);
    char word[MESSAGE_PATH];
    if (row->kind == KIND_TEXT)
        json_text(out, params_text(params, id));
    else if (kind_has_stops(row->kind))
        json_stops(out, params_stops(params, id), stops_width(row->kind));
    else if (row->kind == KIND_BOOL)
        fputs(params_base(params, id) != 0 ? "true" : "false", out);
    else if (row->kind == KIND_ENUM &&
             row_choice(row, (int)params_base(params, id), word, sizeof word))
        json_text(out, word);
    else
        json_number(out, params_base(params, id));
}

static bool same_value(const Params *a, ParamId a_id, const Params *b, ParamId b_id)
{
    const ParamKind kind = params_row(a_id)->kind;
    if (kind == KIND_TEXT) return strcmp(params_text(a, a_id), params_text(b, b_id)) == 0;
    if (kind_has_stops(kind))
        return memcmp(params_stops(a, a_id), params_stops(b, b_id), sizeof(Stops)) == 0;
    return params_base(a, a_id) == params_base(b, b_id);
}

// The group of vectors and colours (x, y, z; r, g, b) that a row belongs to, to be written as one.
static RowGroup vector_of(Owner owner, int row, char *stem, int size)
{
    const char *path = owner_row(owner, row)->path, *slash = strrchr(path, '/');
    if (!slash || strlen(slash) != 2) return (RowGroup){ row, 1 };
    snprintf(stem, (size_t)size, "%.*s", (int)(slash - path), path);
    const RowGroup group = group_find(owner, stem);
    return group.count > 0 ? group : (RowGroup){ row, 1 };
}

static void write_group(Writer *writer, const Params *params, const char *stem, ParamId first,
                        int count)
{
    write_key(writer, stem);
    fputc('[', writer->out);
    for (int i = 0; i < count; i++) {
        fputs(i > 0 ? ", " : "", writer->out);
        write_value(writer->out, params, first + i);
    }
    fputc(']', writer->out);
}

// What differs in one slot from a slot of the reference.
static void write_slot(Writer *writer, const Params *params, Owner owner, int slot,
                       const Params *reference, int reference_slot)
{
    int count;
    for (int r = 0; r < owner_rows(owner); r += count) {
        const ParamRow *row = owner_row(owner, r);
        char stem[MESSAGE_PATH];
        const RowGroup group = vector_of(owner, r, stem, sizeof stem);
        bool same = true;
        count = group.count;
        for (int i = r; i < r + count; i++)
            same = same && same_value(params, params_id(owner, slot, i), reference,
                                      params_id(owner, reference_slot, i));
        if (same || row->scope != SCOPE_LOOK || row->kind == KIND_TRIGGER) continue;
        if (count > 1) {
            write_group(writer, params, stem, params_id(owner, slot, r), count);
        } else {
            write_key(writer, row->path);
            write_value(writer->out, params, params_id(owner, slot, r));
        }
    }
}

// In the order of their slots, which is the order of drawing.
static void write_swarms(Writer *writer, const Params *params, Owner owner, const Params *reference)
{
    open_object(writer, owner_name(owner));
    for (int slot = 0; slot < owner_slots(owner); slot++) {
        if (!params_exists(params, owner, slot)) continue;
        const char *name = params_name(params, owner, slot);
        open_object(writer, name);
        write_slot(writer, params, owner, slot, reference, params_slot(reference, owner, name));
        close_object(writer);
    }
    close_object(writer);
}

static void write_route(Writer *writer, const Params *params, int slot, const Params *reference)
{
    const char *name = params_name(params, OWNER_ROUTE, slot);
    const int standing = params_slot(reference, OWNER_ROUTE, name);
    // A slot that the reference has not used holds the defaults of a new route.
    const int compared = standing >= 0 ? standing : ROUTE_SLOTS - 1;
    open_object(writer, name);
    if (standing < 0 && *params_text(params, params_id(OWNER_ROUTE, slot, ROUTE_TO)) == 0) {
        write_key(writer, "to");
        fputs("\"\"", writer->out);
    }
    write_slot(writer, params, OWNER_ROUTE, slot, reference, compared);
    close_object(writer);
}

// Default routes that stand are written too, as {}: naming them is what keeps them beside others
// with the same target.  Those that were taken away are null.
static void write_routes(Writer *writer, const Params *params, const Params *reference)
{
    open_object(writer, owner_name(OWNER_ROUTE));
    for (int slot = 0; slot < ROUTE_SLOTS; slot++)
        if (params_exists(params, OWNER_ROUTE, slot)) write_route(writer, params, slot, reference);
    for (int slot = 0; slot < ROUTE_SLOTS; slot++) {
        if (!params_exists(reference, OWNER_ROUTE, slot)) continue;
        const char *name = params_name(reference, OWNER_ROUTE, slot);
        if (params_slot(params, OWNER_ROUTE, name) >= 0) continue;
        write_key(writer, name);
        fputs("null", writer->out);
    }
    close_object(writer);
}

// Parameters with the same emitters and fields, all untouched.
static Params *reference_for(const Params *params)
{
    char why[MESSAGE_TEXT];
    Params *reference = params_new();
    for (Owner owner = OWNER_EMITTER; reference && owner < OWNER_ROUTE; owner++)
        for (int slot = 0; slot < owner_slots(owner); slot++)
            if (params_exists(params, owner, slot))
                params_add(reference, owner, params_name(params, owner, slot), why, sizeof why);
    return reference;
}

static void write_preset(FILE *out, const Params *params, const Params *reference,
                         const char *title)
{
    Writer writer = { .out = out };
    open_object(&writer, NULL);
    write_key(&writer, "version");
    fprintf(out, "%d", VERSION);
    write_key(&writer, "title");
    json_text(out, title);
    open_object(&writer, "parameters");
    write_slot(&writer, params, OWNER_GLOBAL, 0, reference, 0);
    close_object(&writer);
    write_swarms(&writer, params, OWNER_EMITTER, reference);
    write_swarms(&writer, params, OWNER_FIELD, reference);
    write_routes(&writer, params, reference);
    close_object(&writer);
    fputc('\n', out);
}

bool preset_save(const Params *params, const char *title, const char *file, char *why, int why_size)
{
    char *content = NULL;
    size_t length = 0;
    bool saved = false;
    if (!text_fits(title, why, why_size)) return false;
    snprintf(why, (size_t)why_size, "%s: out of memory", file);
    Params *reference = reference_for(params);
    FILE *out = reference ? open_memstream(&content, &length) : NULL;
    if (out) {
        write_preset(out, params, reference, title);
        const bool whole = !ferror(out);
        if (fclose(out) == 0 && whole) saved = file_write(file, content, length, why, why_size);
    }
    free(content);
    params_free(reference);
    return saved;
}
