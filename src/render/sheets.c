#include "render/sheets.h"

#include <stdlib.h>
#include <string.h>

// ---- the texture --------------------------------------------------------------------------------

static bool make_texture(Sheets *sheets)
{
    if (sheets->texture) return true;
    // Between mip levels a processor takes twice as long as on one.
    const GLint filter = context_is_software() ? GL_LINEAR_MIPMAP_NEAREST : GL_LINEAR_MIPMAP_LINEAR;
    gfx_take_error(); // what others left
    glGenTextures(1, &sheets->texture);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D_ARRAY, sheets->texture);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAX_LEVEL, SHEET_LEVELS - 1);
    for (int level = 0; level < SHEET_LEVELS; level++) {
        const int side = sheet_level_side(level);
        glTexImage3D(GL_TEXTURE_2D_ARRAY, level, GL_RGBA8, side, side, SHEET_LAYERS, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, NULL);
    }
    if (gfx_take_error() == GL_NO_ERROR) return true;
    glDeleteTextures(1, &sheets->texture);
    sheets->texture = 0;
    return false;
}

static void upload(const Sheets *sheets, int layer, const uint8_t *sheet)
{
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D_ARRAY, sheets->texture);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    for (int level = 0; level < SHEET_LEVELS; level++) {
        const int side = sheet_level_side(level);
        glTexSubImage3D(GL_TEXTURE_2D_ARRAY, level, 0, 0, layer, side, side, 1, GL_RGBA,
                        GL_UNSIGNED_BYTE, sheet + sheet_level_at(level));
    }
}

void sheets_free(Sheets *sheets)
{
    if (sheets->texture) glDeleteTextures(1, &sheets->texture);
    memset(sheets, 0, sizeof *sheets);
}

// ---- layers -------------------------------------------------------------------------------------

static const char *name_of(const Params *params, Owner owner, int slot)
{
    return params_exists(params, owner, slot)
               ? params_text(params, params_id(owner, slot, SWARM_SHEET))
               : "";
}

int sheets_find(const Sheets *sheets, const char *name)
{
    for (int layer = SHEET_LAYERS - 1; layer > 0 && *name; layer--)
        if (strcmp(sheets->names[layer], name) == 0) return layer;
    return 0;
}

static bool is_named(const Params *params, const char *name)
{
    for (int n = 0; n < EMITTER_SLOTS; n++)
        if (strcmp(name_of(params, OWNER_EMITTER, n), name) == 0) return true;
    for (int n = 0; n < FIELD_SLOTS; n++)
        if (strcmp(name_of(params, OWNER_FIELD, n), name) == 0) return true;
    return false;
}

// A free layer, else one whose sheet nobody names; 0: there is none.
static int layer_to_fill(const Sheets *sheets, const Params *params)
{
    for (int layer = 1; layer < SHEET_LAYERS; layer++)
        if (!sheets->names[layer][0]) return layer;
    for (int layer = 1; layer < SHEET_LAYERS; layer++)
        if (!is_named(params, sheets->names[layer])) return layer;
    return 0;
}

// `sheet` with all levels becomes the sheet of that name.
static bool fill_layer(Sheets *sheets, const Params *params, const char *name, int columns,
                       int rows, const uint8_t *sheet, char *why, int why_size)
{
    const int found = sheets_find(sheets, name);
    const int layer = found ? found : layer_to_fill(sheets, params);
    if (layer == 0) {
        snprintf(why, (size_t)why_size, "sheet %s: %d others are in use already", name,
                 SHEET_LAYERS - 1);
        return false;
    }
    if (!make_texture(sheets)) {
        snprintf(why, (size_t)why_size, "sheet %s: the graphics memory has no room", name);
        return false;
    }
    upload(sheets, layer, sheet);
    snprintf(sheets->names[layer], SHEET_NAME, "%s", name);
    sheets->columns[layer] = columns;
    sheets->rows[layer] = rows;
    return true;
}

// ---- sheets that the program draws --------------------------------------------------------------

static bool draw_art(Sheets *sheets, const Params *params, const SheetArt *art, char *why,
                     int why_size)
{
    uint8_t *sheet = malloc(SHEET_BYTES);
    if (!sheet) {
        snprintf(why, (size_t)why_size, "sheet %s: out of memory", art->name);
        return false;
    }
    sheet_art_draw(art, sheet);
    const bool filled =
        fill_layer(sheets, params, art->name, art->columns, art->rows, sheet, why, why_size);
    free(sheet);
    return filled;
}

static bool was_missed(const Sheets *sheets, const char *name)
{
    for (int n = 0; n < SHEETS_MISSED; n++)
        if (strcmp(sheets->missed[n], name) == 0) return true;
    return false;
}

// Tells of each name once, and tries no more.
static void miss(Sheets *sheets, const char *name, const char *why, char *notice, int notice_size)
{
    snprintf(sheets->missed[sheets->next_missed], SHEET_NAME, "%s", name);
    sheets->next_missed = (sheets->next_missed + 1) % SHEETS_MISSED;
    if (!notice[0]) snprintf(notice, (size_t)notice_size, "%s", why);
}

static void prepare_name(Sheets *sheets, const Params *params, const char *name, char *notice,
                         int notice_size)
{
    char why[256];
    if (!*name || sheets_find(sheets, name) || was_missed(sheets, name)) return;
    const SheetArt *art = sheet_art_find(name);
    if (!art || draw_art(sheets, params, art, why, sizeof why)) return;
    miss(sheets, name, why, notice, notice_size);
}

void sheets_prepare(Sheets *sheets, const Params *params, char *notice, int notice_size)
{
    for (int n = 0; n < EMITTER_SLOTS; n++)
        prepare_name(sheets, params, name_of(params, OWNER_EMITTER, n), notice, notice_size);
    for (int n = 0; n < FIELD_SLOTS; n++)
        prepare_name(sheets, params, name_of(params, OWNER_FIELD, n), notice, notice_size);
}

bool sheets_set(Sheets *sheets, const Params *params, const char *name, int columns, int rows,
                const uint8_t *sheet, char *why, int why_size)
{
    return fill_layer(sheets, params, name, columns, rows, sheet, why, why_size);
}

// ---- what a swarm is drawn with -----------------------------------------------------------------

Sheet sheets_of(const Sheets *sheets, const Params *params, Owner owner, int slot)
{
    const float *values = params_values(params, owner, slot);
    const int layer = sheets_find(sheets, name_of(params, owner, slot));
    if (layer == 0) return (Sheet){ 0 };
    const int own_columns = sheets->columns[layer], own_rows = sheets->rows[layer];
    const int columns = (int)values[SWARM_SHEET_COLUMNS], rows = (int)values[SWARM_SHEET_ROWS];
    Sheet sheet = { .layer = layer,
                    .columns = columns > 0 ? columns : own_columns,
                    .rows = rows > 0 ? rows : own_rows };
    // What is filled of the sheet is cut into as many frames as are asked.
    const int wide = own_columns * sheet_frame_side(own_columns);
    const int high = own_rows * sheet_frame_side(own_rows);
    sheet.wide = (float)wide / SHEET_SIDE / (float)sheet.columns;
    sheet.high = (float)high / SHEET_SIDE / (float)sheet.rows;
    return sheet;
}
