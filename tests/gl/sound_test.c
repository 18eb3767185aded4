// What shaders read of the sound, and the scope that is drawn from it.
#include "gl/gl.h"

#include <math.h>

#include "analysis/analysis.h"
#include "gl/stage.h"
#include "render/sound.h"

enum { RATE = 48000 };

typedef struct {
    Analyser *analyser;
    Past past;
    Features heard;
    Sound sound;
    long long frames; // of the tone
    int filled;       // of the hop
    float hop[2 * ANALYSIS_HOP_MAX];
} Ear;

static Ear *ear_new(void)
{
    Ear *ear = calloc(1, sizeof *ear);
    ear->analyser = analyser_new(RATE);
    sound_init(&ear->sound);
    return ear;
}

static void ear_free(Ear *ear)
{
    sound_free(&ear->sound);
    analyser_free(ear->analyser);
    free(ear);
}

// A tone that glides, so that no two rows are alike; a steady one where `hz` is given.
static float tone(long long n, double hz)
{
    const double time = (double)n / RATE;
    const double turns = hz > 0 ? hz * time : 200 * time + 300 * time * time;
    return 0.5f * (float)sin(2 * M_PI * fmod(turns, 1));
}

static void play(Ear *ear, double hz, int frames)
{
    const HearingSettings settings = { .gain = 1, .onset_threshold = 1, .hush = 0.05f };
    const int hop = analyser_hop_frames(ear->analyser);
    for (int i = 0; i < frames; i++) {
        const float sample = tone(ear->frames++, hz);
        ear->hop[2 * ear->filled] = ear->hop[2 * ear->filled + 1] = sample;
        if (++ear->filled < hop) continue;
        ear->filled = 0;
        ear->heard = analyser_hop(ear->analyser, ear->hop, &settings);
        past_hop(&ear->past, &ear->heard);
    }
    sound_update(&ear->sound, &ear->heard, &ear->past);
}

static void read_texture(GLuint texture, float *values)
{
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, texture);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RED, GL_FLOAT, values);
}

static double bin_hz(int bin)
{
    return 30 * pow(16000.0 / 30, bin / (ANALYSIS_SPECTRUM - 1.0));
}

static void a_tone_is_bright_in_its_bin_of_the_spectrum(void **state)
{
    (void)state;
    for (int bin = 16; bin < 60; bin += 11) {
        float rows[2][ANALYSIS_SPECTRUM];
        Ear *ear = ear_new();
        play(ear, bin_hz(bin), RATE / 4);
        read_texture(ear->sound.spectrum, rows[0]);
        for (int row = 0; row < 2; row++)
            for (int i = 0; i < ANALYSIS_SPECTRUM; i++) {
                if (i == bin) assert_true(rows[row][i] > 0.4f);
                if (abs(i - bin) > 12) assert_true(rows[row][i] < 0.1f);
            }
        ear_free(ear);
    }
}

static void the_wave_is_the_features_own(void **state)
{
    (void)state;
    float wave[ANALYSIS_WAVEFORM];
    Ear *ear = ear_new();
    play(ear, 300, RATE / 4);
    read_texture(ear->sound.wave, wave);
    assert_memory_equal(wave, ear->heard.waveform, sizeof wave);
    assert_true(fabsf(wave[40]) > 0.01f);
    ear_free(ear);
}

// Longer than the ring is, so that it has gone round.
static float *spectrogram_at(int fps)
{
    float *rows = malloc(sizeof(float) * PAST_HOPS * ANALYSIS_SPECTRUM);
    Ear *ear = ear_new();
    for (int frame = 1; frame <= 6 * fps; frame++)
        play(ear, 0, (int)((long long)RATE * frame / fps - (long long)RATE * (frame - 1) / fps));
    assert_int_equal(ear->sound.hops, ear->past.hops);
    assert_true(ear->sound.hops > PAST_HOPS);
    read_texture(ear->sound.spectrogram, rows);
    assert_memory_equal(rows, ear->past.spectrum, sizeof ear->past.spectrum);
    ear_free(ear);
    return rows;
}

static void the_spectrogram_is_the_same_at_any_frame_rate(void **state)
{
    (void)state;
    float *slow = spectrogram_at(30), *fast = spectrogram_at(144);
    assert_memory_equal(slow, fast, sizeof(float) * PAST_HOPS * ANALYSIS_SPECTRUM);
    assert_true(
        memcmp(slow, slow + 64 * ANALYSIS_SPECTRUM, 64 * sizeof *slow)); // it is not all one
    free(slow), free(fast);
}

static void nothing_heard_is_silence(void **state)
{
    (void)state;
    float wave[ANALYSIS_WAVEFORM];
    Sound sound;
    sound_init(&sound);
    sound_update(&sound, NULL, NULL);
    read_texture(sound.wave, wave);
    for (int i = 0; i < ANALYSIS_WAVEFORM; i++) assert_true(wave[i] == 0);
    sound_free(&sound);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

// ---- the scope ------------------------------------------------------------------------------------

// The picture of a tone in silence, as mean light of 16 x 9 cells.
static void draw_scope(const char *kind, Size size, double angle, double *cells)
{
    Ear *ear = ear_new();
    Stage stage = stage_new(size);
    char why[256];
    Message answer, message = message_text("/look/scope/kind", kind);
    play(ear, 400, RATE / 4);
    params_message(stage.params, &message, &answer, why, sizeof why);
    stage_set(&stage, "look/scope/angle", angle);
    stage_set(&stage, "look/scope/line", 0.02);
    stage_set(&stage, "look/bloom/amount", 0);
    stage_set(&stage, "look/vignette", 0);
    stage_prepare(&stage, NULL, 0);
    stage.heard = &ear->heard;
    stage.past = &ear->past;
    stage_frame(&stage, 1 / 60.0f, 3);
    uint8_t *rgb = malloc((size_t)(size.width * size.height * 3));
    target_read_rgb(&stage.target, rgb);
    memset(cells, 0, 144 * sizeof *cells);
    for (int y = 0; y < size.height; y++)
        for (int x = 0; x < size.width; x++)
            for (int c = 0; c < 3; c++)
                cells[y * 9 / size.height * 16 + x * 16 / size.width] +=
                    pow(pixel_at(rgb, size, x, y)[c] / 255.0, 2.2) * 144 /
                    (3.0 * size.width * size.height);
    free(rgb);
    stage_free(&stage);
    ear_free(ear);
}

static double sum_of(const double *cells)
{
    double sum = 0;
    for (int i = 0; i < 144; i++) sum += cells[i] / 144;
    return sum;
}

static const char *const kinds[] = { "wave", "ring", "spectrum", "spectrogram" };

static void off_draws_nothing_and_every_kind_something(void **state)
{
    (void)state;
    double cells[144];
    draw_scope("off", (Size){ 160, 90 }, 0, cells);
    assert_true(sum_of(cells) == 0);
    for (int k = 0; k < COUNT_OF(kinds); k++) {
        draw_scope(kinds[k], (Size){ 160, 90 }, 0, cells);
        assert_true(sum_of(cells) > 1e-5 && sum_of(cells) < 0.6);
        assert_true(cells[0] == 0 && cells[143] == 0); // not in the corners
    }
}

static void it_looks_alike_at_any_size_of_the_picture(void **state)
{
    (void)state;
    for (int k = 0; k < COUNT_OF(kinds); k++) {
        double small[144], large[144];
        draw_scope(kinds[k], (Size){ 320, 180 }, 0, small);
        draw_scope(kinds[k], (Size){ 1280, 720 }, 0, large);
        for (int i = 0; i < 144; i++) assert_true(fabs(small[i] - large[i]) < 0.02);
        assert_true(fabs(sum_of(small) / sum_of(large) - 1) < 0.06);
    }
}

static void turned_by_half_it_is_the_other_way_round(void **state)
{
    (void)state;
    double up[144], turned[144];
    draw_scope("spectrum", (Size){ 320, 180 }, 0, up);
    draw_scope("spectrum", (Size){ 320, 180 }, 180, turned);
    for (int i = 0; i < 144; i++) assert_true(fabs(up[i] - turned[143 - i]) < 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tone_is_bright_in_its_bin_of_the_spectrum),
        cmocka_unit_test(the_wave_is_the_features_own),
        cmocka_unit_test(the_spectrogram_is_the_same_at_any_frame_rate),
        cmocka_unit_test(nothing_heard_is_silence),
        cmocka_unit_test(off_draws_nothing_and_every_kind_something),
        cmocka_unit_test(it_looks_alike_at_any_size_of_the_picture),
        cmocka_unit_test(turned_by_half_it_is_the_other_way_round),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
