#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/memory.h"

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/motes_memory_XXXXXX");
    if (!mkdtemp(folder)) return -1;
    return setenv("XDG_STATE_HOME", folder, 1);
}

static int remove_folder(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

static void set(Params *params, const char *path, double value)
{
    assert_true(params_set(params, params_find(params, path), value));
}

// One run: `given` on the command line, `turned` by hand (negative: none); returns the gain that it began with.
static double run(double given, double turned, const char *source)
{
    char why[256];
    Memory memory;
    Params *params = params_new();
    assert_true(memory_open(&memory, params));
    if (given >= 0) set(params, "audio/gain", given);
    memory_begin(&memory, params);
    const double began = params_base(params, params_find(params, "audio/gain"));
    if (turned >= 0) set(params, "audio/gain", turned);
    if (source)
        assert_true(
            params_set_text(params, params_find(params, "audio/source"), source, why, sizeof why));
    set(params, "look/exposure", 2); // a look is a preset's affair
    assert_true(memory_close(&memory, params, why, sizeof why));
    params_free(params);
    return began;
}

static void what_a_hand_sets_is_there_the_next_time(void **state)
{
    (void)state;
    assert_true(run(-1, -1, NULL) == 0);
    assert_true(run(-1, 7, "input:Scarlett#3-4") == 0);
    assert_true(run(-1, -1, NULL) == 7);
    assert_true(run(3, -1, NULL) == 3);  // the command line holds for its run
    assert_true(run(-1, -1, NULL) == 7); // and changes nothing
    assert_true(run(3, 9, NULL) == 3);
    assert_true(run(-1, 0, NULL) == 9);

    Memory memory;
    char why[256];
    Params *params = params_new();
    assert_true(memory_open(&memory, params));
    assert_string_equal(params_text(params, params_find(params, "audio/source")),
                        "input:Scarlett#3-4");
    assert_true(params_base(params, params_find(params, "look/exposure")) == 0);
    assert_true(params_base(params, params_find(params, "audio/gain")) == 0);
    assert_true(memory_close(&memory, params, why, sizeof why));
    params_free(params);
}

static void nonsense_in_the_file_is_passed_over(void **state)
{
    (void)state;
    static const char *const text =
        "audio/gain=5\naudio/gain\n=\nlook/exposure=3\nnonsense=1\n"
        "audio/offset=nan\naudio/offset=x\naudio/channels=1\n\xff\xfe=\n";
    char why[256], path[128];
    Memory memory;
    snprintf(path, sizeof path, "%s/motes/machine", folder);
    assert_true(file_write(path, text, strlen(text), why, sizeof why));
    Params *params = params_new();
    assert_true(memory_open(&memory, params));
    assert_true(params_base(params, params_find(params, "audio/gain")) == 5);
    assert_true(params_base(params, params_find(params, "audio/channels")) == 1);
    assert_true(params_base(params, params_find(params, "audio/offset")) == 0);
    assert_true(params_base(params, params_find(params, "look/exposure")) == 0);
    assert_true(memory_close(&memory, params, why, sizeof why));
    params_free(params);
}

static void a_folder_that_cannot_be_written_is_one_sentence(void **state)
{
    (void)state;
    char why[256] = "";
    Memory memory;
    Params *params = params_new();
    setenv("XDG_STATE_HOME", "/dev/null", 1);
    assert_true(memory_open(&memory, params));
    memory_begin(&memory, params);
    set(params, "audio/gain", 1);
    assert_false(memory_close(&memory, params, why, sizeof why));
    assert_true(strlen(why) > 10);
    params_free(params);
    setenv("XDG_STATE_HOME", folder, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_hand_sets_is_there_the_next_time),
        cmocka_unit_test(nonsense_in_the_file_is_passed_over),
        cmocka_unit_test(a_folder_that_cannot_be_written_is_one_sentence),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
