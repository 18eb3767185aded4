// What a show goes through when the sound breaks off, with the whole program: each fault is injected
// into a real sound server while motes plays before a real screen, and motes' own stats say what it
// showed, how soon it heard again and how late a frame was meanwhile.  Prints the README's table.
#include "test.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <jansson.h>
#include <sndfile.h>

#include "base/base.h"
#include "program.h"
#include "screen.h"
#include "stage.h"

enum { WIDTH = 160, HEIGHT = 90 };
static const double HEARD = 0.1;      // rms; the tone's is 0.18
static const double RECOVERY = 6;     // s from the source's return
static const double WORST_FRAME = 40; // ms, on a machine with nothing else to do

// Little to draw, so that a late frame is late for another reason.
static const char *const look =
    "{\"version\": 1, \"title\": \"Faults\", \"emitters\": {\"spark\": {\"rate\": 50}},"
    " \"fields\": {\"mist\": {\"rate\": 50, \"capacity\": 4096}}}";

// Of the test that runs.
static struct {
    Stage *stage;
    Screen *screen;
    char look[128], stats[128], tone[128];
    int motes;

    // Read from the stats as they grow.
    FILE *file;
    char line[4096];
    size_t length; // of a line that is not complete yet
    char state[24], source[128];
    double rms, level, dropped, gaps;
    char shown[96]; // the states other than PLAYING since the last fault began
    double worst;   // ms, since then
    double faintest;
} s;

static void write_tone(const char *path)
{
    SF_INFO info = { .samplerate = 48000,
                     .channels = 2,
                     .format = SF_FORMAT_WAV | SF_FORMAT_PCM_16 };
    SNDFILE *file = sf_open(path, SFM_WRITE, &info);
    if (!file) fail_msg("%s cannot be written", path);
    float block[2 * 480];
    for (int n = 0; n < 480; n++)
        block[2 * n] = block[2 * n + 1] = 0.25f * sinf((float)n * (float)(2 * M_PI * 5 / 480));
    for (int n = 0; n < 100 * 180; n++) sf_writef_float(file, block, 480);
    sf_close(file);
}

static int set_up(void **state)
{
    (void)state;
    memset(&s, 0, sizeof s);
    s.stage = stage_open();
    s.screen = screen_open(WIDTH, HEIGHT);
    snprintf(s.stats, sizeof s.stats, "%s", stage_path(s.stage, "stats.json"));
    snprintf(s.tone, sizeof s.tone, "%s", stage_path(s.stage, "tone.wav"));
    snprintf(s.look, sizeof s.look, "%s", stage_path(s.stage, "look.json"));
    write_tone(s.tone);
    char why[256];
    assert_true(file_write(s.look, look, strlen(look), why, sizeof why));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    stage_end(s.motes, SIGKILL);
    if (s.file) fclose(s.file);
    screen_close(s.screen);
    stage_close(s.stage);
    return 0;
}

// ---- what motes says -------------------------------------------------------------------------------

static void take_row(const char *text, size_t length)
{
    json_t *row = json_loadb(text, length, 0, NULL);
    if (!row) fail_msg("not JSON: %.*s", (int)length, text);
    s.rms = json_number_value(json_object_get(row, "rms"));
    s.level = json_number_value(json_object_get(row, "level"));
    s.dropped = json_number_value(json_object_get(json_object_get(row, "dropped"), "samples"));
    s.gaps = json_number_value(json_object_get(row, "gaps"));
    s.faintest = fmin(s.faintest, s.rms);
    s.worst = fmax(s.worst, json_number_value(json_object_get(row, "frame_ms")));
    snprintf(s.state, sizeof s.state, "%s", json_string_value(json_object_get(row, "audio")));
    snprintf(s.source, sizeof s.source, "%s", json_string_value(json_object_get(row, "source")));
    json_decref(row);
    if (strcmp(s.state, "PLAYING") == 0 || strstr(s.shown, s.state)) return;
    const size_t so_far = strlen(s.shown);
    snprintf(s.shown + so_far, sizeof s.shown - so_far, "%s%s", so_far ? ", " : "", s.state);
}

static void read_stats(void)
{
    int c;
    clearerr(s.file);
    while ((c = fgetc(s.file)) != EOF) {
        if (c != '\n') {
            assert_true(s.length < sizeof s.line);
            s.line[s.length++] = (char)c;
            continue;
        }
        take_row(s.line, s.length);
        s.length = 0;
    }
}

static bool is_heard(void)
{
    return s.rms > HEARD && strcmp(s.state, "PLAYING") == 0;
}

static bool is_not_heard(void)
{
    return strcmp(s.state, "PLAYING") != 0;
}

static bool is_quiet(void)
{
    return s.rms < HEARD;
}

static const char *hoped; // part of the source's name

static bool is_named(void)
{
    return strstr(s.source, hoped);
}

static bool is_named_otherwise(void)
{
    return !is_named();
}

static bool is_at_zero(void)
{
    return s.rms == 0 && s.level == 0;
}

// Seconds until it is so, -1 when it is not within `seconds`.
static double until(bool (*is_so)(void), double seconds)
{
    const double begun = stage_seconds(), end = begun + stage_patience(seconds);
    while (stage_seconds() < end) {
        read_stats();
        if (is_so()) return stage_seconds() - begun;
        stage_sleep(0.01);
    }
    return -1;
}

static void watch_for(double seconds)
{
    for (const double end = stage_seconds() + seconds; stage_seconds() < end; stage_sleep(0.02))
        read_stats();
}

// ---- the table -------------------------------------------------------------------------------------

static void print_head(void)
{
    print_message("| fault | state shown | heard again after (s) | worst frame (ms) |\n"
                  "| --- | --- | --- | --- |\n");
}

static void begin_fault(void)
{
    read_stats();
    s.shown[0] = 0;
    s.worst = 0;
    s.faintest = 1;
}

// From the source's return: waits until it is heard, and judges.
static void end_fault(const char *fault)
{
    const double took = until(is_heard, RECOVERY);
    watch_for(0.3);
    print_message("| %s | %s | %.1f | %.1f |\n", fault, s.shown[0] ? s.shown : "PLAYING", took,
                  s.worst);
    if (took < 0) fail_msg("%s: not heard again", fault);
    if (s.worst > stage_patience(WORST_FRAME)) fail_msg("%s: a frame took %.1f ms", fault, s.worst);
}

// ---- the faults ------------------------------------------------------------------------------------

static void play_into(const char *output)
{
    stage_play_into(s.stage, output, s.tone);
}

static void start_sound(void)
{
    stage_start_sound(s.stage);
    play_into("stage");
}

static void start_motes(const char *source)
{
    char line[1024];
    snprintf(line, sizeof line, "%s --size %dx%d --fps 60 --osc-port %d --audio %s --stats %s",
             s.look, WIDTH, HEIGHT, 20000 + getpid() % 20000, source, s.stats);
    unlink(s.stats);
    s.motes = program_start(line);
    program_wait(s.stats, 0.3, 30);
    s.file = fopen(s.stats, "re");
    assert_non_null(s.file);
    s.length = 0;
}

// What plays ends, and that is seen.
static void play_nothing(void)
{
    stage_play_into(s.stage, "stage", "/dev/null");
    assert_true(until(is_quiet, 2) >= 0);
}

static void nothing_wrong(void)
{
    watch_for(1);
    begin_fault();
    watch_for(2);
    end_fault("none, for comparison");
}

static void server_frozen(void)
{
    begin_fault();
    stage_freeze_sound(s.stage, true);
    assert_true(until(is_not_heard, 1.5) >= 0);
    assert_true(until(is_at_zero, 0.5) >= 0);
    watch_for(6);
    assert_string_equal(s.shown, "NO_SIGNAL");
    stage_freeze_sound(s.stage, false);
    end_fault("sound server hangs for 7 s");
}

static void server_killed(double seconds, const char *fault)
{
    begin_fault();
    stage_kill_sound(s.stage);
    assert_true(until(is_quiet, 1) >= 0);
    watch_for(seconds);
    start_sound();
    end_fault(fault);
}

static void default_moved(void)
{
    stage_add_output(s.stage, "balcony");
    stage_set_default_output(s.stage, "stage");
    watch_for(1);
    play_nothing();
    begin_fault();
    play_into("balcony");
    watch_for(0.3);
    stage_set_default_output(s.stage, "balcony");
    end_fault("default output moves to another one");
}

static void output_removed(void)
{
    play_nothing();
    begin_fault();
    stage_remove_output(s.stage, "balcony");
    play_into("stage");
    end_fault("the output that is heard is unplugged");
}

static void capture_hit(int signal, const char *fault)
{
    pid_t capture = 0;
    begin_fault();
    assert_int_equal(stage_captures(s.motes, &capture), 1);
    kill(capture, signal);
    assert_true(until(is_quiet, 1) >= 0);
    end_fault(fault);
}

static void the_sound_comes_back_whatever_breaks(void **state)
{
    (void)state;
    start_sound();
    start_motes("system");
    assert_true(until(is_heard, RECOVERY) >= 0);
    print_head();
    nothing_wrong();
    server_frozen();
    server_killed(3, "sound server dies, starts again after 3 s");
    server_killed(0, "sound server restarts");
    default_moved();
    output_removed();
    capture_hit(SIGKILL, "capture process dies");
    capture_hit(SIGSTOP, "capture process hangs");
}

// Only the title: the source is what its name says, so that not a sample is lost.
static void source_titled(void)
{
    const double dropped = s.dropped, gaps = s.gaps;
    pid_t before = 0, after = 0;
    stage_captures(s.motes, &before);
    begin_fault();
    if (!stage_title_output(s.stage, "balcony", "Gallery")) return;
    hoped = "Gallery";
    assert_true(until(is_named, 2) >= 0);
    watch_for(1);
    assert_int_equal(stage_captures(s.motes, &after), 1);
    assert_int_equal(before, after); // it hears on
    if (stage_patience(1) <= 1)      // a busy machine loses some of its own accord
        assert_true(s.faintest > HEARD && s.dropped == dropped && s.gaps == gaps);
    end_fault("the source gets another title");
}

// Under another name it is another source: what stands in is named, and silent here.
static void source_renamed(void)
{
    char wanted[sizeof s.source];
    snprintf(wanted, sizeof wanted, "%s", s.source);
    hoped = wanted;
    begin_fault();
    stage_remove_output(s.stage, "balcony");
    stage_add_output(s.stage, "terrace");
    play_into("terrace");
    assert_true(until(is_named_otherwise, RECOVERY) >= 0);
    assert_true(until(is_quiet, 1) >= 0);
    watch_for(3);
    assert_true(is_quiet() && !strstr(s.source, "terrace"));
    print_message("meanwhile in its place: %s\n", s.source);
    stage_play_into(s.stage, "terrace",
                    "/dev/null"); // what still played would move on into what is heard
    stage_remove_output(s.stage, "terrace");
    stage_add_output(s.stage, "balcony");
    play_into("balcony");
    end_fault("the source is renamed, and gets its name back after 3 s");
    assert_true(strstr(s.source, "balcony"));
}

static void a_source_is_known_by_its_name(void **state)
{
    (void)state;
    start_sound();
    stage_add_output(s.stage, "balcony");
    stage_set_default_output(s.stage, "stage");
    play_into("balcony");
    start_motes("input:balcony.monitor");
    assert_true(until(is_heard, RECOVERY) >= 0);
    print_head();
    source_titled();
    source_renamed();
}

static void a_server_that_starts_later_is_heard(void **state)
{
    (void)state;
    start_motes("system");
    watch_for(1);
    begin_fault();
    watch_for(3);
    start_sound();
    print_head();
    end_fault("sound server starts 4 s after motes");
}

static void a_frozen_server_does_not_delay_the_end(void **state)
{
    (void)state;
    start_sound();
    start_motes("input:stage.monitor");
    assert_true(until(is_heard, RECOVERY) >= 0);
    stage_freeze_sound(s.stage, true);
    watch_for(1);
    const int motes = s.motes;
    const double begun = stage_seconds();
    s.motes = 0;
    assert_int_equal(program_stop(motes, stage_patience(2)), 0);
    print_message("quit while the sound server hangs: %.2f s\n", stage_seconds() - begun);
    assert_int_equal(stage_captures(motes, NULL), 0);
}

static void a_killed_motes_leaves_nothing_behind(void **state)
{
    (void)state;
    start_sound();
    const int before = stage_shared_memories();
    start_motes("system");
    assert_true(until(is_heard, RECOVERY) >= 0);
    assert_int_equal(stage_captures(s.motes, NULL), 1);
    const int motes = s.motes;
    s.motes = 0;
    stage_end(motes, SIGKILL);
    const double end = stage_seconds() + stage_patience(2);
    while (stage_captures(motes, NULL) > 0 && stage_seconds() < end) stage_sleep(0.02);
    assert_int_equal(stage_captures(motes, NULL), 0);
    while (stage_shared_memories() > before && stage_seconds() < end) stage_sleep(0.02);
    assert_true(stage_shared_memories() <= before);
}

#define ON_STAGE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        ON_STAGE(the_sound_comes_back_whatever_breaks),
        ON_STAGE(a_source_is_known_by_its_name),
        ON_STAGE(a_server_that_starts_later_is_heard),
        ON_STAGE(a_frozen_server_does_not_delay_the_end),
        ON_STAGE(a_killed_motes_leaves_nothing_behind),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
