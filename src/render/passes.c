#include "render/passes.h"

#include <stdio.h>

static const ProgramDesc rows[PASS_COUNT] = {
    [PASS_FIELD_STEP] = { "fullscreen.vert", "field_step.frag" },
    [PASS_FIELD_BIRTH] = { "fullscreen.vert", "field_birth.frag" },
    [PASS_FIELD_GLIDE] = { "field_rows.vert", "field_glide.frag" },
    [PASS_FIELD_GLIDE_LONG] = { "field_rows.vert", "field_glide_long.frag" },
    [PASS_FIELD_STIR] = { "field_rows.vert", "field_stir.frag" },
    [PASS_FIELD_STIR_LONG] = { "field_rows.vert", "field_stir_long.frag" },
    [PASS_FIELD_SURGE] = { "field_rows.vert", "field_surge.frag" },
    [PASS_FIELD_FILL] = { "field_rows.vert", "field_fill.frag" },
    [PASS_FIELD_FILL_STIR] = { "field_rows.vert", "field_fill_stir.frag" },
    [PASS_FIELD_FILL_HINDER] = { "field_rows.vert", "field_fill_hinder.frag" },
    [PASS_FIELD_FILL_BIRTH] = { "field_fill_birth.vert", "field_fill_birth.frag" },
    [PASS_FIELD_HINDER] = { "field_rows.vert", "field_hinder.frag" },
    [PASS_FIELD_COUNT] = { "fullscreen.vert", "field_count.frag" },
    [PASS_FIELD_COUNT_BORN] = { "fullscreen.vert", "field_count_born.frag" },
    [PASS_FIELD_POINTS] = { "field_sprites.vert", "point.frag" },
    [PASS_FIELD_DISCS] = { "field_sprites.vert", "sprite.frag" },
    [PASS_FIELD_SHEETS] = { "field_sprites.vert", "sheet.frag" },
    [PASS_FIELD_BODIES] = { "field_bodies.vert", "body.frag" },
    [PASS_POINTS] = { "sprites.vert", "point.frag" },
    [PASS_DISCS] = { "sprites.vert", "sprite.frag" },
    [PASS_SHEETS] = { "sprites.vert", "sheet.frag" },
    [PASS_BODIES] = { "bodies.vert", "body.frag" },
    [PASS_SCOPE] = { "fullscreen.vert", "scope.frag" },
    [PASS_TRAIL] = { "fullscreen.vert", "trail.frag" },
    [PASS_BLOOM_FIRST] = { "fullscreen.vert", "bloom_first.frag" },
    [PASS_BLOOM_DOWN] = { "fullscreen.vert", "bloom_down.frag" },
    [PASS_BLOOM_UP] = { "fullscreen.vert", "bloom_up.frag" },
    [PASS_FINISH] = { "fullscreen.vert", "finish.frag" },
    [PASS_FINISH_SCALED] = { "fullscreen.vert", "finish_scaled.frag" },
};

bool passes_check(const char *folder, char *why, int why_size)
{
    for (int p = 0; p < PASS_COUNT; p++)
        if (!program_check(folder, &rows[p], why, why_size)) return false;
    return true;
}

bool passes_load(Passes *passes, const char *folder, char *why, int why_size)
{
    for (int p = 0; p < PASS_COUNT; p++) {
        passes->program[p] = program_load(folder, &rows[p], why, why_size);
        if (!passes->program[p]) return false;
    }
    return true;
}

bool passes_reload(Passes *passes, char *why, int why_size)
{
    bool good = true;
    for (int p = 0; p < PASS_COUNT; p++) {
        char error[512] = "";
        if (program_reload(passes->program[p], error, sizeof error)) continue;
        if (good) snprintf(why, (size_t)why_size, "%s", error);
        good = false;
    }
    return good;
}

void passes_free(Passes *passes)
{
    for (int p = 0; p < PASS_COUNT; p++) {
        program_free(passes->program[p]);
        passes->program[p] = NULL;
    }
}

const Program *pass_use(const Passes *passes, Pass pass)
{
    program_use(passes->program[pass]);
    return passes->program[pass];
}
