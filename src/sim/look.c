// Curves and gradients as tables, for the CPU's sprites and the fields' textures alike.
#include <string.h>

#include "sim/sim.h"

void look_source(LookSource *source, const Params *params, Owner owner, int slot)
{
    *source = (LookSource){
        .curves = (int)params_values(params, owner, slot)[SWARM_CURVES],
        .size = *params_stops(params, params_id(owner, slot, SWARM_SIZE_CURVE)),
        .rotation = *params_stops(params, params_id(owner, slot, SWARM_ROTATION_CURVE)),
        .where = *params_stops(params, params_id(owner, slot, SWARM_COLOUR_CURVE)),
        .colour = *params_stops(params, params_id(owner, slot, SWARM_COLOUR)),
    };
}

// Stops are kept without anything behind the last.
bool look_source_same(const LookSource *a, const LookSource *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

void look_bake(LookTable *table, const LookSource *source)
{
    float turned = 0, before = 0;
    for (int n = 0; n < LOOK_ENTRIES; n++) {
        const float at = (float)n / (LOOK_ENTRIES - 1);
        const float speed = curve_at(&source->rotation, source->curves, at);
        if (n > 0) turned += 0.5f * (before + speed) / (LOOK_ENTRIES - 1);
        before = speed;
        table->turned[n] = turned;
        table->size[n] = curve_at(&source->size, source->curves, at);
        stops_at(&source->colour, curve_at(&source->where, source->curves, at), table->colour[n]);
    }
}

bool swarm_is_visible(const Params *params, Owner owner, int slot)
{
    const int system = params_system(params, owner, slot);
    if (system >= 0 && params_values(params, OWNER_SYSTEM, system)[SYSTEM_VISIBLE] == 0)
        return false;
    return params_values(params, owner, slot)[SWARM_VISIBLE] != 0;
}
