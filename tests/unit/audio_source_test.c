#include "test.h"

#include <stdio.h>
#include <string.h>

#include "audio/audio.h"
#include "audio/source.h"
#include "base/base.h"

static void a_pair_of_channels_is_cut_off_the_end_only(void **state)
{
    (void)state;
    static const struct {
        const char *words, *left_over;
        int left, right;
    } rows[] = {
        { "input:Scarlett#3-4", "input:Scarlett", 3, 4 },
        { "input#2-1", "input", 2, 1 },
        { "system#7", "system", 7, 7 },
        { "input:a#256-1", "input:a", 256, 1 },
        { "input:Mic #2#1-2", "input:Mic #2", 1, 2 },
        { "input:Scarlett", "input:Scarlett", 0, 0 },
        { "input:USB #2 Mic", "input:USB #2 Mic", 0, 0 },
        { "input:a#", "input:a#", 0, 0 },
        { "input:a#x", "input:a#x", 0, 0 },
        { "input:a#3-", "input:a#3-", 0, 0 },
        { "input:a#3-4 ", "input:a#3-4 ", 0, 0 },
        { "input:a#0-1", "input:a#0-1", 0, 0 },
        { "input:a#1--2", "input:a#1--2", 0, 0 },
        { "input:a#-1", "input:a#-1", 0, 0 },
        { "input:a#1-257", "input:a#1-257", 0, 0 },
        { "input:a#99999999999", "input:a#99999999999", 0, 0 },
        { "", "", 0, 0 },
    };
    for (int r = 0; r < COUNT_OF(rows); r++) {
        char words[64];
        int left = -1, right = -1;
        snprintf(words, sizeof words, "%s", rows[r].words);
        source_cut_pair(words, &left, &right);
        if (strcmp(words, rows[r].left_over) || left != rows[r].left || right != rows[r].right)
            fail_msg("%s: \"%s\" %d %d", rows[r].words, words, left, right);
    }
}

static void other_words_are_refused_with_one_sentence(void **state)
{
    (void)state;
    static const char *const wrong[] = { "inputs", "Input", "input;x", "system:x",   "file",
                                         "file:",  "demos", "demo:x",  "demo:click", "#1-2" };
    for (int w = 0; w < COUNT_OF(wrong); w++) {
        char why[256] = "";
        assert_null(audio_open(&(AudioDesc){ .source = wrong[w] }, why, sizeof why));
        assert_true(strlen(why) > 10);
        assert_null(strchr(why, '\n'));
    }
}

static void every_state_has_a_name_of_its_own(void **state)
{
    (void)state;
    for (int a = AUDIO_OPENING; a <= AUDIO_PAUSED; a++)
        for (int b = AUDIO_OPENING; b < a; b++)
            assert_string_not_equal(audio_state_name((AudioState)a),
                                    audio_state_name((AudioState)b));
    assert_string_equal(audio_state_name(AUDIO_PAUSED), "PAUSED");
    assert_string_equal(audio_state_name((AudioState)(AUDIO_PAUSED + 1)), "?");
    assert_string_equal(audio_state_name((AudioState)-1), "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pair_of_channels_is_cut_off_the_end_only),
        cmocka_unit_test(other_words_are_refused_with_one_sentence),
        cmocka_unit_test(every_state_has_a_name_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
