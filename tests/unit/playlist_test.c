#include "test.h"

#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/playlist.h"
#include "control/state.h"

// The linker leads preset_load through here: the preset "stuck" lies on a disk that does not answer.
Preset *__real_preset_load(const char *file, char *why, int why_size);
Preset *__wrap_preset_load(const char *file, char *why, int why_size);

static sem_t disk_asked, disk_answers, disk_left;

Preset *__wrap_preset_load(const char *file, char *why, int why_size)
{
    if (!strstr(file, "/stuck.json")) return __real_preset_load(file, why, why_size);
    sem_post(&disk_asked);
    sem_wait(&disk_answers);
    sem_post(&disk_left);
    snprintf(why, (size_t)why_size, "at last");
    return NULL;
}

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
    Playlist *list = playlist_open(folder, NULL, "a", why, sizeof why);
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
    Playlist *list = playlist_open(folder, NULL, "", why, sizeof why);
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
    Playlist *list = playlist_open("/nowhere", NULL, "", why, sizeof why);
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

// ---- saving ----

typedef struct {
    char root[32], shipped[64], own[64];
} Folders;

// A folder with the presets a and m, and one that is still to be made.
static Folders make_folders(void)
{
    Folders f = { .root = "/tmp/motes-saved-XXXXXX" };
    char path[128], why[256];
    assert_non_null(mkdtemp(f.root));
    assert_int_equal(chmod(f.root, 0777), 0);
    snprintf(f.shipped, sizeof f.shipped, "%s/shipped", f.root);
    snprintf(f.own, sizeof f.own, "%s/data/motes/presets", f.root);
    assert_int_equal(mkdir(f.shipped, 0755), 0);
    snprintf(path, sizeof path, "%s/a.json", f.shipped);
    assert_true(file_write(path, GOOD, strlen(GOOD), why, sizeof why));
    snprintf(path, sizeof path, "%s/m.json", f.shipped);
    assert_true(file_write(path, GOOD, strlen(GOOD), why, sizeof why));
    return f;
}

static void remove_folders(const Folders *f)
{
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", f->root);
    assert_int_equal(system(command), 0);
}

static bool is_there(const char *folder, const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s.json", folder, name);
    return file_exists(path);
}

static bool is_plain(const char *folder, const char *name)
{
    char path[128], why[256];
    snprintf(path, sizeof path, "%s/%s.json", folder, name);
    char *content = file_read(path, NULL, why, sizeof why);
    const bool plain = content && !strcmp(content, GOOD);
    free(content);
    return plain;
}

// By the hand of somebody: a message, then the host's call.
static PlaylistAnswer save_as(Playlist *list, Params *params, const char *name)
{
    char why[256];
    Message answer;
    const Message message = message_text("/show/save", name);
    assert_int_equal(params_message(params, &message, &answer, why, sizeof why), MESSAGE_DONE);
    assert_true(playlist_save(list, params, params_text(params, GLOBAL_SAVE), why, sizeof why));
    return wait_answer(list);
}

static const char *name_after_step(Playlist *list, int step, char name[PLAYLIST_NAME])
{
    playlist_ask_step(list, step);
    const PlaylistAnswer answer = wait_answer(list);
    assert_non_null(answer.preset);
    playlist_return(list, answer.preset);
    return memcpy(name, answer.name, PLAYLIST_NAME);
}

static bool is_look(ParamId id)
{
    const ParamRow *row = params_row(id);
    return row->scope == SCOPE_LOOK && row->kind != KIND_TRIGGER;
}

static void change(Params *params, ParamId id)
{
    char why[256];
    int row;
    const Owner owner = params_owner(id, NULL, &row);
    if (kind_is_number(params_row(id)->kind)) {
        const float before = params_base(params, id);
        assert_true(params_set_norm(params, id, 0.77));
        if (params_base(params, id) == before) assert_true(params_set_norm(params, id, 0.31));
        assert_true(params_base(params, id) != before);
    } else if (kind_has_stops(params_row(id)->kind)) {
        const Stops stops = { .count = 2, .at = { 0.25f, 0.75f }, .value = { { 0.1f }, { 0.7f } } };
        assert_true(params_set_stops(params, id, &stops, why, sizeof why));
    } else if (params_row(id)->kind == KIND_TEXT) {
        const char *text = owner == OWNER_EMITTER && row == EMITTER_TYPE ? "spark"
                           : owner != OWNER_ROUTE                        ? "word"
                           : row == ROUTE_TO                             ? "look/vignette"
                                                                         : "treble";
        assert_true(params_set_text(params, id, text, why, sizeof why));
    }
}

static void same_value(const Params *a, const Params *b, ParamId id)
{
    char path[MESSAGE_PATH];
    params_path(a, id, path, sizeof path);
    const ParamId other = params_find(b, path);
    if (other == PARAM_NONE) fail_msg("%s is lost", path);
    if (params_base(a, id) != params_base(b, other)) fail_msg("%s is another", path);
    assert_string_equal(params_text(a, id), params_text(b, other));
    if (params_stops(a, id))
        assert_memory_equal(params_stops(a, id), params_stops(b, other), sizeof(Stops));
}

// Every parameter is changed, the look is saved by a message, and goes on changing while it is saved.
static void a_look_that_is_saved_comes_back_whole(void **state)
{
    (void)state;
    char why[256];
    const Folders f = make_folders();
    Playlist *list = playlist_open(f.shipped, f.own, "a", why, sizeof why);
    Params *params = params_new(), *asked = params_new(), *back = params_new();
    assert_int_equal(params_add(params, OWNER_EMITTER, "spark", why, sizeof why), 0);
    assert_int_equal(params_add(params, OWNER_FIELD, "mist", why, sizeof why), 0);
    assert_true(params_add(params, OWNER_ROUTE, "kick", why, sizeof why) >= 0);
    for (ParamId id = 0; id < VALUE_COUNT; id++)
        if (param_settable(params, id) && is_look(id)) change(params, id);
    params_copy(asked, params);
    assert_true(playlist_save(list, params, "mine", why, sizeof why));
    params_reset_looks(params);
    const PlaylistAnswer saved = wait_answer(list);
    assert_true(saved.saved);
    assert_null(saved.preset);
    assert_string_equal(saved.name, "mine");
    assert_string_equal(saved.why, "");
    playlist_ask(list, "mine");
    const PlaylistAnswer loaded = wait_answer(list);
    if (!loaded.preset) fail_msg("%s", loaded.why);
    assert_false(loaded.saved);
    preset_apply(loaded.preset, back);
    playlist_return(list, loaded.preset);
    for (ParamId id = 0; id < VALUE_COUNT; id++)
        if (param_settable(asked, id) && is_look(id)) same_value(asked, back, id);
    playlist_close(list);
    params_free(params);
    params_free(asked);
    params_free(back);
    remove_folders(&f);
}

static void what_is_saved_is_in_the_list_in_its_place(void **state)
{
    (void)state;
    char why[256], name[PLAYLIST_NAME];
    const Folders f = make_folders();
    Playlist *list = playlist_open(f.shipped, f.own, "m", why, sizeof why);
    Params *params = params_new();
    assert_true(save_as(list, params, "b").saved); // a, b, m, and the show stands at b
    assert_string_equal(name_after_step(list, 1, name), "m");
    assert_string_equal(name_after_step(list, -2, name), "a");
    assert_true(save_as(list, params, "b").saved); // the same name again is no second one
    assert_string_equal(name_after_step(list, 1, name), "m");
    assert_string_equal(name_after_step(list, 1, name), "a");
    assert_true(is_there(f.shipped, "b") && !is_there(f.own, "b"));
    playlist_close(list);
    params_free(params);
    remove_folders(&f);
}

static void own_presets_come_behind_and_win(void **state)
{
    (void)state;
    char why[256], name[PLAYLIST_NAME];
    const Folders f = make_folders();
    Playlist *list = playlist_open(NULL, f.own, "", why, sizeof why);
    Params *params = params_new();
    params_set(params, GLOBAL_GRAVITY, -3);
    assert_true(save_as(list, params, "m").saved); // no other folder: the own one is made
    assert_true(save_as(list, params, "c").saved);
    playlist_close(list);
    assert_true(is_there(f.own, "m") && is_there(f.own, "c"));
    list = playlist_open(f.shipped, f.own, "a", why, sizeof why); // a, own m, own c
    assert_string_equal(name_after_step(list, 1, name), "m");
    assert_string_equal(name_after_step(list, 1, name), "c");
    assert_string_equal(name_after_step(list, 1, name), "a");
    playlist_ask(list, "m");
    const PlaylistAnswer loaded = wait_answer(list);
    assert_non_null(loaded.preset);
    preset_apply(loaded.preset, params);
    playlist_return(list, loaded.preset);
    assert_float_equal(params_base(params, GLOBAL_GRAVITY), -3, 0);
    params_set(params, GLOBAL_GRAVITY, -4);
    assert_true(save_as(list, params, "m").saved); // where it was loaded from
    assert_true(is_plain(f.shipped, "m"));
    playlist_close(list);
    params_free(params);
    remove_folders(&f);
}

static void become(uid_t user)
{
    if (getuid() == 0) assert_int_equal(seteuid(user), 0);
}

static void an_installed_folder_is_not_written(void **state)
{
    (void)state;
    char why[256], name[PLAYLIST_NAME];
    const Folders f = make_folders();
    assert_int_equal(chmod(f.shipped, 0555), 0);
    become(65534); // root may write anywhere
    Playlist *list = playlist_open(f.shipped, f.own, "a", why, sizeof why);
    Params *params = params_new();
    assert_true(save_as(list, params, "m").saved);
    assert_true(save_as(list, params, "c").saved);
    assert_true(is_there(f.own, "m") && is_there(f.own, "c"));
    assert_true(!is_there(f.shipped, "c") && is_plain(f.shipped, "m"));
    assert_string_equal(name_after_step(list, -1, name), "m");
    playlist_close(list);
    list = playlist_open(f.shipped, NULL, "a", why, sizeof why);
    const PlaylistAnswer nowhere = save_as(list, params, "m");
    assert_false(nowhere.saved);
    assert_non_null(strstr(nowhere.why, "no folder"));
    playlist_close(list);
    become(0);
    assert_int_equal(chmod(f.shipped, 0755), 0);
    params_free(params);
    remove_folders(&f);
}

static void names_that_lead_elsewhere_are_not_saved(void **state)
{
    (void)state;
    static const char *const bad[] = { "", "..", "../m", "/tmp/m", "a/b", "M", "a.json" };
    char why[256];
    const Folders f = make_folders();
    Playlist *list = playlist_open(f.shipped, f.own, "a", why, sizeof why);
    Params *params = params_new();
    for (int i = 0; i < COUNT_OF(bad); i++) {
        why[0] = 0;
        assert_false(playlist_save(list, params, bad[i], why, sizeof why));
        assert_non_null(strstr(why, "a-z"));
    }
    playlist_close(list);
    params_free(params);
    remove_folders(&f);
}

static void what_was_to_be_saved_is_saved_at_the_end(void **state)
{
    (void)state;
    char why[256];
    const Folders f = make_folders();
    Playlist *list = playlist_open(f.shipped, f.own, "a", why, sizeof why);
    Params *params = params_new();
    assert_true(playlist_save(list, params, "last", why, sizeof why));
    playlist_close(list);
    assert_true(is_there(f.shipped, "last"));
    params_free(params);
    remove_folders(&f);
}

static void the_own_folder_is_where_the_environment_says(void **state)
{
    (void)state;
    static const struct {
        const char *data, *home, *own;
    } rows[] = { { "/data", "/home/me", "/data/motes/presets" },
                 { NULL, "/home/me", "/home/me/.local/share/motes/presets" },
                 { "relative", "/home/me", "/home/me/.local/share/motes/presets" },
                 { "", "/home/me", "/home/me/.local/share/motes/presets" },
                 { NULL, NULL, "" } };
    char path[WHERE_PATH];
    for (int i = 0; i < COUNT_OF(rows); i++) {
        unsetenv("XDG_DATA_HOME");
        unsetenv("HOME");
        if (rows[i].data) setenv("XDG_DATA_HOME", rows[i].data, 1);
        if (rows[i].home) setenv("HOME", rows[i].home, 1);
        strcpy(path, "?");
        assert_int_equal(playlist_own(path), rows[i].own[0] != 0);
        assert_string_equal(path, rows[i].own);
    }
}

// ---- what does not answer ----

static void a_pipe_is_no_preset(void **state)
{
    (void)state;
    char why[256], path[128];
    const Folders f = make_folders();
    snprintf(path, sizeof path, "%s/pipe.json", f.shipped);
    assert_int_equal(mkfifo(path, 0600), 0);
    Playlist *list = playlist_open(f.shipped, NULL, "", why, sizeof why);
    playlist_ask(list, path);
    PlaylistAnswer answer = wait_answer(list);
    assert_null(answer.preset);
    assert_non_null(strstr(answer.why, "not a file"));
    playlist_ask(list, "a"); // the worker is well
    answer = wait_answer(list);
    assert_non_null(answer.preset);
    playlist_return(list, answer.preset);
    playlist_close(list);
    remove_folders(&f);
}

static void the_end_does_not_wait_for_a_disk_that_hangs(void **state)
{
    (void)state;
    char why[256], path[128];
    const Folders f = make_folders();
    sem_init(&disk_asked, 0, 0);
    sem_init(&disk_answers, 0, 0);
    sem_init(&disk_left, 0, 0);
    snprintf(path, sizeof path, "%s/stuck.json", f.shipped);
    assert_true(file_write(path, GOOD, strlen(GOOD), why, sizeof why));
    Playlist *list = playlist_open(f.shipped, NULL, "", why, sizeof why);
    playlist_ask(list, "stuck");
    sem_wait(&disk_asked);
    playlist_close(list);
    sem_post(&disk_answers); // too late: the worker frees what is left
    sem_wait(&disk_left);
    usleep(100000);
    remove_folders(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_go_round_and_over_broken_ones),
        cmocka_unit_test(a_folder_of_broken_presets_ends_after_one_round),
        cmocka_unit_test(an_empty_folder_and_an_unknown_name_are_sentences),
        cmocka_unit_test(a_look_that_is_saved_comes_back_whole),
        cmocka_unit_test(what_is_saved_is_in_the_list_in_its_place),
        cmocka_unit_test(own_presets_come_behind_and_win),
        cmocka_unit_test(an_installed_folder_is_not_written),
        cmocka_unit_test(names_that_lead_elsewhere_are_not_saved),
        cmocka_unit_test(what_was_to_be_saved_is_saved_at_the_end),
        cmocka_unit_test(the_own_folder_is_where_the_environment_says),
        cmocka_unit_test(a_pipe_is_no_preset),
        cmocka_unit_test(the_end_does_not_wait_for_a_disk_that_hangs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
