// The table printed: for people, for the documentation, for programs.
#include "control/state.h"

#include <string.h>

static const char *const kind_names[] = {
    [KIND_FLOAT] = "float",     [KIND_INT] = "int",           [KIND_BOOL] = "bool",
    [KIND_ENUM] = "enum",       [KIND_TRIGGER] = "trigger",   [KIND_TEXT] = "text",
    [KIND_CURVE] = "curve",     [KIND_GRADIENT] = "gradient", [KIND_STRUCTURAL] = "int",
    [KIND_READING] = "reading",
};
static const char *const response_names[] = { "linear", "square", "cubic", "log" };
static const char *const scope_names[] = { "look", "show", "machine" };

enum { CELL = 512 };

// One row as words.
typedef struct {
    char address[CELL], kind[CELL], normal[CELL], range[CELL];
} Cells;

// The table in the parts that a reader meets: what emitters, fields and types share stands there once.
typedef struct {
    Owner owner;
    int first, end;      // rows
    const char *front;   // of the address
    const char *heading; // NULL: by the first words of the paths
} Part;

static const Part parts[] = {
    { OWNER_GLOBAL, 0, GLOBAL_ROWS, "/", NULL },
    { OWNER_EMITTER, 0, SWARM_ROWS, "/{emitters,fields,types}/NAME/",
      "/emitters/NAME, /fields/NAME, /types/NAME" },
    { OWNER_EMITTER, SWARM_ROWS, EMITTER_ROWS, "/{emitters,types}/NAME/",
      "/emitters/NAME, /types/NAME: what a field does not have" },
    { OWNER_FIELD, SWARM_ROWS, FIELD_ROWS, "/fields/NAME/", "/fields/NAME: what only a field has" },
    { OWNER_SYSTEM, 0, SYSTEM_ROWS, "/systems/NAME/", "/systems/NAME" },
    { OWNER_ROUTE, 0, ROUTE_ROWS, "/routes/NAME/", "/routes/NAME" },
};

// Where in the rows of emitters, fields and types another subject begins.
static const struct {
    int row;
    const char *heading;
} subjects[] = {
    { SWARM_VISIBLE, "The whole" },
    { SWARM_RATE, "Births: how many, when, how long they live" },
    { SWARM_AREA, "Where they happen" },
    { SWARM_VELOCITY_X, "Velocity" },
    { SWARM_FORCE, "Forces and colliders" },
    { SWARM_SIZE, "Size and rotation" },
    { SWARM_COLOUR, "Colour" },
    { SWARM_SHEET, "Drawing" },
};

// What can be said besides: messages that are no values.
static const struct {
    const char *address, *arguments, *help;
} sayings[] = {
    { "/emitters/add", "NAME", "A new emitter, with a route by which the level adds to its rate" },
    { "/fields/add", "NAME", "A new field, with such a route" },
    { "/types/add", "NAME [EMITTER]", "A new type, with the settings of that emitter" },
    { "/systems/add", "NAME TYPE [TYPE...]",
      "A new system with an emitter a type: the first is called NAME, the others NAME-TYPE" },
    { "/routes/add", "NAME SIGNAL TO AMOUNT", "A new route" },
    { "/systems/NAME/LEAF", "as LEAF",
      "Said to all emitters and fields of the system, whatever is not the system's own" },
    { "/systems/NAME/hit", "x y z vx vy vz nx ny nz",
      "Something with that velocity hit the system at that place, on a face with that normal: "
      "hit_min to hit_max births of each of its emitters; 64 a frame at most" },
    { "/emitters/NAME/name", "NEW",
      "Another name, for fields, types, systems and routes too; what names it follows" },
    { "/norm/ADDRESS", "0..1", "Over the range of a number, through its response" },
    { "/inc/ADDRESS", "number", "Added to it" },
    { "/ADDRESS", "toggle", "The word turns any bool over" },
    { "/ADDRESS", "", "Fires a trigger, and asks anything else: the answer goes to the sender" },
};

// ---- words for a row ----

static void address_of(Owner owner, const ParamRow *row, char *text)
{
    if (owner == OWNER_GLOBAL)
        snprintf(text, CELL, "/%s", row->path);
    else
        snprintf(text, CELL, "/%s/NAME/%s", owner_name(owner), row->path);
}

// "visible, system, alive": what a type lacks of a part that it is named in.
static void lacking(const Part *part, char *text)
{
    int used = 0;
    text[0] = 0;
    for (int r = part->first; part->owner == OWNER_EMITTER && r < part->end; r++)
        if (!row_there(OWNER_TYPE, r))
            used += snprintf(text + used, (size_t)(CELL - used), "%s%s", used > 0 ? ", " : "",
                             owner_row(OWNER_EMITTER, r)->path);
}

// "point, sphere, box"
static void choices_of(const ParamRow *row, char *text)
{
    char word[MESSAGE_PATH];
    int used = 0;
    for (int i = 0; i < row_choices(row) && row_choice(row, i, word, sizeof word); i++)
        used += snprintf(text + used, (size_t)(CELL - used), "%s%s", i > 0 ? ", " : "", word);
}

static void stops_text(const Stops *stops, int width, char *text)
{
    int used = 0;
    for (int i = 0; i < stops->count; i++) {
        used += snprintf(text + used, (size_t)(CELL - used), "%s(%.9g", i > 0 ? " " : "",
                         (double)roundf(stops->at[i] * 1e4f) / 1e4);
        for (int v = 0; v < width; v++)
            used += snprintf(text + used, (size_t)(CELL - used), ", %.9g",
                             (double)roundf(stops->value[i][v] * 1e4f) / 1e4);
        used += snprintf(text + used, (size_t)(CELL - used), ")");
    }
}

static void normal_of(Owner owner, int r, char *text)
{
    const ParamRow *row = owner_row(owner, r);
    const Stops *stops = owner_stops(owner, r);
    if (row->kind == KIND_TRIGGER || row->kind == KIND_TEXT || row->kind == KIND_READING)
        text[0] = 0;
    else if (row->kind == KIND_BOOL)
        snprintf(text, CELL, "%s", row->normal != 0 ? "true" : "false");
    else if (row->kind == KIND_ENUM)
        row_choice(row, (int)row->normal, text, CELL);
    else if (stops)
        stops_text(stops, stops_width(row->kind), text);
    else
        number_text(row->normal, text, CELL);
}

static void range_of(const ParamRow *row, char *text)
{
    char min[32], max[32];
    number_text(row->min, min, sizeof min);
    number_text(row->max, max, sizeof max);
    if (row->min < row->max && row->kind != KIND_BOOL && row->kind != KIND_ENUM)
        snprintf(text, CELL, "%s .. %s", min, max);
    else
        text[0] = 0;
}

static Cells cells_of(Owner owner, int r)
{
    const ParamRow *row = owner_row(owner, r);
    Cells cells;
    address_of(owner, row, cells.address);
    if (row->kind == KIND_ENUM)
        choices_of(row, cells.kind);
    else
        snprintf(cells.kind, CELL, "%s%s", kind_names[row->kind],
                 row->kind == KIND_STRUCTURAL ? " STRUCTURAL" : "");
    normal_of(owner, r, cells.normal);
    range_of(row, cells.range);
    return cells;
}

static const char *unit_of(const ParamRow *row)
{
    return row->kind == KIND_ENUM ? "" : row->unit;
}

// ---- text ----

static void print_text_row(FILE *out, const Part *part, int r)
{
    char address[CELL];
    const ParamRow *row = owner_row(part->owner, r);
    const Cells cells = cells_of(part->owner, r);
    snprintf(address, sizeof address, "%s%s", part->front, row->path);
    fprintf(out, "%-50s %-18s %-8s %-20s %-13s %-8s %s\n", address, cells.kind,
            kind_has_stops(row->kind) ? "" : cells.normal, cells.range, unit_of(row),
            scope_names[row->scope], row->help);
}

static void print_text(FILE *out)
{
    char lacks[CELL];
    for (int p = 0; p < COUNT_OF(parts); p++) {
        for (int r = parts[p].first; r < parts[p].end; r++) print_text_row(out, &parts[p], r);
        lacking(&parts[p], lacks);
        if (*lacks) fprintf(out, "(a type has no %s)\n", lacks);
    }
    fprintf(out, "\nmessages\n");
    for (int i = 0; i < COUNT_OF(sayings); i++)
        fprintf(out, "%-26s %-24s %s\n", sayings[i].address, sayings[i].arguments, sayings[i].help);
    fprintf(out, "\nsignals\n");
    for (int i = 0; i < SIGNAL_COUNT; i++)
        fprintf(out, "%-38s %g .. %-13g %-13s %s\n", signal_rows[i].name,
                (double)signal_rows[i].low, (double)signal_rows[i].high, signal_rows[i].unit,
                signal_rows[i].help);
}

// ---- Markdown ----

static void print_head(FILE *out, const char *address)
{
    fprintf(out,
            "| %s | kind or choices | default | range | unit | scope | help |\n"
            "| --- | --- | --- | --- | --- | --- | --- |\n",
            address);
}

// Globals have a section for each first word of their paths.
static bool same_section(int r)
{
    if (r == 0) return false;
    const char *path = owner_row(OWNER_GLOBAL, r)->path;
    const char *before = owner_row(OWNER_GLOBAL, r - 1)->path;
    const size_t length = strcspn(path, "/");
    return strncmp(path, before, length) == 0 && before[length] == '/';
}

static const char *subject_of(const Part *part, int r)
{
    for (int i = 0; part->end == SWARM_ROWS && i < COUNT_OF(subjects); i++)
        if (subjects[i].row == r) return subjects[i].heading;
    return NULL;
}

static void begin_part(FILE *out, const Part *part)
{
    char lacks[CELL];
    if (!part->heading) return;
    fprintf(out, "\n### %s\n", part->heading);
    lacking(part, lacks);
    if (*lacks) fprintf(out, "\nA type has no %s.\n", lacks);
    if (subject_of(part, part->first)) return;
    fputc('\n', out);
    print_head(out, "leaf");
}

// What stands before a row where something else begins.
static void print_heading(FILE *out, const Part *part, int r)
{
    const char *subject = subject_of(part, r);
    if (part->owner == OWNER_GLOBAL && !same_section(r)) {
        const char *path = owner_row(OWNER_GLOBAL, r)->path;
        fprintf(out, "%s### /%.*s\n\n", r > 0 ? "\n" : "", (int)strcspn(path, "/"), path);
        print_head(out, "address");
    } else if (subject) {
        fprintf(out, "\n#### %s\n\n", subject);
        print_head(out, "leaf");
    }
}

static void print_markdown_row(FILE *out, const Part *part, int r)
{
    const ParamRow *row = owner_row(part->owner, r);
    const Cells cells = cells_of(part->owner, r);
    fprintf(out, "| `%s%s` | %s | %s | %s | %s | %s | %s |\n", part->heading ? "" : part->front,
            row->path, cells.kind, cells.normal, cells.range, unit_of(row), scope_names[row->scope],
            row->help);
}

static void print_markdown(FILE *out)
{
    for (int p = 0; p < COUNT_OF(parts); p++) {
        begin_part(out, &parts[p]);
        for (int r = parts[p].first; r < parts[p].end; r++) {
            print_heading(out, &parts[p], r);
            print_markdown_row(out, &parts[p], r);
        }
    }
    fprintf(out, "\n### Messages\n\n| address | arguments | help |\n| --- | --- | --- |\n");
    for (int i = 0; i < COUNT_OF(sayings); i++)
        fprintf(out, "| `%s` | %s | %s |\n", sayings[i].address, sayings[i].arguments,
                sayings[i].help);
    fprintf(out, "\n### Signals\n\n| signal | range | unit | help |\n| --- | --- | --- | --- |\n");
    for (int i = 0; i < SIGNAL_COUNT; i++)
        fprintf(out, "| `%s` | %g .. %g | %s | %s |\n", signal_rows[i].name,
                (double)signal_rows[i].low, (double)signal_rows[i].high, signal_rows[i].unit,
                signal_rows[i].help);
}

// ---- JSON ----

static void json_pair(FILE *out, const char *key, const char *text)
{
    fprintf(out, ", \"%s\": ", key);
    json_text(out, text);
}

static void json_normal(FILE *out, Owner owner, int r)
{
    const ParamRow *row = owner_row(owner, r);
    const Stops *stops = owner_stops(owner, r);
    char word[CELL];
    normal_of(owner, r, word);
    fputs(", \"default\": ", out);
    if (stops)
        json_stops(out, stops, stops_width(row->kind));
    else if (row->kind == KIND_TRIGGER || row->kind == KIND_READING)
        fputs("null", out);
    else if (row->kind == KIND_TEXT || row->kind == KIND_ENUM)
        json_text(out, word);
    else
        fputs(word, out);
}

static void json_choices(FILE *out, const ParamRow *row)
{
    char word[MESSAGE_PATH];
    fputs(", \"choices\": [", out);
    for (int i = 0; i < row_choices(row) && row_choice(row, i, word, sizeof word); i++) {
        fputs(i > 0 ? ", " : "", out);
        json_text(out, word);
    }
    fputc(']', out);
}

static void json_row(FILE *out, Owner owner, int r)
{
    const ParamRow *row = owner_row(owner, r);
    char address[CELL];
    address_of(owner, row, address);
    fputs("  {\"address\": ", out);
    json_text(out, address);
    json_pair(out, "kind", kind_names[row->kind]);
    if (row->kind == KIND_ENUM) json_choices(out, row);
    json_normal(out, owner, r);
    if (row->min < row->max) {
        fputs(", \"min\": ", out);
        json_number(out, row->min);
        fputs(", \"max\": ", out);
        json_number(out, row->max);
    }
    json_pair(out, "unit", unit_of(row));
    json_pair(out, "response", response_names[row->response]);
    json_pair(out, "scope", scope_names[row->scope]);
    fprintf(out, ", \"structural\": %s", row->kind == KIND_STRUCTURAL ? "true" : "false");
    json_pair(out, "help", row->help);
    fputs("},\n", out);
}

static void json_signal(FILE *out, int i)
{
    fputs("  {\"signal\": ", out);
    json_text(out, signal_rows[i].name);
    fputs(", \"min\": ", out);
    json_number(out, signal_rows[i].low);
    fputs(", \"max\": ", out);
    json_number(out, signal_rows[i].high);
    json_pair(out, "unit", signal_rows[i].unit);
    json_pair(out, "help", signal_rows[i].help);
    fputs(i + 1 < SIGNAL_COUNT ? "},\n" : "}\n", out);
}

static void print_json(FILE *out)
{
    fputs("[\n", out);
    for (Owner owner = 0; owner < OWNER_COUNT; owner++)
        for (int r = 0; r < owner_rows(owner); r++)
            if (row_there(owner, r)) json_row(out, owner, r);
    for (int i = 0; i < SIGNAL_COUNT; i++) json_signal(out, i);
    fputs("]\n", out);
}

void params_print(FILE *out, PrintFormat format)
{
    if (format == PRINT_TEXT)
        print_text(out);
    else if (format == PRINT_MARKDOWN)
        print_markdown(out);
    else
        print_json(out);
}
