// Presets: a look as one JSON file.  Loading (preset_load.c) makes a list of steps, each of them tried
// on parameters of its own, so that a preset is either right as a whole or refused, and applying it,
// here, cannot fail.
#include "control/preset.h"

#include <stdlib.h>
#include <string.h>

bool do_step(Params *params, const Step *step, char *why, int why_size)
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

bool preset_name_fits(const char *name, char *why, int why_size)
{
    const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-");
    if (length > 0 && length <= PRESET_NAME_LONGEST && name[length] == 0) return true;
    snprintf(why, (size_t)why_size, "the name \"%.70s\" is not 1 to %d of a-z, 0-9, _ and -", name,
             PRESET_NAME_LONGEST);
    return false;
}

const char *preset_title(const Preset *preset)
{
    return preset->title;
}
