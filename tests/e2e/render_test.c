// The offline host and the command line, run as a user would run them.
#include "test.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>
#include <sndfile.h>

#include "base/base.h"
#include "program.h"
#include "stage.h"

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/motes_render_XXXXXX");
    unsetenv("DISPLAY");
    unsetenv("WAYLAND_DISPLAY");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    const char *const words[] = { "rm", "-rf", folder, NULL };
    stage_end(stage_run(words), 0);
    return 0;
}

static char *in_folder(const char *name)
{
    static char paths[4][256];
    static int turn;
    char *path = paths[turn++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static int render(const char *words)
{
    char said[4096];
    const int code = program_run(words, folder, said, sizeof said);
    if (code) print_message("motes %s: %s\n", words, said);
    return code;
}

static char *read_whole(const char *path, size_t *size)
{
    char why[256];
    char *content = file_read(path, size, why, sizeof why);
    if (!content) fail_msg("%s", why);
    return content;
}

static void rendering_twice_gives_the_same_bytes(void **state)
{
    (void)state;
    static const char *const words =
        "render demo --preset twice.json --size 192x108 --frames 45 --stats %s.json -o %s";
    static const char *const preset =
        "{\"version\": 1, \"title\": \"Twice\", \"parameters\": {"
        "  \"forces\": {\"turbulence\": {\"strength\": 2}, \"jitter\": 0.5, \"drag\": 0.4},"
        "  \"look\": {\"bloom\": {\"amount\": 0.5}, \"trail\": {\"amount\": 2}}},"
        " \"emitters\": {\"a\": {\"rate\": 500}}, \"fields\": {\"b\": {\"rate\": 5000, "
        "\"capacity\": 32768}}}";
    char why[256];
    assert_true(file_write(in_folder("twice.json"), preset, strlen(preset), why, sizeof why));
    char line[512];
    for (const char *name = "a"; name; name = strcmp(name, "a") ? NULL : "b") {
        snprintf(line, sizeof line, words, name, name);
        assert_int_equal(render(line), 0);
    }
    for (int i = 0; i < 45; i++) {
        char name[32];
        size_t size_a, size_b;
        snprintf(name, sizeof name, "a/%06d.png", i);
        char *a = read_whole(in_folder(name), &size_a);
        name[0] = 'b';
        char *b = read_whole(in_folder(name), &size_b);
        assert_int_equal(size_a, size_b);
        assert_memory_equal(a, b, size_a);
        free(a), free(b);
    }
    StatsLine *a, *b;
    assert_int_equal(program_stats(in_folder("a.json"), &a), 45);
    assert_int_equal(program_stats(in_folder("b.json"), &b), 45);
    for (int i = 0; i < 45; i++) {
        assert_int_equal(a[i].births_gpu, b[i].births_gpu);
        assert_int_equal(a[i].alive_gpu, b[i].alive_gpu);
        assert_int_equal(a[i].alive_cpu, b[i].alive_cpu);
    }
    free(a), free(b);
}

// Nobody dies so early.
static void births_by_fill_stand_in_the_stats(void **state)
{
    (void)state;
    static const char *const preset =
        "{\"version\": 1, \"title\": \"Fill\", \"fields\": {\"b\": {\"born_by\": \"fill\", "
        "\"rate\": 2000, \"life\": 9, \"life_random\": 0, \"capacity\": 2048}}}";
    char why[256];
    assert_true(file_write(in_folder("fill.json"), preset, strlen(preset), why, sizeof why));
    assert_int_equal(
        render("render demo --preset fill.json --size 64x36 --frames 20 --stats filled.json -o f"),
        0);
    StatsLine *lines;
    uint32_t born = 0;
    assert_int_equal(program_stats(in_folder("filled.json"), &lines), 20);
    for (int i = 0; i < 20; i++) {
        born += lines[i].births_gpu;
        assert_int_equal(born, lines[i].alive_gpu);
    }
    assert_true(born > 100);
    free(lines);
}

// ---- videos ---------------------------------------------------------------------------------------------------

static json_t *probe(const char *file)
{
    char command[512], said[8192];
    snprintf(command, sizeof command,
             "ffprobe -v error -count_frames -show_streams -show_format -of json %s/%s", folder,
             file);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    said[fread(said, 1, sizeof said - 1, pipe)] = 0;
    pclose(pipe);
    json_t *json = json_loads(said, 0, NULL);
    if (!json) fail_msg("ffprobe: %s", said);
    return json;
}

static json_t *stream_of(json_t *probe_result, const char *kind)
{
    size_t i;
    json_t *stream;
    json_array_foreach(json_object_get(probe_result, "streams"), i,
                       stream) if (!strcmp(json_string_value(json_object_get(stream, "codec_type")),
                                           kind)) return stream;
    return NULL;
}

static void make_tone(const char *path, int channels, double seconds)
{
    SF_INFO as = { .samplerate = 44100,
                   .channels = channels,
                   .format = SF_FORMAT_WAV | SF_FORMAT_PCM_16 };
    SNDFILE *out = sf_open(path, SFM_WRITE, &as);
    assert_non_null(out);
    for (int i = 0; i < (int)(seconds * 44100); i++) {
        float frame[8];
        for (int c = 0; c < channels; c++) frame[c] = 0.5f * sinf((float)i * 0.06f);
        sf_writef_float(out, frame, 1);
    }
    sf_close(out);
}

static void a_song_becomes_a_video_with_its_sound(void **state)
{
    (void)state;
    make_tone(in_folder("01:song.wav"), 2, 1.5); // no protocol
    assert_int_equal(render("render 01:song.wav -o song.mp4 --fps 30 --size 161x91"), 0);
    json_t *found = probe("song.mp4");
    json_t *video = stream_of(found, "video"), *sound = stream_of(found, "audio");
    assert_non_null(video);
    assert_non_null(sound);
    assert_string_equal(json_string_value(json_object_get(video, "nb_read_frames")), "45");
    assert_string_equal(json_string_value(json_object_get(video, "r_frame_rate")), "30/1");
    assert_true(fabs(atof(json_string_value(json_object_get(sound, "duration"))) - 1.5) < 0.05);
    json_decref(found);
}

static void without_a_display_the_demo_becomes_a_video(void **state)
{
    (void)state;
    char said[4096];
    assert_int_equal(program_run("--size 160x90 --frames 30", folder, said, sizeof said), 0);
    assert_non_null(strstr(said, "motes-demo.mp4"));
    json_t *found = probe("motes-demo.mp4");
    assert_non_null(stream_of(found, "audio"));
    assert_string_equal(
        json_string_value(json_object_get(stream_of(found, "video"), "nb_read_frames")), "30");
    json_decref(found);
}

// ---- what is wrong is one sentence ------------------------------------------------------------------------------

static void bad_input_is_one_sentence_and_exit_2(void **state)
{
    (void)state;
    static const struct {
        const char *words, *says;
    } cases[] = {
        { "render nothing.wav -o x", "nothing.wav" },
        { "render empty.wav -o x", "empty.wav" },
        { "render text.wav -o x", "text.wav" },
        { "render demo", "-o" },
        { "render", "sound file" },
        { "render demo:nonsense -o x", "nonsense" },
        { "render demo -o x --preset broken.json", "broken.json:3" },
        { "render demo -o x --preset nosuch", "nosuch" },
        { "render demo -o x --set forces/gravty=1", "forces/gravity" },
        { "render demo -o x --set forces/gravity=loud", "forces/gravity" },
        { "render demo -o x --set look/exposure=nan", "look/exposure" },
        { "render demo -o text.wav --frames 1", "text.wav" },
        { "render demo -o x --fps 2", "--fps" },
        { "render demo -o x --stats /nowhere/stats.json", "/nowhere/stats.json" },
        { "render demo -o /nowhere/x.mp4 --frames 5 --size 64x64", "/nowhere/x.mp4" },
        { "analyse nothing.wav", "nothing.wav" },
        { "analyse", "sound file" },
        { "check broken.json", "broken.json:3" },
        { "render demo -o 01:x --set show/preset=nosuch", "nosuch" },
        { "--osc-allow 192.168.1.0/99", "192.168.1.0/99" },
        { "--osc-bind nowhere", "nowhere" },
        { "check", "preset" },
        { "--nonsense", "--nonsense" },
        { "nosuch", "nosuch" },
        { "a b", "preset" },
    };
    char why[256];
    static const char *const broken = "{\"version\": 1,\n \"title\": \"t\",\n \"nonsense\": 1}\n";
    assert_true(file_write(in_folder("broken.json"), broken, strlen(broken), why, sizeof why));
    assert_true(file_write(in_folder("empty.wav"), "", 0, why, sizeof why));
    assert_true(file_write(in_folder("text.wav"), "hello", 5, why, sizeof why));
    for (int i = 0; i < COUNT_OF(cases); i++) {
        char said[4096];
        const int code = program_run(cases[i].words, folder, said, sizeof said);
        const bool encoder = strstr(cases[i].words, "mp4");
        if (code != (encoder ? 1 : 2))
            fail_msg("motes %s: exit %d: %s", cases[i].words, code, said);
        if (!strstr(said, cases[i].says))
            fail_msg("motes %s: does not say %s: %s", cases[i].words, cases[i].says, said);
        char *sentence = strstr(said, "motes: ");
        assert_non_null(sentence);
        if (!encoder && strchr(sentence, '\n') != said + strlen(said) - 1)
            fail_msg("motes %s: more than one sentence: %s", cases[i].words, said);
    }
}

static void an_installed_copy_has_its_own_shaders_and_presets(void **state)
{
    (void)state;
    char install[1024], said[4096], program[256], shader[256];
    snprintf(install, sizeof install,
             "cd %s && cmake --install %s --prefix %s/there > install.log 2>&1", folder, BUILD_DIR,
             folder);
    assert_int_equal(system(install), 0);
    snprintf(program, sizeof program, "%s/there/bin/motes", folder);
    snprintf(shader, sizeof shader, "%s/there/share/motes/shaders/trail.frag", folder);
    static const char *const line =
        "render demo --preset drift --frames 2 --size 64x36 -o there/frames";
    assert_int_equal(program_run_at(program, line, folder, said, sizeof said), 0);
    assert_int_equal(unlink(shader), 0);
    assert_int_equal(program_run_at(program, line, folder, said, sizeof said), 2);
    assert_non_null(strstr(said, "trail.frag"));
}

static void the_other_commands_answer(void **state)
{
    (void)state;
    static const char *const lines[] = { "help", "--help", "version", "params",
                                         "params --markdown" };
    static char said[1 << 18];
    for (int i = 0; i < COUNT_OF(lines); i++) {
        assert_int_equal(program_run(lines[i], folder, said, sizeof said), 0);
        assert_true(strlen(said) > 8);
    }
    assert_int_equal(program_run("params --json", folder, said, sizeof said), 0);
    json_t *json = json_loads(said, 0, NULL);
    assert_non_null(json);
    json_decref(json);
    make_tone(in_folder("mono.wav"), 1, 1);
    assert_int_equal(program_run("analyse mono.wav", folder, said, sizeof said), 0);
    assert_non_null(strstr(said, "onset"));
}

static void the_readme_has_the_table_of_controls(void **state)
{
    (void)state;
    static char said[65536];
    char *readme = read_whole(SOURCE_DIR "/README.md", NULL);
    assert_int_equal(program_run("params --markdown", folder, said, sizeof said), 0);
    if (!strstr(readme, said))
        fail_msg("README.md lacks the output of `motes params --markdown` as it is now");
    free(readme);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rendering_twice_gives_the_same_bytes),
        cmocka_unit_test(births_by_fill_stand_in_the_stats),
        cmocka_unit_test(a_song_becomes_a_video_with_its_sound),
        cmocka_unit_test(without_a_display_the_demo_becomes_a_video),
        cmocka_unit_test(bad_input_is_one_sentence_and_exit_2),
        cmocka_unit_test(an_installed_copy_has_its_own_shaders_and_presets),
        cmocka_unit_test(the_other_commands_answer),
        cmocka_unit_test(the_readme_has_the_table_of_controls),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
