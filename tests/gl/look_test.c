// The same look at any frame rate: six seconds of the demo music, both engines, bloom and trails, through
// the whole show at 30, 60 and 144 frames a second.
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/show.h"
#include "audio/audio.h"
#include "gl/gl.h"

enum { CELLS_X = 16, CELLS_Y = 9, CELLS = CELLS_X * CELLS_Y, WIDTH = 64, HEIGHT = 36 };
enum { SECONDS = 6, MOMENTS = 6 * SECONDS, RATE = 48000 };

typedef struct {
    double cells[CELLS]; // mean brightness over the moments
    uint64_t births_cpu, births_gpu, onsets;
} Look;

static void set(Params *params, const char *path, double value)
{
    const Message message = message_number(path, value);
    Message answer;
    char why[256];
    if (params_message(params, &message, &answer, why, sizeof why) == MESSAGE_REFUSED)
        fail_msg("%s", why);
}

static void make_look(Params *params, double half_life)
{
    char why[256];
    params_add(params, OWNER_EMITTER, "a", why, sizeof why);
    params_add(params, OWNER_FIELD, "b", why, sizeof why);
    set(params, "/emitters/a/rate", 200);
    set(params, "/emitters/a/size", 0.3);
    set(params, "/emitters/a/area_size/x", 4);
    set(params, "/fields/b/rate", 500);
    set(params, "/fields/b/life", 3);
    set(params, "/fields/b/size", 0.25);
    set(params, "/fields/b/area_size/x", 6);
    set(params, "/fields/b/area_size/y", 3);
    set(params, "/fields/b/capacity", 4096);
    set(params, "/routes/field-b/amount", 1000);
    set(params, "/forces/turbulence/strength", 2);
    set(params, "/forces/gravity", -1);
    set(params, "/forces/drag", 0.4);
    set(params, "/look/bloom/amount", 0.5);
    set(params, "/look/trail/amount", 2);
    set(params, "/look/trail/half_life", half_life);
}

static void add_picture(const Target *target, double *cells)
{
    uint8_t rgb[WIDTH * HEIGHT * 3];
    target_read_rgb(target, rgb);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH * 3; x++)
            cells[y * CELLS_Y / HEIGHT * CELLS_X + x / 3 * CELLS_X / WIDTH] +=
                rgb[y * WIDTH * 3 + x] / (255.0 * 3 * WIDTH * HEIGHT / CELLS * MOMENTS);
}

static Look look_at(int fps, double half_life)
{
    static float pairs[RATE / 10 * AUDIO_CHANNELS];
    const Size size = { WIDTH, HEIGHT };
    char why[256];
    Look look = { 0 };
    Target target;
    Audio *audio =
        audio_open(&(AudioDesc){ .source = "demo", .rate = RATE, .wait = true }, why, sizeof why);
    Render *render = render_new(&(RenderDesc){ .shaders = SOURCE_DIR "/shaders", .size = size },
                                why, sizeof why);
    if (!render) fail_msg("%s", why);
    Show *show =
        show_new(&(ShowDesc){ .seed = 1, .rate = RATE, .render = render }, why, sizeof why);
    assert_true(target_init(&target, size, GL_RGBA8, 1, false, why, sizeof why));
    make_look(show_params(show), half_life);
    show_prepare(show, size, why, sizeof why);
    for (int frame = 1; frame <= fps * SECONDS; frame++) {
        const uint32_t got = audio_read(audio, 1.0 / fps, pairs, RATE / 10);
        const ShowInput input = { .samples = pairs, .frames = got, .rate = RATE, .dt = 1.0 / fps };
        show_frame(show, &input, &target);
        if (frame % (fps / 6) == 0) add_picture(&target, look.cells);
    }
    const ShowStats stats = show_stats(show);
    look.births_cpu = stats.births_cpu_all;
    look.births_gpu = stats.births_gpu_all;
    look.onsets = stats.onsets_all;
    show_free(show);
    render_free(render);
    target_free(&target);
    audio_close(audio);
    return look;
}

static void compare(double half_life)
{
    static const int rates[] = { 30, 60, 144 };
    Look looks[COUNT_OF(rates)];
    double mean = 0, worst = 0;
    for (int r = 0; r < COUNT_OF(rates); r++) looks[r] = look_at(rates[r], half_life);
    for (int i = 0; i < CELLS; i++) mean += looks[1].cells[i] / CELLS;
    assert_true(mean > 0.02);
    for (int r = 0; r < COUNT_OF(rates); r++) {
        double difference = 0;
        for (int i = 0; i < CELLS; i++)
            difference += fabs(looks[r].cells[i] - looks[1].cells[i]) / CELLS;
        worst = fmax(worst, difference / mean);
        assert_true(fabs((double)looks[r].births_cpu / (double)looks[1].births_cpu - 1) < 0.01);
        assert_true(fabs((double)looks[r].births_gpu / (double)looks[1].births_gpu - 1) < 0.01);
        assert_int_equal(looks[r].onsets, looks[1].onsets);
    }
    print_message(
        "trail %.1f s: mean brightness %.4f, cells differ by %.2f %% over 30, 60 and 144 fps\n",
        half_life, mean, 100 * worst);
    assert_true(worst < 0.02);
}

static void short_trails(void **state)
{
    if (SANITIZED) skip(); // figures, of what other tests show a sanitizer
    (void)state, compare(0.1);
}
static void long_trails(void **state)
{
    if (SANITIZED) skip();
    (void)state, compare(1);
}
static void longest_trails(void **state)
{
    if (SANITIZED) skip();
    (void)state, compare(5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_trails),
        cmocka_unit_test(long_trails),
        cmocka_unit_test(longest_trails),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
