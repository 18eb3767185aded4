#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "audio/pairs.h"
#include "base/base.h"

static void every_map_says_what_both_channels_become(void **state)
{
    (void)state;
    static const struct {
        AudioChannels channels;
        float in[2], out[2];
    } rows[] = {
        { AUDIO_LOUDEST, { 0.5f, -0.25f }, { 0.5f, -0.25f } },
        { AUDIO_LEFT, { 0.5f, -0.25f }, { 0.5f, 0.5f } },
        { AUDIO_RIGHT, { 0.5f, -0.25f }, { -0.25f, -0.25f } },
        { AUDIO_MIX, { 0.5f, -0.25f }, { 0.125f, 0.125f } },
        { AUDIO_MIX, { 0.5f, -0.5f }, { 0, 0 } },
        { AUDIO_MIX, { NAN, 0.5f }, { 0.25f, 0.25f } },
        { AUDIO_MIX, { 0.5f, -INFINITY }, { 0.25f, 0.25f } },
        { AUDIO_MIX, { 3e38f, 3e38f }, { 3e38f, 3e38f } },
    };
    for (int r = 0; r < COUNT_OF(rows); r++) {
        float pairs[2 * 3] = { 9, 9, rows[r].in[0], rows[r].in[1], 9, 9 };
        pairs_map(rows[r].channels, pairs + 2, 1);
        assert_true(pairs[2] == rows[r].out[0] && pairs[3] == rows[r].out[1]);
        assert_true(pairs[1] == 9 && pairs[4] == 9);
    }
}

enum { LENGTH = 1000 };

// Pair n of a stretch is (n + 1, -(n + 1)).
static void fill(float *pairs, int from, int count)
{
    for (int n = 0; n < count; n++) {
        pairs[2 * n] = (float)(from + n + 1);
        pairs[2 * n + 1] = -pairs[2 * n];
    }
}

// In pieces of any size each pair comes out exactly so much later, silence before the first.
static void what_goes_in_comes_out_so_much_later(void **state)
{
    (void)state;
    static const uint32_t lates[] = { 0, 1, 2, 63, 64, 100, 500 };
    for (int l = 0; l < COUNT_OF(lates); l++) {
        Delay delay;
        float pairs[2 * 64];
        assert_true(delay_init(&delay, 500));
        for (int at = 0, step = 0; at < LENGTH; step++) {
            const int count = step * 7 % 64;
            fill(pairs, at, count);
            delay_run(&delay, lates[l], pairs, (uint32_t)count);
            for (int n = 0; n < count; n++, at++) {
                const int want = at - (int)lates[l] + 1;
                assert_true(pairs[2 * n] == (float)(want > 0 ? want : 0));
                assert_true(pairs[2 * n + 1] == -pairs[2 * n]);
            }
        }
        delay_free(&delay);
    }
}

static void nothing_from_before_a_join_comes_after_it(void **state)
{
    (void)state;
    static const uint32_t lates[] = { 0, 1, 10, 100 };
    for (int l = 0; l < COUNT_OF(lates); l++) {
        Delay delay;
        float pairs[2 * 8];
        int told = -1;
        assert_true(delay_init(&delay, 100));
        for (int n = 0; n < 300; n += 8) {
            fill(pairs, 5000 + n, 8);
            assert_false(delay_run(&delay, lates[l], pairs, 8));
        }
        delay_join(&delay);
        for (int n = 0; n < 304; n += 8) {
            fill(pairs, n, 8);
            if (delay_run(&delay, lates[l], pairs, 8)) {
                assert_int_equal(told, -1); // once
                told = n;
            }
            for (int i = 0; i < 8; i++) assert_true(pairs[2 * i] < 5000);
        }
        // Told with the piece in which the new stretch begins to come out.
        assert_int_equal(told, lates[l] / 8 * 8);
        delay_free(&delay);
    }
}

static void more_delay_than_there_is_room_for_is_the_most(void **state)
{
    (void)state;
    Delay delay;
    float pair[2] = { 1, -1 };
    assert_true(delay_init(&delay, 100));
    delay_run(&delay, 4000000000U, pair, 1);
    int late = 0;
    for (; pair[0] != 1 && late < 1000; late++) {
        pair[0] = pair[1] = 0.5f;
        delay_run(&delay, 4000000000U, pair, 1);
    }
    assert_true(late >= 100 && late < 256);
    delay_free(&delay);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_map_says_what_both_channels_become),
        cmocka_unit_test(what_goes_in_comes_out_so_much_later),
        cmocka_unit_test(nothing_from_before_a_join_comes_after_it),
        cmocka_unit_test(more_delay_than_there_is_room_for_is_the_most),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
