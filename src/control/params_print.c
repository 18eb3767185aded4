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

// ---- words for a row ----

static void address_of(Owner owner, const ParamRow *row, char *text)
{
    if (owner == OWNER_GLOBAL)
        snprintf(text, CELL, "/%s", row->path);
    else
        snprintf(text, CELL, "/%s/NAME/%s", owner_name(owner), row->path);
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

static void print_text(FILE *out)
{
    for (Owner owner = 0; owner < OWNER_COUNT; owner++)
        for (int r = 0; r < owner_rows(owner); r++) {
            const ParamRow *row = owner_row(owner, r);
            const Cells cells = cells_of(owner, r);
            const char *normal = kind_has_stops(row->kind) ? "" : cells.normal;
            fprintf(out, "%-38s %-18s %-8s %-20s %-13s %-8s %s\n", cells.address, cells.kind,
                    normal, cells.range, unit_of(row), scope_names[row->scope], row->help);
        }
    fprintf(out, "\nsignals\n");
    for (int i = 0; i < SIGNAL_COUNT; i++)
        fprintf(out, "%-38s %g .. %-13g %-13s %s\n", signal_rows[i].name,
                (double)signal_rows[i].low, (double)signal_rows[i].high, signal_rows[i].unit,
                signal_rows[i].help);
}

// ---- Markdown ----

// Globals have a section for each first word of their paths, the others one an owner.
static bool same_section(Owner owner, int r)
{
    if (r == 0) return false;
    if (owner != OWNER_GLOBAL) return true;
    const char *path = owner_row(owner, r)->path, *before = owner_row(owner, r - 1)->path;
    const size_t length = strcspn(path, "/");
    return strncmp(path, before, length) == 0 && before[length] == '/';
}

static void print_section(FILE *out, Owner owner, int r)
{
    const char *path = owner_row(owner, r)->path;
    if (owner == OWNER_GLOBAL)
        fprintf(out, "### /%.*s\n\n", (int)strcspn(path, "/"), path);
    else
        fprintf(out, "### /%s/NAME\n\n", owner_name(owner));
    fprintf(out, "| address | kind or choices | default | range | unit | scope | help |\n"
                 "| --- | --- | --- | --- | --- | --- | --- |\n");
}

static void print_markdown(FILE *out)
{
    const char *gap = "";
    for (Owner owner = 0; owner < OWNER_COUNT; owner++)
        for (int r = 0; r < owner_rows(owner); r++) {
            const ParamRow *row = owner_row(owner, r);
            const Cells cells = cells_of(owner, r);
            if (!same_section(owner, r)) {
                fputs(gap, out);
                print_section(out, owner, r);
            }
            gap = "\n";
            fprintf(out, "| `%s` | %s | %s | %s | %s | %s | %s |\n", cells.address, cells.kind,
                    cells.normal, cells.range, unit_of(row), scope_names[row->scope], row->help);
        }
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
        for (int r = 0; r < owner_rows(owner); r++) json_row(out, owner, r);
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
