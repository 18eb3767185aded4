// Systems, areas and their turns.  No library functions: a turn is the same to the bit everywhere.
#include "sim/step.h"

typedef struct {
    float sine, cosine;
} Turn;

// Exact at whole quarters.
static Turn turn_of(float degrees)
{
    const float quarters = floorf(degrees / 90 + 0.5f);
    const float rest = (degrees - 90 * quarters) / 360;
    const float half = sine_of_turns(rest / 2);
    const float s = sine_of_turns(rest), c = 1 - 2 * half * half;
    switch ((int)quarters & 3) {
    case 0:
        return (Turn){ s, c };
    case 1:
        return (Turn){ c, -s };
    case 2:
        return (Turn){ -s, -c };
    default:
        return (Turn){ -c, s };
    }
}

// About z first, then x, then y.
static Vec3 turned(Vec3 v, Turn x, Turn y, Turn z)
{
    const Vec3 a = { v.x * z.cosine - v.y * z.sine, v.x * z.sine + v.y * z.cosine, v.z };
    const Vec3 b = { a.x, a.y * x.cosine - a.z * x.sine, a.y * x.sine + a.z * x.cosine };
    return (Vec3){ b.x * y.cosine + b.z * y.sine, b.y, b.z * y.cosine - b.x * y.sine };
}

// `position` and `degrees` are three values each.
static Placement place(const float *position, const float *degrees)
{
    const Turn x = turn_of(degrees[0]), y = turn_of(degrees[1]), z = turn_of(degrees[2]);
    return (Placement){
        .x = turned((Vec3){ 1, 0, 0 }, x, y, z),
        .y = turned((Vec3){ 0, 1, 0 }, x, y, z),
        .z = turned((Vec3){ 0, 0, 1 }, x, y, z),
        .middle = { position[0], position[1], position[2] },
    };
}

Placement placement_of_system(const Params *params, int system_slot)
{
    static const float nowhere[3];
    if (system_slot < 0) return place(nowhere, nowhere);
    const float *v = params_values(params, OWNER_SYSTEM, system_slot);
    return place(v + SYSTEM_X, v + SYSTEM_TURN_X);
}

Placement placement_of(const Params *params, Owner owner, int slot)
{
    const Placement system = placement_of_system(params, params_system(params, owner, slot));
    const float *v = params_values(params, owner, slot);
    const Placement area = place(v + SWARM_POSITION_X, v + SWARM_TURN_X);
    return (Placement){
        .x = placement_turn(&system, area.x),
        .y = placement_turn(&system, area.y),
        .z = placement_turn(&system, area.z),
        .middle = placement_point(&system, area.middle),
    };
}
