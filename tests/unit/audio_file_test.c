#include "test.h"

#include <fcntl.h>
#include <math.h>
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "audio/audio.h"
#include "base/base.h"

static char folder[64]; // removed at the end of the group

static const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

// What channel `c` of a test file holds at frame `n`: exact in 16 bits, never twice alike nearby.
static float sample(int n, int c)
{
    return (float)((n * 37 + c * 5003) % 30011 - 15000) / 32768;
}

static void write_file(const char *name, int format, int channels, int rate, int frames)
{
    SF_INFO info = { .samplerate = rate, .channels = channels, .format = format };
    SNDFILE *file = sf_open(path_of(name), SFM_WRITE, &info);
    if (!file) fail_msg("%s: %s", name, sf_strerror(NULL));
    float frame[16];
    for (int n = 0; n < frames; n++) {
        for (int c = 0; c < channels; c++) frame[c] = sample(n, c);
        assert_int_equal(sf_writef_float(file, frame, 1), 1);
    }
    sf_close(file);
}

static Audio *open_named(const char *name, bool loop)
{
    char source[192], why[256] = "";
    snprintf(source, sizeof source, "file:%s", path_of(name));
    Audio *audio =
        audio_open(&(AudioDesc){ .source = source, .loop = loop, .wait = true }, why, sizeof why);
    if (!audio) fail_msg("%s", why);
    return audio;
}

static void assert_refused(const char *name, const char *because)
{
    char source[192], why[256] = "";
    snprintf(source, sizeof source, "file:%s", path_of(name));
    assert_null(audio_open(&(AudioDesc){ .source = source }, why, sizeof why));
    assert_non_null(strstr(why, name));
    if (!strstr(why, because)) fail_msg("\"%s\" does not say \"%s\"", why, because);
    assert_null(strchr(why, '\n'));
}

static void every_format_and_channel_count_gives_its_first_two_channels(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int format, channels, rate;
    } rows[] = {
        { "a.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16, 1, 44100 },
        { "b.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16, 2, 48000 },
        { "c.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_24, 2, 96000 },
        { "d.wav", SF_FORMAT_WAV | SF_FORMAT_FLOAT, 6, 48000 },
        { "e.wav", SF_FORMAT_WAV | SF_FORMAT_DOUBLE, 1, 8000 },
        { "f.flac", SF_FORMAT_FLAC | SF_FORMAT_PCM_16, 2, 44100 },
        { "g.flac", SF_FORMAT_FLAC | SF_FORMAT_PCM_24, 6, 192000 },
        { "h.aiff", SF_FORMAT_AIFF | SF_FORMAT_PCM_16, 2, 22050 },
        { "i.au", SF_FORMAT_AU | SF_FORMAT_FLOAT, 2, 11025 },
    };
    for (int r = 0; r < COUNT_OF(rows); r++) {
        const int frames = 5000, right = rows[r].channels > 1;
        static float got[2 * 6000];
        write_file(rows[r].name, rows[r].format, rows[r].channels, rows[r].rate, frames);
        Audio *audio = open_named(rows[r].name, false);
        assert_int_equal(audio_status(audio).rate, rows[r].rate);
        assert_false(audio_status(audio).live);
        assert_int_equal(audio_read(audio, 10, got, 6000), frames);
        for (int n = 0; n < frames; n++)
            if (got[2 * n] != sample(n, 0) || got[2 * n + 1] != sample(n, right))
                fail_msg("%s differs at frame %d", rows[r].name, n);
        audio_close(audio);
    }
}

static void a_lossy_file_gives_its_whole_length(void **state)
{
    (void)state;
    const int frames = 44100;
    static float got[2 * 50000];
    SF_INFO info = { .samplerate = 44100,
                     .channels = 2,
                     .format = SF_FORMAT_OGG | SF_FORMAT_VORBIS };
    SNDFILE *file = sf_open(path_of("tone.ogg"), SFM_WRITE, &info);
    assert_non_null(file);
    for (int n = 0; n < frames; n++) got[2 * n] = got[2 * n + 1] = 0.5f * sinf((float)n * 0.06f);
    sf_writef_float(file, got, frames);
    sf_close(file);

    Audio *audio = open_named("tone.ogg", false);
    assert_int_equal(audio_read(audio, 5, got, 50000), frames);
    double sum = 0;
    for (int n = 0; n < frames; n++) sum += (double)got[2 * n] * got[2 * n];
    assert_true(fabs(sqrt(sum / frames) - 0.5 / sqrt(2)) < 0.02);
    audio_close(audio);
}

// Longer than the reader is ahead, in uneven steps that are far faster than the file plays.
static void a_long_file_is_exact_in_steps_of_any_size(void **state)
{
    (void)state;
    const int frames = 48000 * 12;
    float got[2 * 4096];
    int at = 0;
    write_file("long.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16, 2, 48000, frames);
    Audio *audio = open_named("long.wav", false);
    for (int step = 0; at < frames; step++) {
        const uint32_t count = audio_read(audio, (step * 13 % 80 + 1) / 1000.0, got, 4096);
        assert_true(count > 0 || at == frames);
        for (uint32_t n = 0; n < count; n++, at++)
            if (got[2 * n] != sample(at, 0) || got[2 * n + 1] != sample(at, 1))
                fail_msg("differs at frame %d", at);
    }
    assert_int_equal(at, frames);
    audio_close(audio);
}

static void the_end_is_told_once_all_has_been_read(void **state)
{
    (void)state;
    float got[2 * 1000];
    write_file("short.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16, 1, 48000, 1000);
    Audio *audio = open_named("short.wav", false);
    assert_int_equal(audio_read(audio, 999 / 48000.0, got, 1000), 999);
    assert_int_equal(audio_status(audio).state, AUDIO_PLAYING);
    assert_int_equal(audio_read(audio, 10, got, 1000), 1);
    assert_int_equal(audio_status(audio).state, AUDIO_ENDED);
    assert_int_equal(audio_read(audio, 10, got, 1000), 0);
    audio_close(audio);
}

static void a_file_knows_its_duration_unless_it_loops(void **state)
{
    (void)state;
    write_file("known.flac", SF_FORMAT_FLAC | SF_FORMAT_PCM_16, 2, 44100, 22050);
    for (int loop = 0; loop < 2; loop++) {
        Audio *audio = open_named("known.flac", loop);
        assert_true(audio_status(audio).duration == (loop ? 0 : 0.5));
        audio_close(audio);
    }
}

static void a_loop_has_no_gap(void **state)
{
    (void)state;
    const int frames = 1777;
    float got[2 * 4000];
    int at = 0;
    write_file("loop.flac", SF_FORMAT_FLAC | SF_FORMAT_PCM_16, 2, 44100, frames);
    Audio *audio = open_named("loop.flac", true);
    while (at < 300 * frames) {
        const uint32_t count = audio_read(audio, 0.05, got, 4000);
        assert_true(count >= 2204);
        for (uint32_t n = 0; n < count; n++, at++)
            if (got[2 * n] != sample(at % frames, 0)) fail_msg("differs at frame %d", at);
    }
    assert_int_equal(audio_status(audio).state, AUDIO_PLAYING);
    audio_close(audio);
}

static void odd_samples_pass_unchanged(void **state)
{
    (void)state;
    const float odd[4] = { NAN, INFINITY, -4.2f, 1e-42f };
    float got[2 * 4];
    SF_INFO info = { .samplerate = 48000,
                     .channels = 1,
                     .format = SF_FORMAT_WAV | SF_FORMAT_FLOAT };
    SNDFILE *file = sf_open(path_of("odd.wav"), SFM_WRITE, &info);
    assert_non_null(file);
    sf_writef_float(file, odd, 4);
    sf_close(file);
    Audio *audio = open_named("odd.wav", false);
    assert_int_equal(audio_read(audio, 1, got, 4), 4);
    for (int n = 0; n < 4; n++) {
        assert_memory_equal(&got[2 * n], &odd[n], sizeof odd[n]);
        assert_memory_equal(&got[2 * n + 1], &odd[n], sizeof odd[n]);
    }
    audio_close(audio);
}

static void write_bytes(const char *name, const char *bytes, size_t length)
{
    FILE *file = fopen(path_of(name), "wb");
    assert_non_null(file);
    fwrite(bytes, 1, length, file);
    fclose(file);
}

static void what_cannot_be_heard_is_refused_with_a_sentence(void **state)
{
    (void)state;
    char text[4000];
    memset(text, 'x', sizeof text);
    write_bytes("empty.wav", "", 0);
    write_bytes("text.wav", text, sizeof text);
    write_file("nothing.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16, 2, 48000, 0);
    write_bytes("head.wav", "RIFF\x24\0\0\0WAVEfmt ", 16);
    assert_int_equal(mkdir(path_of("folder"), 0700), 0);
    assert_int_equal(mkfifo(path_of("pipe"), 0600), 0);

    assert_refused("absent.wav", "No such file");
    assert_refused("empty.wav", "not a sound file");
    assert_refused("text.wav", "not a sound file");
    assert_refused("head.wav", "not a sound file");
    assert_refused("nothing.wav", "no sound in it");
    assert_refused("folder", "it is not a file");
    assert_refused("pipe", "it is not a file");
}

static void a_rate_that_cannot_be_analysed_is_refused(void **state)
{
    (void)state;
    static const int refused[] = { 10, 4000, 7999, 192001, 352800, 768000 };
    for (int r = 0; r < COUNT_OF(refused); r++) {
        write_file("odd_rate.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16, 2, refused[r], 100);
        assert_refused("odd_rate.wav", "sample rate is not between 8 and 192 kHz");
    }
    static const int taken[] = { AUDIO_RATE_MIN, 8001, 191999, AUDIO_RATE_MAX };
    for (int r = 0; r < COUNT_OF(taken); r++) {
        write_file("odd_rate.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16, 2, taken[r], 100);
        Audio *audio = open_named("odd_rate.wav", false);
        assert_int_equal(audio_status(audio).rate, taken[r]);
        audio_close(audio);
    }
}

// A header with its channel count overwritten by 0.
static void a_file_without_channels_is_refused(void **state)
{
    (void)state;
    write_file("none.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16, 2, 48000, 100);
    FILE *file = fopen(path_of("none.wav"), "r+b");
    assert_non_null(file);
    fseek(file, 22, SEEK_SET);
    fwrite("\0\0", 1, 2, file);
    fclose(file);
    assert_refused("none.wav", "");
}

static void a_cut_file_gives_what_is_there(void **state)
{
    (void)state;
    static float got[2 * 10000];
    write_file("cut.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16, 2, 48000, 10000);
    assert_int_equal(truncate(path_of("cut.wav"), 44 + 4 * 3000), 0);
    Audio *audio = open_named("cut.wav", true);
    assert_int_equal(audio_read(audio, 6000 / 48000.0, got, 10000), 6000);
    assert_true(got[2 * 2999] == sample(2999, 0));
    assert_true(got[2 * 3000] == sample(0, 0));
    audio_close(audio);
}

static void a_seek_goes_there_and_nothing_from_before_comes_after(void **state)
{
    (void)state;
    enum { RATE = 48000, FRAMES = RATE * 6 };
    static float got[2 * RATE];
    static const double places[] = { 4, 0.5, 5.9, 0, 3.25, -2, 1, 100 };
    write_file("seek.flac", SF_FORMAT_FLAC | SF_FORMAT_PCM_16, 2, RATE, FRAMES);
    for (int loop = 0; loop < 2; loop++) {
        Audio *audio = open_named("seek.flac", loop);
        for (int p = 0; p < COUNT_OF(places); p++) {
            audio_read(audio, 0.01 * p, got, RATE);
            const uint64_t joins = audio_status(audio).joins;
            assert_true(audio_seek(audio, places[p] + 1)); // of two the later counts
            assert_true(audio_seek(audio, places[p]));
            int at = (int)(clampd(places[p], 0, 6) * RATE);
            assert_true(fabs(audio_status(audio).position - at / (double)RATE) < 1e-4);
            const uint32_t count = audio_read(audio, 0.7, got, RATE);
            const int left = FRAMES - at, wanted = (int)(0.7 * RATE + 0.5);
            assert_int_equal(count, loop || left > wanted ? wanted : left);
            for (uint32_t n = 0; n < count; n++, at++)
                if (got[2 * n] != sample(at % FRAMES, 0)) fail_msg("differs at frame %d", at);
            if (count > 0) assert_true(audio_status(audio).joins > joins);
            assert_int_equal(audio_status(audio).state,
                             loop || left > wanted ? AUDIO_PLAYING : AUDIO_ENDED);
        }
        audio_close(audio);
    }
}

// The first frame of the file may not come before the seek, and the frame thread does not wait.
static void a_seek_keeps_no_frame_waiting(void **state)
{
    (void)state;
    float got[2 * 1000];
    char source[192], why[256];
    write_file("now.flac", SF_FORMAT_FLAC | SF_FORMAT_PCM_16, 2, 48000, 48000 * 6);
    snprintf(source, sizeof source, "file:%s", path_of("now.flac"));
    Audio *audio = audio_open(&(AudioDesc){ .source = source }, why, sizeof why);
    assert_non_null(audio);
    assert_true(audio_seek(audio, 4));
    uint32_t count = 0;
    while ((count = audio_read(audio, 0.001, got, 1000)) == 0) usleep(100);
    assert_true(got[0] == sample(4 * 48000, 0));
    audio_close(audio);
}

static void a_held_file_goes_on_where_it_was(void **state)
{
    (void)state;
    float got[2 * 480];
    write_file("held.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16, 1, 48000, 4800);
    Audio *audio = open_named("held.wav", false);
    assert_int_equal(audio_read(audio, 0.01, got, 480), 480);
    const uint64_t joins = audio_status(audio).joins;
    assert_true(audio_pause(audio, true));
    for (int n = 0; n < 100; n++) assert_int_equal(audio_read(audio, 0.01, got, 480), 0);
    assert_int_equal(audio_status(audio).state, AUDIO_PAUSED);
    assert_true(audio_pause(audio, false));
    assert_int_equal(audio_read(audio, 0.01, got, 480), 480);
    assert_true(got[0] == sample(480, 0));
    assert_int_equal(audio_status(audio).state, AUDIO_PLAYING);
    assert_true(audio_status(audio).joins > joins);
    audio_close(audio);
}

// Reads frames of 1 ms until it is so; true when it became so within ten seconds.
static bool until(Audio *audio, bool (*is_so)(const Audio *))
{
    float got[2 * 200];
    for (int n = 0; n < 10000; n++) {
        audio_read(audio, 0.001, got, 200);
        if (is_so(audio)) return true;
        usleep(1000);
    }
    return false;
}

static bool is_other(const Audio *audio)
{
    return strstr(audio_status(audio).name, "other.wav") != NULL;
}

static bool is_demo(const Audio *audio)
{
    return strcmp(audio_status(audio).name, "demo:sine") == 0;
}

static bool has_notice(const Audio *audio)
{
    return audio_status(audio).notice[0] != 0;
}

static void another_source_is_heard_once_it_is_open(void **state)
{
    (void)state;
    char other[192], absent[192];
    write_file("one.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16, 2, 48000, 48000);
    write_file("other.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16, 2, 44100, 44100);
    snprintf(other, sizeof other, "file:%s", path_of("other.wav"));
    snprintf(absent, sizeof absent, "file:%s", path_of("absent.wav"));
    Audio *audio = open_named("one.wav", true);
    uint64_t joins = audio_status(audio).joins;

    audio_change(audio, &(AudioDesc){ .source = other, .loop = true });
    assert_true(until(audio, is_other));
    assert_int_equal(audio_status(audio).rate, 44100);
    assert_true(audio_status(audio).joins > joins);

    audio_change(audio, &(AudioDesc){ .source = absent });
    assert_true(until(audio, has_notice));
    assert_true(is_other(audio)); // plays on
    assert_non_null(strstr(audio_status(audio).notice, "absent.wav"));

    joins = audio_status(audio).joins;
    audio_change(audio, &(AudioDesc){ .source = absent });
    for (int n = 0; n < 10; n++) audio_change(audio, &(AudioDesc){ .source = "demo:sine" });
    assert_true(until(audio, is_demo));
    assert_string_equal(audio_status(audio).notice, "");
    assert_true(audio_status(audio).joins > joins);
    audio_close(audio);
}

static void closing_waits_for_a_change_under_way(void **state)
{
    (void)state;
    float got[2 * 480];
    char source[192];
    write_file("next.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16, 2, 48000, 48000);
    snprintf(source, sizeof source, "file:%s", path_of("next.wav"));
    for (int n = 0; n < 60; n++) {
        Audio *audio = open_named("next.wav", true);
        audio_change(audio, &(AudioDesc){ .source = source, .loop = true });
        for (int reads = 0; reads < n % 6; reads++) {
            audio_read(audio, 0.01, got, 480);
            usleep(300);
        }
        audio_close(audio);
    }
}

static void the_offset_delays_and_never_hastens(void **state)
{
    (void)state;
    float got[2 * 4800];
    write_file("late.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16, 2, 48000, 48000);
    static const double offsets[] = { 0, -0.2, 0.01, 0.04 };
    for (int o = 0; o < COUNT_OF(offsets); o++) {
        Audio *audio = open_named("late.wav", false);
        audio_tune(audio, AUDIO_LOUDEST, offsets[o]);
        assert_int_equal(audio_read(audio, 0.1, got, 4800), 4800);
        const int late = offsets[o] > 0 ? (int)(offsets[o] * 48000 + 0.5) : 0;
        for (int n = 0; n < 4800; n++)
            assert_true(got[2 * n + 1] == (n < late ? 0 : sample(n - late, 1)));
        audio_close(audio);
    }
}

static void closing_early_ends_the_reader(void **state)
{
    (void)state;
    write_file("early.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16, 2, 48000, 48000 * 4);
    for (int n = 0; n < 50; n++) audio_close(open_named("early.wav", n % 2));
}

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/motes_file_XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_and_channel_count_gives_its_first_two_channels),
        cmocka_unit_test(a_lossy_file_gives_its_whole_length),
        cmocka_unit_test(a_long_file_is_exact_in_steps_of_any_size),
        cmocka_unit_test(the_end_is_told_once_all_has_been_read),
        cmocka_unit_test(a_file_knows_its_duration_unless_it_loops),
        cmocka_unit_test(a_loop_has_no_gap),
        cmocka_unit_test(odd_samples_pass_unchanged),
        cmocka_unit_test(what_cannot_be_heard_is_refused_with_a_sentence),
        cmocka_unit_test(a_rate_that_cannot_be_analysed_is_refused),
        cmocka_unit_test(a_file_without_channels_is_refused),
        cmocka_unit_test(a_cut_file_gives_what_is_there),
        cmocka_unit_test(a_seek_goes_there_and_nothing_from_before_comes_after),
        cmocka_unit_test(a_seek_keeps_no_frame_waiting),
        cmocka_unit_test(a_held_file_goes_on_where_it_was),
        cmocka_unit_test(another_source_is_heard_once_it_is_open),
        cmocka_unit_test(closing_waits_for_a_change_under_way),
        cmocka_unit_test(the_offset_delays_and_never_hastens),
        cmocka_unit_test(closing_early_ends_the_reader),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
