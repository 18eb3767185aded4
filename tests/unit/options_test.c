#include "test.h"

#include <string.h>

#include "app/options.h"
#include "base/base.h"

static bool read_line(Options *options, const char *line, char *why)
{
    static char words[1024];
    char *argv[64] = { "motes" };
    int argc = 1;
    snprintf(words, sizeof words, "%s", line);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) argv[argc++] = word;
    return options_read(options, argc, argv, why, 256);
}

static void commands_and_their_words_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        Command command;
        int words;
    } cases[] = {
        { "", COMMAND_LIVE, 0 },
        { "galaxy", COMMAND_LIVE, 1 },
        { "render song.wav -o out.mp4", COMMAND_RENDER, 1 },
        { "analyse song.wav --json", COMMAND_ANALYSE, 1 },
        { "check a.json b.json c.json", COMMAND_CHECK, 3 },
        { "--seed 4 devices", COMMAND_DEVICES, 0 },
        { "params --markdown", COMMAND_PARAMS, 0 },
        { "--help", COMMAND_HELP, 0 },
        { "--version", COMMAND_VERSION, 0 },
        { "-- render", COMMAND_RENDER, 0 },
    };
    for (int i = 0; i < COUNT_OF(cases); i++) {
        Options options;
        char why[256];
        assert_true(read_line(&options, cases[i].line, why));
        assert_int_equal(options.command, cases[i].command);
        assert_int_equal(options.word_count, cases[i].words);
    }
}

static void values_are_read(void **state)
{
    (void)state;
    Options o;
    char why[256];
    assert_true(read_line(
        &o,
        "--audio demo:clicks --size 320x200 --seed=7 --frames 90 --fps 59.94 --stats - "
        "--set look/exposure=1 --set forces/wind=1,2,3 --osc-port 9000 --fullscreen 2 --strict",
        why));
    assert_string_equal(o.audio, "demo:clicks");
    assert_int_equal(o.width, 320);
    assert_int_equal(o.height, 200);
    assert_int_equal(o.seed, 7);
    assert_int_equal(o.frames, 90);
    assert_true(o.fps > 59.93 && o.fps < 59.95);
    assert_string_equal(o.stats, "-");
    assert_int_equal(o.set_count, 2);
    assert_string_equal(o.sets[1], "forces/wind=1,2,3");
    assert_int_equal(o.osc_port, 9000);
    assert_true(o.fullscreen);
    assert_string_equal(o.monitor, "2");
    assert_true(o.strict);
    assert_true(read_line(&o, "--osc-port off --fullscreen galaxy", why));
    assert_int_equal(o.osc_port, -1);
    assert_null(o.monitor);
    assert_int_equal(o.word_count, 1);
}

static void nonsense_is_one_sentence(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "--nonsense",
        "--audio",
        "--size 320",
        "--size 0x100",
        "--size 1x1",
        "--seed -1",
        "--seed 1.5",
        "--frames x",
        "--fps 0",
        "--fps nan",
        "--osc-port 0",
        "--osc-port 70000",
        "--set exposure",
        "--strict=yes",
        "--size 320x200x",
        "--seed",
        "-x",
        "--audio=",
        "--fps 1e999",
        "--seed 4294967296",
    };
    for (int i = 0; i < COUNT_OF(lines); i++) {
        Options options;
        char why[256] = "";
        if (read_line(&options, lines[i], why)) fail_msg("taken: %s", lines[i]);
        assert_true(strlen(why) > 10);
        assert_null(strchr(why, '\n'));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_and_their_words_are_found),
        cmocka_unit_test(values_are_read),
        cmocka_unit_test(nonsense_is_one_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
