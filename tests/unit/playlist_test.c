#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/playlist.h"

static void make_folder(char *folder, const char *const *files, int count)
{
    char path[256], why[256];
    strcpy(folder, "/tmp/motes-presets-XXXXXX");
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < count; i += 2) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        assert_true(file_write(path, files[i + 1], strlen(files[i + 1]), why, sizeof why));
    }
}

static void remove_folder(const char *folder, const char *const *files, int count)
{
    char path[256];
    for (int i = 0; i < count; i += 2) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        unlink(path);
    }
    rmdir(folder);
}

// Waits for the worker as a host would, frame by frame.
static PlaylistAnswer wait_answer(Playlist *list)
{
    PlaylistAnswer answer;
    for (int i = 0; i < 1000; i++) {
        if (playlist_take(list, &answer)) return answer;
        usleep(10000);
    }
    fail_msg("no answer");
    return answer;
}

#define GOOD "{\"version\": 1, \"title\": \"t\"}"

static void steps_go_round_and_over_broken_ones(void **state)
{
    (void)state;
    static const char *const files[] = { "a.json", GOOD, "b.json",   "{",
                                         "c.json", GOOD, "note.txt", "no preset" };
    static const struct {
        int step;
        const char *name;
    } steps[] = { { 1, "c" }, { 1, "a" }, { -1, "c" }, { -1, "a" }, { 1, "c" } };
    char folder[64], why[256];
    make_folder(folder, files, COUNT_OF(files));
    Playlist *list = playlist_open(folder, "a", why, sizeof why);
    for (int i = 0; i < COUNT_OF(steps); i++) {
        playlist_ask_step(list, steps[i].step);
        const PlaylistAnswer answer = wait_answer(list);
        assert_non_null(answer.preset);
        assert_string_equal(answer.name, steps[i].name);
        playlist_return(list, answer.preset);
    }
    playlist_close(list);
    remove_folder(folder, files, COUNT_OF(files));
}

static void a_folder_of_broken_presets_ends_after_one_round(void **state)
{
    (void)state;
    static const char *const files[] = { "a.json", "", "b.json", "{}}" };
    char folder[64], why[256];
    make_folder(folder, files, COUNT_OF(files));
    Playlist *list = playlist_open(folder, "", why, sizeof why);
    playlist_ask_step(list, 1);
    const PlaylistAnswer answer = wait_answer(list);
    assert_null(answer.preset);
    assert_true(strlen(answer.why) > 5);
    playlist_close(list);
    remove_folder(folder, files, COUNT_OF(files));
}

static void an_empty_folder_and_an_unknown_name_are_sentences(void **state)
{
    (void)state;
    char why[256];
    Playlist *list = playlist_open("/nowhere", "", why, sizeof why);
    assert_non_null(list);
    playlist_ask_step(list, -1);
    PlaylistAnswer answer = wait_answer(list);
    assert_null(answer.preset);
    assert_true(strlen(answer.why) > 5);
    playlist_ask(list, "no-such-preset");
    answer = wait_answer(list);
    assert_null(answer.preset);
    assert_non_null(strstr(answer.why, "no-such-preset"));
    playlist_close(list);
    playlist_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_go_round_and_over_broken_ones),
        cmocka_unit_test(a_folder_of_broken_presets_ends_after_one_round),
        cmocka_unit_test(an_empty_folder_and_an_unknown_name_are_sentences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
