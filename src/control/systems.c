// Systems: emitters and fields at one place.  A system is there as long as something belongs to it.
#include "control/state.h"

#include <string.h>

static int of_swarm(Owner owner)
{
    return owner == OWNER_EMITTER || owner == OWNER_FIELD;
}

int params_system(const Params *params, Owner owner, int slot)
{
    return of_swarm(owner) && params_exists(params, owner, slot)
               ? params->instances[owner][slot].system
               : -1;
}

// By its text, or else by its own name.
static const char *system_wanted(const Params *params, Owner owner, int slot)
{
    const char *text = params_text(params, params_id(owner, slot, SWARM_SYSTEM));
    return *text ? text : params_name(params, owner, slot);
}

void system_join(Params *params, Owner owner, int slot)
{
    const char *name = system_wanted(params, owner, slot);
    int system = params_slot(params, OWNER_SYSTEM, name);
    if (system >= 0 && system == params_system(params, owner, slot)) return;
    // Out first: there are no more systems than emitters and fields.
    system_leave(params, owner, slot);
    if (system < 0) {
        system = free_slot(params, OWNER_SYSTEM);
        take_slot(params, OWNER_SYSTEM, system, name);
    }
    params->instances[owner][slot].system = system;
    params->instances[OWNER_SYSTEM][system].members++;
}

static void forget_hits(Params *params, int system)
{
    int kept = 0;
    for (int i = 0; i < params->hit_count; i++)
        if (params->hits[i].system != system) params->hits[kept++] = params->hits[i];
    params->hit_count = kept;
}

void system_leave(Params *params, Owner owner, int slot)
{
    const int system = params->instances[owner][slot].system;
    if (system < 0) return;
    params->instances[owner][slot].system = -1;
    if (--params->instances[OWNER_SYSTEM][system].members > 0) return;
    forget_hits(params, system);
    give_slot(params, OWNER_SYSTEM, system);
}

int system_members(const Params *params, int system, Owner owner, int row, ParamId *members)
{
    int count = 0;
    for (int slot = 0; slot < owner_slots(owner); slot++)
        if (params_system(params, owner, slot) == system)
            members[count++] = params_id(owner, slot, row);
    return count;
}

void system_burst(Params *params, int system)
{
    ParamId members[SYSTEM_SLOTS];
    int count = system_members(params, system, OWNER_EMITTER, SWARM_BURST, members);
    count += system_members(params, system, OWNER_FIELD, SWARM_BURST, members + count);
    for (int i = 0; i < count; i++) params_set(params, members[i], 1);
}

int params_take_hits(Params *params, Hit hits[HITS_MAX])
{
    const int count = params->hit_count;
    memcpy(hits, params->hits, (size_t)count * sizeof *hits);
    params->hit_count = 0;
    return count;
}
