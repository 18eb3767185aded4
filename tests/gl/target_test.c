#include "gl/gl.h"

static void clear_to(const Target *target, float red, float green, float blue)
{
    target_bind(target);
    glClearColor(red, green, blue, 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

static const GLenum formats[] = { GL_RGBA8,   GL_R8,    GL_RG16F,    GL_RGBA16F,       GL_R32F,
                                  GL_RGBA32F, GL_RG32F, GL_RGB10_A2, GL_R11F_G11F_B10F };

static void every_format_can_be_drawn_into_and_starts_black(void **state)
{
    (void)state;
    const Size size = { 7, 5 };
    for (int i = 0; i < COUNT_OF(formats); i++) {
        char why[256];
        uint8_t rgb[3 * 7 * 5];
        Target target;
        memset(rgb, 77, sizeof rgb);
        assert_true(target_init(&target, size, formats[i], 2, i % 2, why, sizeof why));
        assert_true(target.textures[0] && target.textures[1]);
        target_read_rgb(&target, rgb);
        assert_int_equal(pixel_at(rgb, size, 6, 4)[0], 0);
        clear_to(&target, 1, 0, 0);
        target_read_rgb(&target, rgb);
        for (int n = 0; n < 35; n++) assert_int_equal(rgb[3 * n], 255);
        target_free(&target);
        assert_int_equal(glGetError(), GL_NO_ERROR);
    }
}

static void integers_can_be_drawn_into(void **state)
{
    (void)state;
    char why[256];
    Target target;
    GLuint got[4] = { 7, 7, 7, 7 };
    assert_true(target_init(&target, (Size){ 2, 2 }, GL_RGBA32UI, 1, true, why, sizeof why));
    glReadPixels(0, 0, 1, 1, GL_RGBA_INTEGER, GL_UNSIGNED_INT, got);
    assert_int_equal(got[0], 0);
    target_free(&target);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void reading_back_begins_at_the_top_and_packs_rows(void **state)
{
    (void)state;
    const Size size = { 5, 3 }; // rows of 15 bytes: no alignment hides in there
    char why[256];
    uint8_t rgb[45];
    Target target;
    assert_true(target_init(&target, size, GL_RGBA16F, 1, true, why, sizeof why));
    clear_to(&target, 0, 0, 0);
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 2, 5, 1); // the uppermost row: OpenGL counts from below
    clear_to(&target, 0, 1, 0);
    glScissor(4, 0, 1, 1); // the right lower corner
    clear_to(&target, 0, 0, 1);
    glDisable(GL_SCISSOR_TEST);
    glPixelStorei(GL_PACK_ALIGNMENT, 8); // what others left must not matter
    target_read_rgb(&target, rgb);
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 5; x++) {
            assert_int_equal(pixel_at(rgb, size, x, y)[1], y == 0 ? 255 : 0);
            assert_int_equal(pixel_at(rgb, size, x, y)[2], x == 4 && y == 2 ? 255 : 0);
        }
    target_free(&target);
}

static void binding_sets_the_viewport_over_the_whole(void **state)
{
    (void)state;
    char why[256];
    GLint viewport[4], bound;
    Target target;
    assert_true(target_init(&target, (Size){ 30, 20 }, GL_RGBA8, 1, true, why, sizeof why));
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(1, 2, 3, 4);
    target_bind(&target);
    glGetIntegerv(GL_VIEWPORT, viewport);
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &bound);
    assert_int_equal(bound, target.framebuffer);
    assert_true(viewport[0] == 0 && viewport[1] == 0 && viewport[2] == 30 && viewport[3] == 20);
    target_free(&target);
}

// Sizes that no machine draws, and one that this machine's own limit refuses.
static void what_is_too_large_or_empty_is_refused_with_a_sentence(void **state)
{
    (void)state;
    GLint most;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
    const Size refused[] = { { most + 1, 1 }, { 1, most + 1 }, { 1 << 30, 1 << 30 },
                             { 0, 10 },       { 10, 0 },       { -1, 10 } };
    for (int i = 0; i < COUNT_OF(refused); i++) {
        char why[256] = "";
        Target target = { .framebuffer = 99 };
        assert_false(target_init(&target, refused[i], GL_RGBA8, 1, false, why, sizeof why));
        assert_non_null(strstr(why, " x "));
        assert_int_equal(target.framebuffer, 0);
        target_free(&target);
    }
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void a_format_that_nothing_draws_into_is_refused(void **state)
{
    (void)state;
    char why[256] = "";
    Target target;
    assert_false(
        target_init(&target, (Size){ 8, 8 }, GL_DEPTH_COMPONENT24, 1, false, why, sizeof why));
    assert_non_null(strstr(why, "8 x 8"));
    assert_int_equal(target.textures[0], 0);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void what_others_left_wrong_does_not_refuse_a_target(void **state)
{
    (void)state;
    char why[256];
    Target target;
    uint8_t rgb[3] = { 9, 9, 9 };
    glEnable(0xffff); // an error that waits to be asked for
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, 0, 0);
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    assert_true(target_init(&target, (Size){ 1, 1 }, GL_RGBA8, 1, false, why, sizeof why));
    target_read_rgb(&target, rgb);
    assert_int_equal(rgb[0], 0);
    target_free(&target);
}

static void a_free_takes_an_empty_one(void **state)
{
    (void)state;
    Target target = { 0 };
    target_free(&target);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_can_be_drawn_into_and_starts_black),
        cmocka_unit_test(integers_can_be_drawn_into),
        cmocka_unit_test(reading_back_begins_at_the_top_and_packs_rows),
        cmocka_unit_test(binding_sets_the_viewport_over_the_whole),
        cmocka_unit_test(what_is_too_large_or_empty_is_refused_with_a_sentence),
        cmocka_unit_test(a_format_that_nothing_draws_into_is_refused),
        cmocka_unit_test(what_others_left_wrong_does_not_refuse_a_target),
        cmocka_unit_test(a_free_takes_an_empty_one),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
