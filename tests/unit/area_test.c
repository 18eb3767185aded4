#include "test.h"

#include <math.h>

#include "base/base.h"
#include "sim/area.h"

enum { SPOTS = 40000 };

static void fill_values(float *values, int area, Vec3 size, float thickness)
{
    values[SWARM_AREA] = (float)area;
    values[SWARM_AREA_X] = size.x;
    values[SWARM_AREA_Y] = size.y;
    values[SWARM_AREA_Z] = size.z;
    values[SWARM_AREA_ARC] = 360;
    values[SWARM_THICKNESS] = thickness;
}

static Spot spot(const float *values, uint32_t n)
{
    const Placement place = { 0 };
    const Emission emission = emission_of(values, &place);
    return spot_in(emission.area, &emission, rng_key(3, n));
}

// The share of spots that lie nearer than `share` of the way out, by `out`; none lies farther than 1.
static double share_within(const float *values, float (*out)(const float *values, Vec3 p),
                           float share)
{
    int within = 0;
    for (uint32_t n = 0; n < SPOTS; n++) {
        const float far_out = out(values, spot(values, n).offset);
        assert_true(far_out <= 1 + 1e-5f);
        within += far_out < share;
    }
    return (double)within / SPOTS;
}

static float out_in_circle(const float *values, Vec3 p)
{
    assert_float_equal(p.y, 0, 0);
    return hypotf(p.x / values[SWARM_AREA_X], p.z / values[SWARM_AREA_Z]);
}

static float out_in_dome(const float *values, Vec3 p)
{
    assert_true(p.y >= 0);
    const float x = p.x / values[SWARM_AREA_X], y = p.y / values[SWARM_AREA_Y],
                z = p.z / values[SWARM_AREA_Z];
    return sqrtf(x * x + y * y + z * z);
}

static float out_on_line(const float *values, Vec3 p)
{
    assert_true(p.y == 0 && p.z == 0);
    return fabsf(p.x) / values[SWARM_AREA_X];
}

// In proportion to the cone's own width at that height.
static float out_in_cone(const float *values, Vec3 p)
{
    assert_true(p.y >= 0 && p.y <= values[SWARM_AREA_Y]);
    const float wider = p.y * tanf(values[SWARM_AREA_ANGLE] * 3.14159265f / 180);
    return hypotf(p.x / (values[SWARM_AREA_X] + wider), p.z / (values[SWARM_AREA_Z] + wider));
}

static const struct {
    int area;
    int dimensions;
    float (*out)(const float *values, Vec3 p);
} bodies[] = {
    { AREA_CIRCLE, 2, out_in_circle },
    { AREA_HEMISPHERE, 3, out_in_dome },
    { AREA_LINE, 1, out_on_line },
    { AREA_CONE, 2, out_in_cone },
};

static double volume(double out, int dimensions)
{
    return pow(out, dimensions);
}

static void areas_are_filled_evenly_between_surface_and_thickness(void **state)
{
    (void)state;
    for (int b = 0; b < COUNT_OF(bodies); b++) {
        float values[SWARM_ROWS] = { [SWARM_AREA_ANGLE] = 40 };
        const int d = bodies[b].dimensions;
        fill_values(values, bodies[b].area, (Vec3){ 3, 1, 0.5f }, 0);
        assert_float_equal(share_within(values, bodies[b].out, 0.9999f), 0, 0);
        values[SWARM_THICKNESS] = 1;
        assert_float_equal(share_within(values, bodies[b].out, 0.5f), volume(0.5, d), 0.012);
        assert_float_equal(share_within(values, bodies[b].out, 0.8f), volume(0.8, d), 0.012);
        values[SWARM_THICKNESS] = 0.5f;
        assert_float_equal(share_within(values, bodies[b].out, 0.4999f), 0, 0);
        assert_float_equal(share_within(values, bodies[b].out, 0.8f),
                           (volume(0.8, d) - volume(0.5, d)) / (1 - volume(0.5, d)), 0.012);
    }
}

static void a_cone_is_even_from_bottom_to_top(void **state)
{
    (void)state;
    float values[SWARM_ROWS] = { [SWARM_AREA_ANGLE] = 50 };
    fill_values(values, AREA_CONE, (Vec3){ 0.5f, 2, 1.5f }, 1);
    const double lean = tan(50 * 3.14159265358979 / 180);
    double below[5] = { 0 };
    for (uint32_t n = 0; n < SPOTS; n++)
        for (int s = 0; s < 5; s++) below[s] += spot(values, n).offset.y < 0.4f * (float)s;
    for (int s = 0; s < 5; s++) {
        // The volume below h: the integral of (x + y lean) (z + y lean).
        double part[2];
        for (int whole = 0; whole < 2; whole++) {
            const double h = whole ? 2 : 0.4 * s;
            part[whole] = 0.75 * h + 2 * lean * h * h / 2 + lean * lean * h * h * h / 3;
        }
        assert_float_equal(below[s] / SPOTS, part[0] / part[1], 0.012);
    }
}

static void a_cone_points_along_its_nearest_line(void **state)
{
    (void)state;
    float values[SWARM_ROWS] = { [SWARM_AREA_ANGLE] = 30 };
    fill_values(values, AREA_CONE, (Vec3){ 1, 0, 1 }, 1);
    for (uint32_t n = 0; n < 2000; n++) {
        const Spot s = spot(values, n);
        const float out = hypotf(s.offset.x, s.offset.z);
        assert_float_equal(hypotf(s.direction.x, s.direction.z) / s.direction.y,
                           out * tanf(3.14159265f / 6), 1e-4f);
        assert_float_equal(s.direction.x * s.offset.z, s.direction.z * s.offset.x, 1e-5f);
        assert_true(s.direction.x * s.offset.x >= 0 && s.direction.y > 0.8f);
    }
}

static void an_arc_goes_from_x_towards_z(void **state)
{
    (void)state;
    const int areas[] = { AREA_CIRCLE, AREA_CONE };
    for (int a = 0; a < COUNT_OF(areas); a++) {
        float values[SWARM_ROWS] = { [SWARM_AREA_ANGLE] = 20 };
        fill_values(values, areas[a], (Vec3){ 2, 1, 2 }, 1);
        values[SWARM_AREA_ARC] = 90;
        float least = 9, most = -9;
        for (uint32_t n = 0; n < 4000; n++) {
            const Vec3 p = spot(values, n).offset;
            const float turn = atan2f(p.z, p.x);
            least = fminf(least, turn);
            most = fmaxf(most, turn);
        }
        assert_float_equal(least, 0, 0.01f);
        assert_float_equal(most, 3.14159265f / 2, 0.01f);
    }
}

static void a_line_points_up_and_the_others_away(void **state)
{
    (void)state;
    for (int area = AREA_POINT; area <= AREA_IMAGE; area++) {
        float values[SWARM_ROWS] = { [SWARM_AREA_ANGLE] = 20 };
        fill_values(values, area, (Vec3){ 2, 1, 0.5f }, 1);
        for (uint32_t n = 0; n < 1000; n++) {
            const Spot s = spot(values, n);
            const Vec3 d = s.direction, p = s.offset;
            assert_float_equal(d.x * d.x + d.y * d.y + d.z * d.z, 1, 1e-5f);
            if (area == AREA_LINE) assert_true(d.x == 0 && d.y == 1 && d.z == 0);
            if (area == AREA_LINE || area == AREA_CONE || area == AREA_POINT) continue;
            assert_float_equal(d.x * p.x + d.y * p.y + d.z * p.z,
                               sqrtf(p.x * p.x + p.y * p.y + p.z * p.z), 1e-4f);
        }
    }
}

// ---- where areas are ----------------------------------------------------------------------------

static void set(Params *params, const char *path, double value)
{
    const ParamId id = params_find(params, path);
    if (id == PARAM_NONE) fail_msg("there is no %s", path);
    assert_true(params_set(params, id, value));
}

static Params *params_with_emitter(void)
{
    char why[200];
    Params *params = params_new();
    assert_int_equal(params_add(params, OWNER_EMITTER, "spark", why, sizeof why), 0);
    return params;
}

static void assert_vector(Vec3 v, float x, float y, float z)
{
    assert_float_equal(v.x, x, 1e-5f);
    assert_float_equal(v.y, y, 1e-5f);
    assert_float_equal(v.z, z, 1e-5f);
}

static void a_place_of_its_own_changes_no_bit(void **state)
{
    (void)state;
    Params *params = params_with_emitter();
    set(params, "emitters/spark/position/x", 0.1);
    const Placement place = placement_of(params, OWNER_EMITTER, 0);
    const Vec3 p = { 0.3f, -0.7f, 1e-7f };
    const Vec3 v = placement_turn(&place, p), at = placement_point(&place, p);
    assert_true(v.x == p.x && v.y == p.y && v.z == p.z);
    assert_true(at.x == 0.1f + p.x && at.y == p.y && at.z == p.z);
    params_free(params);
}

static void turns_are_about_z_then_x_then_y(void **state)
{
    (void)state;
    Params *params = params_with_emitter();
    set(params, "emitters/spark/area_turn/z", 90);
    Placement place = placement_of(params, OWNER_EMITTER, 0);
    assert_vector(placement_turn(&place, (Vec3){ 1, 0, 0 }), 0, 1, 0);
    set(params, "emitters/spark/area_turn/x", 90);
    place = placement_of(params, OWNER_EMITTER, 0);
    assert_vector(placement_turn(&place, (Vec3){ 1, 0, 0 }), 0, 0, 1);
    set(params, "emitters/spark/area_turn/y", 90);
    place = placement_of(params, OWNER_EMITTER, 0);
    assert_vector(placement_turn(&place, (Vec3){ 1, 0, 0 }), 1, 0, 0);
    assert_vector(placement_turn(&place, (Vec3){ 0, 1, 0 }), 0, 0, 1);
    params_free(params);
}

static void a_system_carries_and_turns_what_is_in_it(void **state)
{
    (void)state;
    Params *params = params_with_emitter();
    set(params, "systems/spark/position/y", 5);
    set(params, "systems/spark/rotation/z", 90);
    set(params, "emitters/spark/position/x", 2);
    set(params, "emitters/spark/area_turn/y", -30);
    const Placement place = placement_of(params, OWNER_EMITTER, 0);
    assert_vector(place.middle, 0, 7, 0);
    // Within the area turned by -30 degrees about y, then by 90 about z.
    assert_vector(placement_turn(&place, (Vec3){ 1, 0, 0 }), 0, sqrtf(0.75f), 0.5f);

    float values[SWARM_ROWS] = { [SWARM_LIFE] = 1, [SWARM_VELOCITY_X] = 4 };
    const Particle p = law_birth(values, &place, rng_key(1, 1));
    assert_vector(p.position, 0, 7, 0);
    assert_vector(p.velocity, 0, 4 * sqrtf(0.75f), 2);
    params_free(params);
}

// Any turn keeps lengths and right angles.
static void turns_are_turns(void **state)
{
    (void)state;
    Params *params = params_with_emitter();
    for (int degrees = -360; degrees <= 360; degrees += 15) {
        set(params, "emitters/spark/area_turn/x", degrees);
        set(params, "emitters/spark/area_turn/y", degrees * 0.37);
        set(params, "systems/spark/rotation/z", 360 - degrees);
        const Placement p = placement_of(params, OWNER_EMITTER, 0);
        assert_float_equal(p.x.x * p.x.x + p.x.y * p.x.y + p.x.z * p.x.z, 1, 3e-6f);
        assert_float_equal(p.y.x * p.y.x + p.y.y * p.y.y + p.y.z * p.y.z, 1, 3e-6f);
        assert_float_equal(p.x.x * p.y.x + p.x.y * p.y.y + p.x.z * p.y.z, 0, 3e-6f);
        assert_float_equal(p.x.y * p.y.z - p.x.z * p.y.y, p.z.x, 3e-6f);
    }
    params_free(params);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(areas_are_filled_evenly_between_surface_and_thickness),
        cmocka_unit_test(a_cone_is_even_from_bottom_to_top),
        cmocka_unit_test(a_cone_points_along_its_nearest_line),
        cmocka_unit_test(an_arc_goes_from_x_towards_z),
        cmocka_unit_test(a_line_points_up_and_the_others_away),
        cmocka_unit_test(a_place_of_its_own_changes_no_bit),
        cmocka_unit_test(turns_are_about_z_then_x_then_y),
        cmocka_unit_test(a_system_carries_and_turns_what_is_in_it),
        cmocka_unit_test(turns_are_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
