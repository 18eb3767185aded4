// Files that looks name: read off the frame, given once, refused in one sentence.
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/assets.h"

static char folder[] = "/tmp/motes_assets_XXXXXX";

static void path_of(const char *name, char path[128])
{
    snprintf(path, 128, "%s/%s", folder, name);
}

static void write_text(const char *name, const char *text)
{
    char path[128], why[256];
    path_of(name, path);
    if (!file_write(path, text, strlen(text), why, sizeof why)) fail_msg("%s", why);
}

static int make_files(void **state)
{
    (void)state;
    const uint8_t half[2 * 2 * 3] = { 0, 0, 0, 255, 255, 255, 0, 0, 0, 255, 255, 255 };
    const uint8_t black[3] = { 0, 0, 0 };
    char path[128], why[256];
    if (!mkdtemp(folder)) return -1;
    write_text("good.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    write_text("lines.obj", "v 0 0 0\nv 1 0 0\nl 1 2\n");
    write_text("broken.obj", "v 0 0 0\nf 1 2 3\n");
    write_text("broken.png", "no picture");
    path_of("half.png", path);
    if (!image_write_png(path, (Size){ 2, 2 }, half, why, sizeof why)) return -1;
    path_of("black.png", path);
    return image_write_png(path, (Size){ 1, 1 }, black, why, sizeof why) ? 0 : -1;
}

static int remove_files(void **state)
{
    static const char *const names[] = { "good.obj",   "lines.obj", "broken.obj",
                                         "broken.png", "half.png",  "black.png" };
    (void)state;
    char path[128];
    for (int n = 0; n < COUNT_OF(names); n++) {
        path_of(names[n], path);
        unlink(path);
    }
    return rmdir(folder);
}

typedef struct {
    Assets *assets;
    Params *params;
    Sim *sim;
    char notice[512];
} Bench;

static Bench bench_new(bool wait)
{
    char why[256] = "";
    Bench bench = { .assets = assets_open(wait, why, sizeof why), .params = params_new() };
    bench.sim = sim_new(&(SimDesc){ .capacity = 4096, .threads = 1 }, why, sizeof why);
    if (!bench.assets || !bench.sim || !bench.params) fail_msg("%s", why);
    assert_int_equal(params_add(bench.params, OWNER_EMITTER, "spark", why, sizeof why), 0);
    return bench;
}

static void bench_free(Bench *bench)
{
    sim_free(bench->sim);
    assets_close(bench->assets);
    params_free(bench->params);
}

static void set_text(Bench *bench, const char *leaf, const char *text)
{
    char path[128], why[256];
    snprintf(path, sizeof path, "emitters/spark/%s", leaf);
    if (!params_set_text(bench->params, params_find(bench->params, path), text, why, sizeof why))
        fail_msg("%s", why);
}

static void set_file(Bench *bench, const char *leaf, const char *name)
{
    char path[128];
    path_of(name, path);
    set_text(bench, leaf, path);
}

static void set_area(Bench *bench, int area)
{
    params_set(bench->params, params_find(bench->params, "emitters/spark/area"), area);
}

// What is said once everything is read.
static const char *told(Bench *bench)
{
    bench->notice[0] = 0;
    assets_give(bench->assets, bench->params, bench->sim, NULL, bench->notice,
                sizeof bench->notice);
    assets_settle(bench->assets);
    assets_give(bench->assets, bench->params, bench->sim, NULL, bench->notice,
                sizeof bench->notice);
    return bench->notice;
}

static void every_good_file_is_read_without_a_word(void **state)
{
    (void)state;
    for (int wait = 0; wait <= 1; wait++) {
        Bench bench = bench_new(wait);
        set_area(&bench, AREA_MESH);
        set_file(&bench, "area_file", "good.obj");
        set_text(&bench, "mesh", "cube");
        set_file(&bench, "sheet", "half.png");
        assert_string_equal(told(&bench), "");
        set_area(&bench, AREA_IMAGE);
        set_file(&bench, "area_file", "half.png");
        set_text(&bench, "sheet", "smoke");
        assert_string_equal(told(&bench), "");
        bench_free(&bench);
    }
}

static void what_cannot_be_read_is_said_once(void **state)
{
    (void)state;
    static const struct {
        int area;
        const char *leaf, *name, *why;
    } rows[] = {
        { AREA_MESH, "area_file", "missing.obj", "there is no such file" },
        { AREA_MESH, "area_file", "lines.obj", "it has no faces" },
        { AREA_MESH, "area_file", "broken.obj", "broken.obj:2: a corner is no point so far" },
        { AREA_MESH, "area_file", "broken.png", "it has no points" },
        { AREA_IMAGE, "area_file", "black.png", "it has no bright pixels" },
        { AREA_IMAGE, "area_file", "broken.png", "broken.png: " },
        { AREA_POINT, "mesh", "lines.obj", "it has no faces" },
        { AREA_POINT, "mesh", "broken.obj", "broken.obj:2: " },
        { AREA_POINT, "sheet", "broken.png", "broken.png: " },
        { AREA_POINT, "sheet", "missing.png", "there is no such file" },
    };
    for (int wait = 0; wait <= 1; wait++)
        for (int n = 0; n < COUNT_OF(rows); n++) {
            Bench bench = bench_new(wait);
            set_area(&bench, rows[n].area);
            set_file(&bench, rows[n].leaf, rows[n].name);
            if (!strstr(told(&bench), rows[n].why))
                fail_msg("\"%s\" instead of \"%s\"", bench.notice, rows[n].why);
            assert_string_equal(told(&bench), "");
            bench_free(&bench);
        }
}

// The engine's room changes in the frame in which a look lets go of its file: the new engine has nothing
// of what is freed.
static void another_engine_keeps_no_shape_that_is_gone(void **state)
{
    (void)state;
    char why[256];
    Bench bench = bench_new(true);
    set_area(&bench, AREA_MESH);
    set_text(&bench, "area_file", "cube");
    assert_string_equal(told(&bench), "");
    sim_begin(bench.sim, bench.params);
    Sim *other = sim_new(&(SimDesc){ .capacity = 8192, .threads = 1 }, why, sizeof why);
    sim_resume(other, bench.sim);
    sim_free(bench.sim);
    bench.sim = other;
    set_text(&bench, "area_file", "");
    assert_string_equal(told(&bench), "");
    sim_begin(bench.sim, bench.params);
    sim_hop(bench.sim, bench.params, NULL, 0.1f, 0.1f);
    const Motion still = { 0 };
    sim_step(bench.sim, bench.params, &still, 0, 0.1f);
    static Particle particles[100];
    static uint32_t keys[100];
    const uint32_t count = sim_particles(bench.sim, 0, particles, keys, 100);
    assert_true(count > 1);
    bench_free(&bench);
}

// A look that goes takes its files along, and comes back with them; a thousand looks need no more room.
static void a_thousand_looks_come_and_go(void **state)
{
    (void)state;
    Bench bench = bench_new(true);
    for (int n = 0; n < (SANITIZED ? 200 : 1000); n++) {
        set_text(&bench, "mesh", mesh_built_in_name(n % 5));
        set_area(&bench, n % 3 ? AREA_MESH : AREA_POINT);
        set_text(&bench, "area_file", n % 2 ? "cube" : "octahedron");
        assert_string_equal(told(&bench), "");
    }
    bench_free(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_good_file_is_read_without_a_word),
        cmocka_unit_test(what_cannot_be_read_is_said_once),
        cmocka_unit_test(another_engine_keeps_no_shape_that_is_gone),
        cmocka_unit_test(a_thousand_looks_come_and_go),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
