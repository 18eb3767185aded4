#include "test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>

#include "app/stats.h"

static StatsRow row_of(uint32_t frame)
{
    StatsRow row = { .show = { .frame = frame,
                               .time = frame / 60.0,
                               .dt = 1 / 60.0,
                               .births_cpu = 3,
                               .alive_gpu = 9,
                               .events_lost = 77 },
                     .frame_ms = 1.25,
                     .preset = "a \"quoted\\\" name",
                     .audio = "PLAYING" };
    row.show.features.signal[SIGNAL_PEAK] = 0.5f;
    return row;
}

static void make_name(char *name)
{
    strcpy(name, "/tmp/motes-stats-XXXXXX");
    const int fd = mkstemp(name);
    assert_true(fd >= 0);
    close(fd);
}

static void every_row_is_one_json_object(void **state)
{
    (void)state;
    static const char *const fields[] = {
        "frame",      "time",      "dt",        "peak",        "level",      "rms",
        "bands",      "onset",     "beat",      "bpm",         "births_cpu", "alive_cpu",
        "births_gpu", "alive_gpu", "gpu_frame", "frame_ms",    "preset",     "audio",
        "dropped",    "source",    "age_ms",    "callback_ms", "gaps",       "onsets",
        "confidence", "loudness",  "build",     "break",       "drop",       "gain",
        "automatic",  "silent",    "gpu_ms",    "quality"
    };
    char name[64], why[256], line[4096];
    make_name(name);
    Stats *stats = stats_open(name, true, why, sizeof why);
    assert_non_null(stats);
    for (uint32_t i = 0; i < 2000; i++) {
        const StatsRow row = row_of(i);
        stats_row(stats, &row);
    }
    assert_true(stats_close(stats, why, sizeof why));

    FILE *file = fopen(name, "r");
    uint32_t count = 0;
    for (; fgets(line, sizeof line, file); count++) {
        json_t *object = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
        assert_non_null(object);
        assert_int_equal(json_integer_value(json_object_get(object, "frame")), count);
        for (int i = 0; i < COUNT_OF(fields); i++)
            assert_non_null(json_object_get(object, fields[i]));
        const json_t *dropped = json_object_get(object, "dropped");
        assert_int_equal(json_integer_value(json_object_get(dropped, "events")), 77);
        assert_string_equal(json_string_value(json_object_get(object, "preset")),
                            "a \"quoted\\\" name");
        json_decref(object);
    }
    assert_int_equal(count, 2000);
    fclose(file);
    unlink(name);
}

// A minute of clicks: the show's own rows, at any frame rate.
static void count_clicks(double fps, int *flagged, json_int_t *counted)
{
    char name[64], why[256], line[4096];
    float pairs[AUDIO_CHANNELS * 4096];
    make_name(name);
    Stats *stats = stats_open(name, true, why, sizeof why);
    Show *show = show_new(&(ShowDesc){ .seed = 1, .rate = 48000 }, why, sizeof why);
    Audio *audio = audio_open(&(AudioDesc){ .source = "demo:clicks", .rate = 48000, .wait = true },
                              why, sizeof why);
    assert_true(stats && show && audio);
    for (int frame = 0; frame < 60 * fps; frame++) {
        const uint32_t got = audio_read(audio, 1 / fps, pairs, 4096);
        show_frame(show,
                   &(ShowInput){ .samples = pairs, .frames = got, .rate = 48000, .dt = 1 / fps },
                   NULL);
        stats_row(stats, &(StatsRow){ .show = show_stats(show) });
    }
    audio_close(audio);
    show_free(show);
    assert_true(stats_close(stats, why, sizeof why));

    FILE *file = fopen(name, "r");
    while (fgets(line, sizeof line, file)) {
        json_t *row = json_loads(line, 0, NULL);
        *flagged += json_is_true(json_object_get(row, "onset"));
        *counted = json_integer_value(json_object_get(row, "onsets"));
        json_decref(row);
    }
    fclose(file);
    unlink(name);
}

static void clicks_are_as_many_onsets_at_any_frame_rate(void **state)
{
    (void)state;
    if (SANITIZED) skip(); // minutes of hearing, which has tests of its own
    static const double rates[] = { 20, 60, 144 };
    for (int r = 0; r < COUNT_OF(rates); r++) {
        int flagged = 0;
        json_int_t counted = 0;
        count_clicks(rates[r], &flagged, &counted);
        assert_int_equal(flagged, 120);
        assert_int_equal(counted, 120);
    }
}

static void a_pipe_that_nobody_reads_costs_rows_not_frames(void **state)
{
    (void)state;
    char name[64], why[256] = "";
    make_name(name);
    unlink(name);
    assert_int_equal(mkfifo(name, 0600), 0);
    const int reader = open(name, O_RDWR | O_NONBLOCK); // open, and never read
    Stats *stats = stats_open(name, false, why, sizeof why);
    assert_non_null(stats);
    for (uint32_t i = 0; i < 20000; i++) {
        const StatsRow row = row_of(i);
        stats_row(stats, &row); // would hang the test if it waited
    }
    assert_false(stats_close(stats, why, sizeof why));
    assert_true(strlen(why) > 10);
    close(reader);
    unlink(name);
}

static void a_pipe_without_a_reader_is_refused_at_once(void **state)
{
    (void)state;
    char name[64], why[256] = "";
    make_name(name);
    unlink(name);
    assert_int_equal(mkfifo(name, 0600), 0);
    assert_null(stats_open(name, false, why, sizeof why));
    assert_non_null(strstr(why, name));
    unlink(name);
}

static void a_full_disk_is_one_sentence_at_the_end(void **state)
{
    (void)state;
    char why[256] = "";
    Stats *stats = stats_open("/dev/full", true, why, sizeof why);
    assert_non_null(stats);
    for (uint32_t i = 0; i < 2000; i++) {
        const StatsRow row = row_of(i);
        stats_row(stats, &row);
    }
    assert_false(stats_close(stats, why, sizeof why));
    assert_true(strlen(why) > 10);
}

static void a_file_that_cannot_be_made_is_one_sentence(void **state)
{
    (void)state;
    char why[256] = "";
    assert_null(stats_open("/nowhere/at/all.json", false, why, sizeof why));
    assert_non_null(strstr(why, "/nowhere/at/all.json"));
    stats_row(NULL, NULL);
    assert_true(stats_close(NULL, why, sizeof why));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_one_json_object),
        cmocka_unit_test(clicks_are_as_many_onsets_at_any_frame_rate),
        cmocka_unit_test(a_pipe_that_nobody_reads_costs_rows_not_frames),
        cmocka_unit_test(a_pipe_without_a_reader_is_refused_at_once),
        cmocka_unit_test(a_full_disk_is_one_sentence_at_the_end),
        cmocka_unit_test(a_file_that_cannot_be_made_is_one_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
