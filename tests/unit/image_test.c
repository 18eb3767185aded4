#include "test.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "gfx/gfx.h"

static int enter_folder(void **state)
{
    static char path[32];
    strcpy(path, "/tmp/motes_test_XXXXXX");
    *state = path;
    return mkdtemp(path) && chdir(path) == 0 ? 0 : -1;
}

static int leave_folder(void **state)
{
    char command[64];
    snprintf(command, sizeof command, "rm -r '%s'", (const char *)*state);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

static uint8_t *noise(Size size, int channels)
{
    const size_t count = (size_t)channels * (size_t)size.width * (size_t)size.height;
    uint8_t *bytes = malloc(count);
    assert_non_null(bytes);
    for (size_t i = 0; i < count; i++) bytes[i] = (uint8_t)rng_mix((uint32_t)i);
    return bytes;
}

static const Size sizes[] = { { 1, 1 }, { 3, 5 }, { 17, 2 }, { 640, 360 } };

static void a_picture_comes_back_as_it_was_written(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT_OF(sizes); i++) {
        char why[256];
        Size size = { 0 };
        uint8_t *rgb = noise(sizes[i], 3);
        if (!image_write_png("a.png", sizes[i], rgb, why, sizeof why)) fail_msg("%s", why);
        uint8_t *rgba = image_read_png("a.png", &size, why, sizeof why);
        if (!rgba) fail_msg("%s", why);
        assert_int_equal(size.width, sizes[i].width);
        assert_int_equal(size.height, sizes[i].height);
        for (int n = 0; n < size.width * size.height; n++) {
            assert_memory_equal(rgba + 4 * n, rgb + 3 * n, 3);
            assert_int_equal(rgba[4 * n + 3], 255);
        }
        free(rgba);
        free(rgb);
    }
}

static void the_same_picture_gives_the_same_bytes(void **state)
{
    (void)state;
    char why[256];
    size_t first, second;
    const Size size = { 100, 50 };
    uint8_t *rgb = noise(size, 3);
    assert_true(image_write_png("a.png", size, rgb, why, sizeof why));
    assert_true(image_write_png("b.png", size, rgb, why, sizeof why));
    char *a = file_read("a.png", &first, why, sizeof why);
    char *b = file_read("b.png", &second, why, sizeof why);
    assert_int_equal(first, second);
    assert_memory_equal(a, b, first);
    free(a);
    free(b);
    free(rgb);
}

// A sprite sheet of any kind of PNG is read as RGBA.
static const png_uint_32 kinds[] = { PNG_FORMAT_GRAY, PNG_FORMAT_GA, PNG_FORMAT_RGB,
                                     PNG_FORMAT_RGBA };

static void every_kind_of_png_is_read_as_rgba(void **state)
{
    (void)state;
    static const uint8_t pixels[16] = { 200, 50, 200, 50 };
    for (int i = 0; i < COUNT_OF(kinds); i++) {
        char why[256];
        Size size;
        png_image image = {
            .version = PNG_IMAGE_VERSION, .width = 2, .height = 2, .format = kinds[i]
        };
        assert_true(png_image_write_to_file(&image, "kind.png", 0, pixels, 0, NULL));
        uint8_t *rgba = image_read_png("kind.png", &size, why, sizeof why);
        if (!rgba) fail_msg("%s", why);
        const bool has_alpha = kinds[i] & PNG_FORMAT_FLAG_ALPHA;
        const int channels = (int)PNG_IMAGE_SAMPLE_CHANNELS(kinds[i]);
        assert_int_equal(rgba[0], 200);
        assert_int_equal(rgba[2], channels > 2 ? 200 : rgba[0]);
        assert_int_equal(rgba[3], has_alpha ? 50 : 255);
        free(rgba);
    }
}

static void refuse(const char *path)
{
    char why[256] = "";
    Size size;
    uint8_t *rgba = image_read_png(path, &size, why, sizeof why);
    if (rgba) fail_msg("%s was taken", path);
    assert_non_null(strstr(why, path));
    assert_null(strchr(why, '\n'));
}

static void put(const char *path, const char *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    fclose(file);
}

static void what_is_no_whole_png_is_refused_with_a_sentence(void **state)
{
    (void)state;
    char why[256];
    size_t length;
    const Size size = { 30, 30 };
    uint8_t *rgb = noise(size, 3);
    assert_true(image_write_png("whole.png", size, rgb, why, sizeof why));
    char *whole = file_read("whole.png", &length, why, sizeof why);
    assert_non_null(whole);

    refuse("nowhere.png");
    put("text.png", "not a picture at all", 20);
    refuse("text.png");
    for (size_t cut = 0; cut + 100 < length; cut += length / 20) {
        put("cut.png", whole, cut);
        refuse("cut.png");
    }
    whole[length / 2] ^= 1; // a chunk's checksum tells
    put("flipped.png", whole, length);
    refuse("flipped.png");
    free(whole);
    free(rgb);
}

static void what_is_too_large_is_refused_before_memory_is_taken(void **state)
{
    (void)state;
    char why[256];
    const Size size = { 8193, 1 };
    uint8_t *rgb = noise(size, 3);
    assert_true(image_write_png("wide.png", size, rgb, why, sizeof why));
    refuse("wide.png");
    free(rgb);
}

static void a_place_that_takes_no_file_is_said(void **state)
{
    (void)state;
    char why[256] = "";
    const uint8_t rgb[3] = { 0 };
    assert_false(image_write_png("no/such/folder.png", (Size){ 1, 1 }, rgb, why, sizeof why));
    assert_non_null(strstr(why, "no/such/folder.png: "));
    assert_false(image_write_png("none.png", (Size){ 0, 1 }, rgb, why, sizeof why));
    assert_non_null(strstr(why, "none.png: "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_picture_comes_back_as_it_was_written),
        cmocka_unit_test(the_same_picture_gives_the_same_bytes),
        cmocka_unit_test(every_kind_of_png_is_read_as_rgba),
        cmocka_unit_test(what_is_no_whole_png_is_refused_with_a_sentence),
        cmocka_unit_test(what_is_too_large_is_refused_before_memory_is_taken),
        cmocka_unit_test(a_place_that_takes_no_file_is_said),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
