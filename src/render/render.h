// render: the picture.  GPU fields (stepped and drawn), CPU sprites, one sorted draw list over
// both, trails, bloom, tone mapping, dithering, the HUD.
//
// On the thread of the GL context.  render_frame allocates nothing, compiles nothing and reads
// nothing back synchronously; render_new, render_prepare and render_reload may.
#pragma once

#include "control/control.h"
#include "gfx/gfx.h"
#include "sim/sim.h"

typedef struct {
    const char *shaders; // folder
    Size size;           // of the picture
    bool wait_counts;    // field counts belong to the frame itself; else they lag a few frames
    bool
        brought_sheets; // render_set_sheet brings the built-in ones too; else render_prepare draws them
} RenderDesc;

typedef struct Render Render;

// False and one sentence in `why` when the folder lacks a shader, so that this can be told from a
// machine that refuses.  Needs no context: any thread, at any time.
bool render_check_shaders(const char *folder, char *why, int why_size);

// NULL and one sentence in `why` when a shader is missing or broken, or the machine refuses a
// target.
Render *render_new(const RenderDesc *desc, char *why, int why_size);
void render_free(Render *render);

// Between frames: makes, resizes and frees what the structural rows, the added and removed fields
// and a new picture size ask for.  Costs nothing when nothing changed.  A field gets what the
// machine gives (found by trying), with a sentence in `notice` ("field main: 100000000 particles
// asked, 4194304 given"), else notice is "". False and a sentence when even the picture could not
// be had (then the old size stays).
bool render_prepare(Render *render, const Params *params, Size size, char *notice, int notice_size);

// Between frames, from files that a look names (see row mesh and sheet); what an emitter or field had is
// replaced.  False and one sentence in `why` when the machine refuses.
bool render_set_body(Render *render, const Params *params, Owner owner, int slot, const Mesh *mesh,
                     char *why, int why_size); // NULL: it is drawn as sprites again
bool render_set_sheet(Render *render, const Params *params, const char *name, int columns, int rows,
                      const uint8_t *sheet, char *why, int why_size); // made by one of the below
bool render_set_shape(Render *render, const Params *params, int field_slot, const Shape *shape,
                      char *why,
                      int why_size); // what area mesh or image gives birth on; NULL: nothing

// Makes the bytes of a sheet, RENDER_SHEET_BYTES of them: the built-in one of that name (false: there is
// none), or one of a picture with columns x rows frames in it (8-bit sRGB, top row first, alpha not
// multiplied in).  Any thread; takes from tens of milliseconds to a second.
enum { RENDER_SHEET_BYTES = 4 * (512 * 512 * 4 - 4 * 4) / 3 };
bool render_draw_sheet(const char *name, int *columns, int *rows, uint8_t *sheet);
void render_sheet_of(const uint8_t *rgba, Size size, int columns, int rows, uint8_t *sheet);

// Loads all shaders anew; the last good one of each stays.  False and the first error in `why`.
bool render_reload(Render *render, char *why, int why_size);

// What one frame is drawn from; only read.
typedef struct {
    const Params *params;
    Sim *sim;              // stepped; gives sprites and the fields' births
    Motion motion;         // of this frame
    uint32_t frame;        // number
    double time;           // s, the show's
    double orbit;          // degrees that the camera has gone round since the start, 0..360
    float dt;              // s, as stepped (at most STALL_LONGEST)
    bool clear;            // all fields' particles die
    const Features *heard; // in this frame; NULL: nothing
    const Past *past;      // up to its end; NULL: none
} Scene;

// The camera of a scene, for the mouse: the point of the plane through the origin that faces the
// eye under x, y (-1..1, y up) on a picture of this size.  `orbit` as in the scene.
Vec3 camera_unproject(const Params *params, double orbit, Size size, float x, float y);

// Before sim_step, where render_frame follows: lets the step write its sprites where they are drawn
// from.  `orbit` as in the scene that comes.
void render_begin(Render *render, const Params *params, Sim *sim, double orbit);

// Steps the fields and draws the whole picture into `target` (of the size last prepared).
void render_frame(Render *render, const Scene *scene, const Target *target);

// Two parts of a frame alone, for who measures them: the fields' births and motion; the light of all
// sprites.
void render_step(Render *render, const Scene *scene);
void render_draw(Render *render, const Scene *scene);

// The passes whose time the GPU tells, and what they are called.
#define TIMED_TABLE(PASS)                                                                          \
    PASS(STEP, "step")   /* the fields' birth and motion */                                        \
    PASS(COUNT, "count") /* of who lives and who was born */                                       \
    PASS(DRAW, "draw")   /* all sprites, as light */                                               \
    PASS(SCOPE, "scope") /* the sound itself */                                                    \
    PASS(TRAILS, "trails")                                                                         \
    PASS(BLOOM, "bloom")                                                                           \
    PASS(FINISH, "finish") /* to the picture */                                                    \
    PASS(HUD, "hud")

#define TIMED_ID(id, name) TIMED_##id,
typedef enum { TIMED_TABLE(TIMED_ID) TIMED_PASSES } TimedPass;
#undef TIMED_ID
extern const char *const timed_names[TIMED_PASSES];

typedef struct {
    uint32_t field_alive[FIELD_SLOTS];
    uint32_t alive;                 // of all fields
    uint32_t frame;                 // that `alive` was counted in
    uint64_t born;                  // by fill, since render_new, up to that frame
    uint32_t capacity[FIELD_SLOTS]; // as given
    bool crowded[FIELD_SLOTS];      // births outrun the ring: the oldest die early
    bool timed;                     // the GPU has told times: those of a frame a few frames ago
    float gpu_ms[TIMED_PASSES];     // 0: that pass was not drawn
} RenderStatus;

RenderStatus render_status(const Render *render);

// ---- hud.c --------------------------------------------------------------------------------------

enum { HUD_LINES = 40, HUD_LINE = 160, HUD_ROWS = 16 };

typedef enum { HUD_PLAIN, HUD_HEAD, HUD_CHOSEN, HUD_MISSING } HudMark;

// Of a list, one of which is chosen.
typedef struct {
    char text[HUD_LINE];
    HudMark mark;
} HudRow;

// Filled by the host; drawn over everything, after tone mapping.
typedef struct {
    bool visible;
    bool keys; // the help page instead of the status
    const char
        *banner; // large and centred for as long as it is there ("NO AUDIO: demo"), NULL none
    char lines[HUD_LINES][HUD_LINE]; // status or help, top to bottom
    int line_count;
    HudRow rows[HUD_ROWS];    // a list beside them, also when they are not visible
    int row_count;            // 0: none
    const Features *features; // bars of levels and spectrum
} Hud;

void render_hud(Render *render, const Hud *hud, const Target *target);

// For tests: reads a field's state back: the particle in each slot of the ring, at most `capacity`.
// Waits.
uint32_t render_field_particles(Render *render, int field_slot, Particle *particles,
                                uint32_t capacity);
