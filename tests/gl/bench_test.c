// `motes bench --gpu`, of a size that takes a second.
#include "gl/gl.h"

#include <jansson.h>

#include "app/bench_gpu.h"
#include "base/base.h"

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
    static const char *const names[] = { "ms",           "ms_three_pass", "ms_copy",
                                         "ms_quarter",   "ms_turbulence", "ms_attractors",
                                         "ms_colliders", "ms_draw" };
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
        .rows = { { .particles = 12345, .step = 2, .copy = 1.25, .three_pass = 5, .draw = 77 } },
        .row_count = 1,
        .renderer = "a renderer",
    };
    char *text = printed(bench_gpu_table, &figures);
    static const char *const parts[] = { "a renderer", "12345", "1.60", "2.50", "77.00" };
    for (int n = 0; n < COUNT_OF(parts); n++)
        if (!strstr(text, parts[n])) fail_msg("the table lacks %s:\n%s", parts[n], text);
    free(text);
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
    };
    return cmocka_run_group_tests(tests, look_for_opengl, NULL);
}
