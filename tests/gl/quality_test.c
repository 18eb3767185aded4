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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pass_that_is_drawn_is_timed),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
