// Emitters, fields, routes, types and systems: named instances in preallocated slots.
#include "control/state.h"

#include <string.h>

static const char *const singular[OWNER_COUNT] = {
    "", "emitter", "field", "route", "type", "system"
};

// How many times the rate a default route adds to it at full level, and how fast that fades.
enum { EMITTER_TIMES = 8, FIELD_TIMES = 400 };
static const double DEFAULT_RELEASE = 0.15; // s

// ---- names ----

bool name_fits(Owner owner, const char *name, char *why, int why_size)
{
    const size_t longest = owner == OWNER_ROUTE ? ROUTE_NAME_LONGEST : NAME_LONGEST;
    const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-");
    if (length == 0 || length > longest || name[length] != 0) {
        snprintf(why, (size_t)why_size, "the name \"%.40s\" is not 1 to %d of a-z, 0-9, _ and -",
                 name, (int)longest);
        return false;
    }
    if (strcmp(name, "add") == 0) {
        snprintf(why, (size_t)why_size, "the name add is reserved");
        return false;
    }
    return true;
}

int params_slot(const Params *params, Owner owner, const char *name)
{
    for (int slot = 0; slot < owner_slots(owner); slot++) {
        const Instance *instance = &params->instances[owner][slot];
        if (instance->exists && strcmp(instance->name, name) == 0) return slot;
    }
    return -1;
}

bool params_exists(const Params *params, Owner owner, int slot)
{
    return slot >= 0 && slot < owner_slots(owner) && params->instances[owner][slot].exists;
}

const char *params_name(const Params *params, Owner owner, int slot)
{
    return params_exists(params, owner, slot) ? params->instances[owner][slot].name : "";
}

uint32_t params_generation(const Params *params, Owner owner, int slot)
{
    return slot >= 0 && slot < owner_slots(owner) ? params->instances[owner][slot].generation : 0;
}

// ---- coming ----

static bool has_default_route(Owner owner)
{
    return owner == OWNER_EMITTER || owner == OWNER_FIELD;
}

int free_slot(const Params *params, Owner owner)
{
    for (int slot = 0; slot < owner_slots(owner); slot++)
        if (!params->instances[owner][slot].exists) return slot;
    return -1;
}

void default_route_name(Owner owner, const char *name, char *route, int size)
{
    snprintf(route, (size_t)size, "%s-%.*s", singular[owner], NAME_LONGEST, name);
}

static void set_defaults(Params *params, Owner owner, int slot)
{
    for (int row = 0; row < owner_rows(owner); row++)
        param_default(params, params_id(owner, slot, row));
    if (owner == OWNER_EMITTER) memset(params->own[slot], 0, sizeof params->own[slot]);
    if (owner == OWNER_ROUTE) route_refresh(params, slot);
}

void take_slot(Params *params, Owner owner, int slot, const char *name)
{
    Instance *instance = &params->instances[owner][slot];
    instance->exists = true;
    instance->generation++;
    snprintf(instance->name, sizeof instance->name, "%s", name);
    set_defaults(params, owner, slot);
    if (owner == OWNER_FIELD) params->unprepared = true; // its capacity
}

float inherited_rate(const Params *params, Owner owner, int slot)
{
    const int type = owner == OWNER_EMITTER ? params_type(params, slot) : -1;
    return type >= 0 ? params_base(params, params_id(OWNER_TYPE, type, SWARM_RATE))
                     : owner_row(owner, SWARM_RATE)->normal;
}

float default_route_amount(Owner owner, float rate)
{
    const float times = owner == OWNER_FIELD ? FIELD_TIMES : EMITTER_TIMES;
    return row_fit(owner_row(OWNER_ROUTE, ROUTE_AMOUNT), (double)(rate * times));
}

// level ^ 0.5 -> rate.  A route of that name that somebody else made stays what it is.
static void add_default_route(Params *params, Owner owner, int swarm)
{
    char route[ROUTE_NAME_LONGEST + 1], to[TEXT_SIZE], why[TEXT_SIZE];
    default_route_name(owner, params_name(params, owner, swarm), route, sizeof route);
    if (params_slot(params, OWNER_ROUTE, route) >= 0) return;
    const int slot = free_slot(params, OWNER_ROUTE);
    take_slot(params, OWNER_ROUTE, slot, route);
    params_path(params, params_id(owner, swarm, SWARM_RATE), to, sizeof to);
    params_set_text(params, params_id(OWNER_ROUTE, slot, ROUTE_SIGNAL), "level", why, sizeof why);
    params_set_text(params, params_id(OWNER_ROUTE, slot, ROUTE_TO), to, why, sizeof why);
    params_set(params, params_id(OWNER_ROUTE, slot, ROUTE_AMOUNT),
               (double)default_route_amount(owner, inherited_rate(params, owner, swarm)));
    params_set(params, params_id(OWNER_ROUTE, slot, ROUTE_RELEASE), DEFAULT_RELEASE);
}

bool name_is_free(const Params *params, Owner owner, const char *name, char *why, int why_size)
{
    if (!name_fits(owner, name, why, why_size)) return false;
    if (params_slot(params, owner, name) < 0) return true;
    snprintf(why, (size_t)why_size, "there is already %s %s %s",
             owner == OWNER_EMITTER ? "an" : "a", singular[owner], name);
    return false;
}

bool add_fits(const Params *params, Owner owner, const char *name, char *why, int why_size)
{
    const char *wrong = owner == OWNER_GLOBAL   ? "there is nothing to add"
                        : owner == OWNER_SYSTEM ? "a system comes with its first emitter or field"
                                                : NULL;
    if (wrong) {
        snprintf(why, (size_t)why_size, "%s", wrong);
        return false;
    }
    if (!name_is_free(params, owner, name, why, why_size)) return false;
    if (free_slot(params, owner) < 0) {
        snprintf(why, (size_t)why_size, "there are already %d %s", owner_slots(owner),
                 owner_name(owner));
        return false;
    }
    if (has_default_route(owner) && free_slot(params, OWNER_ROUTE) < 0) {
        snprintf(why, (size_t)why_size, "there is no free route for a new %s", singular[owner]);
        return false;
    }
    return true;
}

int params_add(Params *params, Owner owner, const char *name, char *why, int why_size)
{
    if (!add_fits(params, owner, name, why, why_size)) return -1;
    const int slot = free_slot(params, owner);
    take_slot(params, owner, slot, name);
    if (owner == OWNER_TYPE) type_begin(params, slot);
    if (!has_default_route(owner)) return slot;
    system_join(params, owner, slot);
    add_default_route(params, owner, slot);
    return slot;
}

// ---- going ----

static bool points_into(const Params *params, int route, Owner owner, int slot)
{
    const ParamId target = params->routes[route].target;
    int target_slot;
    return target != PARAM_NONE && params_owner(target, &target_slot, NULL) == owner &&
           target_slot == slot;
}

void give_slot(Params *params, Owner owner, int slot)
{
    for (int route = 0; route < ROUTE_SLOTS; route++)
        if (points_into(params, route, owner, slot)) params_remove(params, OWNER_ROUTE, route);
    params->instances[owner][slot].exists = false;
    params->instances[owner][slot].name[0] = 0;
    set_defaults(params, owner, slot);
}

static void remove_members(Params *params, int system)
{
    for (Owner owner = OWNER_EMITTER; owner <= OWNER_FIELD; owner++)
        for (int slot = 0; slot < owner_slots(owner); slot++)
            if (params_system(params, owner, slot) == system) params_remove(params, owner, slot);
}

void params_remove(Params *params, Owner owner, int slot)
{
    if (owner == OWNER_GLOBAL || !params_exists(params, owner, slot)) return;
    if (owner == OWNER_SYSTEM) {
        remove_members(params, slot); // it goes with the last
        return;
    }
    if (owner == OWNER_ROUTE) route_stop(params, slot);
    if (owner == OWNER_TYPE) type_end(params, slot);
    if (has_default_route(owner)) system_leave(params, owner, slot);
    params->instances[owner][slot].type = -1;
    give_slot(params, owner, slot);
}

void params_reset_looks(Params *params)
{
    for (Owner owner = OWNER_EMITTER; owner < OWNER_COUNT; owner++)
        for (int slot = 0; slot < owner_slots(owner); slot++) params_remove(params, owner, slot);
    for (int row = 0; row < GLOBAL_ROWS; row++)
        if (owner_row(OWNER_GLOBAL, row)->scope == SCOPE_LOOK)
            param_default(params, params_id(OWNER_GLOBAL, 0, row));
}
