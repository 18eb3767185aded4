// A new name for an instance: whatever names it follows, and it lives on as what it was.
#include "control/state.h"

#include <string.h>

static void set_name(Params *params, Owner owner, int slot, const char *name)
{
    Instance *instance = &params->instances[owner][slot];
    snprintf(instance->name, sizeof instance->name, "%s", name);
}

// The routes know their targets by number: what they say is written anew.
static void routes_follow(Params *params, Owner owner, int slot)
{
    char to[TEXT_SIZE];
    for (int route = 0; route < ROUTE_SLOTS; route++) {
        const ParamId target = params->routes[route].target;
        int target_slot;
        if (target == PARAM_NONE || params_owner(target, &target_slot, NULL) != owner ||
            target_slot != slot)
            continue;
        params_path(params, target, to, sizeof to);
        param_put_text(params, params_id(OWNER_ROUTE, route, ROUTE_TO), to);
    }
}

// Where a text of that row says the one name, it says the other.
static void texts_follow(Params *params, Owner owner, int row, const char *before,
                         const char *after)
{
    for (int slot = 0; slot < owner_slots(owner); slot++) {
        const ParamId id = params_id(owner, slot, row);
        if (params_exists(params, owner, slot) && strcmp(params_text(params, id), before) == 0)
            param_put_text(params, id, after);
    }
}

static void default_route_follows(Params *params, Owner owner, int slot, const char *before)
{
    char from[ROUTE_NAME_LONGEST + 1], to[ROUTE_NAME_LONGEST + 1];
    default_route_name(owner, before, from, sizeof from);
    default_route_name(owner, params_name(params, owner, slot), to, sizeof to);
    const int route = params_slot(params, OWNER_ROUTE, from);
    if (route < 0 || params_slot(params, OWNER_ROUTE, to) >= 0) return;
    if (params->routes[route].target == params_id(owner, slot, SWARM_RATE))
        set_name(params, OWNER_ROUTE, route, to);
}

static void rename_system(Params *params, int system, const char *before, const char *name)
{
    set_name(params, OWNER_SYSTEM, system, name);
    routes_follow(params, OWNER_SYSTEM, system);
    for (Owner owner = OWNER_EMITTER; owner <= OWNER_FIELD; owner++) {
        texts_follow(params, owner, SWARM_SYSTEM, before, name);
        // What was in it for its own name's sake names it now.
        const int slot = params_slot(params, owner, before);
        if (slot < 0 || params_system(params, owner, slot) != system) continue;
        param_put_text(params, params_id(owner, slot, SWARM_SYSTEM), name);
    }
}

// A system of one's own goes along; one that others are in, too, is stayed in, by its name.
static void rename_swarm(Params *params, Owner owner, int slot, const char *before,
                         const char *name)
{
    const int system = params_system(params, owner, slot);
    const ParamId text = params_id(owner, slot, SWARM_SYSTEM);
    const bool alone = params->instances[OWNER_SYSTEM][system].members == 1;
    const bool by_name = *params_text(params, text) == 0;
    set_name(params, owner, slot, name);
    routes_follow(params, owner, slot);
    default_route_follows(params, owner, slot, before);
    if (owner == OWNER_EMITTER) {
        texts_follow(params, OWNER_EMITTER, EMITTER_BORN_FROM, before, name);
        texts_follow(params, OWNER_TYPE, EMITTER_BORN_FROM, before, name);
    }
    if (!by_name) return;
    if (!alone || params_slot(params, OWNER_SYSTEM, name) >= 0) {
        param_put_text(params, text, before);
        return;
    }
    set_name(params, OWNER_SYSTEM, system, name);
    routes_follow(params, OWNER_SYSTEM, system);
}

bool params_rename(Params *params, Owner owner, int slot, const char *name, char *why, int why_size)
{
    char before[ROUTE_NAME_LONGEST + 1], after[ROUTE_NAME_LONGEST + 1];
    if (owner == OWNER_GLOBAL || !params_exists(params, owner, slot)) {
        snprintf(why, (size_t)why_size, "there is nothing of a name");
        return false;
    }
    snprintf(before, sizeof before, "%s", params_name(params, owner, slot));
    if (strcmp(before, name) == 0) return true;
    if (!name_is_free(params, owner, name, why, why_size)) return false;
    snprintf(after, sizeof after, "%s", name); // `name` may be a text that follows
    if (owner == OWNER_SYSTEM) {
        rename_system(params, slot, before, after);
    } else if (owner == OWNER_EMITTER || owner == OWNER_FIELD) {
        rename_swarm(params, owner, slot, before, after);
    } else {
        set_name(params, owner, slot, after);
        if (owner == OWNER_TYPE) texts_follow(params, OWNER_EMITTER, EMITTER_TYPE, before, after);
    }
    return true;
}
