#include "test.h"

#include <stdio.h>
#include <string.h>

#include "app/source_list.h"

static const SourceList three = {
    .inputs = { { "mic", "Scarlett 2i2", false },
                { "stage.monitor", "Monitor of Stage", true },
                { "stage2.monitor", "Monitor of Stage two", true } },
    .count = 3,
};
static const SourceList none = { .count = 0 };

static void steps_go_round_in_both_directions(void **state)
{
    (void)state;
    static const char *const order[] = {
        "input", "input:mic", "input:stage.monitor", "input:stage2.monitor", "system", "demo"
    };
    enum { ROWS = COUNT_OF(order) };
    char words[SOURCES_WORDS];
    for (int from = 0; from < ROWS; from++)
        for (int steps = -2 * ROWS; steps <= 2 * ROWS; steps++) {
            source_list_step(&three, order[from], steps, words);
            assert_string_equal(words, order[(from + steps + 3 * ROWS) % ROWS]);
        }
}

static void a_step_begins_where_the_source_is(void **state)
{
    (void)state;
    static const struct {
        const SourceList *list;
        const char *current;
        int steps;
        const char *words;
    } rows[] = {
        { &three, "", 1, "input:mic" },
        { &three, "input#3-4", 1, "input:mic" },
        { &three, "input:Scarlett#1-2", 1, "input:stage.monitor" }, // a part of the title
        { &three, "input:stage2.monitor", 1, "system" },
        { &three, "input:Monitor of Stage", 1, "input:stage2.monitor" }, // the first that fits
        { &three, "system#3", -1, "input:stage2.monitor" },
        { &three, "input:gone", 1, "input" }, // in none of the rows
        { &three, "input:gone", -1, "demo" },
        { &three, "file:a.wav", 1, "input" },
        { &three, "demo:clicks", -1, "demo" },
        { &none, "input", 1, "system" },
        { &none, "demo", 1, "input" },
    };
    for (int r = 0; r < COUNT_OF(rows); r++) {
        char words[SOURCES_WORDS];
        source_list_step(rows[r].list, rows[r].current, rows[r].steps, words);
        if (strcmp(words, rows[r].words) != 0)
            fail_msg("%s %+d: %s", rows[r].current, rows[r].steps, words);
    }
}

static const char *marked(const Hud *hud, HudMark mark)
{
    const char *found = "";
    for (int r = 1; r < hud->row_count; r++) {
        if (hud->rows[r].mark != mark) continue;
        assert_string_equal(found, ""); // one at most
        found = hud->rows[r].text;
    }
    return found;
}

static void what_is_heard_and_what_is_missing_is_marked(void **state)
{
    (void)state;
    static const struct {
        const char *current, *heard;
        bool stands_in, demo;
        const char *chosen, *missing; // parts of the rows
    } rows[] = {
        { "", "Scarlett 2i2", false, false, "the default one", "" },
        { "system", "Monitor of Stage", false, false, "system", "" },
        { "input:stage.monitor#1-2", "Monitor of Stage", false, false, "stage.monitor", "" },
        { "input:gone", "Scarlett 2i2", true, false, "Scarlett", "gone" },
        { "input:gone", "gone", false, false, "", "gone" }, // nothing stands in yet
        { "system", "Scarlett 2i2", true, false, "Scarlett", "system" },
        { "", "demo", false, true, "demo ", "the default one" },
        { "demo:clicks", "demo:clicks", false, false, "clicks", "" },
        { "file:/music/a.flac", "file:/music/a.flac", false, false, "/music/a.flac", "" },
    };
    for (int r = 0; r < COUNT_OF(rows); r++) {
        static Hud hud;
        AudioStatus status = { .state = AUDIO_PLAYING, .stands_in = rows[r].stands_in };
        snprintf(status.name, sizeof status.name, "%s", rows[r].heard);
        source_list_show(&three, rows[r].current, &status, rows[r].demo, &hud);
        const char *chosen = marked(&hud, HUD_CHOSEN), *missing = marked(&hud, HUD_MISSING);
        if (!strstr(chosen, rows[r].chosen) || !chosen[0] != !rows[r].chosen[0] ||
            !strstr(missing, rows[r].missing) || !missing[0] != !rows[r].missing[0])
            fail_msg("\"%s\": chosen \"%s\", missing \"%s\"", rows[r].current, chosen, missing);
    }
}

static void a_long_list_shows_the_rows_around_the_current_one(void **state)
{
    (void)state;
    static SourceList many = { .count = SOURCES_INPUTS };
    static Hud hud;
    const AudioStatus status = { .state = AUDIO_PLAYING };
    for (int i = 0; i < many.count; i++) {
        snprintf(many.inputs[i].name, AUDIO_NAME, "%03d", i);
        memset(many.inputs[i].title, 'x', AUDIO_NAME - 1);
        for (int b = 0; b + 1 < AUDIO_NAME - 1; b += 2) // and letters of two bytes
            memcpy(many.inputs[i].title + b + i % 2, "ü", 2);
    }
    for (int i = 0; i < many.count; i++) {
        char current[32];
        snprintf(current, sizeof current, "input:%03d", i);
        source_list_show(&many, current, &status, false, &hud);
        assert_int_equal(hud.row_count, HUD_ROWS);
        assert_non_null(strstr(marked(&hud, HUD_CHOSEN), "…"));
        assert_non_null(strstr(hud.rows[HUD_ROWS - 1].text, "53 more"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_go_round_in_both_directions),
        cmocka_unit_test(a_step_begins_where_the_source_is),
        cmocka_unit_test(what_is_heard_and_what_is_missing_is_marked),
        cmocka_unit_test(a_long_list_shows_the_rows_around_the_current_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
