// Types: settings that many emitters share.  What an emitter inherits is copied into its own rows
// whenever it changes, so that params_values stays one plain array and a frame pays nothing for it.
#include "control/state.h"

#include <string.h>

// ---- the types that are always known ----

typedef struct {
    int row;
    float number;
} Number;

typedef struct {
    int row;
    Stops stops;
} Points;

typedef struct {
    const char *name;
    const Number *numbers;
    int number_count;
    const Points *points;
    int points_count;
} Builtin;

// White hot, then gold, then a dull red; its opacity is the energy that is left.
static const Points spark_points[] = {
    { SWARM_COLOUR,
      { .count = 4,
        .at = { 0, 0.25f, 0.6f, 1 },
        .value = { { 1, 0.9f, 0.7f, 1 },
                   { 1, 0.62f, 0.2f, 0.85f },
                   { 1, 0.3f, 0.06f, 0.45f },
                   { 0.5f, 0.08f, 0.02f, 0 } } } },
    { SWARM_SIZE_CURVE, { .count = 2, .at = { 0, 1 }, .value = { { 1 }, { 0.3f } } } },
};

// The classic one: born of what happens, not of a rate; a third of the speed is left by a bounce,
// which costs a fifth of the life.
static const Number spark_numbers[] = {
    { SWARM_RATE, 0 },          { SWARM_BURST_COUNT, 24 },
    { SWARM_LIFE, 0.9f },       { SWARM_LIFE_RANDOM, 0.5f }, // between half and full
    { SWARM_AREA, AREA_POINT }, { SWARM_OUTWARD, 0 },
    { SWARM_SPREAD, 3 },        { SWARM_OWN_GRAVITY, -9.8f },
    { SWARM_OWN_DRAG, 0.4f },   { SWARM_COLLIDE, 1 },
    { SWARM_BOUNCE, 1.0f / 3 }, { SWARM_TANGENT_KEEP, 1.0f / 3 },
    { SWARM_HIT_LIFE, 0.2f },   { SWARM_SIZE, 0.035f },
    { SWARM_INTENSITY, 3 },     { SWARM_FACING, FACING_STRETCHED },
    { SWARM_STRETCH, 0.03f },   { EMITTER_HIT_MIN, 2 },
    { EMITTER_HIT_MAX, 7 },     { EMITTER_HIT_SPREAD, 0.5f },
};

static const Builtin builtins[] = {
    { "spark", spark_numbers, COUNT_OF(spark_numbers), spark_points, COUNT_OF(spark_points) },
};

int type_builtin(const char *name)
{
    for (int i = 0; i < COUNT_OF(builtins); i++)
        if (strcmp(builtins[i].name, name) == 0) return i;
    return -1;
}

const char *type_builtin_name(int builtin)
{
    return builtin < COUNT_OF(builtins) ? builtins[builtin].name : NULL;
}

void type_begin(Params *params, int type)
{
    char why[MESSAGE_TEXT];
    const int found = type_builtin(params_name(params, OWNER_TYPE, type));
    if (found < 0) return;
    const Builtin *builtin = &builtins[found];
    for (int i = 0; i < builtin->number_count; i++)
        params_set(params, params_id(OWNER_TYPE, type, builtin->numbers[i].row),
                   (double)builtin->numbers[i].number);
    for (int i = 0; i < builtin->points_count; i++)
        params_set_stops(params, params_id(OWNER_TYPE, type, builtin->points[i].row),
                         &builtin->points[i].stops, why, sizeof why);
}

// ---- what a type gives ----

// Not its place, its name for things, or what happens to it.
bool row_inherited(int row)
{
    switch (row) {
    case SWARM_VISIBLE:
    case SWARM_SYSTEM:
    case SWARM_ALIVE:
    case SWARM_POSITION_X:
    case SWARM_POSITION_Y:
    case SWARM_POSITION_Z:
    case EMITTER_TYPE:
        return false;
    default:
        return owner_row(OWNER_EMITTER, row)->kind != KIND_TRIGGER;
    }
}

bool row_there(Owner owner, int row)
{
    return owner != OWNER_TYPE || row == SWARM_REMOVE || row_inherited(row);
}

int params_type(const Params *params, int emitter_slot)
{
    return params_exists(params, OWNER_EMITTER, emitter_slot)
               ? params->instances[OWNER_EMITTER][emitter_slot].type
               : -1;
}

bool type_fits(Params *params, const char *name, char *why, int why_size)
{
    if (*name == 0 || params_slot(params, OWNER_TYPE, name) >= 0) return true;
    if (type_builtin(name) >= 0) return add_fits(params, OWNER_TYPE, name, why, why_size);
    Suggestion suggestion = suggest_for(name);
    if (strlen(name) <= NAME_LONGEST && suggest_allowed(params)) {
        for (int i = 0; i < COUNT_OF(builtins); i++) suggest(&suggestion, builtins[i].name);
        for (int slot = 0; slot < TYPE_SLOTS; slot++)
            if (params_exists(params, OWNER_TYPE, slot))
                suggest(&suggestion, params_name(params, OWNER_TYPE, slot));
    }
    snprintf(why, (size_t)why_size, "no type %.40s%s%s%s", name,
             *suggestion.nearest ? "; did you mean " : "", suggestion.nearest,
             *suggestion.nearest ? "?" : "");
    return false;
}

// ---- giving it ----

// An emitter's default route goes with the rate that it inherits, until a hand sets its amount.
static void follow_rate(Params *params, int emitter, float rate_before)
{
    if (inherited_rate(params, OWNER_EMITTER, emitter) == rate_before) return;
    char name[ROUTE_NAME_LONGEST + 1];
    default_route_name(OWNER_EMITTER, params_name(params, OWNER_EMITTER, emitter), name,
                       sizeof name);
    const int route = params_slot(params, OWNER_ROUTE, name);
    if (route < 0) return;
    const ParamId amount = params_id(OWNER_ROUTE, route, ROUTE_AMOUNT);
    if (params->routes[route].target != params_id(OWNER_EMITTER, emitter, SWARM_RATE)) return;
    if (params_base(params, amount) == default_route_amount(OWNER_EMITTER, rate_before))
        params_set(params, amount,
                   (double)default_route_amount(OWNER_EMITTER,
                                                inherited_rate(params, OWNER_EMITTER, emitter)));
}

static void inherit(Params *params, int emitter, int row)
{
    const ParamId id = params_id(OWNER_EMITTER, emitter, row);
    const int type = params_type(params, emitter);
    if (params->own[emitter][row]) return;
    if (type >= 0) {
        param_copy(params, id, params_id(OWNER_TYPE, type, row));
        return;
    }
    const float moved = params->moved[id];
    param_default(params, id);
    params->moved[id] = moved;
    param_follow(params, id);
}

// The emitter has another type now, or none: -1.
static void change_type(Params *params, int emitter, int type)
{
    const float rate = inherited_rate(params, OWNER_EMITTER, emitter);
    if (params_type(params, emitter) == type) return;
    params->instances[OWNER_EMITTER][emitter].type = type;
    for (int row = 0; row < EMITTER_ROWS; row++)
        if (row_inherited(row)) inherit(params, emitter, row);
    follow_rate(params, emitter, rate);
}

void type_enter(Params *params, int emitter)
{
    char why[MESSAGE_TEXT];
    const char *name = params_text(params, params_id(OWNER_EMITTER, emitter, EMITTER_TYPE));
    int type = *name ? params_slot(params, OWNER_TYPE, name) : -1;
    if (*name && type < 0) type = params_add(params, OWNER_TYPE, name, why, sizeof why);
    change_type(params, emitter, type);
}

void type_set(Params *params, int type, int row, float before)
{
    if (!row_inherited(row)) return;
    for (int emitter = 0; emitter < EMITTER_SLOTS; emitter++) {
        if (params_type(params, emitter) != type) continue;
        inherit(params, emitter, row);
        if (row == SWARM_RATE) follow_rate(params, emitter, before);
    }
}

void type_end(Params *params, int type)
{
    for (int emitter = 0; emitter < EMITTER_SLOTS; emitter++) {
        if (params_type(params, emitter) != type) continue;
        param_put_text(params, params_id(OWNER_EMITTER, emitter, EMITTER_TYPE), "");
        change_type(params, emitter, -1);
    }
}
