#include "test.h"

#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "render/sheet_art.h"

static uint8_t sheet[SHEET_BYTES];

static float light(uint8_t root)
{
    return (float)root * (float)root / (255.0f * 255);
}

static const uint8_t *texel(int level, int x, int y)
{
    return sheet + sheet_level_at(level) + 4 * (y * sheet_level_side(level) + x);
}

static float mean_cover(int level)
{
    const int side = sheet_level_side(level);
    double sum = 0;
    for (int n = 0; n < side * side; n++) sum += light(texel(level, n % side, n / side)[3]);
    return (float)(sum / (side * side));
}

// How much of two frames differs, as a share of what the first one covers.
static float difference(const SheetArt *art, int one, int other)
{
    const int wide = sheet_frame_side(art->columns), high = sheet_frame_side(art->rows);
    float sum = 0, cover = 0;
    for (int y = 0; y < high; y++) {
        for (int x = 0; x < wide; x++) {
            const float a =
                light(texel(0, one % art->columns * wide + x, one / art->columns * high + y)[3]);
            const float b = light(
                texel(0, other % art->columns * wide + x, other / art->columns * high + y)[3]);
            sum += fabsf(a - b);
            cover += a;
        }
    }
    return sum / cover;
}

static void expect_empty_rims(const SheetArt *art)
{
    const int wide = sheet_frame_side(art->columns), high = sheet_frame_side(art->rows);
    for (int y = 0; y < art->rows * high; y++)
        for (int x = 0; x < art->columns * wide; x++) {
            const bool rim =
                x % wide == 0 || x % wide == wide - 1 || y % high == 0 || y % high == high - 1;
            if (rim && texel(0, x, y)[3] > 12) // 0.2 % of light
                fail_msg("%s: %d at the rim, %d, %d", art->name, texel(0, x, y)[3], x, y);
        }
}

static void every_sheet_shows_something_in_every_frame_and_nothing_at_its_rim(void **state)
{
    (void)state;
    for (int a = 0; a < sheet_art_count; a++) {
        const SheetArt *art = &sheet_arts[a];
        assert_ptr_equal(sheet_art_find(art->name), art);
        sheet_art_draw(art, sheet);
        expect_empty_rims(art);
        const int wide = sheet_frame_side(art->columns), high = sheet_frame_side(art->rows);
        for (int f = 0; f < art->columns * art->rows; f++) {
            int brightest = 0;
            for (int n = 0; n < wide * high; n++) {
                const uint8_t *t = texel(0, f % art->columns * wide + n % wide,
                                         f / art->columns * high + n / wide);
                if (t[0] > brightest) brightest = t[0];
                assert_true(t[0] <= t[3] + 1 && t[1] <= t[3] + 1 && t[2] <= t[3] + 1);
            }
            if (brightest < 180) fail_msg("%s: frame %d is dark", art->name, f);
        }
        for (int l = 1; l < SHEET_LEVELS; l++)
            assert_float_equal(mean_cover(l), mean_cover(0), 0.02f * mean_cover(0) + 1e-4f);
    }
    assert_null(sheet_art_find("nothing"));
}

static void smoke_and_flame_go_on_from_frame_to_frame_and_round(void **state)
{
    (void)state;
    const char *moving[] = { "smoke", "flame" };
    for (int m = 0; m < COUNT_OF(moving); m++) {
        const SheetArt *art = sheet_art_find(moving[m]);
        const int frames = art->columns * art->rows;
        sheet_art_draw(art, sheet);
        for (int f = 0; f < frames; f++) {
            const float next = difference(art, f, (f + 1) % frames);
            if (!(next > 0.005f && next < 0.4f))
                fail_msg("%s: frame %d and the next differ by %g", art->name, f, (double)next);
            assert_true(difference(art, f, (f + frames / 2) % frames) > next);
        }
    }
}

static void debris_is_a_shard_of_its_own_in_every_frame(void **state)
{
    (void)state;
    const SheetArt *art = sheet_art_find("debris");
    sheet_art_draw(art, sheet);
    for (int f = 0; f < 16; f++)
        for (int g = 0; g < f; g++) assert_true(difference(art, f, g) > 0.1f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sheet_shows_something_in_every_frame_and_nothing_at_its_rim),
        cmocka_unit_test(smoke_and_flame_go_on_from_frame_to_frame_and_round),
        cmocka_unit_test(debris_is_a_shard_of_its_own_in_every_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
