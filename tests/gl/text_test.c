#include "gl/gl.h"

#define SHADERS SOURCE_DIR "/shaders"

enum { WIDTH = 200, HEIGHT = 100 };

static const Size size = { WIDTH, HEIGHT };
static const float white[4] = { 1, 1, 1, 1 }, red[4] = { 1, 0, 0, 1 }, half[4] = { 1, 1, 1, 0.5f };

typedef struct {
    Text *text;
    Target target;
    uint8_t rgb[3 * WIDTH * HEIGHT];
} Page;

static Page *new_page(void)
{
    char why[512];
    Page *page = calloc(1, sizeof *page);
    page->text = text_new(SHADERS, why, sizeof why);
    if (!page->text) fail_msg("%s", why);
    assert_true(target_init(&page->target, size, GL_RGBA8, 1, false, why, sizeof why));
    return page;
}

static void free_page(Page *page)
{
    assert_int_equal(glGetError(), GL_NO_ERROR);
    text_free(page->text);
    target_free(&page->target);
    free(page);
}

static void draw(Page *page)
{
    target_bind(&page->target);
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    text_draw(page->text, &page->target);
    target_read_rgb(&page->target, page->rgb);
}

// Light inside a rectangle, in full pixels.
static float light(const Page *page, int x, int y, int width, int height)
{
    float sum = 0;
    for (int row = y; row < y + height; row++)
        for (int column = x; column < x + width; column++)
            sum += pixel_at(page->rgb, size, column, row)[0] / 255.0f;
    return sum;
}

static void letters_appear_where_they_are_put_and_only_there(void **state)
{
    (void)state;
    Page *page = new_page();
    const float width = text_put(page->text, 40, 30, 20, white, "Hop");
    draw(page);
    const float inside = light(page, 40, 30, (int)width + 1, 20);
    const float all = light(page, 0, 0, WIDTH, HEIGHT);
    assert_true(inside > 50);
    assert_float_equal(inside, all, 1);
    // Each of the three has its own third.
    for (int i = 0; i < 3; i++)
        assert_true(light(page, 40 + (int)(i * width / 3), 30, (int)(width / 3), 20) > 15);
    free_page(page);
}

static void the_shape_of_a_letter_is_upright(void **state)
{
    (void)state;
    Page *page = new_page();
    const float width = text_put(page->text, 0, 0, 80, white, "L");
    draw(page);
    const int middle = (int)width / 2;
    assert_true(light(page, 0, 10, middle, 50) > 100);     // the stem stands left
    assert_true(light(page, middle, 10, middle, 35) < 20); // nothing right of it
    assert_true(light(page, middle, 45, middle, 25) > 50); // but the foot, below
    free_page(page);
}

static void widths_grow_with_letters_height_and_the_longest_line(void **state)
{
    (void)state;
    Page *page = new_page();
    const float one = text_put(page->text, 0, 0, 20, white, "x");
    assert_true(one > 8 && one < 14);
    assert_float_equal(text_put(page->text, 0, 0, 40, white, "x"), 2 * one, 1e-3);
    assert_float_equal(text_put(page->text, 0, 0, 20, white, "i W\nab"), 3 * one, 1e-3);
    assert_float_equal(text_put(page->text, 0, 0, 20, white, "\xc3\xa4\xe2\x86\x92"), 2 * one,
                       1e-3);
    assert_float_equal(text_put(page->text, 0, 0, 20, white, ""), 0, 0);
    free_page(page);
}

static void a_newline_goes_to_the_next_line(void **state)
{
    (void)state;
    Page *page = new_page();
    text_put(page->text, 10, 10, 20, white, "\nM");
    draw(page);
    assert_float_equal(light(page, 0, 0, WIDTH, 30), 0, 1);
    assert_true(light(page, 10, 30, 15, 20) > 20);
    free_page(page);
}

static void a_rectangle_is_filled_to_the_pixel_and_order_is_kept(void **state)
{
    (void)state;
    Page *page = new_page();
    text_rect(page->text, 10, 20, 30, 5, white);
    text_rect(page->text, 20, 20, 10, 5, red);
    text_rect(page->text, 100, 50, 10, 10, half);
    draw(page);
    assert_int_equal(pixel_at(page->rgb, size, 10, 20)[1], 255);
    assert_int_equal(pixel_at(page->rgb, size, 39, 24)[1], 255);
    assert_int_equal(pixel_at(page->rgb, size, 9, 20)[1], 0);
    assert_int_equal(pixel_at(page->rgb, size, 40, 24)[1], 0);
    assert_int_equal(pixel_at(page->rgb, size, 25, 19)[1], 0);
    assert_int_equal(pixel_at(page->rgb, size, 25, 22)[0], 255);
    assert_int_equal(pixel_at(page->rgb, size, 25, 22)[1], 0);
    assert_in_range(pixel_at(page->rgb, size, 105, 55)[0], 127, 128);
    free_page(page);
}

// What has no place in the atlas, or is no UTF-8, is the same box.
static void what_the_font_lacks_is_a_box(void **state)
{
    (void)state;
    Page *page = new_page();
    static uint8_t box[sizeof page->rgb];
    text_put(page->text, 20, 20, 40, white, "\xe2\x96\xa1"); // the box itself
    draw(page);
    memcpy(box, page->rgb, sizeof box);
    assert_true(light(page, 20, 20, 30, 40) > 20);
    static const char *const lacking[] = { "\xe4\xb8\xad", "\xff", "\xf0\x9f\x8e\xb5", "\xc3",
                                           "\x01" };
    for (int i = 0; i < COUNT_OF(lacking); i++) {
        text_put(page->text, 20, 20, 40, white, lacking[i]);
        draw(page);
        assert_memory_equal(page->rgb, box, sizeof box);
    }
    free_page(page);
}

static void every_printable_letter_leaves_ink_and_no_two_are_alike(void **state)
{
    (void)state;
    Page *page = new_page();
    uint32_t hashes[256] = { 0 };
    int count = 0;
    for (int letter = 0x21; letter < 0x100; letter++) {
        if (letter >= 0x7f && letter <= 0xa0) continue;
        if (letter == 0xad) continue; // the soft hyphen looks like the hyphen
        const char utf8[3] = { (char)(letter < 0x80 ? letter : 0xc0 | letter >> 6),
                               (char)(letter < 0x80 ? 0 : 0x80 | (letter & 0x3f)) };
        text_put(page->text, 20, 20, 60, white, utf8);
        draw(page);
        assert_true(light(page, 0, 0, WIDTH, HEIGHT) > 5);
        uint32_t hash = 0;
        for (size_t i = 0; i < sizeof page->rgb; i++) hash = rng_mix(hash ^ page->rgb[i]);
        for (int i = 0; i < count; i++)
            if (hashes[i] == hash) fail_msg("letter %#x looks like another", letter);
        hashes[count++] = hash;
    }
    free_page(page);
}

static void drawing_empties_the_batch(void **state)
{
    (void)state;
    Page *page = new_page();
    text_put(page->text, 10, 10, 20, white, "once");
    draw(page);
    assert_true(light(page, 0, 0, WIDTH, HEIGHT) > 20);
    draw(page);
    assert_float_equal(light(page, 0, 0, WIDTH, HEIGHT), 0, 0);
    free_page(page);
}

static void letters_beyond_the_room_are_dropped(void **state)
{
    (void)state;
    Page *page = new_page();
    for (int i = 0; i < 8191; i++) text_rect(page->text, 0, 0, 1, 1, white);
    text_rect(page->text, 50, 50, 1, 1, white);
    text_rect(page->text, 60, 60, 1, 1, white); // one too many
    draw(page);
    assert_int_equal(pixel_at(page->rgb, size, 50, 50)[0], 255);
    assert_int_equal(pixel_at(page->rgb, size, 60, 60)[0], 0);
    free_page(page);
}

// Whatever the passes before left switched on.
static void no_state_of_others_matters(void **state)
{
    (void)state;
    Page *page = new_page();
    text_rect(page->text, 10, 10, 10, 10, white);
    draw(page);
    GLint before, after;
    glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &before);
    text_rect(page->text, 50, 50, 10, 10, white);
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, 1, 1);
    glEnable(GL_CULL_FACE);
    glCullFace(GL_FRONT_AND_BACK);
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ZERO, GL_ZERO);
    glBlendEquation(GL_FUNC_REVERSE_SUBTRACT);
    glPolygonMode(GL_FRONT_AND_BACK, GL_POINT);
    text_draw(page->text, &page->target);
    target_read_rgb(&page->target, page->rgb);
    glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &after);
    assert_int_equal(before, after);
    assert_int_equal(pixel_at(page->rgb, size, 10, 10)[0], 255);
    assert_int_equal(pixel_at(page->rgb, size, 59, 59)[0], 255);
    free_page(page);
}

static void missing_shaders_are_said(void **state)
{
    (void)state;
    char why[256] = "";
    assert_null(text_new("/nowhere", why, sizeof why));
    assert_non_null(strstr(why, "/nowhere/text.vert"));
    text_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_appear_where_they_are_put_and_only_there),
        cmocka_unit_test(the_shape_of_a_letter_is_upright),
        cmocka_unit_test(widths_grow_with_letters_height_and_the_longest_line),
        cmocka_unit_test(a_newline_goes_to_the_next_line),
        cmocka_unit_test(a_rectangle_is_filled_to_the_pixel_and_order_is_kept),
        cmocka_unit_test(what_the_font_lacks_is_a_box),
        cmocka_unit_test(every_printable_letter_leaves_ink_and_no_two_are_alike),
        cmocka_unit_test(drawing_empties_the_batch),
        cmocka_unit_test(letters_beyond_the_room_are_dropped),
        cmocka_unit_test(no_state_of_others_matters),
        cmocka_unit_test(missing_shaders_are_said),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
