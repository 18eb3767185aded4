// The picture: the same at any frame rate and size, black where it should be, never burnt out.
#include "gl/stage.h"

#include <math.h>

enum { COLUMNS = 16, ROWS = 9, CELLS = COLUMNS * ROWS };

static const Size small = { 160, 90 };

// ---- looking ------------------------------------------------------------------------------------

static uint8_t *look(const Stage *stage)
{
    static uint8_t rgb[3 * 1280 * 720];
    target_read_rgb(&stage->target, rgb);
    return rgb;
}

static size_t bytes_of(Size size)
{
    return 3 * (size_t)size.width * (size_t)size.height;
}

static float linear(uint8_t byte)
{
    const float value = (float)byte / 255;
    return value <= 0.04045f ? value / 12.92f : powf((value + 0.055f) / 1.055f, 2.4f);
}

// Mean light of 16 x 9 cells.
static void take_cells(const Stage *stage, float cells[CELLS])
{
    const Size size = stage->target.size;
    const int wide = size.width / COLUMNS, high = size.height / ROWS;
    const uint8_t *rgb = look(stage);
    memset(cells, 0, sizeof(float) * CELLS);
    for (int y = 0; y < high * ROWS; y++)
        for (int x = 0; x < wide * COLUMNS; x++)
            for (int c = 0; c < 3; c++)
                cells[y / high * COLUMNS + x / wide] += linear(pixel_at(rgb, size, x, y)[c]);
    for (int n = 0; n < CELLS; n++) cells[n] /= (float)(3 * wide * high);
}

static float mean_of(const float cells[CELLS])
{
    float sum = 0;
    for (int n = 0; n < CELLS; n++) sum += cells[n];
    return sum / CELLS;
}

static float brightest_of(const float cells[CELLS])
{
    float most = 0;
    for (int n = 0; n < CELLS; n++) most = fmaxf(most, cells[n]);
    return most;
}

// The means within `mean` of each other, each cell within `cell` of the brightest.
static void expect_alike(const char *what, const float a[CELLS], const float b[CELLS], float mean,
                         float cell)
{
    const float one = mean_of(a), other = mean_of(b), scale = brightest_of(a);
    assert_true(one > 0.001f);
    if (fabsf(one - other) > mean * one)
        fail_msg("%s: mean %g, not %g", what, (double)other, (double)one);
    for (int n = 0; n < CELLS; n++)
        if (fabsf(a[n] - b[n]) > cell * scale)
            fail_msg("%s: cell %d is %g, not %g", what, n, (double)b[n], (double)a[n]);
}

static bool is_black(const Stage *stage)
{
    const uint8_t *rgb = look(stage);
    for (size_t n = 0; n < bytes_of(stage->target.size); n++)
        if (rgb[n]) return false;
    return true;
}

// ---- scenes -------------------------------------------------------------------------------------

// A cloud that drifts and swirls.
static Stage cloud(Size size)
{
    Stage stage = stage_new(size);
    stage_set(&stage, "fields/main/rate", 3000);
    stage_set(&stage, "fields/main/capacity", 8192);
    stage_set(&stage, "fields/main/life", 1);
    stage_set(&stage, "fields/main/size", 0.3);
    stage_set(&stage, "fields/main/area_size/x", 3);
    stage_set(&stage, "fields/main/area_size/y", 2);
    stage_set(&stage, "fields/main/intensity", 0.2);
    stage_set(&stage, "forces/turbulence/strength", 3);
    stage_set(&stage, "forces/drag", 1);
    return stage;
}

static void play(Stage *stage, float seconds, int fps)
{
    stage_prepare(stage, NULL, 0);
    const int frames = (int)lroundf(seconds * (float)fps);
    for (int f = 0; f < frames; f++) stage_frame(stage, 1.0f / (float)fps, 2);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void take_at(int fps, float half_life, float seconds, float cells[CELLS])
{
    Stage stage = cloud(small);
    stage_set(&stage, "look/trail/amount", 2);
    stage_set(&stage, "look/trail/half_life", half_life);
    play(&stage, seconds, fps);
    take_cells(&stage, cells);
    stage_free(&stage);
}

// ---- tests --------------------------------------------------------------------------------------

static void it_is_as_bright_at_30_60_and_144_frames_a_second(void **state)
{
    (void)state;
    if (SANITIZED) skip(); // figures, of the same code again
    static const float half_lives[] = { 0.1f, 1, 5 };
    for (int h = 0; h < COUNT_OF(half_lives); h++) {
        float at60[CELLS], other[CELLS];
        take_at(60, half_lives[h], 1.5f, at60);
        take_at(30, half_lives[h], 1.5f, other);
        expect_alike("30 frames a second", at60, other, 0.02f, 0.04f);
        take_at(144, half_lives[h], 1.5f, other);
        expect_alike("144 frames a second", at60, other, 0.02f, 0.04f);
    }
}

static void it_looks_the_same_at_any_size(void **state)
{
    (void)state;
    float cells[2][CELLS];
    for (int s = 0; s < 2; s++) {
        Stage stage = cloud((Size){ 320 << s, 180 << s });
        stage_set(&stage, "look/trail/amount", 1);
        stage_set(&stage, "look/bloom/amount", 2);
        stage_set(&stage, "look/bloom/radius", 0.8);
        play(&stage, 0.7f, 30);
        take_cells(&stage, cells[s]);
        stage_free(&stage);
    }
    expect_alike("twice the size", cells[0], cells[1], 0.03f, 0.04f);
}

static void a_trail_ends_in_black(void **state)
{
    (void)state;
    Stage stage = cloud(small);
    stage_set(&stage, "look/trail/amount", 20);
    stage_set(&stage, "look/trail/half_life", 1);
    stage_set(&stage, "look/exposure", 8); // what is a million times fainter is still seen
    stage_set(&stage, "fields/main/intensity", 5);
    stage_set(&stage, "fields/main/life", 0.2);
    play(&stage, 0.5f, 30);
    stage_set(&stage, "fields/main/rate", 0);
    play(&stage, 10, 10);
    assert_int_equal(render_status(stage.render).alive, 0);
    assert_false(is_black(&stage));
    play(&stage, 12, 10);
    assert_true(is_black(&stage));
    stage_free(&stage);
}

// A trail that was switched off leaves nothing for when it comes back.
static void a_trail_begins_anew(void **state)
{
    (void)state;
    Stage stage = cloud(small);
    stage_set(&stage, "look/trail/amount", 20);
    stage_set(&stage, "look/trail/half_life", 10);
    stage_set(&stage, "fields/main/life", 0.2);
    play(&stage, 0.5f, 30);
    stage_set(&stage, "fields/main/rate", 0);
    stage_set(&stage, "look/trail/amount", 0);
    play(&stage, 0.5f, 30);
    stage_set(&stage, "look/trail/amount", 20);
    play(&stage, 0.1f, 30);
    assert_true(is_black(&stage));
    stage_free(&stage);
}

static void blackout_and_no_master_are_black(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        double dark, bright;
    } rows[] = { { "show/blackout", 1, 0 }, { "show/master", 0, 1 } };
    Stage stage = cloud(small);
    stage_set(&stage, "look/background/b", 0.5);
    for (int r = 0; r < COUNT_OF(rows); r++) {
        stage_set(&stage, rows[r].path, rows[r].dark);
        play(&stage, 0.2f, 30);
        assert_true(is_black(&stage));
        stage_set(&stage, rows[r].path, rows[r].bright);
        play(&stage, 0.1f, 30);
        assert_false(is_black(&stage));
    }
    stage_free(&stage);
}

static void full_rates_do_not_burn_out(void **state)
{
    (void)state;
    Stage stage = cloud(small);
    stage_set(&stage, "fields/main/rate", 50000);
    stage_set(&stage, "fields/main/capacity", 16384);
    stage_set(&stage, "fields/main/intensity", 100);
    stage_set(&stage, "fields/main/size", 0.5);
    stage_set(&stage, "look/bloom/amount", 4);
    stage_set(&stage, "look/trail/amount", 20);
    play(&stage, 0.7f, 30);
    const uint8_t *rgb = look(&stage);
    size_t clipped = 0, bright = 0;
    for (size_t n = 0; n < bytes_of(small); n++) {
        clipped += rgb[n] == 255;
        bright += rgb[n] > 200;
    }
    assert_true(bright > bytes_of(small) / 10);
    assert_true(clipped < bytes_of(small) / 100);
    stage_free(&stage);
}

// Small sprites are points, large ones quads: nobody should see where one becomes the other, nor at
// the border, where points end.
static void points_and_quads_look_alike(void **state)
{
    (void)state;
    float cells[2][CELLS];
    for (int n = 0; n < 2; n++) {
        Stage stage = cloud(small);
        stage_set(&stage, "fields/main/size", n == 0 ? 1.77 : 1.79); // 16 pixels
        stage_set(&stage, "fields/main/area_size/x", 9);
        stage_set(&stage, "fields/main/area_size/y", 5);
        stage_set(&stage, "fields/main/area_size/z", 0);
        stage_set(&stage, "fields/main/area", AREA_BOX);
        stage_set(&stage, "fields/main/intensity", 0.05);
        play(&stage, 0.3f, 30);
        take_cells(&stage, cells[n]);
        stage_free(&stage);
    }
    expect_alike("quads", cells[0], cells[1], 0.04f, 0.06f);
}

// A sprite of less than a pixel fades with its area.
static void tiny_sprites_fade_instead_of_flickering(void **state)
{
    (void)state;
    float means[2];
    for (int n = 0; n < 2; n++) {
        float cells[CELLS];
        Stage stage = cloud(small);
        stage_set(&stage, "look/bloom/amount", 0);
        stage_set(&stage, "look/vignette", 0);
        stage_set(&stage, "fields/main/size", n == 0 ? 0.1 : 0.05);
        stage_set(&stage, "fields/main/intensity", n == 0 ? 0.5 : 2);
        stage_set(&stage, "look/exposure", -2);
        play(&stage, 0.5f, 30);
        take_cells(&stage, cells);
        means[n] = mean_of(cells);
        stage_free(&stage);
    }
    assert_true(means[0] > 0);
    assert_float_equal(means[1] / means[0], 1, 0.04);
}

// Both engines draw the same births alike.
static void an_emitter_looks_like_a_field(void **state)
{
    (void)state;
    char why[256];
    float cells[2][CELLS];
    for (int n = 0; n < 2; n++) {
        static const char *leaves[] = { "rate",        "life",        "size",
                                        "area_size/x", "area_size/y", "intensity" };
        Stage stage = cloud(small);
        assert_true(params_add(stage.params, OWNER_EMITTER, "main", why, sizeof why) == 0);
        for (int l = 0; l < COUNT_OF(leaves); l++) {
            char field[64], emitter[64];
            snprintf(field, sizeof field, "fields/main/%s", leaves[l]);
            snprintf(emitter, sizeof emitter, "emitters/main/%s", leaves[l]);
            stage_set(&stage, emitter,
                      (double)params_base(stage.params, params_find(stage.params, field)));
        }
        stage_set(&stage, n == 0 ? "emitters/main/rate" : "fields/main/rate", 0);
        play(&stage, 1, 60);
        take_cells(&stage, cells[n]);
        stage_free(&stage);
    }
    // Other seeds: only the means are alike.
    assert_float_equal(mean_of(cells[0]) / mean_of(cells[1]), 1, 0.05);
}

static void a_higher_layer_covers_a_lower_one(void **state)
{
    (void)state;
    char why[256];
    float means[2];
    const Stops black = { 1, { 0 }, { { 0, 0, 0, 1 } } };
    for (int n = 0; n < 2; n++) {
        float cells[CELLS];
        Stage stage = cloud(small);
        assert_true(params_add(stage.params, OWNER_FIELD, "cover", why, sizeof why) == 1);
        assert_true(params_set_stops(stage.params, params_find(stage.params, "fields/cover/colour"),
                                     &black, why, sizeof why));
        stage_set(&stage, "fields/cover/rate", 300);
        stage_set(&stage, "fields/cover/size", 6);
        stage_set(&stage, "fields/cover/softness", 0);
        stage_set(&stage, "fields/cover/blend", BLEND_ALPHA);
        stage_set(&stage, "fields/cover/layer", n == 0 ? -1 : 1);
        play(&stage, 0.5f, 30);
        take_cells(&stage, cells);
        means[n] = mean_of(cells);
        stage_free(&stage);
    }
    assert_true(means[1] < 0.3f * means[0]);
}

static bool all_numbers(const Target *target)
{
    static float pixels[4 * 32 * 18];
    glBindFramebuffer(GL_READ_FRAMEBUFFER, target->framebuffer);
    glReadBuffer(GL_COLOR_ATTACHMENT0);
    glReadPixels(0, 0, 32, 18, GL_RGBA, GL_FLOAT, pixels);
    for (int n = 0; n < COUNT_OF(pixels); n++)
        if (!(pixels[n] >= 0 && pixels[n] <= 1.01f)) return false;
    return true;
}

static void try_value(Stage *stage, ParamId id, float value)
{
    assert_true(params_set(stage->params, id, (double)value));
    stage_prepare(stage, NULL, 0);
    stage_frame(stage, 1.0f / 60, 3);
    if (!all_numbers(&stage->target))
        fail_msg("%s at %g: no numbers", params_row(id)->path, (double)value);
    if (glGetError()) fail_msg("%s at %g: an OpenGL error", params_row(id)->path, (double)value);
}

static void try_row(Stage *stage, Owner owner, int row)
{
    const ParamId id = params_id(owner, 0, row);
    const ParamRow *r = params_row(id);
    const bool number = r->kind == KIND_FLOAT || r->kind == KIND_INT || r->kind == KIND_BOOL ||
                        r->kind == KIND_ENUM;
    if (!number) return;
    const float before = params_base(stage->params, id);
    try_value(stage, id, r->min);
    try_value(stage, id, r->max);
    try_value(stage, id, 0);
    try_value(stage, id, before);
}

// Walks the tables: a new control is tried the day it is added.
static void every_control_at_its_ends_leaves_a_picture_of_numbers(void **state)
{
    (void)state;
    char why[256];
    Stage stage = cloud((Size){ 32, 18 });
    target_free(&stage.target);
    assert_true(
        target_init(&stage.target, (Size){ 32, 18 }, GL_RGBA32F, 1, false, why, sizeof why));
    assert_int_equal(params_add(stage.params, OWNER_EMITTER, "main", why, sizeof why), 0);
    stage_set(&stage, "look/trail/amount", 1);
    play(&stage, 0.5f, 30);
    const int step = SANITIZED ? 3 : 1;
    for (int row = 0; row < GLOBAL_ROWS; row += step) try_row(&stage, OWNER_GLOBAL, row);
    for (int row = 0; row < FIELD_ROWS; row += step) try_row(&stage, OWNER_FIELD, row);
    for (int row = 0; row < EMITTER_ROWS; row += step) try_row(&stage, OWNER_EMITTER, row);
    stage_free(&stage);
}

static void another_size_takes_and_a_refused_one_leaves_the_old(void **state)
{
    (void)state;
    char notice[256];
    Stage stage = cloud(small);
    play(&stage, 0.2f, 30);
    assert_false(
        render_prepare(stage.render, stage.params, (Size){ 1000000, 90 }, notice, sizeof notice));
    assert_true(notice[0]);
    assert_true(render_prepare(stage.render, stage.params, (Size){ 0, 0 }, notice,
                               sizeof notice)); // iconified
    play(&stage, 0.2f, 30);
    assert_false(is_black(&stage));
    assert_true(render_reload(stage.render, notice, sizeof notice));
    play(&stage, 0.2f, 30);
    assert_false(is_black(&stage));
    stage_free(&stage);
}

// ---- memory: the linker sends the rooms' allocations here ---------------------------------------

static int allocations;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

void *__wrap_malloc(size_t size)
{
    allocations++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    allocations++;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    allocations++;
    return __real_realloc(memory, size);
}

static void a_frame_allocates_nothing(void **state)
{
    (void)state;
    static Hud hud;
    static const Features features;
    char why[256];
    hud = (Hud){ .visible = true,
                 .line_count = 1,
                 .rows = { { "a row", HUD_CHOSEN } },
                 .row_count = 1,
                 .features = &features,
                 .banner = "NO AUDIO" };
    Stage stage = cloud(small);
    assert_int_equal(params_add(stage.params, OWNER_EMITTER, "main", why, sizeof why), 0);
    stage_set(&stage, "emitters/main/rate", 1000);
    stage_set(&stage, "look/trail/amount", 1);
    stage_prepare(&stage, NULL, 0);
    assert_true(allocations > 0);
    allocations = 0;
    for (int f = 0; f < 10; f++) {
        stage_frame(&stage, 1.0f / 60, 3);
        render_hud(stage.render, &hud, &stage.target);
    }
    assert_int_equal(allocations, 0);
    stage_free(&stage);
}

static void the_hud_is_legible_on_black_and_on_white(void **state)
{
    (void)state;
    static Hud hud;
    static const Features features = { .signal = { 0.5f, 0.5f }, .spectrum = { 1, 0.5f } };
    hud = (Hud){ .visible = true, .line_count = 3, .features = &features, .banner = "NO AUDIO" };
    for (int l = 0; l < hud.line_count; l++)
        snprintf(hud.lines[l], HUD_LINE, "line %d of the status", l);
    Stage stage = cloud((Size){ 640, 360 });
    for (int white = 0; white < 2; white++) {
        target_bind(&stage.target);
        glClearColor((float)white, (float)white, (float)white, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        render_hud(stage.render, &hud, &stage.target);
        const uint8_t *rgb = look(&stage);
        int bright = 0, dark = 0;
        for (int y = 20; y < 50; y++) // where the lines are
            for (int x = 20; x < 140; x++) {
                bright += pixel_at(rgb, stage.target.size, x, y)[1] > 160;
                dark += pixel_at(rgb, stage.target.size, x, y)[1] < 110;
            }
        assert_true(bright > 20);
        assert_true(dark > bright);
    }
    assert_int_equal(glGetError(), GL_NO_ERROR);
    stage_free(&stage);
}

// The list at the right edge, with the status lines and without, short ones and long.
static void a_list_is_marked_in_colours_at_any_size(void **state)
{
    (void)state;
    static const Size sizes[] = { { 640, 360 }, { 1280, 720 } };
    static Hud hud;
    for (int run = 0; run < 2 * COUNT_OF(sizes); run++) {
        const Size size = sizes[run / 2];
        hud = (Hud){ .visible = run % 2, .line_count = 1, .row_count = HUD_ROWS };
        memset(hud.lines[0], 'w', 120);
        for (int r = 0; r < HUD_ROWS; r++)
            hud.rows[r] = (HudRow){ "what is heard, and what is not there", HUD_PLAIN };
        hud.rows[0].mark = HUD_HEAD;
        hud.rows[4].mark = HUD_CHOSEN;
        hud.rows[9].mark = HUD_MISSING;
        Stage stage = cloud(size);
        target_bind(&stage.target);
        glClearColor(0, 0, 0, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        render_hud(stage.render, &hud, &stage.target);
        const uint8_t *rgb = look(&stage);
        int green = 0, amber = 0, green_y = 0, amber_y = 0, left = 0;
        for (int y = 0; y < size.height; y++)
            for (int x = 0; x < size.width; x++) {
                const uint8_t *at = pixel_at(rgb, size, x, y);
                const bool is_green = at[1] > 150 && at[1] > at[0] + 60;
                const bool is_amber = at[0] > 150 && at[0] > at[2] + 90;
                green += is_green, green_y += is_green * y;
                amber += is_amber, amber_y += is_amber * y;
                left += (is_green || is_amber) && x < size.width / 2;
            }
        assert_true(green > 40 && amber > 40 && left == 0);
        const int apart = amber_y / amber - green_y / green;
        const double five_rows = 5 * 1.25 * fmax(size.height / 45.0, 10);
        assert_true(fabs(apart - five_rows) < 3);
        stage_free(&stage);
    }
}

static void each_missing_shader_is_told_without_a_machine(void **state)
{
    (void)state;
    static const char *const files[] = {
        "finish.frag", "fullscreen.vert", "field_step.frag",   "sprites.vert",
        "text.vert",   "text.frag",       "common/light.glsl", "common/birth.glsl",
    };
    char command[512], path[512], why[512] = "";
    char *folder = new_folder();
    snprintf(command, sizeof command, "cp -r '%s/shaders/.' '%s'", SOURCE_DIR, folder);
    for (int f = 0; f < COUNT_OF(files); f++) {
        assert_int_equal(system(command), 0);
        assert_true(render_check_shaders(folder, why, sizeof why));
        snprintf(path, sizeof path, "%s/%s", folder, files[f]);
        assert_int_equal(unlink(path), 0);
        assert_false(render_check_shaders(folder, why, sizeof why));
        assert_non_null(strstr(why, files[f]));
    }
    free_folder(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_as_bright_at_30_60_and_144_frames_a_second),
        cmocka_unit_test(it_looks_the_same_at_any_size),
        cmocka_unit_test(a_trail_ends_in_black),
        cmocka_unit_test(a_trail_begins_anew),
        cmocka_unit_test(blackout_and_no_master_are_black),
        cmocka_unit_test(full_rates_do_not_burn_out),
        cmocka_unit_test(points_and_quads_look_alike),
        cmocka_unit_test(tiny_sprites_fade_instead_of_flickering),
        cmocka_unit_test(an_emitter_looks_like_a_field),
        cmocka_unit_test(a_higher_layer_covers_a_lower_one),
        cmocka_unit_test(every_control_at_its_ends_leaves_a_picture_of_numbers),
        cmocka_unit_test(another_size_takes_and_a_refused_one_leaves_the_old),
        cmocka_unit_test(a_frame_allocates_nothing),
        cmocka_unit_test(each_missing_shader_is_told_without_a_machine),
        cmocka_unit_test(the_hud_is_legible_on_black_and_on_white),
        cmocka_unit_test(a_list_is_marked_in_colours_at_any_size),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
