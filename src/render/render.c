// Ties the picture together: fields, draw list, trails, bloom, finish.
#include "render/render.h"

#include <stdlib.h>
#include <string.h>

#include "render/counts.h"
#include "render/draw.h"
#include "render/field.h"
#include "render/hud.h"
#include "render/passes.h"
#include "render/picture.h"
#include "render/sound.h"
#include "render/timers.h"

struct Render {
    bool wait_counts, brought_sheets;
    Passes passes;
    Picture picture;
    Drawer drawer;
    Field fields[FIELD_SLOTS];
    Patches patches[FIELD_SLOTS];
    Counts counts;
    Sound sound;
    Timers timers;
    Text *text;
};

// ---- making -------------------------------------------------------------------------------------

bool render_check_shaders(const char *folder, char *why, int why_size)
{
    return passes_check(folder, why, why_size) &&
           program_check(folder, &text_shaders, why, why_size);
}

Render *render_new(const RenderDesc *desc, char *why, int why_size)
{
    Render *render = calloc(1, sizeof *render);
    if (!render) {
        snprintf(why, (size_t)why_size, "out of memory for the picture");
        return NULL;
    }
    render->wait_counts = desc->wait_counts;
    render->brought_sheets = desc->brought_sheets;
    drawer_init(&render->drawer);
    counts_init(&render->counts);
    sound_init(&render->sound);
    timers_init(&render->timers);
    if (!passes_load(&render->passes, desc->shaders, why, why_size)) goto fail;
    fields_warm(&render->passes);
    if (!picture_init(&render->picture, desc->size, 1, why, why_size)) goto fail;
    if (!drawer_prepare(&render->drawer, 1, why, why_size)) goto fail; // until there are parameters
    render->text = text_new(desc->shaders, why, why_size);
    if (!render->text) goto fail;
    return render;
fail:
    render_free(render);
    return NULL;
}

void render_free(Render *render)
{
    if (!render) return;
    for (int f = 0; f < FIELD_SLOTS; f++) {
        field_free(&render->fields[f]);
        patches_free(&render->patches[f]);
    }
    text_free(render->text);
    counts_free(&render->counts);
    sound_free(&render->sound);
    timers_free(&render->timers);
    drawer_free(&render->drawer);
    picture_free(&render->picture);
    passes_free(&render->passes);
    free(render);
}

bool render_reload(Render *render, char *why, int why_size)
{
    const bool good = passes_reload(&render->passes, why, why_size);
    fields_warm(&render->passes);
    return good;
}

// ---- between frames -----------------------------------------------------------------------------

// The first notice is the one that stays.
static void prepare_field(Render *render, const Params *params, int slot, char *notice,
                          int notice_size)
{
    Field *field = &render->fields[slot];
    if (!params_exists(params, OWNER_FIELD, slot)) {
        if (field->asked > 0) field_free(field);
        return;
    }
    const uint32_t asked = (uint32_t)params_values(params, OWNER_FIELD, slot)[FIELD_CAPACITY];
    const uint32_t generation = params_generation(params, OWNER_FIELD, slot);
    char said[256] = "";
    if (field->asked != asked)
        field_make(field, asked, params_name(params, OWNER_FIELD, slot), said, sizeof said);
    if (field->generation != generation) field_empty(field);
    field->generation = generation;
    if (said[0] && !notice[0]) snprintf(notice, (size_t)notice_size, "%s", said);
}

static bool prepare_picture(Render *render, Size size, float scale, char *notice, int notice_size)
{
    const Picture *now = &render->picture;
    if (now->whole.width == size.width && now->whole.height == size.height && now->scale == scale)
        return true;
    if (size.width < 1 || size.height < 1)
        return true; // iconified: nothing to draw, the old size stays
    Picture picture;
    if (!picture_init(&picture, size, scale, notice, notice_size)) return false;
    picture_resume(&picture, now);
    picture_free(&render->picture);
    render->picture = picture;
    return true;
}

bool render_set_body(Render *render, const Params *params, Owner owner, int slot, const Mesh *mesh,
                     char *why, int why_size)
{
    return drawer_set_body(&render->drawer, owner, slot, mesh, params_name(params, owner, slot),
                           why, why_size);
}

bool render_set_sheet(Render *render, const Params *params, const char *name, int columns, int rows,
                      const uint8_t *sheet, char *why, int why_size)
{
    return sheets_set(&render->drawer.sheets, params, name, columns, rows, sheet, why, why_size);
}

_Static_assert((int)RENDER_SHEET_BYTES == (int)SHEET_BYTES, "one size, told at the door");

bool render_draw_sheet(const char *name, int *columns, int *rows, uint8_t *sheet)
{
    const SheetArt *art = sheet_art_find(name);
    if (!art) return false;
    *columns = art->columns;
    *rows = art->rows;
    sheet_art_draw(art, sheet);
    return true;
}

void render_sheet_of(const uint8_t *rgba, Size size, int columns, int rows, uint8_t *sheet)
{
    sheet_of_picture(rgba, size.width, size.height, clampi(columns, 1, SHEET_FRAMES),
                     clampi(rows, 1, SHEET_FRAMES), sheet);
}

bool render_set_shape(Render *render, const Params *params, int field_slot, const Shape *shape,
                      char *why, int why_size)
{
    return patches_set(&render->patches[field_slot], shape,
                       params_name(params, OWNER_FIELD, field_slot), why, why_size);
}

bool render_prepare(Render *render, const Params *params, Size size, char *notice, int notice_size)
{
    const float *values = params_values(params, OWNER_GLOBAL, 0);
    notice[0] = 0;
    if (!prepare_picture(render, size, values[GLOBAL_QUALITY_SCALE_NOW], notice, notice_size))
        return false;
    if (!drawer_prepare(&render->drawer, (uint32_t)values[GLOBAL_SIM_CAPACITY], notice,
                        notice_size))
        return false;
    for (int f = 0; f < FIELD_SLOTS; f++) prepare_field(render, params, f, notice, notice_size);
    if (!render->brought_sheets)
        sheets_prepare(&render->drawer.sheets, params, notice, notice_size);
    return true;
}

// ---- a frame ------------------------------------------------------------------------------------

static bool is_field_ready(const Render *render, const Params *params, int slot)
{
    const Field *field = &render->fields[slot];
    return field->capacity > 0 && params_exists(params, OWNER_FIELD, slot) &&
           field->generation == params_generation(params, OWNER_FIELD, slot);
}

static void step_fields(Render *render, const Scene *scene)
{
    for (int f = 0; f < FIELD_SLOTS; f++) {
        Field *field = &render->fields[f];
        if (is_field_ready(render, scene->params, f))
            field_step(field, &render->passes, &render->patches[f], scene, f);
        else
            field_empty(field);
    }
}

static void count_field(Render *render, int slot)
{
    Field *field = &render->fields[slot];
    if (field->living > 0) {
        counts_open(&render->counts, COUNT_LIVING, slot);
        field_count(field, &render->passes);
        counts_close();
    }
    if (field->marked) {
        counts_open(&render->counts, COUNT_BORN, slot);
        field_count_born(field, &render->passes);
        counts_close();
    }
}

static void count_fields(Render *render, uint32_t frame)
{
    counts_collect(&render->counts, false);
    if (!counts_begin(&render->counts, frame)) return;
    for (int f = 0; f < FIELD_SLOTS; f++) count_field(render, f);
}

void render_begin(Render *render, const Params *params, Sim *sim, double orbit)
{
    drawer_begin(&render->drawer, &render->picture, params, sim, orbit);
}

void render_frame(Render *render, const Scene *scene, const Target *target)
{
    const float *values = params_values(scene->params, OWNER_GLOBAL, 0);
    Timers *timers = &render->timers;
    glBindVertexArray(render->drawer.nothing);
    timers_begin(timers);
    timers_open(timers, TIMED_STEP);
    step_fields(render, scene);
    timers_open(timers, TIMED_COUNT);
    count_fields(render, scene->frame);
    timers_open(timers, TIMED_DRAW);
    drawer_draw(&render->drawer, &render->passes, &render->picture, render->fields, scene);
    timers_open(timers, TIMED_SCOPE);
    sound_update(&render->sound, scene->heard, scene->past);
    scope_draw(&render->picture, &render->passes, &render->sound, values);
    timers_open(timers, TIMED_TRAILS);
    trails_step(&render->picture, &render->passes, values, scene->time);
    timers_open(timers, TIMED_BLOOM);
    bloom_draw(&render->picture, &render->passes, values);
    timers_open(timers, TIMED_FINISH);
    finish_draw(&render->picture, &render->passes, values, scene->frame, target);
    timers_close(timers);
    if (render->wait_counts) counts_collect(&render->counts, true);
}

void render_step(Render *render, const Scene *scene)
{
    glBindVertexArray(render->drawer.nothing);
    step_fields(render, scene);
}

void render_draw(Render *render, const Scene *scene)
{
    drawer_draw(&render->drawer, &render->passes, &render->picture, render->fields, scene);
}

RenderStatus render_status(const Render *render)
{
    RenderStatus status = { .frame = render->counts.frame,
                            .born = render->counts.born,
                            .timed = render->timers.known };
    memcpy(status.gpu_ms, render->timers.ms, sizeof status.gpu_ms);
    for (int f = 0; f < FIELD_SLOTS; f++) {
        status.field_alive[f] = render->counts.alive[f];
        status.alive += render->counts.alive[f];
        status.capacity[f] = render->fields[f].capacity;
        status.crowded[f] = render->fields[f].crowded;
    }
    return status;
}

void render_hud(Render *render, const Hud *hud, const Target *target)
{
    timers_open(&render->timers, TIMED_HUD);
    hud_draw(render->text, hud, target);
    timers_close(&render->timers);
}

uint32_t render_field_particles(Render *render, int field_slot, Particle *particles,
                                uint32_t capacity)
{
    return field_read(&render->fields[field_slot], particles, capacity);
}
