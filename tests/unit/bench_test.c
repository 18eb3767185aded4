#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "app/bench_cpu.h"
#include "app/bench_naive.h"

static const float DT = 1.0f / 60;

static void both_engines_have_the_same_births_and_deaths(void **state)
{
    (void)state;
    char why[256];
    Crowd crowd;
    assert_true(crowd_init(&crowd, 4096, 1, why, sizeof why));
    Naive *naive = naive_new(8192, swarm_seed(1, OWNER_EMITTER, "crowd"));
    const float *values = params_values(crowd.params, OWNER_EMITTER, crowd.emitter);
    uint64_t births = 0, deaths = 0;
    for (int frame = 0; frame < 900; frame++) {
        const uint32_t before = sim_alive(crowd.sim);
        crowd_step(&crowd, DT);
        naive_live(naive, values, DT);
        births += sim_births(crowd.sim);
        deaths += before + sim_births(crowd.sim) - sim_alive(crowd.sim);
        assert_int_equal(naive_births(naive), births);
        assert_int_equal(naive_alive(naive), sim_alive(crowd.sim));
    }
    assert_true(births > 5000);
    assert_true(deaths > 1500);
    assert_int_equal(births - deaths, naive_alive(naive));
    naive_free(naive);
    crowd_free(&crowd);
}

static void a_crowd_keeps_98_percent_alive(void **state)
{
    (void)state;
    char why[256];
    Crowd crowd;
    assert_true(crowd_init(&crowd, 65536, 1, why, sizeof why));
    crowd_settle(&crowd);
    for (int frame = 0; frame < 120; frame++) {
        crowd_step(&crowd, DT);
        const double full = (double)sim_alive(crowd.sim) / 65536;
        assert_true(full > 0.979 && full < 0.981);
    }
    crowd_free(&crowd);
}

static void the_naive_engine_draws_all_that_live(void **state)
{
    (void)state;
    char why[256];
    Crowd crowd;
    assert_true(crowd_init(&crowd, 4096, 1, why, sizeof why));
    Naive *naive = naive_new(4096, swarm_seed(1, OWNER_EMITTER, "crowd"));
    const Params *p = crowd.params;
    const Motion motion = motion_of(p, 0);
    for (int frame = 0; frame < 60; frame++) {
        naive_live(naive, params_values(p, OWNER_EMITTER, crowd.emitter), DT);
        naive_move(
            naive, params_stops(p, params_id(OWNER_EMITTER, crowd.emitter, SWARM_SIZE_CURVE)),
            params_stops(p, params_id(OWNER_EMITTER, crowd.emitter, SWARM_COLOUR)), &motion, DT);
    }
    naive_write(naive, &crowd.sprites);
    assert_true(naive_alive(naive) > 300);
    for (uint32_t n = 0; n < naive_alive(naive); n++) {
        assert_true(crowd.sprites.places[n].size > 0);
        assert_true(fabsf(crowd.sprites.places[n].x) < 100);
    }
    assert_true(crowd.sprites.places[naive_alive(naive)].size == 0);
    naive_free(naive);
    crowd_free(&crowd);
}

// ---- what is printed ----------------------------------------------------------------------------

static const uint32_t sizes[] = { 1000, 3000 };

static char *printed(void (*print)(const CpuFigures *, FILE *), const CpuFigures *figures)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    print(figures, out);
    fclose(out);
    return text;
}

static void the_json_is_one_object_with_a_row_for_each_size_and_team(void **state)
{
    (void)state;
    char why[256];
    CpuFigures figures;
    assert_true(bench_cpu_measure(&figures, sizes, COUNT_OF(sizes), 2000, 3, why, sizeof why));
    char *text = printed(bench_cpu_json, &figures);
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL), *row;
    assert_non_null(root);
    assert_true(json_string_length(json_object_get(root, "clone")) > 0);
    const json_t *all = json_object_get(root, "all_modules");
    assert_int_equal(json_integer_value(json_object_get(all, "particles")), 2000);
    assert_true(json_number_value(json_object_get(all, "ms")) > 0);

    const json_t *rows = json_object_get(root, "cpu");
    assert_int_equal(json_array_size(rows), 2 * COUNT_OF(sizes));
    size_t n;
    json_array_foreach(rows, n, row)
    {
        static const char *const figure_names[] = { "ns", "ns_drawn", "ns_turbulence", "ns_naive",
                                                    "ns_bound" };
        assert_int_equal(json_integer_value(json_object_get(row, "particles")), sizes[n / 2]);
        const int threads = (int)json_integer_value(json_object_get(row, "threads"));
        assert_true(n % 2 == 0 ? threads == 1 : threads >= 1);
        for (int f = 0; f < COUNT_OF(figure_names); f++)
            assert_true(json_number_value(json_object_get(row, figure_names[f])) > 0);
    }
    json_decref(root);
    free(text);
}

static void the_table_names_the_clone_and_every_row(void **state)
{
    (void)state;
    const CpuFigures figures = {
        .rows = { { .particles = 12345,
                    .threads = 3,
                    .state = 1,
                    .drawn = 2,
                    .turbulence = 3,
                    .naive = 100,
                    .bound = 0.5 } },
        .row_count = 1,
        .clone = "avx2",
        .full_particles = 54321,
        .full_threads = 3,
        .full_ms = 7.25,
    };
    char *text = printed(bench_cpu_table, &figures);
    static const char *const parts[] = { "avx2", "12345", "54321", "7.25 ms", "50.0", "4.00" };
    for (int n = 0; n < COUNT_OF(parts); n++)
        if (!strstr(text, parts[n])) fail_msg("the table lacks %s:\n%s", parts[n], text);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_engines_have_the_same_births_and_deaths),
        cmocka_unit_test(a_crowd_keeps_98_percent_alive),
        cmocka_unit_test(the_naive_engine_draws_all_that_live),
        cmocka_unit_test(the_json_is_one_object_with_a_row_for_each_size_and_team),
        cmocka_unit_test(the_table_names_the_clone_and_every_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
