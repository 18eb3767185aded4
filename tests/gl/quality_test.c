// What a frame costs the GPU, and the picture at less than full quality.
#include "gl/stage.h"

#include <math.h>

static const Size small = { 160, 90 };

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
    stage_set(&stage, "look/trail/amount", 1);
    stage_set(&stage, "look/bloom/amount", 1);
    return stage;
}

static void play(Stage *stage, int frames)
{
    for (int f = 0; f < frames; f++) {
        stage_prepare(stage, NULL, 0);
        stage_frame(stage, 1.0f / 30, 2);
    }
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

// ---- times --------------------------------------------------------------------------------------

static void every_pass_that_is_drawn_is_timed(void **state)
{
    (void)state;
    Stage stage = cloud(small);
    stage_set(&stage, "look/scope/kind", 1);
    assert_false(render_status(stage.render).timed);
    for (int f = 0; f < 12; f++) {
        play(&stage, 1);
        glFinish(); // so that its times have come for the next one
    }
    const RenderStatus drawn = render_status(stage.render);
    assert_true(drawn.timed);
    for (int p = 0; p < TIMED_PASSES; p++) {
        assert_true(strlen(timed_names[p]) > 0);
        if ((drawn.gpu_ms[p] > 0) != (p != TIMED_HUD))
            fail_msg("%s took %g ms", timed_names[p], (double)drawn.gpu_ms[p]);
        assert_true(drawn.gpu_ms[p] < 10000);
    }

    stage_set(&stage, "look/trail/amount", 0);
    for (int f = 0; f < 3; f++) {
        play(&stage, 1);
        render_hud(stage.render, &(Hud){ .banner = "HUD" }, &stage.target);
        glFinish();
    }
    assert_true(render_status(stage.render).gpu_ms[TIMED_HUD] > 0);
    stage_free(&stage);
}

// ---- looking ------------------------------------------------------------------------------------

enum { COLUMNS = 16, ROWS = 9, CELLS = COLUMNS * ROWS };

static float linear(uint8_t byte)
{
    const float value = (float)byte / 255;
    return value <= 0.04045f ? value / 12.92f : powf((value + 0.055f) / 1.055f, 2.4f);
}

// Mean light of each of 16 x 9 cells.
static void take_cells(const Stage *stage, float cells[CELLS])
{
    static uint8_t rgb[3 * 320 * 1440];
    const Size size = stage->target.size;
    const int wide = size.width / COLUMNS, high = size.height / ROWS;
    target_read_rgb(&stage->target, rgb);
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

// Mean of the cells' differences.
static float distance(const float a[CELLS], const float b[CELLS])
{
    float sum = 0;
    for (int n = 0; n < CELLS; n++) sum += fabsf(a[n] - b[n]);
    return sum / CELLS;
}

static void expect_alike(const char *what, const float a[CELLS], const float b[CELLS], float most)
{
    assert_true(mean_of(a) > 0.001f);
    if (distance(a, b) > most * mean_of(a))
        fail_msg("%s: %g of %g", what, (double)distance(a, b), (double)mean_of(a));
    if (fabsf(mean_of(a) - mean_of(b)) > 0.03f * mean_of(a))
        fail_msg("%s: mean %g, not %g", what, (double)mean_of(b), (double)mean_of(a));
}

static void set_quality(Stage *stage, float scale, float share)
{
    params_tell(stage->params, params_id(OWNER_GLOBAL, 0, GLOBAL_QUALITY_SCALE_NOW), scale);
    params_tell(stage->params, params_id(OWNER_GLOBAL, 0, GLOBAL_QUALITY_SHARE_NOW), share);
}

// ---- scale --------------------------------------------------------------------------------------

static const Size medium = { 320, 180 };

static void it_looks_the_same_at_any_scale(void **state)
{
    (void)state;
    static const float scales[] = { 1, 0.84f, 0.59f, 0.5f, 0.25f };
    float whole[CELLS], cells[CELLS];
    for (int n = 0; n < COUNT_OF(scales); n++) {
        Stage stage = cloud(medium);
        set_quality(&stage, scales[n], 1);
        play(&stage, 12);
        take_cells(&stage, n == 0 ? whole : cells);
        stage_free(&stage);
        if (n > 0) expect_alike("another scale", whole, cells, 0.03f);
    }
}

// Nothing new is drawn: what is seen is the trail, and it goes on fading as it would have.  The picture
// is high enough for a trail that changes its size too.
static void another_scale_keeps_the_trail(void **state)
{
    (void)state;
    static const float scales[] = { 1, 0.5f };
    float cells[2][CELLS];
    for (int n = 0; n < 2; n++) {
        Stage stage = cloud((Size){ 128, 1440 });
        stage_set(&stage, "look/trail/amount", 8);
        stage_set(&stage, "fields/main/intensity", 1);
        stage_set(&stage, "look/trail/half_life", 2);
        stage_set(&stage, "fields/main/life", 0.2);
        play(&stage, 12);
        stage_set(&stage, "fields/main/rate", 0);
        play(&stage, 10);
        assert_int_equal(render_status(stage.render).alive, 0);
        set_quality(&stage, scales[n], 1);
        play(&stage, 1);
        set_quality(&stage, 1, 1);
        play(&stage, 2);
        take_cells(&stage, cells[n]);
        stage_free(&stage);
    }
    expect_alike("there and back", cells[0], cells[1], 0.02f);
}

static void a_scale_that_changes_every_frame_does_not_flash(void **state)
{
    (void)state;
    Stage stage = cloud(medium);
    float before[CELLS], after[CELLS];
    play(&stage, 30);
    take_cells(&stage, before);
    for (int n = 0; n < 8; n++) {
        set_quality(&stage, n % 2 ? 1 : 0.71f, 1);
        play(&stage, 1);
        take_cells(&stage, after);
        if (fabsf(mean_of(after) - mean_of(before)) > 0.04f * mean_of(before))
            fail_msg("frame %d: from %g to %g", n, (double)mean_of(before), (double)mean_of(after));
        memcpy(before, after, sizeof before);
    }
    stage_free(&stage);
}

// ---- share --------------------------------------------------------------------------------------

// A dense cloud far from white: light adds up.  Of particles alike, so that any few are worth the same.
static Stage mist(void)
{
    Stage stage = cloud(medium);
    stage_set(&stage, "fields/main/size_random", 0);
    stage_set(&stage, "fields/main/life_random", 0);
    stage_set(&stage, "fields/main/rate", 8000);
    stage_set(&stage, "fields/main/intensity", 0.02);
    return stage;
}

static void fewer_particles_give_as_much_light(void **state)
{
    (void)state;
    static const float shares[] = { 1, 0.75f, 0.5f, 0.25f, 0.125f };
    float whole[CELLS], cells[CELLS];
    for (int n = 0; n < COUNT_OF(shares); n++) {
        Stage stage = mist();
        set_quality(&stage, 1, shares[n]);
        play(&stage, 20);
        take_cells(&stage, n == 0 ? whole : cells);
        assert_true(render_status(stage.render).alive > 4000); // all of them live
        stage_free(&stage);
        if (n > 0) expect_alike("another share", whole, cells, 0.05f / sqrtf(shares[n]));
    }
}

static void emitters_give_as_much_light_too(void **state)
{
    (void)state;
    char why[256];
    float whole[CELLS], cells[CELLS];
    for (int n = 0; n < 2; n++) {
        Stage stage = mist();
        stage_set(&stage, "fields/main/visible", 0);
        assert_true(params_add(stage.params, OWNER_EMITTER, "dots", why, sizeof why) >= 0);
        stage_set(&stage, "emitters/dots/rate", 6000);
        stage_set(&stage, "emitters/dots/life", 0.5);
        stage_set(&stage, "emitters/dots/size", 0.3);
        stage_set(&stage, "emitters/dots/size_random", 0);
        stage_set(&stage, "emitters/dots/life_random", 0);
        stage_set(&stage, "emitters/dots/area_size/x", 3);
        stage_set(&stage, "emitters/dots/area_size/y", 2);
        stage_set(&stage, "emitters/dots/intensity", 0.05);
        set_quality(&stage, 1, n == 0 ? 1 : 0.25f);
        play(&stage, 20);
        take_cells(&stage, n == 0 ? whole : cells);
        stage_free(&stage);
    }
    expect_alike("a quarter of the sprites", whole, cells, 0.2f);
}

static void a_share_that_changes_does_not_flash(void **state)
{
    (void)state;
    Stage stage = mist();
    float before[CELLS], after[CELLS];
    play(&stage, 40);
    take_cells(&stage, before);
    for (int n = 0; n < 20; n++) {
        set_quality(&stage, 1, n < 10 ? 0.25f : 1);
        play(&stage, 1);
        take_cells(&stage, after);
        if (fabsf(mean_of(after) - mean_of(before)) > 0.04f * mean_of(before))
            fail_msg("frame %d: from %g to %g", n, (double)mean_of(before), (double)mean_of(after));
        memcpy(before, after, sizeof before);
    }
    stage_free(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pass_that_is_drawn_is_timed),
        cmocka_unit_test(it_looks_the_same_at_any_scale),
        cmocka_unit_test(another_scale_keeps_the_trail),
        cmocka_unit_test(a_scale_that_changes_every_frame_does_not_flash),
        cmocka_unit_test(fewer_particles_give_as_much_light),
        cmocka_unit_test(emitters_give_as_much_light_too),
        cmocka_unit_test(a_share_that_changes_does_not_flash),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
