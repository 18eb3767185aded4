// What the tests of control share: parameters with one instance of each kind, pictures of all their
// values, and a small source of chance.
#pragma once

#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "control/state.h"

// One instance of each owner: emitter "spark" in the system "spark", field "mist" in "mist", type
// "ember", route "kick" (and two default routes).
static inline Params *walk_new(void)
{
    char why[256];
    Params *params = params_new();
    assert_non_null(params);
    assert_int_equal(params_add(params, OWNER_EMITTER, "spark", why, sizeof why), 0);
    assert_int_equal(params_add(params, OWNER_FIELD, "mist", why, sizeof why), 0);
    assert_true(params_add(params, OWNER_ROUTE, "kick", why, sizeof why) >= 0);
    assert_int_equal(params_add(params, OWNER_TYPE, "ember", why, sizeof why), 0);
    return params;
}

// The slot that walk_new filled.
static inline int walk_slot(const Params *params, Owner owner)
{
    return owner == OWNER_ROUTE ? params_slot(params, OWNER_ROUTE, "kick") : 0;
}

static inline int walk_places(const Params *params, bool stops)
{
    int count = 0;
    for (ParamId id = 0; id < VALUE_COUNT; id++)
        if (stops ? kind_has_stops(params_row(id)->kind) : params_row(id)->kind == KIND_TEXT)
            count++;
    (void)params;
    return count;
}

// Everything that parameters hold, copied.
typedef struct {
    Params all;
    char (*texts)[TEXT_SIZE];
    Stops *stops;
    uint32_t *versions;
} Picture;

static inline void *walk_copy(const void *from, size_t size)
{
    void *to = malloc(size);
    assert_non_null(to);
    return memcpy(to, from, size);
}

static inline Picture *picture_take(const Params *params)
{
    const size_t texts = (size_t)walk_places(params, false),
                 stops = (size_t)walk_places(params, true);
    Picture *picture = calloc(1, sizeof *picture);
    assert_non_null(picture);
    memcpy(&picture->all, params, sizeof *params);
    picture->texts = walk_copy(params->texts, texts * sizeof *params->texts);
    picture->stops = walk_copy(params->stops, stops * sizeof *params->stops);
    picture->versions = walk_copy(params->stops_versions, stops * sizeof *params->stops_versions);
    return picture;
}

static inline void picture_free(Picture *picture)
{
    free(picture->texts);
    free(picture->stops);
    free(picture->versions);
    free(picture);
}

// Nothing is different now, but for the counts of refusals and of what they cost.
static inline bool picture_holds(Picture *picture, const Params *params)
{
    const size_t texts = (size_t)walk_places(params, false),
                 stops = (size_t)walk_places(params, true);
    picture->all.refused = params->refused;
    picture->all.searches = params->searches;
    return memcmp(&picture->all, params, sizeof *params) == 0 &&
           memcmp(picture->texts, params->texts, texts * sizeof *params->texts) == 0 &&
           memcmp(picture->stops, params->stops, stops * sizeof *params->stops) == 0 &&
           memcmp(picture->versions, params->stops_versions,
                  stops * sizeof *params->stops_versions) == 0;
}

// An emitter's row is what its type, or without one the table, says.
static inline void walk_inherits(const Params *params, int slot, int r)
{
    const ParamRow *row = owner_row(OWNER_EMITTER, r);
    const ParamId id = params_id(OWNER_EMITTER, slot, r);
    const int type = params_type(params, slot);
    const ParamId from = type >= 0 ? params_id(OWNER_TYPE, type, r) : PARAM_NONE;
    const Stops *stops = type >= 0 ? params_stops(params, from) : owner_stops(OWNER_EMITTER, r);
    if (params_base(params, id) != (type >= 0 ? params_base(params, from) : row->normal) ||
        strcmp(params_text(params, id), params_text(params, from)) != 0 ||
        (stops && memcmp(params_stops(params, id), stops, sizeof *stops) != 0))
        fail_msg("%s of %s is not inherited", row->path, params_name(params, OWNER_EMITTER, slot));
}

// What always holds of systems, types and their members.
static inline void walk_sound(const Params *params)
{
    int members[SYSTEM_SLOTS] = { 0 };
    for (Owner owner = OWNER_EMITTER; owner <= OWNER_FIELD; owner++)
        for (int slot = 0; slot < owner_slots(owner); slot++) {
            const int system = params_system(params, owner, slot);
            assert_int_equal(params_exists(params, OWNER_SYSTEM, system),
                             params_exists(params, owner, slot));
            if (system < 0) continue;
            const char *text = params_text(params, params_id(owner, slot, SWARM_SYSTEM));
            assert_string_equal(params_name(params, OWNER_SYSTEM, system),
                                *text ? text : params_name(params, owner, slot));
            members[system]++;
        }
    for (int system = 0; system < SYSTEM_SLOTS; system++) {
        assert_int_equal(params->instances[OWNER_SYSTEM][system].members, members[system]);
        assert_int_equal(params_exists(params, OWNER_SYSTEM, system), members[system] > 0);
    }
    for (int slot = 0; slot < EMITTER_SLOTS; slot++) {
        const int type = params_type(params, slot);
        assert_string_equal(params_name(params, OWNER_TYPE, type),
                            params_text(params, params_id(OWNER_EMITTER, slot, EMITTER_TYPE)));
        for (int r = 0; r < EMITTER_ROWS; r++)
            if (row_inherited(r) && !params->own[slot][r]) walk_inherits(params, slot, r);
    }
    for (int i = 0; i < params->hit_count; i++)
        assert_true(params_exists(params, OWNER_SYSTEM, params->hits[i].system));
}

// 0..1, the next of a repeatable row.
static inline float walk_chance(uint32_t *state)
{
    return rng_unit(rng_mix(++*state));
}

static inline int walk_pick(uint32_t *state, int count)
{
    return (int)(walk_chance(state) * (float)count);
}
