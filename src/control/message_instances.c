// What hands say about instances: that there be new ones, what they are called, what has hit them.
#include "control/message.h"

#include <string.h>

static bool all_texts(const Order *order, int count)
{
    for (int i = 0; i < count; i++)
        if (i >= order->count || !order->texts[i]) return false;
    return true;
}

// ---- new ones ----

static MessageResult add_swarm(const Order *order, Owner owner)
{
    char reason[MESSAGE_TEXT];
    if (order->count != 1 || !all_texts(order, 1))
        return refuse(order, "/%s takes a name", order->path);
    if (params_add(order->params, owner, order->texts[0], reason, sizeof reason) >= 0)
        return MESSAGE_DONE;
    return refuse(order, "/%s: %s", order->path, reason);
}

static MessageResult add_route(const Order *order)
{
    char reason[MESSAGE_TEXT];
    Params *params = order->params;
    ParamId target;
    double amount;
    if (order->count != 4 || !all_texts(order, 3))
        return refuse(order, "/%s takes a name, a signal, a target and an amount", order->path);
    const char *signal = order->texts[1], *to = order->texts[2];
    if (!take_number(order, owner_row(OWNER_ROUTE, ROUTE_AMOUNT), 3, &amount))
        return MESSAGE_REFUSED;
    if (!route_signal_fits(params, signal, reason, sizeof reason) ||
        !text_fits(to, reason, sizeof reason) ||
        !route_target_fits(params, to, &target, reason, sizeof reason))
        return refuse(order, "/%s: %s", order->path, reason);
    const int slot = params_add(params, OWNER_ROUTE, order->texts[0], reason, sizeof reason);
    if (slot < 0) return refuse(order, "/%s: %s", order->path, reason);
    params_set_text(params, params_id(OWNER_ROUTE, slot, ROUTE_SIGNAL), signal, reason,
                    sizeof reason);
    params_set_text(params, params_id(OWNER_ROUTE, slot, ROUTE_TO), to, reason, sizeof reason);
    params_set(params, params_id(OWNER_ROUTE, slot, ROUTE_AMOUNT), amount);
    return MESSAGE_DONE;
}

// With the settings that an emitter has now.
static MessageResult add_type(const Order *order)
{
    char reason[MESSAGE_TEXT];
    Params *params = order->params;
    if (order->count < 1 || order->count > 2 || !all_texts(order, order->count))
        return refuse(order, "/%s takes a name, and the emitter whose settings it has",
                      order->path);
    const char *from = order->count == 2 ? order->texts[1] : "";
    const int emitter = params_slot(params, OWNER_EMITTER, from);
    if (*from && emitter < 0) {
        suggest_name(params, OWNER_EMITTER, from, reason, sizeof reason);
        return refuse(order, "/%s: no emitter %.40s%s", order->path, from, reason);
    }
    const int type = params_add(params, OWNER_TYPE, order->texts[0], reason, sizeof reason);
    if (type < 0) return refuse(order, "/%s: %s", order->path, reason);
    for (int row = 0; emitter >= 0 && row < EMITTER_ROWS; row++)
        if (row_inherited(row))
            param_copy(params, params_id(OWNER_TYPE, type, row),
                       params_id(OWNER_EMITTER, emitter, row));
    return MESSAGE_DONE;
}

// ---- a system with an emitter a type ----

// The first emitter has the system's name, the others "NAME-TYPE"; false when that is too long.
static bool member_name(const Order *order, int member, char name[NAME_LONGEST + 1])
{
    const char *system = order->texts[0], *type = order->texts[1 + member];
    const int length = snprintf(name, NAME_LONGEST + 1, "%s%s%s", system, member > 0 ? "-" : "",
                                member > 0 ? type : "");
    return length <= NAME_LONGEST;
}

static bool free_slots(const Params *params, Owner owner, int count)
{
    for (int slot = 0; slot < owner_slots(owner); slot++)
        count -= !params_exists(params, owner, slot);
    return count <= 0;
}

static bool member_fits(const Order *order, int member, char *reason, int size)
{
    char name[NAME_LONGEST + 1];
    const char *type = order->texts[1 + member];
    if (*type == 0) {
        snprintf(reason, (size_t)size, "a type has a name");
        return false;
    }
    for (int before = 0; before < member; before++)
        if (strcmp(order->texts[1 + before], type) == 0) {
            snprintf(reason, (size_t)size, "the type %.40s is given twice", type);
            return false;
        }
    if (!type_fits(order->params, type, reason, size)) return false;
    if (!member_name(order, member, name)) {
        snprintf(reason, (size_t)size, "the name %.40s-%.40s has more than %d letters",
                 order->texts[0], type, NAME_LONGEST);
        return false;
    }
    return add_fits(order->params, OWNER_EMITTER, name, reason, size);
}

// Built-in types that are not there yet need room too.
static int types_to_make(const Order *order)
{
    int count = 0;
    for (int i = 1; i < order->count; i++)
        count += params_slot(order->params, OWNER_TYPE, order->texts[i]) < 0;
    return count;
}

static bool system_fits(const Order *order, char *reason, int size)
{
    const Params *params = order->params;
    const int members = order->count - 1;
    const char *name = order->texts[0], *full = NULL;
    if (!name_is_free(params, OWNER_SYSTEM, name, reason, size)) return false;
    for (int i = 0; i < members; i++)
        if (!member_fits(order, i, reason, size)) return false;
    if (!free_slots(params, OWNER_EMITTER, members)) full = "emitters";
    if (!free_slots(params, OWNER_ROUTE, members)) full = "routes";
    if (!free_slots(params, OWNER_TYPE, types_to_make(order))) full = "types";
    if (full) snprintf(reason, (size_t)size, "there is no room for %d more %s", members, full);
    return !full;
}

static MessageResult add_system(const Order *order)
{
    char reason[MESSAGE_TEXT], name[NAME_LONGEST + 1];
    Params *params = order->params;
    if (order->count < 2 || !all_texts(order, order->count))
        return refuse(order, "/%s takes a name and one or more types", order->path);
    if (!system_fits(order, reason, sizeof reason))
        return refuse(order, "/%s: %s", order->path, reason);
    for (int i = 0; i < order->count - 1; i++) {
        member_name(order, i, name);
        const int slot = params_add(params, OWNER_EMITTER, name, reason, sizeof reason);
        if (i > 0)
            params_set_text(params, params_id(OWNER_EMITTER, slot, SWARM_SYSTEM), order->texts[0],
                            reason, sizeof reason);
        params_set_text(params, params_id(OWNER_EMITTER, slot, EMITTER_TYPE), order->texts[1 + i],
                        reason, sizeof reason);
    }
    return MESSAGE_DONE;
}

MessageResult say_add(const Order *order, Owner owner)
{
    switch (owner) {
    case OWNER_ROUTE:
        return add_route(order);
    case OWNER_TYPE:
        return add_type(order);
    case OWNER_SYSTEM:
        return add_system(order);
    default:
        return add_swarm(order, owner);
    }
}

// ---- what they are called, and what hit them ----

MessageResult say_name(const Order *order, Owner owner, int slot)
{
    char reason[MESSAGE_TEXT];
    if (order->count != 1 || !all_texts(order, 1))
        return refuse(order, "/%s takes a new name", order->path);
    if (params_rename(order->params, owner, slot, order->texts[0], reason, sizeof reason))
        return MESSAGE_DONE;
    return refuse(order, "/%s: %s", order->path, reason);
}

static Vec3 vector_in(const double *from)
{
    static const double far = 1e6; // further away than anything is
    return (Vec3){ (float)clampd(from[0], -far, far), (float)clampd(from[1], -far, far),
                   (float)clampd(from[2], -far, far) };
}

// False when it has no direction.  In doubles, the largest brought to 1: neither end of the range is
// lost.
static bool direction_in(const double *from, Vec3 *direction)
{
    const double most = fmax(fabs(from[0]), fmax(fabs(from[1]), fabs(from[2])));
    if (most == 0) return false;
    const double x = from[0] / most, y = from[1] / most, z = from[2] / most;
    const double length = sqrt(x * x + y * y + z * z);
    *direction = (Vec3){ (float)(x / length), (float)(y / length), (float)(z / length) };
    return true;
}

MessageResult say_hit(const Order *order, int system)
{
    enum { NUMBERS = 9 };
    double number[NUMBERS];
    Params *params = order->params;
    if (order->count != NUMBERS)
        return refuse(order, "/%s takes x y z, vx vy vz and nx ny nz, %d numbers", order->path,
                      NUMBERS);
    for (int i = 0; i < NUMBERS; i++)
        if (!take_number(order, owner_row(OWNER_SYSTEM, SYSTEM_X), i, &number[i]))
            return MESSAGE_REFUSED;
    Hit hit = { system, vector_in(number), vector_in(number + 3), { 0, 0, 0 } };
    if (!direction_in(number + 6, &hit.normal))
        return refuse(order, "/%s: a normal has a length", order->path);
    if (params->hit_count == HITS_MAX)
        return refuse(order, "/%s: there are already %d hits in this frame", order->path, HITS_MAX);
    params->hits[params->hit_count++] = hit;
    return MESSAGE_DONE;
}
