// What the files of control share with each other and with nobody else.
#pragma once

#include "control/control.h"

enum {
    VALUE_COUNT = GLOBAL_ROWS + EMITTER_SLOTS * EMITTER_ROWS + FIELD_SLOTS * FIELD_ROWS +
                  ROUTE_SLOTS * ROUTE_ROWS + TYPE_SLOTS * EMITTER_ROWS + SYSTEM_SLOTS * SYSTEM_ROWS,
    SLOTS_MAX = ROUTE_SLOTS,
    NAME_LONGEST = 32,                     // letters of an emitter's or field's name
    ROUTE_NAME_LONGEST = NAME_LONGEST + 8, // room for "emitter-" in front
    TEXT_SIZE = 256,                       // bytes of a text with its 0
    TRIGGER_WRAP = 1 << 24,                // whole numbers up to here are exact in a float
    SEARCHES_A_HOP = 2,                    // see suggest_allowed
};

typedef struct {
    bool exists;
    char name[ROUTE_NAME_LONGEST + 1];
    uint32_t generation;
    int system;  // of an emitter or field: where it belongs to; -1: nowhere
    int type;    // of an emitter; -1: none
    int members; // of a system
} Instance;

// What a route is doing; its settings are rows.
typedef struct {
    ParamId target; // PARAM_NONE: it moves nothing
    SignalId signal;
    float shape; // 0..1, smoothed
    float adds;  // to the target now
} RouteState;

struct Params {
    float base[VALUE_COUNT], live[VALUE_COUNT];
    float moved[VALUE_COUNT];   // what the routes add, before clamping
    int16_t place[VALUE_COUNT]; // index into texts or stops of the rows that have one
    Instance instances[OWNER_COUNT][SLOTS_MAX];
    RouteState routes[ROUTE_SLOTS];
    bool own[EMITTER_SLOTS][EMITTER_ROWS]; // rows of an emitter that hands set: no type moves them
    Hit hits[HITS_MAX];
    int hit_count; // since params_take_hits
    uint64_t refused;
    int searches;    // for a near word that may still be made until the next hop
    bool unprepared; // a structural row waits for params_prepare
    int text_count, stops_count;
    char (*texts)[TEXT_SIZE];
    uint32_t *texts_versions;
    Stops *stops;
    uint32_t *stops_versions;
};

// ---- table.c ----
int row_find(Owner owner, const char *leaf);    // -1: it has no such row
const Stops *owner_stops(Owner owner, int row); // the default of a curve or gradient
bool kind_is_number(ParamKind kind); // has a value that can be set and asked: not a trigger
bool kind_has_stops(ParamKind kind);
int stops_width(ParamKind kind);      // values a stop: 1 or 4
int row_choices(const ParamRow *row); // of an enum
bool row_choice(const ParamRow *row, int index, char *word, int size);
int row_choice_find(const ParamRow *row, const char *word); // -1: none
float row_fit(const ParamRow *row, double value);           // clamped, rounded
float row_from_norm(const ParamRow *row, double norm);
double row_to_norm(const ParamRow *row, float value);

// A stem whose leaves are single words, numbers, and lie together: "forces/wind".
typedef struct {
    int first, count; // rows
} RowGroup;

RowGroup group_find(Owner owner, const char *stem); // count 0: there is none

// ---- params.c ----
bool param_settable(const Params *params, ParamId id); // a number within, of an existing instance
void param_follow(Params *params, ParamId id);         // live after base or moved changed
void param_default(Params *params, ParamId id);
void param_copy(Params *params, ParamId to, ParamId from);         // base, text or stops
void param_put_text(Params *params, ParamId id, const char *text); // one that fits
bool text_fits(const char *text, char *why, int why_size);
bool stops_fit(const ParamRow *row, const Stops *stops, char *why, int why_size);

// "emitters/spark/rate" taken apart; false when there is no such instance.  A global has its whole
// path as leaf.
bool path_split(const Params *params, const char *path, Owner *owner, int *slot, const char **leaf);

// ---- instances.c ----
bool name_fits(Owner owner, const char *name, char *why, int why_size);
bool name_is_free(const Params *params, Owner owner, const char *name, char *why, int why_size);
bool add_fits(const Params *params, Owner owner, const char *name, char *why, int why_size);
int free_slot(const Params *params, Owner owner); // -1: none
void take_slot(Params *params, Owner owner, int slot, const char *name);
void give_slot(Params *params, Owner owner, int slot); // back, with the routes that point into it
// "emitter-NAME": the route that an emitter or field gets when it is added.
void default_route_name(Owner owner, const char *name, char *route, int size);
// What it adds to the birth rate at full level until a hand sets it: a multiple of the rate that the
// emitter or field has from its type or its table.
float default_route_amount(Owner owner, float rate);
float inherited_rate(const Params *params, Owner owner, int slot);

// ---- systems.c ----
// Into the system that its text or else its own name says, which is made when it is not there; out of
// it: the last one takes it along.
void system_join(Params *params, Owner owner, int slot);
void system_leave(Params *params, Owner owner, int slot);
// The emitters or fields that belong to a system, as the ids of their row `row`; how many.
int system_members(const Params *params, int system, Owner owner, int row, ParamId *members);
void system_burst(Params *params, int system); // its members'

// ---- types.c ----
bool row_inherited(int row);          // of an emitter: a type gives it
bool row_there(Owner owner, int row); // a type lacks what emitters do not inherit
bool type_fits(Params *params, const char *name, char *why, int why_size); // there, built in or ""
int type_builtin(const char *name);           // -1: there is none of that name
const char *type_builtin_name(int builtin);   // NULL behind the last
void type_begin(Params *params, int type);    // gives a new one its built-in settings
void type_enter(Params *params, int emitter); // after its text `type` changed
void type_set(Params *params, int type, int row, float before); // after a row of it was set
void type_end(Params *params, int type);                        // its emitters have none now

// ---- routes.c ----
bool route_signal_fits(Params *params, const char *signal, char *why, int why_size);
bool route_target_fits(Params *params, const char *to, ParamId *target, char *why, int why_size);
void route_refresh(Params *params, int slot); // after its signal or target changed
void route_stop(Params *params, int slot);    // takes back what it adds

// ---- suggest.c ----
// Looks for the candidate nearest to what somebody typed, by edit distance.
typedef struct {
    const char *typed;
    char nearest[MESSAGE_PATH]; // "": nothing is close
    int distance;
} Suggestion;

Suggestion suggest_for(const char *typed);
void suggest(Suggestion *suggestion, const char *candidate);

// A search costs as much as hundreds of messages, and a flood of misspelt ones must not cost frames:
// SEARCHES_A_HOP are allowed, then none until routes_hop.  Counts this one.
bool suggest_allowed(Params *params);

// "; did you mean NAME?", or "" when no instance has such a name or no search is allowed.
void suggest_name(Params *params, Owner owner, const char *name, char *text, int size);

// The known path nearest to an unknown one, both without a slash in front; "" when nothing is close
// or no search is allowed.
void suggest_path(Params *params, const char *path, char *nearest, int size);

// ---- json.c ----
int number_text(float value, char *text,
                int size); // the shortest that reads back as the same float
void json_number(FILE *out, float value);
void json_stops(FILE *out, const Stops *stops, int width);

// ---- locate.c ----
// One step down a JSON text: the member of that key, or with NULL the element of that index.
typedef struct {
    const char *key;
    int index;
} Where;

// The line of the member that `depth` steps lead to, or of the deepest that is found on the way.
int locate_line(const char *source, const Where *where, int depth);
