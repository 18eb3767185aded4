#include "test.h"

#include <math.h>

#include "render/camera.h"
#include "render/render.h"

static const Size sizes[] = { { 1280, 720 }, { 720, 1280 }, { 320, 180 } };

static void set(Params *params, const char *path, double value)
{
    assert_true(params_set(params, params_find(params, path), value));
    routes_hop(params, &(Features){ 0 }, 0.005f);
}

// Where a point lies on the picture, -1..1, y up.
static void place(const Camera *camera, Size size, int margin, Vec3 p, float at[2])
{
    const float *m = camera->view_projection;
    const float w = m[3] * p.x + m[7] * p.y + m[11] * p.z + m[15];
    at[0] = (m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12]) / w;
    at[1] = (m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13]) / w;
    at[0] *= 1 + 2 * (float)margin / (float)size.width;
    at[1] *= 1 + 2 * (float)margin / (float)size.height;
}

static void the_picture_sees_the_height_asked_for_at_the_origin(void **state)
{
    (void)state;
    Params *params = params_new();
    set(params, "camera/height", 8);
    for (int s = 0; s < COUNT_OF(sizes); s++) {
        float at[2];
        const Camera camera = camera_of(params, 0, sizes[s], 16);
        place(&camera, sizes[s], 16, (Vec3){ 0, 4, 0 }, at);
        assert_float_equal(at[0], 0, 1e-5);
        assert_float_equal(at[1], 1, 1e-5);
        assert_float_equal(camera.pixels / camera.distance * 8, sizes[s].height, 1e-2);
    }
    params_free(params);
}

static void what_is_nearer_is_larger(void **state)
{
    (void)state;
    Params *params = params_new();
    float near[2], far[2];
    const Camera camera = camera_of(params, 0, sizes[0], 0);
    place(&camera, sizes[0], 0, (Vec3){ 1, 0, 3 }, near);
    place(&camera, sizes[0], 0, (Vec3){ 1, 0, -3 }, far);
    assert_true(near[0] > far[0] * 1.5f && far[0] > 0);
    params_free(params);
}

// The mouse points at what is drawn there, wherever the eye is.
static void a_point_under_the_mouse_is_drawn_under_the_mouse(void **state)
{
    (void)state;
    static const float turns[][2] = { { 0, 0 }, { 30, 0 }, { 0, -40 }, { 200, 75 }, { -90, 10 } };
    Params *params = params_new();
    for (int t = 0; t < COUNT_OF(turns); t++)
        for (int s = 0; s < COUNT_OF(sizes); s++) {
            float at[2];
            set(params, "camera/yaw", turns[t][0]);
            set(params, "camera/pitch", turns[t][1]);
            const Camera camera = camera_of(params, 30, sizes[s], 16);
            const Vec3 p = camera_unproject(params, 30, sizes[s], 0.6f, -0.3f);
            place(&camera, sizes[s], 16, p, at);
            assert_float_equal(at[0], 0.6f, 1e-4);
            assert_float_equal(at[1], -0.3f, 1e-4);
        }
    params_free(params);
}

static void an_orbit_turns_as_the_yaw_does_and_a_whole_turn_is_none(void **state)
{
    (void)state;
    Params *params = params_new();
    for (int degrees = -720; degrees <= 720; degrees += 45) {
        set(params, "camera/yaw", 0);
        const Camera orbited = camera_of(params, degrees, sizes[0], 0);
        set(params, "camera/yaw", (degrees + 900) % 360 - 180);
        const Camera turned = camera_of(params, 0, sizes[0], 0);
        for (int i = 0; i < 16; i++)
            assert_float_equal(orbited.view_projection[i], turned.view_projection[i], 1e-4);
    }
    params_free(params);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_picture_sees_the_height_asked_for_at_the_origin),
        cmocka_unit_test(what_is_nearer_is_larger),
        cmocka_unit_test(a_point_under_the_mouse_is_drawn_under_the_mouse),
        cmocka_unit_test(an_orbit_turns_as_the_yaw_does_and_a_whole_turn_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
