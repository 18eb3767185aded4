// Hearing a real sound server: one that plays, that is not there, that dies, hangs, comes back.
#include "test.h"

#include <math.h>
#include <signal.h>
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "audio/audio.h"
#include "base/base.h"
#include "stage.h"

#define HOLD "--hold" // this program again: opens the default input and waits to be killed

// Of the test that runs; teardown ends them also where it failed halfway.
static Stage *stage;
static Audio *audio;

// A tone, two minutes long; of 0.25 in each of two channels, and in more of 0.1, 0.2, ...
static void write_tone(const char *path, int channels)
{
    enum { PERIODS = 5, FRAMES = 480, MOST = 8 };
    SF_INFO info = { .samplerate = 48000,
                     .channels = channels,
                     .format = SF_FORMAT_WAV | SF_FORMAT_PCM_16 };
    SNDFILE *file = sf_open(path, SFM_WRITE, &info);
    if (!file) fail_msg("%s cannot be written", path);
    float block[MOST * FRAMES];
    for (int n = 0; n < FRAMES; n++)
        for (int c = 0; c < channels; c++)
            block[channels * n + c] = (channels > 2 ? 0.1f * (float)(c + 1) : 0.25f) *
                                      sinf((float)n * (float)(2 * M_PI * PERIODS / FRAMES));
    for (int n = 0; n < 100 * 120; n++) sf_writef_float(file, block, FRAMES);
    sf_close(file);
}

static void play_tone_into(const char *output, int channels)
{
    char path[256];
    snprintf(path, sizeof path, "%s", stage_path(stage, channels > 2 ? "many.wav" : "tone.wav"));
    if (access(path, F_OK) < 0) write_tone(path, channels);
    stage_play_into(stage, output, path);
}

static void play_tone(void)
{
    play_tone_into("stage", 2);
}

static int set_up(void **state)
{
    (void)state;
    stage = stage_open();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    audio_close(audio);
    stage_close(stage);
    audio = NULL;
    stage = NULL;
    return 0;
}

static void start_tone(void)
{
    stage_start_sound(stage);
    play_tone();
}

static void open_input(const char *source)
{
    char why[256] = "";
    audio = audio_open(&(AudioDesc){ .source = source }, why, sizeof why);
    if (!audio) fail_msg("%s", why);
}

static void close_input(void)
{
    audio_close(audio);
    audio = NULL;
}

// The root mean square of each channel of what has come last.
static double heard[2];

// Reads what has come; the root mean square of what came, 0 when nothing did.
static double level(void)
{
    static float samples[2 * 65536];
    double sum[2] = { 0 };
    const uint32_t count = audio_read(audio, 0, samples, 65536);
    for (uint32_t n = 0; n < 2 * count; n++)
        if (isfinite(samples[n])) sum[n % 2] += (double)samples[n] * samples[n];
    for (int c = 0; c < 2 && count > 0; c++) heard[c] = sqrt(sum[c] / count);
    return count > 0 ? sqrt((sum[0] + sum[1]) / (2 * count)) : 0;
}

static bool tone(void)
{
    const double now = level();
    return now > 0.1 && now < 0.3;
}

static bool playing(void)
{
    return level() >= 0 && audio_status(audio).state == AUDIO_PLAYING;
}

static bool no_signal(void)
{
    return level() == 0 && audio_status(audio).state == AUDIO_NO_SIGNAL;
}

static bool no_device(void)
{
    return level() == 0 && audio_status(audio).state == AUDIO_NO_DEVICE;
}

static bool notice(void)
{
    return level() >= 0 && audio_status(audio).notice[0] != 0;
}

static bool no_notice(void)
{
    return level() >= 0 && audio_status(audio).notice[0] == 0;
}

static bool says_silence(void)
{
    return level() >= 0 && strcmp(audio_status(audio).notice, AUDIO_DIGITAL_SILENCE) == 0;
}

static const char *hoped; // part of a name

static bool named_as_hoped(void)
{
    return level() >= 0 && strcasestr(audio_status(audio).name, hoped);
}

static bool named_otherwise(void)
{
    return !named_as_hoped();
}

static uint64_t reopened_before;

static bool reopened(void)
{
    return level() >= 0 && audio_status(audio).reopened > reopened_before;
}

// Runs frames until that is so, for at most so many seconds of a machine that is free.
static bool within(double seconds, bool (*is_so)(void))
{
    const double end = stage_seconds() + stage_patience(seconds);
    while (stage_seconds() < end) {
        if (is_so()) return true;
        stage_sleep(0.01);
    }
    return false;
}

static void assert_no_children(void)
{
    assert_int_equal(stage_captures(getpid(), NULL), 0);
    assert_int_equal(waitpid(-1, NULL, WNOHANG) <= 0, 1); // and none unreaped
}

// Every start hears: 20 of 20, none later than two seconds after its first sample.
static void each_of_twenty_starts_hears(void **state)
{
    (void)state;
    start_tone();
    open_input("system");
    assert_true(within(4, tone));
    double slowest = 0;
    for (int n = 0; n < 20; n++) {
        audio_close(audio);
        const double begun = stage_seconds();
        open_input(n % 2 ? "input" : "system");
        assert_true(within(4, playing));
        const double first = stage_seconds();
        assert_true(within(2, tone));
        if (stage_seconds() - first > stage_patience(2)) fail_msg("start %d was late", n);
        slowest = fmax(slowest, stage_seconds() - begun);
    }
    print_message("20 starts, each heard; the slowest after %.2f s\n", slowest);
}

static void what_the_system_plays_is_followed(void **state)
{
    (void)state;
    start_tone();
    stage_add_output(stage, "balcony");
    stage_set_default_output(stage, "stage");
    open_input("system");
    assert_true(within(4, tone));
    play_tone_into("balcony", 2);
    stage_set_default_output(stage, "balcony");
    hoped = "balcony";
    assert_true(within(2, named_as_hoped));
    assert_true(within(2, tone));
    assert_string_equal(audio_status(audio).notice, "");

    play_tone();
    stage_remove_output(stage, "balcony"); // the server falls back on the other one
    assert_true(within(2, named_otherwise));
    assert_true(within(2, tone));
    close_input();
    assert_no_children();
}

static void a_source_that_goes_and_comes_is_waited_for(void **state)
{
    (void)state;
    start_tone();
    stage_add_output(stage, "balcony");
    play_tone_into("balcony", 2);
    open_input("input:balcony.monitor");
    assert_true(within(4, tone));
    for (int round = 0; round < 2; round++) {
        stage_remove_output(stage, "balcony");
        assert_true(within(6, notice));
        assert_non_null(strstr(audio_status(audio).notice, "balcony.monitor"));
        stage_add_output(stage, "balcony");
        play_tone_into("balcony", 2);
        hoped = "balcony";
        assert_true(within(6, named_as_hoped));
        assert_true(within(4, tone));
        assert_string_equal(audio_status(audio).notice, "");
    }
}

static void digital_silence_is_said_and_opened_once_more(void **state)
{
    (void)state;
    char log[256], why[256];
    snprintf(log, sizeof log, "%s", stage_path(stage, "log.txt"));
    stage_start_sound(stage);
    audio = audio_open(&(AudioDesc){ .source = "system", .log = log }, why, sizeof why);
    assert_non_null(audio);
    assert_true(within(9, says_silence));
    assert_true(within(4, reopened));
    reopened_before = audio_status(audio).reopened;
    const double end = stage_seconds() + 6.5;
    while (stage_seconds() < end) {
        assert_true(says_silence());
        stage_sleep(0.02);
    }
    assert_int_equal(audio_status(audio).reopened, reopened_before);
    reopened_before = 0;
    play_tone();
    assert_true(within(2, tone));
    assert_true(within(1, no_notice));

    char *text = file_read(log, NULL, why, sizeof why);
    assert_non_null(text);
    assert_non_null(strstr(text, "digital silence"));
    assert_non_null(strstr(text, "opening it once more"));
    free(text);
}

#ifdef HAVE_PULSE
static void any_pair_of_a_card_with_many_channels_is_heard(void **state)
{
    (void)state;
    static const struct {
        const char *source;
        double left, right; // amplitudes
    } rows[] = {
        { "input:many.monitor", 0.1, 0.2 },     { "input:many.monitor#3-4", 0.3, 0.4 },
        { "input:many.monitor#6-5", 0.6, 0.5 }, // PipeWire plays into the first six
        { "input:many.monitor#4", 0.4, 0.4 },   { "system#6-1", 0.6, 0.1 },
    };
    stage_start_sound(stage);
    stage_add_odd_output(stage, "many", "rate=48000 channels=8");
    stage_set_default_output(stage, "many");
    play_tone_into("many", 8);
    for (int r = 1; r < COUNT_OF(rows); r++) { // the first two of many are the server's mix
        open_input(rows[r].source);
        const double end = stage_seconds() + stage_patience(4);
        bool right = false;
        while (!right && stage_seconds() < end) {
            level();
            right = fabs(heard[0] * sqrt(2) - rows[r].left) < 0.02 &&
                    fabs(heard[1] * sqrt(2) - rows[r].right) < 0.02;
            stage_sleep(0.01);
        }
        if (!right)
            fail_msg("%s: %.3f %.3f", rows[r].source, heard[0] * sqrt(2), heard[1] * sqrt(2));
        assert_string_equal(audio_status(audio).notice, "");
        close_input();
    }
    open_input("input:many.monitor#9-10");
    assert_true(within(4, notice));
    assert_non_null(strstr(audio_status(audio).notice, "no channel 10"));
}

static void every_kind_of_device_gives_its_tone(void **state)
{
    (void)state;
    static const struct {
        const char *kind;
        int rate;
    } rows[] = {
        { "rate=8000 channels=1 format=s16le", 8000 },
        { "rate=16000 channels=2 format=s24le", 16000 },
        { "rate=96000 channels=4 format=s24le", 96000 },
        { "rate=192000 channels=2 format=s32le", 192000 },
        { "rate=384000 channels=2 format=float32le", 48000 },
    };
    stage_start_sound(stage);
    for (int r = 0; r < COUNT_OF(rows); r++) {
        stage_add_odd_output(stage, "odd", rows[r].kind);
        open_input("input:odd.monitor");
        assert_true(
            within(4, playing)); // an output that is at rest takes the rate of what it plays
        play_tone_into("odd", 2);
        if (!within(4, tone)) fail_msg("%s is not heard", rows[r].kind);
        const AudioStatus status = audio_status(audio);
        if (status.rate != rows[r].rate)
            fail_msg("%s: %d Hz of %s (%s)", rows[r].kind, status.rate, status.name, status.notice);
        close_input();
        stage_remove_output(stage, "odd");
    }
}
#endif

// A device without a clock that gives floats of every bit pattern, as fast as they are taken.
static void a_device_of_garbage_does_no_harm(void **state)
{
    (void)state;
    enum { BYTES = 1 << 20 };
    char garbage[256], rc[1024], why[256];
    uint32_t *bits = malloc(BYTES);
    assert_non_null(bits);
    for (uint32_t n = 0; n < BYTES / sizeof *bits; n++) bits[n] = rng_mix(n);
    snprintf(garbage, sizeof garbage, "%s", stage_path(stage, "garbage.raw"));
    assert_true(file_write(garbage, (char *)bits, BYTES, why, sizeof why));
    free(bits);
    snprintf(rc, sizeof rc,
             "pcm.torture { type file slave.pcm \"null\" file \"/dev/null\" infile \"%s\" "
             "format \"raw\" }\n",
             garbage);
    assert_true(file_write(stage_path(stage, ".asoundrc"), rc, strlen(rc), why, sizeof why));

    static float samples[2 * 65536];
    bool odd = false;
    open_input("input:torture");
    const double end = stage_seconds() + stage_patience(4);
    while (!odd && stage_seconds() < end) {
        const uint32_t count = audio_read(audio, 0, samples, 65536);
        for (uint32_t n = 0; n < 2 * count; n++) odd = odd || !isfinite(samples[n]);
        stage_sleep(0.01);
    }
    assert_true(odd);
    assert_true(within(1, playing));
    assert_non_null(strstr(audio_status(audio).name, "torture"));
    close_input();
    open_input("input:torture#7-12"); // a card's own channels
    assert_true(within(4, playing));
    assert_non_null(strstr(audio_status(audio).name, "torture"));
    assert_string_equal(audio_status(audio).notice, "");
    const double start = stage_seconds();
    close_input();
    assert_true(stage_seconds() - start < stage_patience(1));
    assert_no_children();
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

// True when the machine itself has an input, so that silence is not the want of one.  Before a server runs.
static bool has_card(void)
{
    bool any;
    list(false, &any);
    return any;
}

static void what_plays_is_heard_and_named(void **state)
{
    (void)state;
    start_tone();
    const double start = stage_seconds();
    open_input("input");
    assert_true(stage_seconds() - start < stage_patience(0.5));
    assert_true(audio_status(audio).live);
    assert_true(within(4, tone));
    assert_true(within(1, playing));
    const AudioStatus status = audio_status(audio);
    assert_string_equal(status.notice, "");
#ifdef HAVE_PULSE // the server's own name and rate
    assert_int_equal(status.rate, 48000);
    assert_non_null(strcasestr(status.name, "monitor"));
#endif
    close_input();
    assert_no_children();
}

static void after_a_stall_only_the_newest_is_heard(void **state)
{
    (void)state;
    static float samples[2 * 65536];
    start_tone();
    open_input("system");
    assert_true(within(4, tone));
    assert_string_equal(audio_status(audio).notice, "");
    const AudioStatus flowing = audio_status(audio);
    const uint64_t before = flowing.dropped;
    assert_true(flowing.age > 0 && flowing.age < stage_patience(0.1));
    assert_true(flowing.callback_worst > 0 && flowing.callback_worst < 0.1);
    stage_sleep(1);
    const uint32_t count = audio_read(audio, 0, samples, 65536);
    assert_true(count > 4800 && count <= 12000);
    assert_true(audio_status(audio).dropped > before + 24000);
    assert_true(audio_status(audio).joins > flowing.joins);
}

static void a_server_that_dies_is_heard_again(void **state)
{
    (void)state;
    start_tone();
    open_input("input");
    assert_true(within(4, tone));
    stage_kill_sound(stage);
    const bool card = has_card();
    assert_true(within(4, card ? no_signal : no_device));
    if (!card) assert_true(strlen(audio_status(audio).notice) > 0);
    stage_sleep(2);
    stage_start_sound(stage);
    play_tone();
    assert_true(within(6, tone));
    assert_true(audio_status(audio).reopened > 0);
    assert_true(within(1, no_notice));
    close_input();
    assert_no_children();
}

static void a_server_that_starts_later_is_found(void **state)
{
    (void)state;
    open_input("input");
    if (!has_card()) assert_true(within(3, no_device));
    stage_start_sound(stage);
    play_tone();
    assert_true(within(6, tone));
    close_input();
    assert_no_children();
}

// The server then makes up an output that nobody plays to: silent for ever, and no input.
static void a_machine_without_card_is_no_device_until_one_appears(void **state)
{
    (void)state;
    const bool card = has_card();
    stage_start_without_card(stage);
    open_input("input");
    if (!card) {
        assert_true(within(4, no_device));
        stage_sleep(1.5);
        assert_true(no_device());
        assert_non_null(strstr(audio_status(audio).notice, "no sound input"));
    }
    stage_add_output(stage, "stage");
    play_tone();
    assert_true(within(6, tone));
    assert_true(within(1, no_notice));
}

static void a_frozen_server_keeps_nobody_waiting(void **state)
{
    (void)state;
    start_tone();
    open_input("input");
    assert_true(within(4, tone));
    stage_freeze_sound(stage, true);
    assert_true(within(3, no_signal));

    double start = stage_seconds();
    char why[256];
    Audio *second = audio_open(&(AudioDesc){ .source = "system" }, why, sizeof why);
    assert_non_null(second);
    assert_true(stage_seconds() - start < stage_patience(0.5));
    start = stage_seconds();
    close_input();
    audio_close(second);
    assert_true(stage_seconds() - start < stage_patience(1));
    assert_no_children();
    stage_freeze_sound(stage, false);
}

// The slowest of the reads and status calls since it was last set to 0, in seconds.
static double slowest_frame;

static bool timed_tone(void)
{
    const double begun = stage_seconds();
    const bool is = tone() && named_as_hoped();
    slowest_frame = fmax(slowest_frame, stage_seconds() - begun);
    return is;
}

// To and fro; the last of the changes leaves a source whose server hangs.
static void another_device_is_taken_between_two_frames(void **state)
{
    (void)state;
    start_tone();
    stage_add_output(stage, "balcony");
    stage_set_default_output(stage, "stage");
    open_input("system");
    assert_true(within(4, tone));
    hoped = "";
    slowest_frame = 0;
    for (int n = 0; n < 200; n++, stage_sleep(0.01)) timed_tone();
    const double usual = slowest_frame;
    slowest_frame = 0;
    for (int round = 0; round < 3; round++) {
        play_tone_into("balcony", 2);
        hoped = "balcony";
        audio_change(audio, &(AudioDesc){ .source = "input:balcony.monitor" });
        assert_true(within(4, timed_tone));
        hoped = "demo:sine";
        audio_change(audio, &(AudioDesc){ .source = "demo:sine" });
        assert_true(within(1, named_as_hoped));
    }
    audio_change(audio, &(AudioDesc){ .source = "input:balcony.monitor" });
    hoped = "balcony";
    assert_true(within(4, timed_tone));
    stage_freeze_sound(stage, true);
    hoped = "demo:sine";
    audio_change(audio, &(AudioDesc){ .source = "demo:sine" });
    const double end = stage_seconds() + 1;
    while (stage_seconds() < end) {
        timed_tone();
        stage_sleep(0.01);
    }
    assert_true(named_as_hoped());
    assert_no_children();
    print_message("the slowest read took %.2f ms while sources were changed, %.2f ms before\n",
                  1000 * slowest_frame, 1000 * usual);
    if (slowest_frame > stage_patience(0.02)) fail_msg("a change took %.3f s", slowest_frame);
    assert_string_equal(audio_status(audio).notice, "");
}

static void a_frozen_server_that_thaws_is_heard_again(void **state)
{
    (void)state;
    start_tone();
    open_input("input");
    assert_true(within(4, tone));
    stage_freeze_sound(stage, true);
    stage_sleep(6); // long enough that the process is replaced
    assert_true(audio_status(audio).state == AUDIO_NO_SIGNAL);
    stage_freeze_sound(stage, false);
    assert_true(within(8, tone));
}

static void a_capture_process_that_dies_or_hangs_is_replaced(void **state)
{
    (void)state;
    start_tone();
    open_input("input:stage.monitor");
    assert_true(within(4, tone));
    static const int signals[] = { SIGKILL, SIGSTOP };
    for (int n = 0; n < 2; n++) {
        pid_t child = 0;
        assert_int_equal(stage_captures(getpid(), &child), 1);
        kill(child, signals[n]);
        reopened_before = audio_status(audio).reopened;
        assert_true(within(8, reopened));
        assert_true(within(4, tone));
    }
    close_input();
    assert_no_children();
}

static void a_missing_name_is_replaced_until_it_appears(void **state)
{
    (void)state;
    char why[256] = "";
    start_tone();
    AudioDesc desc = { .source = "input:balcony.monitor", .strict = true };
    assert_null(audio_open(&desc, why, sizeof why));
    assert_non_null(strstr(why, "balcony.monitor"));
    assert_no_children();

    open_input("input:balcony.monitor");
    assert_true(within(4, tone));
    assert_true(within(1, notice));
    assert_non_null(strstr(audio_status(audio).notice, "balcony.monitor"));
    stage_add_output(stage, "balcony");
    assert_true(within(6, no_notice));
    assert_non_null(strcasestr(audio_status(audio).name, "balcony"));
    close_input();

    audio = audio_open(&desc, why, sizeof why);
    assert_non_null(audio);
    close_input();
    assert_no_children();
}

static void the_list_shows_inputs_and_monitors(void **state)
{
    (void)state;
    bool any;
    if (!has_card()) assert_non_null(strstr(list(false, &any), "no sound input"));

    stage_start_sound(stage);
    const char *json = list(true, &any);
    assert_true(any && json[0] == '[');
    assert_non_null(strstr(json, "\"default\": true"));
#ifdef HAVE_PULSE // the server's own sources
    assert_non_null(strstr(json, "\"name\": \"stage.monitor\""));
    assert_non_null(strstr(json, "\"kind\": \"monitor\", \"default\": true, \"channels\": 2, "
                                 "\"rate\": 48000"));

    assert_non_null(strstr(list(false, &any), "* monitor  stage.monitor"));
    assert_true(any);
#endif

    stage_freeze_sound(stage, true);
    const double start = stage_seconds();
    assert_non_null(strstr(list(false, &any), "did not answer"));
    assert_false(any);
    assert_true(stage_seconds() - start < stage_patience(5));
    assert_no_children();
}

static void a_parent_that_is_killed_leaves_no_orphan(void **state)
{
    (void)state;
    start_tone();
    char self[512] = "";
    assert_true(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
    const char *const words[] = { self, HOLD, NULL };
    const pid_t parent = stage_run(words);
    pid_t child = 0;
    const double end = stage_seconds() + 5;
    while (stage_captures(parent, &child) == 0 && stage_seconds() < end) stage_sleep(0.02);
    assert_int_equal(stage_captures(parent, NULL), 1);
    stage_sleep(1); // until it hears
    stage_end(parent, SIGKILL);
    while (stage_captures(parent, NULL) > 0 && stage_seconds() < end + 3) stage_sleep(0.02);
    assert_int_equal(stage_captures(parent, NULL), 0);
}

static int hold(void)
{
    char why[256];
    audio = audio_open(&(AudioDesc){ .source = "input" }, why, sizeof why);
    if (!audio) return 1;
    for (;;) stage_sleep(1);
}

#define ON_STAGE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], AUDIO_CAPTURE_COMMAND) == 0)
        return audio_capture_main(argc, argv);
    if (argc > 1 && strcmp(argv[1], HOLD) == 0) return hold();
    const struct CMUnitTest tests[] = {
        ON_STAGE(what_plays_is_heard_and_named),
        ON_STAGE(each_of_twenty_starts_hears),
        ON_STAGE(after_a_stall_only_the_newest_is_heard),
        ON_STAGE(what_the_system_plays_is_followed),
        ON_STAGE(a_source_that_goes_and_comes_is_waited_for),
        ON_STAGE(digital_silence_is_said_and_opened_once_more),
        ON_STAGE(a_device_of_garbage_does_no_harm),
#ifdef HAVE_PULSE // the server's own channels and rates
        ON_STAGE(any_pair_of_a_card_with_many_channels_is_heard),
        ON_STAGE(every_kind_of_device_gives_its_tone),
#endif
        ON_STAGE(a_server_that_dies_is_heard_again),
        ON_STAGE(a_server_that_starts_later_is_found),
        ON_STAGE(a_machine_without_card_is_no_device_until_one_appears),
        ON_STAGE(a_frozen_server_keeps_nobody_waiting),
        ON_STAGE(another_device_is_taken_between_two_frames),
        ON_STAGE(a_frozen_server_that_thaws_is_heard_again),
        ON_STAGE(a_capture_process_that_dies_or_hangs_is_replaced),
        ON_STAGE(a_missing_name_is_replaced_until_it_appears),
        ON_STAGE(the_list_shows_inputs_and_monitors),
        ON_STAGE(a_parent_that_is_killed_leaves_no_orphan),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
