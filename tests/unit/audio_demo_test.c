#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "audio/audio.h"
#include "audio/audio_demo.h"
#include "base/base.h"

static const int rates[] = { 8000, 11025, 22050, 44100, 48000, 88200, 96000, 192000 };

static Audio *open_demo(const char *source, int rate, uint64_t seed)
{
    char why[256] = "";
    Audio *audio =
        audio_open(&(AudioDesc){ .source = source, .rate = rate, .seed = seed }, why, sizeof why);
    if (!audio) fail_msg("%s", why);
    return audio;
}

// The first `seconds` of it, in one read; the caller frees.
static float *hear(const char *source, int rate, double seconds, uint32_t *count)
{
    Audio *audio = open_demo(source, rate, 1);
    const uint32_t room = (uint32_t)(seconds * rate) + 1;
    float *samples = calloc(room, 2 * sizeof *samples);
    assert_non_null(samples);
    *count = audio_read(audio, seconds, samples, room);
    assert_int_equal(*count, (uint32_t)(seconds * rate + 0.5));
    audio_close(audio);
    return samples;
}

static double rms_db(const float *samples, uint32_t count)
{
    double sum = 0;
    for (uint32_t n = 0; n < 2 * count; n++) sum += (double)samples[n] * samples[n];
    return 10 * log10(sum / (2 * count));
}

static float peak(const float *samples, uint32_t count)
{
    float highest = 0;
    for (uint32_t n = 0; n < 2 * count; n++) highest = fmaxf(highest, fabsf(samples[n]));
    return highest;
}

static void every_kind_is_the_same_in_pieces_of_any_size(void **state)
{
    (void)state;
    for (int kind = 0; demo_name(kind); kind++) {
        char source[64];
        uint32_t count, at = 0;
        snprintf(source, sizeof source, "demo:%s", demo_name(kind));
        float *whole = hear(source, 44100, 3, &count), piece[2 * 2000];
        Audio *audio = open_demo(source, 44100, 1);
        for (int n = 0; at < count; n++) {
            const double seconds = (1 + n * 7 % 31) / 1000.0;
            const uint32_t got = audio_read(audio, seconds, piece, 2000);
            const uint32_t compared = got < count - at ? got : count - at;
            assert_memory_equal(piece, whole + 2 * (size_t)at, compared * 2 * sizeof *piece);
            at += compared;
        }
        audio_close(audio);
        free(whole);
    }
}

static void every_kind_stays_within_full_scale_at_every_rate(void **state)
{
    (void)state;
    for (int r = 0; r < COUNT_OF(rates); r++)
        for (int kind = 0; demo_name(kind); kind++) {
            char source[64];
            uint32_t count;
            snprintf(source, sizeof source, "demo:%s", demo_name(kind));
            float *samples = hear(source, rates[r], 1.5, &count);
            const float highest = peak(samples, count);
            if (!(highest <= 1)) fail_msg("%s at %d Hz: %f", source, rates[r], (double)highest);
            free(samples);
        }
}

static void small_steps_and_large_ones_end_at_the_same_frame(void **state)
{
    (void)state;
    for (int r = 0; r < COUNT_OF(rates); r++) {
        Audio *audio = open_demo("demo:silence", rates[r], 0);
        float samples[2 * 4096];
        uint64_t sum = 0;
        for (int frame = 0; frame < 60 * 100; frame++)
            sum += audio_read(audio, 1 / 60.0, samples, 4096);
        assert_int_equal(sum, (uint64_t)rates[r] * 100);
        audio_close(audio);
    }
}

static void what_is_beyond_the_capacity_comes_with_the_next_read(void **state)
{
    (void)state;
    Audio *audio = open_demo("demo:sine", 48000, 0);
    float samples[2 * 700], want[2 * 1000];
    demo_fill(&(Demo){ .kind = demo_find("sine"), .rate = 48000 }, 0, want, 1000);
    assert_int_equal(audio_read(audio, 1000 / 48000.0, samples, 700), 700);
    assert_memory_equal(samples, want, sizeof samples);
    assert_int_equal(audio_read(audio, 0, samples, 700), 300);
    assert_memory_equal(samples, want + 2 * 700, 300 * 2 * sizeof *want);
    audio_close(audio);
}

static void odd_seconds_give_nothing(void **state)
{
    (void)state;
    Audio *audio = open_demo("demo", 48000, 0);
    float samples[2 * 16];
    assert_int_equal(audio_read(audio, -1, samples, 16), 0);
    assert_int_equal(audio_read(audio, (double)NAN, samples, 16), 0);
    assert_int_equal(audio_read(audio, 0, samples, 16), 0);
    audio_close(audio);
}

// Silence but for 10 ms after every half second; the loudest frame of a click is its first.
static void clicks_start_on_every_half_second(void **state)
{
    (void)state;
    for (int r = 0; r < COUNT_OF(rates); r++) {
        const int rate = rates[r];
        uint32_t count;
        float *samples = hear("demo:clicks", rate, 4, &count);
        for (int click = 0; click < 8; click++) {
            const uint32_t start = (uint32_t)((click * rate + 1) / 2);
            const uint32_t end = (uint32_t)(((click + 1) * rate + 1) / 2);
            assert_true(samples[2 * start] > 0.85f);
            for (uint32_t n = start + 1; n < end && n < count; n++) {
                assert_true(fabsf(samples[2 * n]) < samples[2 * start]);
                if (n > start + (uint32_t)rate / 100) assert_true(samples[2 * n] == 0);
            }
        }
        free(samples);
    }
}

static void the_sine_is_one_kilohertz_at_full_scale(void **state)
{
    (void)state;
    for (int r = 0; r < COUNT_OF(rates); r++) {
        uint32_t count;
        float *samples = hear("demo:sine", rates[r], 2, &count);
        double real = 0, imaginary = 0;
        for (uint32_t n = 0; n < count; n++) {
            const double angle = 2 * 3.14159265358979 * 1000 * n / rates[r];
            real += samples[2 * n] * cos(angle);
            imaginary += samples[2 * n] * sin(angle);
        }
        const double amplitude = 2 * sqrt(real * real + imaginary * imaginary) / count;
        assert_true(fabs(amplitude - 1) < 1e-4);
        assert_true(fabs(rms_db(samples, count) + 3.0103) < 0.001);
        free(samples);
    }
}

static int crossings(const float *samples, int from, int to)
{
    int found = 0;
    for (int n = from + 1; n < to; n++) found += samples[2 * n - 2] < 0 && samples[2 * n] >= 0;
    return found;
}

static void the_sweep_rises_a_thousandfold_in_ten_seconds(void **state)
{
    (void)state;
    const int rate = 96000;
    uint32_t count;
    float *samples = hear("demo:sweep", rate, 20, &count);
    for (int second = 0; second < 10;
         second++) { // cycles of a second: the integral of the frequency
        const double growth = log(1000), low = 20 * exp(growth * second / 10);
        const double cycles = low * 10 / growth * expm1(growth / 10);
        assert_true(fabs(crossings(samples, second * rate, (second + 1) * rate) - cycles) <= 3);
    }
    assert_memory_equal(samples, samples + 2 * 10 * rate, 10 * (size_t)rate * 2 * sizeof *samples);
    assert_true(fabsf(samples[2 * (10 * rate)] - samples[2 * (10 * rate - 1)]) < 1.4f);
    free(samples);
}

static void noise_is_level_independent_and_seeded(void **state)
{
    (void)state;
    uint32_t count;
    float *samples = hear("demo:noise", 48000, 4, &count), other[2 * 64];
    double both = 0, left = 0, mean = 0;
    for (uint32_t n = 0; n < count; n++) {
        both += (double)samples[2 * n] * samples[2 * n + 1];
        left += (double)samples[2 * n] * samples[2 * n];
        mean += samples[2 * n];
    }
    assert_true(fabs(rms_db(samples, count) + 12) < 0.1);
    assert_true(fabs(both / left) < 0.02);
    assert_true(fabs(mean / count) < 0.005);

    Audio *audio = open_demo("demo:noise", 48000, 2);
    audio_read(audio, 1, other, 64);
    assert_memory_not_equal(samples, other, sizeof other);
    audio_close(audio);
    free(samples);
}

static void silence_is_zero(void **state)
{
    (void)state;
    uint32_t count;
    float *samples = hear("demo:silence", 48000, 2, &count);
    assert_true(peak(samples, count) == 0);
    free(samples);
}

enum { BARS = 16, BAR = 2 }; // s

static void the_music_has_a_break_a_build_and_a_drop(void **state)
{
    (void)state;
    uint32_t count;
    float *samples = hear("demo", 48000, BARS * BAR, &count);
    double level[BARS];
    const uint32_t bar = count / BARS;
    for (int b = 0; b < BARS; b++) level[b] = rms_db(samples + 2 * (size_t)b * bar, bar);
    assert_true(level[8] < level[7] - 5);   // the break is quiet
    assert_true(level[11] > level[9] + 2);  // the build grows
    assert_true(level[12] > level[11] + 2); // the drop is loud
    assert_true(level[12] >= level[0]);
    assert_true(rms_db(samples, count) > -16 && rms_db(samples, count) < -12);
    const double highest = 20 * log10((double)peak(samples, count));
    assert_true(highest > -2 && highest <= -0.99);
    free(samples);
}

static void the_music_is_stereo(void **state)
{
    (void)state;
    uint32_t count;
    double apart = 0;
    float *samples = hear("demo", 48000, 4, &count);
    for (uint32_t n = 0; n < count; n++) apart += fabs((double)samples[2 * n] - samples[2 * n + 1]);
    assert_true(apart / count > 0.01);
    free(samples);
}

static void the_music_joins_its_own_start(void **state)
{
    (void)state;
    for (int r = 0; r < COUNT_OF(rates); r++) {
        const Demo demo = { .kind = demo_find(""), .rate = rates[r], .seed = 5 };
        const uint64_t loop = (uint64_t)rates[r] * BARS * BAR;
        float first[2 * 500], again[2 * 500], last[2];
        demo_fill(&demo, 0, first, 500);
        demo_fill(&demo, 1000 * loop, again, 500); // nine hours later
        demo_fill(&demo, loop - 1, last, 1);
        assert_memory_equal(first, again, sizeof first);
        assert_true(fabsf(last[0]) < 0.05f && fabsf(last[1]) < 0.05f);
    }
}

static void a_source_that_is_none_is_refused_with_a_sentence(void **state)
{
    (void)state;
    static const char *const wrong[] = { "demo:polka",  "demos", "demo:CLICKS",
                                         "file:",       "file",  "system:x",
                                         "microphone:", ":",     " demo" };
    for (int n = 0; n < COUNT_OF(wrong); n++) {
        char why[256] = "";
        assert_null(audio_open(&(AudioDesc){ .source = wrong[n] }, why, sizeof why));
        assert_true(strlen(why) > 10);
        assert_null(strchr(why, '\n'));
    }
    char why[256] = "";
    assert_null(audio_open(&(AudioDesc){ .source = "demo:polka" }, why, sizeof why));
    assert_non_null(strstr(why, "polka"));
    assert_non_null(strstr(why, "clicks"));
    assert_null(audio_open(&(AudioDesc){ .source = "demo", .rate = 5 }, why, sizeof why));
    assert_null(audio_open(&(AudioDesc){ .source = "demo", .rate = -48000 }, why, sizeof why));
    audio_close(NULL);
}

static void the_status_says_what_is_heard(void **state)
{
    (void)state;
    Audio *audio = open_demo("demo:sine", 0, 0);
    const AudioStatus status = audio_status(audio);
    assert_int_equal(status.state, AUDIO_PLAYING);
    assert_string_equal(audio_state_name(status.state), "PLAYING");
    assert_int_equal(status.rate, 48000);
    assert_false(status.live);
    assert_string_equal(status.name, "demo:sine");
    assert_string_equal(status.notice, "");
    audio_close(audio);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_is_the_same_in_pieces_of_any_size),
        cmocka_unit_test(every_kind_stays_within_full_scale_at_every_rate),
        cmocka_unit_test(small_steps_and_large_ones_end_at_the_same_frame),
        cmocka_unit_test(what_is_beyond_the_capacity_comes_with_the_next_read),
        cmocka_unit_test(odd_seconds_give_nothing),
        cmocka_unit_test(clicks_start_on_every_half_second),
        cmocka_unit_test(the_sine_is_one_kilohertz_at_full_scale),
        cmocka_unit_test(the_sweep_rises_a_thousandfold_in_ten_seconds),
        cmocka_unit_test(noise_is_level_independent_and_seeded),
        cmocka_unit_test(silence_is_zero),
        cmocka_unit_test(the_music_has_a_break_a_build_and_a_drop),
        cmocka_unit_test(the_music_is_stereo),
        cmocka_unit_test(the_music_joins_its_own_start),
        cmocka_unit_test(a_source_that_is_none_is_refused_with_a_sentence),
        cmocka_unit_test(the_status_says_what_is_heard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
