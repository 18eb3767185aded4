// `motes bench --gpu`, of a size that takes a second.
#include "gl/gl.h"

#include <jansson.h>

#include <math.h>

#include "app/bench_gpu.h"
#include "app/bench_splat.h"
#include "base/base.h"
#include "render/render.h"

static const uint32_t sizes[] = { 1024, 4096 };

static char *printed(void (*print)(const GpuFigures *, FILE *), const GpuFigures *figures)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    print(figures, out);
    fclose(out);
    return text;
}

static void the_json_is_one_object_with_a_row_for_each_size(void **state)
{
    (void)state;
    static const char *const names[] = {
        "ms",      "ms_three_pass", "ms_copy",       "ms_quarter",
        "ms_fill", "ms_turbulence", "ms_attractors", "ms_colliders",
        "ms_draw", "ms_splat"
    };
    char why[512] = "";
    GpuFigures figures;
    if (!bench_gpu_measure(&figures, sizes, COUNT_OF(sizes), 64, 36, 1, why, sizeof why))
        fail_msg("%s", why);
    char *text = printed(bench_gpu_json, &figures);
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL), *row;
    assert_non_null(root);
    assert_true(json_string_length(json_object_get(root, "renderer")) > 0);
    const json_t *rows = json_object_get(root, "gpu");
    assert_int_equal(json_array_size(rows), COUNT_OF(sizes));
    size_t n;
    json_array_foreach(rows, n, row)
    {
        assert_int_equal(json_integer_value(json_object_get(row, "particles")), sizes[n]);
        assert_int_equal(json_object_size(row), 1 + COUNT_OF(names));
        for (int f = 0; f < COUNT_OF(names); f++)
            assert_true(json_number_value(json_object_get(row, names[f])) > 0);
    }
    json_decref(root);
    free(text);
}

static void the_table_has_what_was_measured(void **state)
{
    (void)state;
    const GpuFigures figures = {
        .rows = { { .particles = 12345,
                    .step = 2,
                    .copy = 1.25,
                    .three_pass = 5,
                    .draw = 77,
                    .splat = 9 } },
        .row_count = 1,
        .renderer = "a renderer",
    };
    char *text = printed(bench_gpu_table, &figures);
    static const char *const parts[] = { "a renderer", "12345", "1.60", "2.50",
                                         "77.00",      "9.00",  "8.78" };
    for (int n = 0; n < COUNT_OF(parts); n++)
        if (!strstr(text, parts[n])) fail_msg("the table lacks %s:\n%s", parts[n], text);
    free(text);
}

static void set(Params *params, const char *path, double value)
{
    assert_true(params_set(params, params_find(params, path), value));
}

static double linear(double share)
{
    return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4);
}

// The light alone, dim enough to be shown as it is.
static void set_light_alone(Params *params, double exposure)
{
    set(params, "look/exposure", exposure);
    set(params, "look/bloom/amount", 0);
    set(params, "look/trail/amount", 0);
    set(params, "look/vignette", 0);
    set(params, "look/saturation", 1);
    set(params, "look/background/r", 0);
    set(params, "look/background/g", 0);
    set(params, "look/background/b", 0);
    params_prepare(params);
}

enum { WIDTH = 320, HEIGHT = 180, VALUES = WIDTH * HEIGHT * 3, FRAMES = 16 };

// The bytes that OpenGL makes of a splat's crowd, summed over frames: what their noise adds goes.
static void draw_points(const Splat *splat, uint32_t sums[VALUES])
{
    static uint8_t rgb[VALUES];
    char why[512] = "";
    Target target;
    Params *params = splat->crowd.params;
    const RenderDesc desc = { .shaders = SOURCE_DIR "/shaders", .size = splat->light.size };
    Render *render = render_new(&desc, why, sizeof why);
    if (!render) fail_msg("%s", why);
    assert_true(render_prepare(render, params, desc.size, why, sizeof why));
    assert_true(target_init(&target, desc.size, GL_RGBA8, 1, false, why, sizeof why));
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        const Scene scene = { .params = params, .sim = splat->crowd.sim, .frame = frame };
        render_frame(render, &scene, &target);
        target_read_rgb(&target, rgb);
        for (int n = 0; n < VALUES; n++) sums[n] += rgb[n];
    }
    target_free(&target);
    render_free(render);
}

// All pixels together differ by less than 2 % of their light, and none by 4 % of the brightest: OpenGL
// places points on a grid, of a 256th of a pixel in Mesa's software, and their rims are steep.
static void the_splat_is_the_picture_that_points_give(void **state)
{
    (void)state;
    static const double exposure = -2.5;
    static uint32_t sums[VALUES];
    char why[512] = "";
    Splat splat;
    if (!splat_init(&splat, 3000, (Size){ WIDTH, HEIGHT }, 2, why, sizeof why)) fail_msg("%s", why);
    crowd_settle(&splat.crowd);
    set_light_alone(splat.crowd.params, exposure);
    splat_frame(&splat, 1.0f / 60);
    draw_points(&splat, sums);
    double light = 0, brightest = 0, all = 0, largest = 0;
    for (int n = 0; n < VALUES; n++) {
        const int x = n / 3 % WIDTH,
                  y = HEIGHT - 1 - n / 3 / WIDTH; // a picture's first row is its top
        const double drawn = linear(sums[n] / (255.0 * FRAMES)) / exp2(exposure);
        const double summed = (double)light_row(&splat.light, y, n % 3)[x];
        const double difference = fabs(drawn - summed);
        light += summed;
        all += difference;
        brightest = fmax(brightest, summed);
        largest = fmax(largest, difference);
    }
    assert_true(light > 0);
    if (!(all < 0.02 * light && largest < 0.04 * brightest))
        fail_msg("differences of %g in %g, at most %g of %g", all, light, largest, brightest);
    splat_free(&splat);
}

// Skips where there is no OpenGL; the benchmark makes a context of its own.
static int look_for_opengl(void **state)
{
    return open_context(state) || close_context(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_json_is_one_object_with_a_row_for_each_size),
        cmocka_unit_test(the_table_has_what_was_measured),
        cmocka_unit_test_setup_teardown(the_splat_is_the_picture_that_points_give, open_context,
                                        close_context),
    };
    return cmocka_run_group_tests(tests, look_for_opengl, NULL);
}
