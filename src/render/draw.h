// One draw list over CPU sprites and GPU fields, sorted by layer, drawn as light.
#pragma once

#include "render/body.h"
#include "render/camera.h"
#include "render/field.h"
#include "render/picture.h"
#include "render/render.h"
#include "render/sheets.h"

enum { DRAW_ITEMS = FIELD_SLOTS + EMITTER_SLOTS };

// A field, or a run of the CPU's sprites.
typedef struct {
    int layer;
    Owner owner;
    SpriteKind kind;
    bool covers;
    int slot;              // of a run, of its first emitter
    uint32_t first, count; // sprites of a run in the stream
} DrawItem;

// The CPU's sprites lie in a stream for each array of Sprites.
enum { STREAM_PLACES, STREAM_LOOKS, STREAM_WAYS, STREAMS };

typedef struct {
    Stream *streams[STREAMS];
    uint32_t sprites_most;   // that fit into them
    Sprites sprites;         // where those of the frame are written; NULLs: not yet known
    size_t offsets[STREAMS]; // where those of the frame lie
    GLuint points, quads;    // vertex arrays: sprites one a vertex, or one an instance
    GLuint nothing;          // a vertex array without attributes
    float point_limit;       // pixels
    Sheets sheets;
    Body emitter_bodies[EMITTER_SLOTS], field_bodies[FIELD_SLOTS];
    float share; // of the particles that is drawn, on its way to what is asked; 0 at first
    DrawItem items[DRAW_ITEMS];
    int item_count;
} Drawer;

void drawer_init(Drawer *drawer);
void drawer_free(Drawer *drawer);

// Room for that many CPU sprites; costs nothing when nothing changed.  False and a sentence when
// the machine refuses; then the old room stays.
bool drawer_prepare(Drawer *drawer, uint32_t sprites, char *why, int why_size);

// Between frames: the body that an emitter or field is drawn as from now on; see body_set.
bool drawer_set_body(Drawer *drawer, Owner owner, int slot, const Mesh *mesh, const char *name,
                     char *why, int why_size);

// See render_begin.
void drawer_begin(Drawer *drawer, const Picture *picture, const Params *params, Sim *sim,
                  double orbit);

// Draws everything visible into the picture's light.
void drawer_draw(Drawer *drawer, const Passes *passes, Picture *picture, Field *fields,
                 const Scene *scene);
