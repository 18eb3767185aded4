// Hearing a real sound server: one that plays, that is not there, that dies, hangs, comes back.
#include "test.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "audio/audio.h"
#include "stage.h"

#define HOLD "--hold" // this program again: opens the default input and waits to be killed

// A tone of -12 dBFS, a minute long.
static void write_tone(const char *path)
{
    SF_INFO info = { .samplerate = 48000,
                     .channels = 2,
                     .format = SF_FORMAT_WAV | SF_FORMAT_PCM_16 };
    SNDFILE *file = sf_open(path, SFM_WRITE, &info);
    if (!file) fail_msg("%s cannot be written", path);
    float frame[2];
    for (int n = 0; n < 60 * 48000; n++) {
        frame[0] = frame[1] = 0.25f * sinf((float)(n % 480) * (float)(2 * M_PI * 5 / 480));
        sf_writef_float(file, frame, 1);
    }
    sf_close(file);
}

static void play_tone(Stage *stage)
{
    char path[256];
    snprintf(path, sizeof path, "%s", stage_path(stage, "tone.wav"));
    if (access(path, F_OK) < 0) write_tone(path);
    stage_play(stage, path);
}

static Stage *stage_with_tone(void)
{
    Stage *stage = stage_open();
    stage_start_sound(stage);
    play_tone(stage);
    return stage;
}

static Audio *open_input(const char *source)
{
    char why[256] = "";
    Audio *audio = audio_open(&(AudioDesc){ .source = source }, why, sizeof why);
    if (!audio) fail_msg("%s", why);
    return audio;
}

// Reads once; the root mean square of what came, 0 when nothing did.
static double level(Audio *audio)
{
    static float samples[2 * 65536];
    double sum = 0;
    const uint32_t count = audio_read(audio, 0, samples, 65536);
    for (uint32_t n = 0; n < 2 * count; n++) sum += (double)samples[n] * samples[n];
    return count > 0 ? sqrt(sum / (2 * count)) : 0;
}

// Plays frames until the tone is heard; returns after how many seconds, or more than `limit`.
static double heard_after(Audio *audio, double limit)
{
    const double start = stage_seconds();
    while (stage_seconds() - start < limit) {
        const double now = level(audio);
        if (now > 0.1 && now < 0.3) break;
        stage_sleep(0.01);
    }
    return stage_seconds() - start;
}

static bool reaches(Audio *audio, AudioState state, double limit)
{
    for (const double end = stage_seconds() + limit; stage_seconds() < end; stage_sleep(0.01)) {
        level(audio);
        if (audio_status(audio).state == state) return true;
    }
    return false;
}

// The capture processes that `parent` has started; the last of them in `one`.
static int children_of(pid_t parent, pid_t *one)
{
    int count = 0;
    DIR *proc = opendir("/proc");
    assert_non_null(proc);
    for (struct dirent *entry; (entry = readdir(proc));) {
        char path[300], words[256] = "";
        snprintf(path, sizeof path, "/proc/%s/cmdline", entry->d_name);
        const int fd = atoi(entry->d_name) > 0 ? open(path, O_RDONLY) : -1;
        if (fd < 0) continue;
        const ssize_t length = read(fd, words, sizeof words - 1);
        close(fd);
        const char *command = words + strlen(words) + 1; // behind the program's name
        if (length < 20 || strcmp(command, AUDIO_CAPTURE_COMMAND) != 0) continue;
        const char *task = command + strlen(command) + 1;
        if (atoi(task + strlen(task) + 1) != parent) continue;
        if (one) *one = atoi(entry->d_name);
        count++;
    }
    closedir(proc);
    return count;
}

static void assert_no_children(void)
{
    assert_int_equal(children_of(getpid(), NULL), 0);
    assert_int_equal(waitpid(-1, NULL, WNOHANG) <= 0, 1); // and none unreaped
}

static void what_plays_is_heard_and_named(void **state)
{
    (void)state;
    Stage *stage = stage_with_tone();
    const double start = stage_seconds();
    Audio *audio = open_input("input");
    assert_true(stage_seconds() - start < 0.5);
    assert_true(audio_status(audio).live);
    assert_true(heard_after(audio, 4) < 4);
    const AudioStatus status = audio_status(audio);
    assert_int_equal(status.state, AUDIO_PLAYING);
    assert_int_equal(status.rate, 48000);
    assert_string_equal(status.notice, "");
    assert_non_null(strcasestr(status.name, "monitor"));
    assert_int_equal(status.reopened, 0);
    audio_close(audio);
    assert_no_children();
    stage_close(stage);
}

static void after_a_stall_only_the_newest_is_heard(void **state)
{
    (void)state;
    static float samples[2 * 65536];
    Stage *stage = stage_with_tone();
    Audio *audio = open_input("system");
    assert_true(heard_after(audio, 4) < 4);
    assert_string_equal(audio_status(audio).notice, "");
    const uint64_t before = audio_status(audio).dropped;
    stage_sleep(1);
    const uint32_t count = audio_read(audio, 0, samples, 65536);
    assert_true(count > 4800 && count <= 12000);
    assert_true(audio_status(audio).dropped > before + 24000);
    audio_close(audio);
    stage_close(stage);
}

static void a_server_that_dies_is_heard_again(void **state)
{
    (void)state;
    Stage *stage = stage_with_tone();
    Audio *audio = open_input("input");
    assert_true(heard_after(audio, 4) < 4);
    stage_kill_sound(stage);
    assert_true(reaches(audio, audio_has_input(2) ? AUDIO_NO_SIGNAL : AUDIO_NO_DEVICE, 4));
    assert_true(strlen(audio_status(audio).notice) > 0);
    stage_sleep(2);
    stage_start_sound(stage);
    play_tone(stage);
    assert_true(heard_after(audio, 6) < 6);
    assert_true(audio_status(audio).reopened > 0);
    assert_string_equal(audio_status(audio).notice, "");
    audio_close(audio);
    assert_no_children();
    stage_close(stage);
}

static void a_server_that_starts_later_is_found(void **state)
{
    (void)state;
    Stage *stage = stage_open();
    Audio *audio = open_input("input");
    if (!audio_has_input(3)) assert_true(reaches(audio, AUDIO_NO_DEVICE, 3));
    stage_start_sound(stage);
    play_tone(stage);
    assert_true(heard_after(audio, 6) < 6);
    audio_close(audio);
    assert_no_children();
    stage_close(stage);
}

static void a_frozen_server_keeps_nobody_waiting(void **state)
{
    (void)state;
    Stage *stage = stage_with_tone();
    Audio *audio = open_input("input");
    assert_true(heard_after(audio, 4) < 4);
    stage_freeze_sound(stage, true);
    assert_true(reaches(audio, AUDIO_NO_SIGNAL, 3));
    assert_true(reaches(audio, AUDIO_NO_SIGNAL, 1)); // and stays so

    double start = stage_seconds();
    Audio *second = open_input("system");
    assert_true(stage_seconds() - start < 0.5);
    start = stage_seconds();
    assert_false(audio_has_input(0.5));
    assert_true(stage_seconds() - start < 1.5);
    start = stage_seconds();
    audio_close(audio);
    audio_close(second);
    assert_true(stage_seconds() - start < 1);
    assert_no_children();
    stage_freeze_sound(stage, false);
    stage_close(stage);
}

static void a_frozen_server_that_thaws_is_heard_again(void **state)
{
    (void)state;
    Stage *stage = stage_with_tone();
    Audio *audio = open_input("input");
    assert_true(heard_after(audio, 4) < 4);
    stage_freeze_sound(stage, true);
    stage_sleep(6); // long enough that the process is replaced
    assert_true(audio_status(audio).state == AUDIO_NO_SIGNAL);
    stage_freeze_sound(stage, false);
    assert_true(heard_after(audio, 8) < 8);
    audio_close(audio);
    stage_close(stage);
}

static void a_capture_process_that_dies_or_hangs_is_replaced(void **state)
{
    (void)state;
    Stage *stage = stage_with_tone();
    Audio *audio = open_input("input:stage.monitor");
    assert_true(heard_after(audio, 4) < 4);
    static const int signals[] = { SIGKILL, SIGSTOP };
    for (int n = 0; n < 2; n++) {
        const uint64_t before = audio_status(audio).reopened;
        pid_t child = 0;
        assert_int_equal(children_of(getpid(), &child), 1);
        kill(child, signals[n]);
        for (const double end = stage_seconds() + 8; stage_seconds() < end; stage_sleep(0.01)) {
            level(audio);
            if (audio_status(audio).reopened > before) break;
        }
        assert_true(heard_after(audio, 4) < 4);
        assert_int_equal(audio_status(audio).reopened, before + 1);
    }
    audio_close(audio);
    assert_no_children();
    stage_close(stage);
}

static void a_missing_name_is_replaced_until_it_appears(void **state)
{
    (void)state;
    char why[256] = "";
    Stage *stage = stage_with_tone();
    AudioDesc desc = { .source = "input:balcony.monitor", .strict = true };
    assert_null(audio_open(&desc, why, sizeof why));
    assert_non_null(strstr(why, "balcony.monitor"));
    assert_no_children();

    Audio *audio = open_input("input:balcony.monitor");
    assert_true(heard_after(audio, 4) < 4);
    assert_non_null(strstr(audio_status(audio).notice, "balcony.monitor"));
    stage_add_output(stage, "balcony");
    for (const double end = stage_seconds() + 6; stage_seconds() < end; stage_sleep(0.01)) {
        level(audio);
        if (!audio_status(audio).notice[0]) break;
    }
    assert_string_equal(audio_status(audio).notice, "");
    assert_non_null(strcasestr(audio_status(audio).name, "balcony"));
    audio_close(audio);

    audio = audio_open(&desc, why, sizeof why);
    assert_non_null(audio);
    audio_close(audio);
    assert_no_children();
    stage_close(stage);
}

// What audio_list prints; valid until the next call.
static const char *list(bool json, bool *any)
{
    static char text[65536];
    memset(text, 0, sizeof text);
    FILE *out = fmemopen(text, sizeof text - 1, "w");
    assert_non_null(out);
    *any = audio_list(out, json);
    fclose(out);
    return text;
}

static void the_list_shows_inputs_and_monitors(void **state)
{
    (void)state;
    bool any;
    Stage *stage = stage_open();
    const bool card = audio_has_input(3); // of the machine itself
    list(false, &any);
    assert_int_equal(any, card);

    stage_start_sound(stage);
    assert_true(audio_has_input(3));
    assert_non_null(strstr(list(false, &any), "* monitor  stage.monitor"));
    assert_true(any);
    const char *json = list(true, &any);
    assert_true(any && json[0] == '[');
    assert_non_null(strstr(json, "\"name\": \"stage.monitor\""));
    assert_non_null(strstr(json, "\"kind\": \"monitor\", \"default\": true, \"channels\": 2, "
                                 "\"rate\": 48000"));

    stage_freeze_sound(stage, true);
    const double start = stage_seconds();
    assert_non_null(strstr(list(false, &any), "did not answer"));
    assert_false(any);
    assert_true(stage_seconds() - start < 5);
    assert_no_children();
    stage_close(stage);
}

static void a_parent_that_is_killed_leaves_no_orphan(void **state)
{
    (void)state;
    Stage *stage = stage_with_tone();
    const char *const words[] = { "/proc/self/exe", HOLD, NULL };
    const pid_t parent = stage_run(words);
    pid_t child = 0;
    const double end = stage_seconds() + 5;
    while (children_of(parent, &child) == 0 && stage_seconds() < end) stage_sleep(0.02);
    assert_int_equal(children_of(parent, NULL), 1);
    stage_sleep(1); // until it hears
    stage_end(parent, SIGKILL);
    while (children_of(parent, NULL) > 0 && stage_seconds() < end + 3) stage_sleep(0.02);
    assert_int_equal(children_of(parent, NULL), 0);
    stage_close(stage);
}

static int hold(void)
{
    char why[256];
    Audio *audio = audio_open(&(AudioDesc){ .source = "input" }, why, sizeof why);
    if (!audio) return 1;
    for (;;) stage_sleep(1);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], AUDIO_CAPTURE_COMMAND) == 0)
        return audio_capture_main(argc, argv);
    if (argc > 1 && strcmp(argv[1], HOLD) == 0) return hold();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_plays_is_heard_and_named),
        cmocka_unit_test(after_a_stall_only_the_newest_is_heard),
        cmocka_unit_test(a_server_that_dies_is_heard_again),
        cmocka_unit_test(a_server_that_starts_later_is_found),
        cmocka_unit_test(a_frozen_server_keeps_nobody_waiting),
        cmocka_unit_test(a_frozen_server_that_thaws_is_heard_again),
        cmocka_unit_test(a_capture_process_that_dies_or_hangs_is_replaced),
        cmocka_unit_test(a_missing_name_is_replaced_until_it_appears),
        cmocka_unit_test(the_list_shows_inputs_and_monitors),
        cmocka_unit_test(a_parent_that_is_killed_leaves_no_orphan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
