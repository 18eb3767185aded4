// The rows of params.def as arrays, and what can be said about a row without any values.
#include "control/state.h"

#include <string.h>

#define ROW(id, path, kind, normal, min, max, unit, response, scope, help)                         \
    { path, KIND_##kind, normal, min, max, unit, RESPONSE_##response, SCOPE_##scope, help },

static const ParamRow global_rows[] = {
#define GLOBAL ROW
#include "control/params.def"
};

static const ParamRow emitter_rows[] = {
#define SWARM ROW
#include "control/params.def"
#define EMITTER ROW
#include "control/params.def"
};

static const ParamRow system_rows[] = {
#define SYSTEM ROW
#include "control/params.def"
};

static const ParamRow field_rows[] = {
#define SWARM ROW
#include "control/params.def"
#define FIELD ROW
#include "control/params.def"
};

static const ParamRow route_rows[] = {
#define ROUTE ROW
#include "control/params.def"
};

_Static_assert(COUNT_OF(global_rows) == GLOBAL_ROWS, "the enum and the table are one list");
_Static_assert(COUNT_OF(emitter_rows) == EMITTER_ROWS, "the enum and the table are one list");
_Static_assert(COUNT_OF(field_rows) == FIELD_ROWS, "the enum and the table are one list");
_Static_assert(COUNT_OF(system_rows) == SYSTEM_ROWS, "the enum and the table are one list");
_Static_assert(COUNT_OF(route_rows) == ROUTE_ROWS, "the enum and the table are one list");

static const struct {
    const char *name;
    const ParamRow *rows;
    int row_count, slots;
} owners[OWNER_COUNT] = {
    [OWNER_GLOBAL] = { "", global_rows, GLOBAL_ROWS, 1 },
    [OWNER_EMITTER] = { "emitters", emitter_rows, EMITTER_ROWS, EMITTER_SLOTS },
    [OWNER_FIELD] = { "fields", field_rows, FIELD_ROWS, FIELD_SLOTS },
    [OWNER_ROUTE] = { "routes", route_rows, ROUTE_ROWS, ROUTE_SLOTS },
    [OWNER_TYPE] = { "types", emitter_rows, EMITTER_ROWS, TYPE_SLOTS },
    [OWNER_SYSTEM] = { "systems", system_rows, SYSTEM_ROWS, SYSTEM_SLOTS },
};

int owner_rows(Owner owner)
{
    return owners[owner].row_count;
}

int owner_slots(Owner owner)
{
    return owners[owner].slots;
}

const char *owner_name(Owner owner)
{
    return owners[owner].name;
}

const ParamRow *owner_row(Owner owner, int row)
{
    return &owners[owner].rows[row];
}

int row_find(Owner owner, const char *leaf)
{
    for (int r = 0; r < owner_rows(owner); r++)
        if (strcmp(owner_row(owner, r)->path, leaf) == 0) return row_there(owner, r) ? r : -1;
    return -1;
}

// ---- curves and gradients ----

static const Stops size_curve = {
    .count = 3,
    .at = { 0, 0.15f, 1 },
    .value = { { 0.6f }, { 1 }, { 0 } },
};

// White-gold at birth, ember on the way, violet at the end.
static const Stops colour = {
    .count = 5,
    .at = { 0, 0.06f, 0.3f, 0.65f, 1 },
    .value = { { 1, 0.92f, 0.7f, 0 },
               { 1, 0.82f, 0.42f, 1 },
               { 1, 0.4f, 0.16f, 0.85f },
               { 0.5f, 0.12f, 0.75f, 0.5f },
               { 0.16f, 0.04f, 0.55f, 0 } },
};

static const Stops as_it_is = { .count = 2, .at = { 0, 1 }, .value = { { 0 }, { 1 } } };
static const Stops flat = { .count = 2, .at = { 0, 1 }, .value = { { 1 }, { 1 } } };

// Curves and gradients stand in swarms alone.
const Stops *owner_stops(Owner owner, int row)
{
    if (!kind_has_stops(owner_row(owner, row)->kind)) return NULL;
    switch (row) {
    case SWARM_COLOUR:
        return &colour;
    case SWARM_SIZE_CURVE:
        return &size_curve;
    case SWARM_COLOUR_CURVE:
        return &as_it_is;
    default:
        return &flat;
    }
}

// The first stop behind `at`; stops->count behind the last.
static int stop_after(const Stops *stops, float at)
{
    int after = 0;
    while (after < stops->count && !(stops->at[after] > at)) after++;
    return after;
}

void stops_at(const Stops *stops, float at, float value[4])
{
    int after = stop_after(stops, at);
    const int before = after > 0 ? after - 1 : 0;
    if (after == stops->count) after = before;
    const float gap = stops->at[after] - stops->at[before];
    const float share = gap > 0 ? (at - stops->at[before]) / gap : 0;
    for (int i = 0; i < 4; i++)
        value[i] = lerpf(stops->value[before][i], stops->value[after][i], share);
}

// How steep the line from stop n to the next is; level at the ends.
static float secant(const Stops *stops, int n)
{
    if (n < 0 || n + 1 >= stops->count) return 0;
    return (stops->value[n + 1][0] - stops->value[n][0]) / (stops->at[n + 1] - stops->at[n]);
}

// The slope at a stop that lets the cubics on both sides overshoot nothing: the harmonic mean of the
// lines' slopes, and level at a peak and at the ends.
static float slope_at(const Stops *stops, int n)
{
    const float before = secant(stops, n - 1), after = secant(stops, n);
    return before * after > 0 ? 2 * before * after / (before + after) : 0;
}

static float smooth_at(const Stops *stops, float at)
{
    const int after = stop_after(stops, at);
    if (after == 0) return stops->value[0][0];
    const float from = stops->value[after - 1][0];
    if (after == stops->count) return from;
    const float to = stops->value[after][0];
    const float gap = stops->at[after] - stops->at[after - 1];
    const float t = (at - stops->at[after - 1]) / gap;
    const float leave = gap * slope_at(stops, after - 1), reach = gap * slope_at(stops, after);
    return from + t * (leave + t * (3 * (to - from) - 2 * leave - reach +
                                    t * (leave + reach - 2 * (to - from))));
}

// The point of the Bezier curve at t, by de Casteljau's cuts: whatever t, inside the stops.
static void bezier_point(const Stops *stops, float t, float *x, float *y)
{
    float xs[STOPS_MAX], ys[STOPS_MAX];
    for (int n = 0; n < stops->count; n++) {
        xs[n] = stops->at[n];
        ys[n] = stops->value[n][0];
    }
    for (int last = stops->count - 1; last > 0; last--) {
        for (int n = 0; n < last; n++) {
            xs[n] = lerpf(xs[n], xs[n + 1], t);
            ys[n] = lerpf(ys[n], ys[n + 1], t);
        }
    }
    *x = xs[0];
    *y = ys[0];
}

// x rises with t, as the stops do: halving finds the t of `at`.
static float bezier_at(const Stops *stops, float at)
{
    const int last = stops->count - 1;
    if (!(at > stops->at[0])) return stops->value[0][0];
    if (!(at < stops->at[last])) return stops->value[last][0];
    float low = 0, high = 1, x, y = 0;
    for (int n = 0; n < 22; n++) {
        const float t = 0.5f * (low + high);
        bezier_point(stops, t, &x, &y);
        if (x < at)
            low = t;
        else
            high = t;
    }
    return y;
}

float curve_at(const Stops *stops, int curves, float at)
{
    float value[4];
    if (curves == CURVES_SMOOTH) return smooth_at(stops, at);
    if (curves == CURVES_BEZIER) return bezier_at(stops, at);
    stops_at(stops, at, value);
    return value[0];
}

// ---- kinds ----

bool kind_is_number(ParamKind kind)
{
    return kind == KIND_FLOAT || kind == KIND_INT || kind == KIND_BOOL || kind == KIND_ENUM ||
           kind == KIND_STRUCTURAL;
}

bool kind_has_stops(ParamKind kind)
{
    return kind == KIND_CURVE || kind == KIND_GRADIENT;
}

int stops_width(ParamKind kind)
{
    return kind == KIND_GRADIENT ? 4 : 1;
}

// ---- choices of an enum: "point|sphere|box" ----

int row_choices(const ParamRow *row)
{
    int count = 1;
    for (const char *at = row->unit; *at; at++) count += *at == '|';
    return count;
}

bool row_choice(const ParamRow *row, int index, char *word, int size)
{
    const char *from = row->unit;
    for (; index > 0; index--) {
        from = strchr(from, '|');
        if (!from) return false;
        from++;
    }
    return snprintf(word, (size_t)size, "%.*s", (int)strcspn(from, "|"), from) < size;
}

int row_choice_find(const ParamRow *row, const char *word)
{
    char choice[MESSAGE_PATH];
    for (int i = 0; i < row_choices(row); i++)
        if (row_choice(row, i, choice, sizeof choice) && strcmp(choice, word) == 0) return i;
    return -1;
}

// ---- numbers ----

float row_fit(const ParamRow *row, double value)
{
    if (row->kind == KIND_BOOL) return value != 0;
    if (row->kind != KIND_FLOAT) value = round(value);
    return (float)clampd(value, row->min, row->max);
}

float row_from_norm(const ParamRow *row, double norm)
{
    const double min = row->min, max = row->max, share = clampd(norm, 0, 1);
    if (share == 0 || share == 1) return share == 0 ? row->min : row->max;
    if (row->kind == KIND_BOOL) return share >= 0.5;
    switch (row->response) {
    case RESPONSE_SQUARE:
        return row_fit(row, min + (max - min) * share * share);
    case RESPONSE_CUBIC:
        return row_fit(row, min + (max - min) * share * share * share);
    case RESPONSE_LOG:
        return row_fit(row, min * pow(max / min, share));
    default:
        return row_fit(row, min + (max - min) * share);
    }
}

double row_to_norm(const ParamRow *row, float value)
{
    const double min = row->min, max = row->max;
    if (!(max > min)) return 0;
    const double share = clampd((value - min) / (max - min), 0, 1);
    switch (row->response) {
    case RESPONSE_SQUARE:
        return sqrt(share);
    case RESPONSE_CUBIC:
        return cbrt(share);
    case RESPONSE_LOG:
        return clampd(log(value / min) / log(max / min), 0, 1);
    default:
        return share;
    }
}

// ---- groups ----

static bool below(const char *path, const char *stem, size_t length)
{
    return strncmp(path, stem, length) == 0 && path[length] == '/';
}

RowGroup group_find(Owner owner, const char *stem)
{
    const RowGroup none = { 0, 0 };
    const size_t length = strlen(stem);
    RowGroup group = none;
    for (int r = 0; r < owner_rows(owner); r++) {
        const ParamRow *row = owner_row(owner, r);
        if (!below(row->path, stem, length)) continue;
        if (strchr(row->path + length + 1, '/')) return none;
        if (!kind_is_number(row->kind) || row->kind == KIND_STRUCTURAL) return none;
        if (!row_there(owner, r)) return none;
        if (group.count == 0) group.first = r;
        if (group.first + group.count != r) return none;
        group.count++;
    }
    return group.count > 1 ? group : none;
}
