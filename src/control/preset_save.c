// Writing a preset: what differs from the defaults, in a form that a person would write.
#include "control/preset.h"

#include <stdlib.h>
#include <string.h>

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

static bool is_default(const Params *params, ParamId id)
{
    int row;
    const Owner owner = params_owner(id, NULL, &row);
    const ParamKind kind = params_row(id)->kind;
    if (kind == KIND_TEXT) return *params_text(params, id) == 0;
    if (kind_has_stops(kind))
        return memcmp(params_stops(params, id), owner_stops(owner, row), sizeof(Stops)) == 0;
    return params_base(params, id) == owner_row(owner, row)->normal;
}

static bool same_value(const Params *a, ParamId a_id, const Params *b, ParamId b_id)
{
    const ParamKind kind = params_row(a_id)->kind;
    if (kind == KIND_TEXT) return strcmp(params_text(a, a_id), params_text(b, b_id)) == 0;
    if (kind_has_stops(kind))
        return memcmp(params_stops(a, a_id), params_stops(b, b_id), sizeof(Stops)) == 0;
    return params_base(a, a_id) == params_base(b, b_id);
}

// Worth writing: what an emitter of a type has for itself, or else what differs from the slot of the
// reference, or where that has none, from the defaults.
static bool is_written(const Params *params, Owner owner, int slot, int r, const Params *reference,
                       int reference_slot)
{
    const ParamRow *row = owner_row(owner, r);
    const ParamId id = params_id(owner, slot, r);
    if (row->scope != SCOPE_LOOK || row->kind == KIND_TRIGGER || row->kind == KIND_READING)
        return false;
    if (owner == OWNER_EMITTER && params_type(params, slot) >= 0 && row_inherited(r))
        return params->own[slot][r];
    if (reference_slot < 0) return !is_default(params, id);
    return !same_value(params, id, reference, params_id(owner, reference_slot, r));
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

static void write_row(Writer *writer, const Params *params, Owner owner, int slot, int r)
{
    write_key(writer, owner_row(owner, r)->path);
    write_value(writer->out, params, params_id(owner, slot, r));
}

// A vector is written as one, unless part of it comes from a type.
static void write_slot(Writer *writer, const Params *params, Owner owner, int slot,
                       const Params *reference, int reference_slot)
{
    const bool typed = owner == OWNER_EMITTER && params_type(params, slot) >= 0;
    int count;
    for (int r = 0; r < owner_rows(owner); r += count) {
        char stem[MESSAGE_PATH];
        const RowGroup group = vector_of(owner, r, stem, sizeof stem);
        int written = 0;
        count = group.count;
        for (int i = r; i < r + count; i++)
            written += is_written(params, owner, slot, i, reference, reference_slot);
        if (count > 1 && written > 0 && (written == count || !typed || !row_inherited(r))) {
            write_group(writer, params, stem, params_id(owner, slot, r), count);
            continue;
        }
        for (int i = r; i < r + count; i++)
            if (is_written(params, owner, slot, i, reference, reference_slot))
                write_row(writer, params, owner, slot, i);
    }
}

static bool slot_differs(const Params *params, Owner owner, int slot, const Params *reference,
                         int reference_slot)
{
    bool differs = false;
    for (int r = 0; r < owner_rows(owner); r++)
        differs = differs || is_written(params, owner, slot, r, reference, reference_slot);
    return differs;
}

static bool type_in_use(const Params *params, int type)
{
    bool used = false;
    for (int slot = 0; slot < EMITTER_SLOTS; slot++)
        used = used || params_type(params, slot) == type;
    return used;
}

// A system comes with its members, and a type that is built in with the first emitter that names it.
static bool comes_by_itself(const Params *params, Owner owner, int slot)
{
    return owner == OWNER_SYSTEM ||
           (owner == OWNER_TYPE && type_builtin(params_name(params, owner, slot)) >= 0 &&
            type_in_use(params, slot));
}

// In the order of their slots, which is the order of drawing.
static void write_slots(Writer *writer, const Params *params, Owner owner, const Params *reference)
{
    for (int slot = 0; slot < owner_slots(owner); slot++) {
        if (!params_exists(params, owner, slot)) continue;
        const char *name = params_name(params, owner, slot);
        const int fresh = owner == OWNER_TYPE ? params_slot(reference, owner, name) : -1;
        if (comes_by_itself(params, owner, slot) &&
            !slot_differs(params, owner, slot, reference, fresh))
            continue;
        open_object(writer, name);
        write_slot(writer, params, owner, slot, reference, fresh);
        close_object(writer);
    }
}

static void write_section(Writer *writer, const Params *params, Owner owner,
                          const Params *reference)
{
    open_object(writer, owner_name(owner));
    write_slots(writer, params, owner, reference);
    close_object(writer);
}

static bool section_is_empty(const Params *params, Owner owner, const Params *reference)
{
    for (int slot = 0; slot < owner_slots(owner); slot++) {
        if (!params_exists(params, owner, slot)) continue;
        const int fresh = owner == OWNER_TYPE
                              ? params_slot(reference, owner, params_name(params, owner, slot))
                              : -1;
        if (!comes_by_itself(params, owner, slot) ||
            slot_differs(params, owner, slot, reference, fresh))
            return false;
    }
    return true;
}

static void write_route(Writer *writer, const Params *params, int slot, const Params *reference)
{
    const char *name = params_name(params, OWNER_ROUTE, slot);
    const int standing = params_slot(reference, OWNER_ROUTE, name);
    open_object(writer, name);
    if (standing < 0 && *params_text(params, params_id(OWNER_ROUTE, slot, ROUTE_TO)) == 0) {
        write_key(writer, "to");
        fputs("\"\"", writer->out);
    }
    write_slot(writer, params, OWNER_ROUTE, slot, reference, standing);
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

// A default route follows the rate of a type.
static void keep_default_amount(Params *reference, const Params *params, Owner owner, int slot)
{
    char name[ROUTE_NAME_LONGEST + 1];
    default_route_name(owner, params_name(params, owner, slot), name, sizeof name);
    const int route = params_slot(reference, OWNER_ROUTE, name);
    params_set(reference, params_id(OWNER_ROUTE, route, ROUTE_AMOUNT),
               (double)default_route_amount(owner, inherited_rate(params, owner, slot)));
}

// Parameters with the same types, emitters and fields, all untouched.
static Params *reference_for(const Params *params)
{
    static const Owner named[] = { OWNER_TYPE, OWNER_EMITTER, OWNER_FIELD };
    char why[MESSAGE_TEXT];
    Params *reference = params_new();
    for (int n = 0; reference && n < COUNT_OF(named); n++)
        for (int slot = 0; slot < owner_slots(named[n]); slot++) {
            if (!params_exists(params, named[n], slot)) continue;
            params_add(reference, named[n], params_name(params, named[n], slot), why, sizeof why);
            if (named[n] != OWNER_TYPE) keep_default_amount(reference, params, named[n], slot);
        }
    return reference;
}

static void write_preset(FILE *out, const Params *params, const Params *reference,
                         const char *title)
{
    Writer writer = { .out = out };
    open_object(&writer, NULL);
    write_key(&writer, "version");
    fprintf(out, "%d", PRESET_VERSION);
    write_key(&writer, "title");
    json_text(out, title);
    open_object(&writer, "parameters");
    write_slot(&writer, params, OWNER_GLOBAL, 0, reference, -1);
    close_object(&writer);
    if (!section_is_empty(params, OWNER_TYPE, reference))
        write_section(&writer, params, OWNER_TYPE, reference);
    write_section(&writer, params, OWNER_EMITTER, reference);
    write_section(&writer, params, OWNER_FIELD, reference);
    if (!section_is_empty(params, OWNER_SYSTEM, reference))
        write_section(&writer, params, OWNER_SYSTEM, reference);
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
