// What sprites look like: emitters and fields of the same rows alike; sheets in graphics memory.
#include "gl/stage.h"

#include <math.h>

#include "render/sheets.h"

static const Size size = { 240, 135 };
enum { BYTES = 240 * 135 * 3, SETTINGS = 6 };

typedef struct {
    const char *leaf;
    double value;
    const char *text;
} Setting;

typedef struct {
    const char *name;
    const char *curve; // this one gets three points
    Setting settings[SETTINGS];
    int than; // the look that it must differ from: the first, or another
} Look;

// A row of sprites on their way.
static const Setting common[] = {
    { "rate", 20, NULL },        { "life", 1.5, NULL },
    { "life_random", 0, NULL },  { "area", AREA_POINT, NULL },
    { "outward", 0, NULL },      { "spread", 0, NULL },
    { "speed_random", 0, NULL }, { "velocity/x", 4, NULL },
    { "velocity/y", 1.5, NULL }, { "position/x", -3, NULL },
    { "position/y", -1, NULL },  { "size", 1.4, NULL },
    { "size_random", 0, NULL },  { "rotation_random", 0, NULL },
    { "intensity", 0.25, NULL }, { "rotation_speed_random", 0, NULL },
};

enum { PLAIN, STAR, FLAME };

static const Look looks[] = {
    [PLAIN] = { "plain", NULL, { { 0 } }, -1 },
    [STAR] = { "star", NULL, { { "sheet", 0, "star" } }, PLAIN },
    [FLAME] = { "flame", NULL, { { "sheet", 0, "flame" } }, PLAIN },
    { "small", NULL, { { "size", 0.3, NULL } }, PLAIN },
    { "an end", NULL, { { "size_end", 3, NULL } }, PLAIN },
    { "no change", NULL, { { "size_change", 0, NULL }, { "size_end", 3, NULL } }, PLAIN },
    { "size curve", "size_curve", { { 0 } }, PLAIN },
    { "smooth", "size_curve", { { "curves", CURVES_SMOOTH, NULL } }, PLAIN },
    { "bezier", "size_curve", { { "curves", CURVES_BEZIER, NULL } }, PLAIN },
    { "colour curve", "colour_curve", { { 0 } }, PLAIN },
    { "tint", NULL, { { "tint/r", 0.2, NULL }, { "tint/b", 0.5, NULL } }, PLAIN },
    { "opacity", NULL, { { "opacity", 0.4, NULL } }, PLAIN },
    { "hard", NULL, { { "softness", 0, NULL } }, PLAIN },
    { "alpha", NULL, { { "blend", BLEND_ALPHA, NULL } }, PLAIN },
    { "turned", NULL, { { "sheet", 0, "star" }, { "rotation", 30, NULL } }, STAR },
    { "turning", NULL, { { "sheet", 0, "flame" }, { "rotation_speed", 100, NULL } }, FLAME },
    { "flipped",
      NULL,
      { { "sheet", 0, "flame" }, { "rotation_speed", 100, NULL }, { "rotation_flip", 1, NULL } },
      FLAME },
    { "turning curve",
      "rotation_curve",
      { { "sheet", 0, "flame" }, { "rotation_speed", 300, NULL } },
      FLAME },
    { "free frames",
      NULL,
      { { "sheet", 0, "flame" }, { "sheet_fit", SHEET_FIT_FREE, NULL }, { "sheet_fps", 20, NULL } },
      FLAME },
    { "one frame",
      NULL,
      { { "sheet", 0, "flame" },
        { "sheet_fit", SHEET_FIT_STILL, NULL },
        { "sheet_start", 20, NULL } },
      FLAME },
    { "four columns", NULL, { { "sheet", 0, "flame" }, { "sheet_columns", 4, NULL } }, FLAME },
    { "hard frames", NULL, { { "sheet", 0, "debris" }, { "sheet_blend", 0, NULL } }, PLAIN },
    { "any size", NULL, { { "size_random", 1, NULL } }, PLAIN },
    { "any end", NULL, { { "size_end", 4, NULL }, { "size_end_random", 1, NULL } }, PLAIN },
    { "any rotation", NULL, { { "sheet", 0, "flame" }, { "rotation_random", 360, NULL } }, FLAME },
    { "any speed",
      NULL,
      { { "sheet", 0, "flame" },
        { "rotation_speed", 200, NULL },
        { "rotation_speed_random", 1, NULL },
        { "rotation_flip", 0.5, NULL } },
      FLAME },
    { "any frame",
      NULL,
      { { "sheet", 0, "debris" },
        { "sheet_random", 1, NULL },
        { "sheet_fit", SHEET_FIT_STILL, NULL } },
      PLAIN },
    { "horizontal", NULL, { { "facing", FACING_HORIZONTAL, NULL } }, PLAIN },
    { "vertical", NULL, { { "facing", FACING_VERTICAL, NULL } }, PLAIN },
    { "upright and turned",
      NULL,
      { { "facing", FACING_VERTICAL, NULL }, { "sheet", 0, "flame" }, { "rotation", 90, NULL } },
      FLAME },
    { "stretched",
      NULL,
      { { "facing", FACING_STRETCHED, NULL }, { "stretch", 0.5, NULL }, { "size", 0.4, NULL } },
      PLAIN },
    { "slowing down",
      "speed_curve",
      { { "facing", FACING_STRETCHED, NULL }, { "stretch", 0.5, NULL }, { "size", 0.4, NULL } },
      PLAIN },
    { "sparks",
      NULL,
      { { "facing", FACING_STRETCHED, NULL }, { "sheet", 0, "spark" }, { "velocity/y", -3, NULL } },
      PLAIN },
};

static const char *path_of(const char *owner, const char *leaf)
{
    static char path[64];
    snprintf(path, sizeof path, "%s/main/%s", owner, leaf);
    return path;
}

static void apply(Stage *stage, const char *owner, const Setting *setting)
{
    char why[200];
    const char *path = path_of(owner, setting->leaf);
    if (!setting->text)
        stage_set(stage, path, setting->value);
    else if (!params_set_text(stage->params, params_find(stage->params, path), setting->text, why,
                              sizeof why))
        fail_msg("%s", why);
}

static void bend(Stage *stage, const char *owner, const char *leaf)
{
    char why[200];
    const Stops stops = { .count = 3,
                          .at = { 0, 0.3f, 1 },
                          .value = { { 0.2f }, { 1 }, { 0.4f } } };
    const ParamId id = params_find(stage->params, path_of(owner, leaf));
    if (!params_set_stops(stage->params, id, &stops, why, sizeof why)) fail_msg("%s", why);
}

static void take_picture(Stage *stage, const Look *look, const char *owner, uint8_t *rgb)
{
    char why[200];
    // So that the particles of either are born with the same keys.
    const bool emitters = strcmp(owner, "emitters") == 0;
    const uint32_t owners_apart = OWNER_FIELD - OWNER_EMITTER;
    stage_again(stage, emitters ? 7 + owners_apart * 0x9e3779b9U : 7);
    assert_int_equal(swarm_seed(7 + owners_apart * 0x9e3779b9U, OWNER_EMITTER, "main"),
                     swarm_seed(7, OWNER_FIELD, "main"));
    if (emitters)
        assert_true(params_add(stage->params, OWNER_EMITTER, "main", why, sizeof why) >= 0);
    stage_set(stage, "look/bloom/amount", 0);
    stage_set(stage, "look/vignette", 0);
    stage_set(stage, "camera/pitch", 35);
    for (int n = 0; n < COUNT_OF(common); n++) apply(stage, owner, &common[n]);
    for (const Setting *s = look->settings; s->leaf; s++) apply(stage, owner, s);
    if (look->curve) bend(stage, owner, look->curve);
    stage_prepare(stage, why, sizeof why);
    assert_string_equal(why, "");
    for (int f = 0; f < 26; f++) stage_frame(stage, 0.05f, 1);
    target_read_rgb(&stage->target, rgb);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static float difference(const uint8_t *a, const uint8_t *b)
{
    double apart = 0, sum = 0;
    for (int n = 0; n < BYTES; n++) {
        apart += abs(a[n] - b[n]);
        sum += a[n];
    }
    assert_true(sum > 0);
    return (float)(apart / sum);
}

static void emitters_and_fields_of_the_same_rows_look_alike(void **state)
{
    (void)state;
    static uint8_t emitter[COUNT_OF(looks)][BYTES], field[BYTES];
    Stage stage = stage_new(size);
    for (int n = 0; n < COUNT_OF(looks); n++) {
        const Look *look = &looks[n];
        take_picture(&stage, look, "emitters", emitter[n]);
        take_picture(&stage, look, "fields", field);
        const float apart = difference(emitter[n], field);
        if (apart > 0.03f) fail_msg("%s: they differ by %g", look->name, (double)apart);
        if (look->than < 0) continue;
        const float changed = difference(emitter[look->than], emitter[n]);
        if (changed < 0.1f) fail_msg("%s: changes %g only", look->name, (double)changed);
    }
    stage_free(&stage);
}

// ---- systems ------------------------------------------------------------------------------------

static void a_hidden_system_hides_its_fields(void **state)
{
    (void)state;
    static uint8_t rgb[BYTES];
    Stage stage = stage_new(size);
    stage_set(&stage, "fields/main/rate", 2000);
    stage_set(&stage, "look/background/r", 0);
    for (int hidden = 0; hidden < 2; hidden++) {
        stage_set(&stage, "systems/main/visible", !hidden);
        stage_prepare(&stage, NULL, 0);
        for (int f = 0; f < 10; f++) stage_frame(&stage, 0.05f, 1);
        target_read_rgb(&stage.target, rgb);
        int brightest = 0;
        for (int n = 0; n < BYTES; n++) brightest = rgb[n] > brightest ? rgb[n] : brightest;
        assert_true(hidden ? brightest == 0 : brightest > 30);
    }
    stage_free(&stage);
}

// ---- sheets -------------------------------------------------------------------------------------

static void an_unknown_sheet_is_a_disc(void **state)
{
    (void)state;
    static uint8_t rgb[2][BYTES];
    static const Look unknown = { "unknown", NULL, { { "sheet", 0, "no.png" } }, PLAIN };
    Stage stage = stage_new(size);
    const char *owners[] = { "emitters", "fields" };
    for (int o = 0; o < COUNT_OF(owners); o++) {
        take_picture(&stage, &looks[PLAIN], owners[o], rgb[0]);
        take_picture(&stage, &unknown, owners[o], rgb[1]);
        assert_memory_equal(rgb[0], rgb[1], BYTES);
    }
    stage_free(&stage);
}

static const uint8_t *level_of(const Sheets *sheets, int layer, int level)
{
    static uint8_t texels[4 * SHEET_SIDE * SHEET_SIDE * SHEET_LAYERS];
    const size_t side = (size_t)sheet_level_side(level);
    glBindTexture(GL_TEXTURE_2D_ARRAY, sheets->texture);
    glGetTexImage(GL_TEXTURE_2D_ARRAY, level, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    return texels + 4 * side * side * (size_t)layer;
}

// Three frames of one colour each, of a size that fits nothing.
static void a_picture_becomes_frames_that_do_not_mix(void **state)
{
    (void)state;
    enum { WIDE = 33, HIGH = 7 };
    static uint8_t rgba[WIDE * HIGH * 4], made[SHEET_BYTES];
    char why[200], notice[200] = "";
    Sheets sheets = { 0 };
    Params *params = params_new();
    assert_int_equal(params_add(params, OWNER_FIELD, "main", why, sizeof why), 0);
    char name[201] = ""; // as long as a path may be
    memset(name, 'a', sizeof name - 1);
    assert_true(
        params_set_text(params, params_find(params, "fields/main/sheet"), name, why, sizeof why));
    for (int n = 0; n < WIDE * HIGH; n++) {
        rgba[4 * n + n % WIDE / 11] = 255;
        rgba[4 * n + 3] = n % WIDE / 11 == 2 ? 128 : 255;
    }
    sheet_of_picture(rgba, WIDE, HIGH, 3, 1, made);
    assert_true(sheets_set(&sheets, params, name, 3, 1, made, why, sizeof why));
    sheets_prepare(&sheets, params, notice, sizeof notice);
    assert_string_equal(notice, "");
    const Sheet sheet = sheets_of(&sheets, params, OWNER_FIELD, 0);
    assert_int_equal(sheet.columns, 3);
    assert_int_equal(sheet.rows, 1);
    assert_float_equal(sheet.wide, 0.25f, 0);
    assert_float_equal(sheet.high, 1, 0);
    for (int level = 0; level < 7; level++) {
        const uint8_t *texels = level_of(&sheets, sheet.layer, level);
        const int frame = sheet_level_side(level) / 4;
        for (int x = 0; x < 3 * frame; x++)
            for (int c = 0; c < 3; c++)
                // Half covered: the root of a half.
                assert_in_range(texels[4 * x + c],
                                c != x / frame ? 0
                                : c == 2       ? 178
                                               : 255,
                                c != x / frame ? 0
                                : c == 2       ? 182
                                               : 255);
    }
    sheets_free(&sheets);
    params_free(params);
}

static void layers_are_used_again_once_nobody_names_their_sheet(void **state)
{
    (void)state;
    static uint8_t sheet[SHEET_BYTES];
    char why[200], name[16];
    Sheets sheets = { 0 };
    Params *params = params_new();
    for (int n = 0; n < SHEET_LAYERS; n++) {
        snprintf(name, sizeof name, "s%d", n);
        const int slot = params_add(params, OWNER_EMITTER, name, why, sizeof why);
        params_set_text(params, params_id(OWNER_EMITTER, slot, SWARM_SHEET), name, why, sizeof why);
        const bool fits = n < SHEET_LAYERS - 1;
        assert_int_equal(sheets_set(&sheets, params, name, 1, 1, sheet, why, sizeof why), fits);
    }
    assert_non_null(strstr(why, "s15"));
    assert_int_equal(sheets_find(&sheets, "s15"), 0);
    params_set_text(params, params_id(OWNER_EMITTER, 3, SWARM_SHEET), "", why, sizeof why);
    const int layer = sheets_find(&sheets, "s3");
    assert_true(sheets_set(&sheets, params, "s15", 1, 1, sheet, why, sizeof why));
    assert_int_equal(sheets_find(&sheets, "s15"), layer);
    assert_int_equal(sheets_find(&sheets, "s3"), 0);
    sheets_free(&sheets);
    params_free(params);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(emitters_and_fields_of_the_same_rows_look_alike),
        cmocka_unit_test(a_hidden_system_hides_its_fields),
        cmocka_unit_test(an_unknown_sheet_is_a_disc),
        cmocka_unit_test(a_picture_becomes_frames_that_do_not_mix),
        cmocka_unit_test(layers_are_used_again_once_nobody_names_their_sheet),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
