// Patches: births are spread as the shape says.
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "sim/shape.h"

enum { BIRTHS = 60000 };

static Shape *of_text(const char *text, int from)
{
    char why[256] = "";
    Mesh *mesh = mesh_read(text, "it.obj", why, sizeof why);
    assert_non_null(mesh);
    Shape *shape = shape_of_mesh(mesh, from, "it.obj", why, sizeof why);
    if (!shape) fail_msg("%s", why);
    mesh_free(mesh);
    return shape;
}

// The share of births for which `where` holds.
static double share_of(const Shape *shape, bool (*where)(Vec3 p, Vec3 normal))
{
    int count = 0;
    for (uint32_t n = 0; n < BIRTHS; n++) {
        Vec3 normal;
        const Vec3 p = shape_place(shape, rng_key(7, n), &normal);
        count += where(p, normal);
    }
    return (double)count / BIRTHS;
}

static bool is_right(Vec3 p, Vec3 normal)
{
    (void)normal;
    return p.x > 0;
}

static bool is_left(Vec3 p, Vec3 normal)
{
    (void)normal;
    return p.x < 0;
}

static bool is_inside(Vec3 p, Vec3 normal)
{
    (void)normal;
    return fabsf(p.x) <= 1 + 1e-5f && fabsf(p.y) <= 1 + 1e-5f && fabsf(p.z) <= 1 + 1e-5f;
}

static bool is_top(Vec3 p, Vec3 normal)
{
    return normal.y > 0.99f && p.y > 0.99f;
}

static bool is_low_half(Vec3 p, Vec3 normal)
{
    (void)normal;
    return p.y < 0;
}

// A triangle thrice as large as another gets thrice its births; in a triangle, the half next to the
// tip that is a quarter of the area gets a quarter.
static void surfaces_give_birth_by_area(void **state)
{
    (void)state;
    Shape *two =
        of_text("v -1 0 0\nv 0 0 0\nv -1 1 0\nv 0 0 0\nv 1 0 0\nv 0 3 0\nf 1 2 3\nf 4 5 6\n",
                AREA_FROM_SURFACE);
    assert_float_equal(share_of(two, is_right), 0.75, 0.01);
    shape_free(two);
    Shape *one = of_text("v 0 -1 0\nv 1 -1 0\nv 0 1 0\nf 1 2 3\n", AREA_FROM_SURFACE);
    assert_float_equal(share_of(one, is_low_half), 0.75, 0.01);
    shape_free(one);
}

static void edges_give_birth_by_length_and_corners_alike(void **state)
{
    (void)state;
    static const char *const text = "v -1 0 0\nv 0 0 0\nv 3 0 0\nl 1 2\nl 2 3\n";
    Shape *edges = of_text(text, AREA_FROM_EDGES);
    // Fitted, the point in the middle of the two edges lies at -0.5: 2/3 of the long edge is right of 0.
    assert_float_equal(share_of(edges, is_right), 0.5, 0.01);
    shape_free(edges);
    Shape *corners = of_text(text, AREA_FROM_VERTICES);
    assert_float_equal(share_of(corners, is_right), 1.0 / 3, 0.01);
    shape_free(corners);
}

static void every_built_in_body_gives_birth_on_itself(void **state)
{
    (void)state;
    char why[256];
    for (int n = 0; mesh_built_in_name(n); n++)
        for (int from = AREA_FROM_SURFACE; from <= AREA_FROM_VERTICES; from++) {
            Mesh *mesh = mesh_built_in(mesh_built_in_name(n));
            Shape *shape = shape_of_mesh(mesh, from, "body", why, sizeof why);
            assert_non_null(shape);
            assert_float_equal(share_of(shape, is_inside), 1, 0);
            assert_float_equal(share_of(shape, is_right), share_of(shape, is_left), 0.03);
            if (n == 1 && from == AREA_FROM_SURFACE)
                assert_float_equal(share_of(shape, is_top), 1.0 / 6, 0.01);
            shape_free(shape);
            mesh_free(mesh);
        }
}

static void bright_pixels_give_birth_by_their_light(void **state)
{
    (void)state;
    // Top row dark and transparent, bottom row: half light (as bytes, 186 is half of the light), white.
    const uint8_t rgba[4 * 4] = { 0,   0,   0,   255, 255, 255, 255, 0,
                                  186, 186, 186, 255, 255, 255, 255, 255 };
    char why[256];
    Shape *shape = shape_of_image(rgba, 2, 2, "it.png", why, sizeof why);
    assert_non_null(shape);
    assert_int_equal(shape->count, 2);
    assert_float_equal(share_of(shape, is_low_half), 1, 0);
    assert_float_equal(share_of(shape, is_right), 2.0 / 3, 0.01);
    assert_float_equal(share_of(shape, is_inside), 1, 0);
    shape_free(shape);
}

static void a_large_image_is_reduced_and_keeps_its_shape(void **state)
{
    (void)state;
    enum { WIDTH = 1000, HEIGHT = 500 };
    uint8_t *rgba = malloc(4 * WIDTH * HEIGHT);
    char why[256];
    assert_non_null(rgba);
    memset(rgba, 255, 4 * WIDTH * HEIGHT);
    Shape *shape = shape_of_image(rgba, WIDTH, HEIGHT, "it.png", why, sizeof why);
    assert_non_null(shape);
    assert_in_range(shape->count, 10000, PATCHES_MOST);
    float high = 0;
    for (uint32_t n = 0; n < 1000; n++) {
        Vec3 normal;
        const Vec3 p = shape_place(shape, rng_key(3, n), &normal);
        high = fmaxf(high, fabsf(p.y));
    }
    assert_float_equal(high, 0.5, 0.02); // half as high as wide
    assert_float_equal(share_of(shape, is_right), 0.5, 0.01);
    shape_free(shape);
    free(rgba);
}

static void what_gives_no_birth_is_said(void **state)
{
    (void)state;
    char why[256];
    const uint8_t black[4] = { 0, 0, 0, 255 };
    assert_null(shape_of_image(black, 1, 1, "it.png", why, sizeof why));
    assert_string_equal(why, "it.png: it has no bright pixels");
    Mesh *mesh = mesh_read("v 0 0 0\nv 1 0 0\nl 1 2\n", "it.obj", why, sizeof why);
    assert_null(shape_of_mesh(mesh, AREA_FROM_SURFACE, "it.obj", why, sizeof why));
    assert_string_equal(why, "it.obj: it has no faces");
    mesh_free(mesh);
    // Faces without any area count as none.
    mesh = mesh_read("v 0 0 0\nv 1 0 0\nf 1 2 1\n", "it.obj", why, sizeof why);
    assert_null(shape_of_mesh(mesh, AREA_FROM_SURFACE, "it.obj", why, sizeof why));
    mesh_free(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(surfaces_give_birth_by_area),
        cmocka_unit_test(edges_give_birth_by_length_and_corners_alike),
        cmocka_unit_test(every_built_in_body_gives_birth_on_itself),
        cmocka_unit_test(bright_pixels_give_birth_by_their_light),
        cmocka_unit_test(a_large_image_is_reduced_and_keeps_its_shape),
        cmocka_unit_test(what_gives_no_birth_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
