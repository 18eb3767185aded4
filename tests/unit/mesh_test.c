// Meshes: what is read from OBJ, what is built in, what is refused.
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"

static Mesh *read(const char *text)
{
    char why[256] = "";
    Mesh *mesh = mesh_read(text, "it.obj", why, sizeof why);
    if (!mesh) fail_msg("%s", why);
    return mesh;
}

static float extent(const Mesh *mesh)
{
    float far = 0;
    for (int n = 0; n < mesh->point_count; n++) {
        const Vec3 p = mesh->points[n];
        far = fmaxf(far, fmaxf(fabsf(p.x), fmaxf(fabsf(p.y), fabsf(p.z))));
    }
    return far;
}

static void a_polygon_becomes_triangles_and_its_rim_edges(void **state)
{
    (void)state;
    Mesh *mesh = read("# a square\nv 0 0 0\nv 2 0 0\r\nv 2 2 0\nv 0 2 0\nvn 0 0 1\n"
                      "f 1/1/1 2//1 3/2 -1\n");
    assert_int_equal(mesh->point_count, 4);
    assert_int_equal(mesh->face_count, 2);
    assert_int_equal(mesh->edge_count, 4); // not the diagonal
    assert_float_equal(mesh_face_normal(mesh, 0).z, 1, 1e-6);
    assert_float_equal(mesh_face_normal(mesh, 1).z, 1, 1e-6);
    assert_float_equal(extent(mesh), 1, 1e-6);
    mesh_free(mesh);
}

static void a_line_is_edges_alone(void **state)
{
    (void)state;
    Mesh *mesh = read("v 0 0 0\nv 1 0 0\nv 1 1 0\nl 1 2 3\nl 2 1\n");
    assert_int_equal(mesh->face_count, 0);
    assert_int_equal(mesh->edge_count, 2); // 1-2 counts once
    mesh_free(mesh);
}

static void what_is_wrong_is_said_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *why;
    } rows[] = {
        { "", "it.obj:1: it has no points" },
        { "v 1 2\n", "it.obj:1: a point takes three numbers" },
        { "v 1 2 nan\n", "it.obj:1: a point takes three numbers" },
        { "v 1 2 1e999\n", "it.obj:1: a point takes three numbers" },
        { "v 0 0 0\nf 1 2 3\n", "it.obj:2: a corner is no point so far" },
        { "v 0 0 0\n\nf 1 1 -2\n", "it.obj:3: a corner is no point so far" },
        { "v 0 0 0\nf 1 0 1\n", "it.obj:2: a corner is the number of a point" },
        { "v 0 0 0\nf 99999999999999999999 1 1\n", "it.obj:2: a corner is no point so far" },
        { "v 0 0 0\nf 1 1\n", "it.obj:2: a face has at least three corners" },
        { "v 0 0 0\nl 1\n", "it.obj:2: a line has at least two" },
        { "v 0 0 0\nf x\n", "it.obj:2: a corner is the number of a point" },
    };
    for (int n = 0; n < COUNT_OF(rows); n++) {
        char why[256] = "";
        assert_null(mesh_read(rows[n].text, "it.obj", why, sizeof why));
        assert_string_equal(why, rows[n].why);
    }
}

static void a_huge_mesh_is_refused(void **state)
{
    (void)state;
    const size_t length = (MESH_MOST + 1) * 8;
    char *text = malloc(length + 1), why[256];
    assert_non_null(text);
    for (size_t n = 0; n <= MESH_MOST; n++) memcpy(text + 8 * n, "v 1 2 3\n", 8);
    text[length] = 0;
    assert_null(mesh_read(text, "it.obj", why, sizeof why));
    assert_non_null(strstr(why, "more points"));
    free(text);
}

// Euler: points - edges + faces is 2 for what is closed like a ball; every edge has its two faces and
// all faces look outwards.
static void built_in_bodies_are_closed_and_face_outwards(void **state)
{
    (void)state;
    for (int n = 0; mesh_built_in_name(n); n++) {
        Mesh *mesh = mesh_built_in(mesh_built_in_name(n));
        assert_non_null(mesh);
        assert_float_equal(extent(mesh), 1, 1e-5);
        double volume = 0;
        for (int f = 0; f < mesh->face_count; f++) {
            const Vec3 p = mesh->points[mesh->faces[f][0]], q = mesh->points[mesh->faces[f][1]],
                       r = mesh->points[mesh->faces[f][2]], normal = mesh_face_normal(mesh, f);
            assert_true(normal.x != 0 || normal.y != 0 || normal.z != 0);
            volume += (double)(p.x * (q.y * r.z - q.z * r.y) + p.y * (q.z * r.x - q.x * r.z) +
                               p.z * (q.x * r.y - q.y * r.x)) /
                      6;
            if (strcmp(mesh_built_in_name(n), "torus") == 0) continue;
            assert_true(normal.x * p.x + normal.y * p.y + normal.z * p.z > 0);
        }
        assert_true(volume > 0.3);
        assert_true(mesh->edge_count > 0);
        mesh_free(mesh);
    }
    assert_null(mesh_built_in("teapot"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_polygon_becomes_triangles_and_its_rim_edges),
        cmocka_unit_test(a_line_is_edges_alone),
        cmocka_unit_test(what_is_wrong_is_said_with_its_line),
        cmocka_unit_test(a_huge_mesh_is_refused),
        cmocka_unit_test(built_in_bodies_are_closed_and_face_outwards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
