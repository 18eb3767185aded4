// control: every live control of the instrument, and the hands that reach it.
//
// One table (params.def) of parameters; instances (emitters, fields, routes) in preallocated slots,
// each with the rows of its owner; routes that let signals move parameters; presets.  All hands
// (OSC, keys, mouse, presets, --set) end in params_set, params_set_text or params_set_stops.
//
// There are two arrays: `base`, what the performer set, and `live`, base moved by the routes.  Frame
// thread only; nothing allocates after params_new except where said.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/analysis.h"
#include "base/base.h"

// ---- rows ---------------------------------------------------------------------------------------

typedef enum {
    OWNER_GLOBAL,
    OWNER_EMITTER,
    OWNER_FIELD,
    OWNER_ROUTE,
    OWNER_TYPE,   // settings that emitters share; it has their rows
    OWNER_SYSTEM, // emitters and fields at one place
    OWNER_COUNT
} Owner;

enum {
    EMITTER_SLOTS = 64,
    FIELD_SLOTS = 4,
    ROUTE_SLOTS = 128,
    TYPE_SLOTS = 32,
    SYSTEM_SLOTS = EMITTER_SLOTS + FIELD_SLOTS, // each may be in one of its own
};

typedef enum {
    KIND_FLOAT,
    KIND_INT,
    KIND_BOOL,
    KIND_ENUM,
    KIND_TRIGGER,
    KIND_TEXT,
    KIND_CURVE,
    KIND_GRADIENT,
    KIND_STRUCTURAL, // an int that applies through params_prepare, never through a route
    KIND_READING,    // told by the program with params_tell, only asked by hands
} ParamKind;

typedef enum { RESPONSE_LINEAR, RESPONSE_SQUARE, RESPONSE_CUBIC, RESPONSE_LOG } ParamResponse;

typedef enum { SCOPE_LOOK, SCOPE_SHOW, SCOPE_MACHINE } ParamScope;

typedef struct {
    const char *path; // "forces/gravity"; below an instance only the leaf: "rate"
    ParamKind kind;
    float normal, min, max; // the default and the range; that of curves and gradients is per value
    const char *unit;       // for an enum its choices: "point|sphere|box"
    ParamResponse response; // how 0..1 of /norm goes over the range
    ParamScope scope;
    const char *help;
} ParamRow;

// Row numbers.  Globals: GLOBAL_GRAVITY...  Emitters and fields share the SWARM_ rows, which come first
// in both: values[SWARM_RATE] is right for either.
typedef enum {
#define GLOBAL(id, ...) GLOBAL_##id,
#include "control/params.def"
    GLOBAL_ROWS
} GlobalRow;

typedef enum {
#define SWARM(id, ...) SWARM_##id,
#include "control/params.def"
    SWARM_ROWS,
    EMITTER_FIRST_ = SWARM_ROWS - 1,
#define EMITTER(id, ...) EMITTER_##id,
#include "control/params.def"
    EMITTER_ROWS
} EmitterRow;

typedef enum {
    FIELD_FIRST_ = SWARM_ROWS - 1,
#define FIELD(id, ...) FIELD_##id,
#include "control/params.def"
    FIELD_ROWS
} FieldRow;

typedef enum {
#define ROUTE(id, ...) ROUTE_##id,
#include "control/params.def"
    ROUTE_ROWS
} RouteRow;

typedef enum {
#define SYSTEM(id, ...) id,
#include "control/params.def"
    SYSTEM_ROWS
} SystemRow;

enum { GLOBAL_ATTRACTORS = 8 }; // each has GLOBAL_ATTRACTOR1_...'s rows, one behind another
enum { GLOBAL_COLLIDERS = 4 };  // each has GLOBAL_COLLIDER1_...'s rows, one behind another

// The choices of enums, in the order of their rows.
enum {
    AREA_POINT,
    AREA_SPHERE,
    AREA_BOX,
    AREA_CIRCLE,
    AREA_HEMISPHERE,
    AREA_CONE,
    AREA_LINE,
    AREA_MESH,
    AREA_IMAGE
};
enum { AREA_FROM_SURFACE, AREA_FROM_EDGES, AREA_FROM_VERTICES };
enum { PATH_FIXED, PATH_ORBIT, PATH_LISSAJOUS, PATH_MOUSE, PATH_ATTRACTOR };
enum {
    BURST_ON_NOTHING,
    BURST_ON_ONSET,
    BURST_ON_KICK,
    BURST_ON_SNARE,
    BURST_ON_HAT,
    BURST_ON_BEAT
};
enum { BORN_OF_NOTHING, BORN_OF_COLLISION, BORN_OF_DEATH };
enum { BORN_BY_RATE, BORN_BY_FILL };
enum { COLLIDER_NONE, COLLIDER_PLANE, COLLIDER_SPHERE, COLLIDER_BOX };
enum { CURVES_LINES, CURVES_SMOOTH, CURVES_BEZIER };
enum { SHEET_FIT_LIFE, SHEET_FIT_FREE, SHEET_FIT_STILL };
enum { FACING_EYE, FACING_HORIZONTAL, FACING_VERTICAL, FACING_STRETCHED };
enum { BLEND_ADD, BLEND_ALPHA };

int owner_rows(Owner owner);         // how many rows an instance has
int owner_slots(Owner owner);        // 1 for OWNER_GLOBAL
const char *owner_name(Owner owner); // "", "emitters", "fields", "routes", "types", "systems"
const ParamRow *owner_row(Owner owner, int row);

// ---- curves and gradients -----------------------------------------------------------------------

enum { STOPS_MAX = 16 };

typedef struct {
    int count;                 // 1..STOPS_MAX
    float at[STOPS_MAX];       // normalised age, 0..1, rising
    float value[STOPS_MAX][4]; // a curve's y, or a gradient's linear r, g, b and opacity
} Stops;

// The value at `at`: straight lines between stops, held before the first and behind the last.
void stops_at(const Stops *stops, float at, float value[4]);

// A curve's y at `at` (value[0] of its stops), drawn as CURVES_LINES; CURVES_SMOOTH: cubics through
// the stops that overshoot none of them; or CURVES_BEZIER: one Bezier curve of which the stops are
// the control points.  Slow: for baking.
float curve_at(const Stops *stops, int curves, float at);

// ---- parameters ---------------------------------------------------------------------------------

typedef struct Params Params;
typedef int ParamId; // one value: a row of a slot
enum { PARAM_NONE = -1 };

// All defaults, no instances.  NULL when out of memory.
Params *params_new(void);
void params_free(Params *params);
// Makes `to` hold all that `from` does.  Allocates nothing: a picture of a frame for another thread.
void params_copy(Params *to, const Params *from);

// The parameter at "forces/gravity", "emitters/spark/rate" (a slash in front is fine), or PARAM_NONE.
ParamId params_find(const Params *params, const char *path);
ParamId params_id(Owner owner, int slot, int row);
const ParamRow *params_row(ParamId id);
Owner params_owner(ParamId id, int *slot, int *row);
// "emitters/spark/rate" without a slash in front.
void params_path(const Params *params, ParamId id, char *path, int size);

// The only doors.  A number is clamped, an int rounded, a bool made of != 0, a trigger counted up
// whatever the value.  False, and the refusal is counted, for NaN, infinity, a wrong kind, PARAM_NONE.
bool params_set(Params *params, ParamId id, double value);
// The same with 0..1 over the range, through the response.
bool params_set_norm(Params *params, ParamId id, double norm);
// UTF-8 of less than 256 bytes, without control characters; show/save takes a preset_name_fits or "".
bool params_set_text(Params *params, ParamId id, const char *text, char *why, int why_size);
bool params_set_stops(Params *params, ParamId id, const Stops *stops, char *why, int why_size);

// What the program says of a reading.
void params_tell(Params *params, ParamId id, float value);

// Base as 0..1: what params_set_norm would take.
float params_norm(const Params *params, ParamId id);
float params_base(const Params *params, ParamId id);
float params_live(const Params *params, ParamId id);
const char *params_text(const Params *params, ParamId id);
// Changes with each text that is set, also when it is the same again.
uint32_t params_text_version(const Params *params, ParamId id);
const Stops *params_stops(const Params *params, ParamId id);
uint32_t params_stops_version(const Params *params, ParamId id); // changes when the stops do
uint64_t params_refused(const Params *params);                   // settings refused so far
HearingSettings hearing_of(const Params *params); // the live ones of /audio; NULL: their defaults

// The live values of a slot by row number: values[SWARM_RATE]; triggers hold their counter, modulo 2^24.
// Structural rows hold what was last prepared.
const float *params_values(const Params *params, Owner owner, int slot);

// Applies changed structural rows to `live`; outside the frame.  True when there were any.
bool params_prepare(Params *params);

// ---- instances ----------------------------------------------------------------------------------

// A new instance in a free slot, with its defaults (an emitter or field also gets its default route,
// named "emitter-NAME" or "field-NAME": level ^ 0.5 -> rate); the slot, or -1 and a sentence.  Names:
// [a-z0-9_-], 1 to 32 characters (a route's to 40, for "emitter-" in front), not "add", not twice.
// A system cannot be added: it comes with what belongs to it; removing it removes all of that.
int params_add(Params *params, Owner owner, const char *name, char *why, int why_size);
void params_remove(Params *params, Owner owner, int slot); // with the routes that point into it
int params_slot(const Params *params, Owner owner, const char *name); // -1: none
bool params_exists(const Params *params, Owner owner, int slot);
const char *params_name(const Params *params, Owner owner, int slot);
// Another name: routes, and the texts `system`, `type` and `born_from` that name it, follow, and so do a
// default route and a system that is its alone.  The generation stays: its particles live on.  False
// and a sentence when the name is none or somebody has it.
bool params_rename(Params *params, Owner owner, int slot, const char *name, char *why,
                   int why_size);
// Another number for each instance in a slot.
uint32_t params_generation(const Params *params, Owner owner, int slot);

// The system that an emitter or field belongs to: a slot of OWNER_SYSTEM.  A system is there as long
// as something belongs to it: the first one makes it, and it goes with the last one; -1 without one.
int params_system(const Params *params, Owner owner, int slot);
// The type whose settings an emitter has: a slot of OWNER_TYPE, or -1.  It has every row that no hand
// or preset has set for itself, but for visible, system, position, type and triggers; setting a type's
// row sets it in them.  A type's name that is built in (types.c) is made when an emitter names it.
int params_type(const Params *params, int emitter_slot);

// A hit that a hand reports to a system: /systems/NAME/hit x y z vx vy vz nx ny nz.
typedef struct {
    int system;    // slot of OWNER_SYSTEM
    Vec3 position; // m
    Vec3 velocity; // m/s, of what came in
    Vec3 normal;   // of what was hit, of length 1
} Hit;

enum { HITS_MAX = 64 }; // a frame; more are refused

// The hits since the last call, oldest first; they are forgotten with it, and with their system.
int params_take_hits(Params *params, Hit hits[HITS_MAX]);

// Looks back to their defaults, all instances gone.  Shows and machines stay.
void params_reset_looks(Params *params);

// ---- messages: what hands say -------------------------------------------------------------------

enum { MESSAGE_ARGS = 96, MESSAGE_PATH = 128, MESSAGE_TEXT = 256 };

typedef struct {
    char path[MESSAGE_PATH];      // "/forces/gravity"
    char types[MESSAGE_ARGS + 1]; // one letter an argument: 'f' a number, 's' a text
    double number[MESSAGE_ARGS];  // by argument
    char text[MESSAGE_TEXT];      // the texts one behind another, each with its 0
    uint32_t sender;              // whom to answer; 0 nobody
} Message;

// Makes "/path" with one number or one text.
Message message_number(const char *path, double number);
Message message_text(const char *path, const char *text);

typedef enum { MESSAGE_DONE, MESSAGE_ANSWERED, MESSAGE_REFUSED } MessageResult;

// Does what a message says: a leaf, a group, /norm/..., /inc/..., a text, a curve (at, value, ...), a
// gradient (at, r, g, b, opacity, ...), a trigger.  An address alone asks, and `answer` (same path,
// values) is filled.  A trigger with 0 is a button let go, and does nothing; /.../remove takes the
// instance away at once.  A number may come as text ("-9.8"), an enum or a bool as its word, a bool
// also as "toggle".  And:
//   /emitters/add NAME, /fields/add NAME, /routes/add NAME SIGNAL TO AMOUNT
//   /types/add NAME [EMITTER]           a new type, with the settings of that emitter
//   /systems/add NAME TYPE [TYPE...]    a new system with an emitter a type: NAME, and NAME-TYPE
//   /OWNERS/NAME/name NEW               see params_rename
//   /systems/NAME/LEAF ...              whatever is not the system's own: to all of its members
//   /systems/NAME/hit x y z vx vy vz nx ny nz    see Hit
// Refused: one sentence in `why`, counted, nothing changed, not even a part of a group.  "did you
// mean" stands in two of them a hop.
MessageResult params_message(Params *params, const Message *message, Message *answer, char *why,
                             int why_size);

// ---- routes.c -----------------------------------------------------------------------------------

// Once a hop: live = base + reaction x amount x shape(signal), clamped to the row's range, for every
// enabled route; everything else live = base.  In silence a release that has fallen to 1/256 is over.  `seconds`: the hop's length.
// Between hops params_set moves live with base.  `to` names a number that is not structural, not a
// route's own and not audio/reaction; two routes to one target add up.
void routes_hop(Params *params, const Features *features, float seconds);

// ---- presets: one JSON file a look; allocates, waits for the disk, never inside a frame ---------

typedef struct Preset Preset;

// {"version": 1, "title": "...", "parameters": {"forces": {"gravity": -1}, "look/exposure": 1},
//  "emitters": {"spark": {"rate": 10, "position": [0, 1, 0]}}, "fields": {...},
//  "routes": {"kick": {"signal": "onset", "to": "look/exposure", "amount": 0.5}}}
// Keys are paths, whole or nested; vectors and colours are arrays; curves are [[at, value], ...],
// gradients [[at, r, g, b, opacity], ...].  Only looks may stand there.  A route to a birth rate
// replaces the default route of that emitter or field, unless the preset names that one too; null
// takes a route away.  Instances take their slots, and so their order of drawing, in the file's order.

// Reads and checks a file completely.  NULL and one sentence "file:line: path: what" when it is broken.
Preset *preset_load(const char *file, char *why, int why_size);
void preset_free(Preset *preset);
const char *preset_title(const Preset *preset);

// Resets the looks, then sets what the preset names.  Allocates nothing.  Structural rows wait for
// params_prepare.
void preset_apply(const Preset *preset, Params *params);

// A name that a hand may save under: [a-z0-9_-], 1 to 63 characters; nothing that leads elsewhere.
bool preset_name_fits(const char *name, char *why, int why_size);

// Writes what differs from the defaults; loading it gives the same base values, text, stops, instances.
bool preset_save(const Params *params, const char *title, const char *file, char *why,
                 int why_size);

// ---- params_print.c -----------------------------------------------------------------------------

typedef enum { PRINT_TEXT, PRINT_MARKDOWN, PRINT_JSON } PrintFormat;
void params_print(FILE *out, PrintFormat format); // all rows of all owners, and the signals
