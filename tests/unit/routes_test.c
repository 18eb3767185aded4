#include "control_walk.h"

static const float HOP = 1 / 187.5f; // s

static Features hearing(SignalId signal, float value)
{
    Features features = { 0 };
    features.signal[signal] = value;
    return features;
}

static void hop(Params *params, SignalId signal, float value, float seconds)
{
    const Features features = hearing(signal, value);
    routes_hop(params, &features, seconds);
}

// Parameters with one route of that name and target, listening to the bass.
static Params *routed(const char *to, double amount)
{
    char why[256];
    Params *params = params_new();
    const int slot = params_add(params, OWNER_ROUTE, "r", why, sizeof why);
    assert_int_equal(slot, 0);
    assert_true(
        params_set_text(params, params_id(OWNER_ROUTE, 0, ROUTE_SIGNAL), "bass", why, sizeof why));
    assert_true(params_set_text(params, params_id(OWNER_ROUTE, 0, ROUTE_TO), to, why, sizeof why));
    assert_true(params_set(params, params_id(OWNER_ROUTE, 0, ROUTE_AMOUNT), amount));
    return params;
}

static void set_route(Params *params, RouteRow row, double value)
{
    assert_true(params_set(params, params_id(OWNER_ROUTE, 0, row), value));
}

static void default_routes_add_the_root_of_the_level(void **state)
{
    (void)state;
    Params *params = walk_new();
    const ParamId spark = params_find(params, "emitters/spark/rate"),
                  mist = params_find(params, "fields/mist/rate");
    params_set(params, spark, 10);
    hop(params, SIGNAL_LEVEL, 0.25f, HOP);
    assert_float_equal(params_live(params, spark), 10 + 400 * 0.5, 1e-3);
    assert_float_equal(params_live(params, mist), 50 + 20000 * 0.5, 1e-1);
    assert_float_equal(params_values(params, OWNER_EMITTER, 0)[SWARM_RATE],
                       params_live(params, spark), 0);
    assert_float_equal(params_base(params, spark), 10, 0);
    params_free(params);
}

static void a_default_route_falls_with_its_time_constant(void **state)
{
    (void)state;
    Params *params = walk_new();
    const ParamId rate = params_find(params, "emitters/spark/rate");
    params_set(params, rate, 0);
    hop(params, SIGNAL_LEVEL, 1, HOP);
    hop(params, SIGNAL_LEVEL, 0, 0.15f);
    assert_float_equal(params_live(params, rate), 400 * exp(-1), 0.01);
    params_free(params);
}

// Up for 0.3 s and down for 0.2 s, in pieces.
static float after_rise_and_fall(int pieces)
{
    Params *params = routed("look/exposure", 1);
    set_route(params, ROUTE_ATTACK, 0.2);
    set_route(params, ROUTE_RELEASE, 0.4);
    for (int i = 0; i < pieces; i++) hop(params, SIGNAL_BASS, 1, 0.3f / (float)pieces);
    for (int i = 0; i < pieces; i++) hop(params, SIGNAL_BASS, 0, 0.2f / (float)pieces);
    const float live = params_live(params, GLOBAL_EXPOSURE);
    params_free(params);
    return live;
}

static void smoothing_is_the_same_at_any_hop(void **state)
{
    (void)state;
    const float want = (float)((1 - exp(-0.3 / 0.2)) * exp(-0.2 / 0.4));
    const int pieces[] = { 1, 2, 7, 60, 1000 };
    for (int i = 0; i < COUNT_OF(pieces); i++)
        assert_float_equal(after_rise_and_fall(pieces[i]), want, 1e-4);
}

static void range_and_curve_shape_the_signal(void **state)
{
    (void)state;
    Params *params = routed("look/exposure", 4);
    set_route(params, ROUTE_LOW, 0.2);
    set_route(params, ROUTE_HIGH, 0.6);
    set_route(params, ROUTE_EXPONENT, 2);
    const float heard[] = { 0, 0.2f, 0.4f, 0.6f, 1, 7, -3, NAN },
                want[] = { 0, 0, 1, 4, 4, 4, 0, 0 };
    for (int i = 0; i < COUNT_OF(heard); i++) {
        hop(params, SIGNAL_BASS, heard[i], HOP);
        assert_float_equal(params_live(params, GLOBAL_EXPOSURE), want[i], 1e-4);
    }
    set_route(params, ROUTE_HIGH, 0.1); // below low: a switch
    hop(params, SIGNAL_BASS, 0.19f, HOP);
    assert_float_equal(params_live(params, GLOBAL_EXPOSURE), 0, 0);
    hop(params, SIGNAL_BASS, 0.21f, HOP);
    assert_float_equal(params_live(params, GLOBAL_EXPOSURE), 4, 0);
    params_free(params);
}

static void live_stays_in_the_range_and_base_is_never_moved(void **state)
{
    (void)state;
    Params *params = routed("look/exposure", 1000);
    params_set(params, GLOBAL_EXPOSURE, 1);
    hop(params, SIGNAL_BASS, 1, HOP);
    assert_float_equal(params_live(params, GLOBAL_EXPOSURE), 8, 0);
    set_route(params, ROUTE_AMOUNT, -1000);
    hop(params, SIGNAL_BASS, 1, HOP);
    assert_float_equal(params_live(params, GLOBAL_EXPOSURE), -8, 0);
    assert_float_equal(params_base(params, GLOBAL_EXPOSURE), 1, 0);
    hop(params, SIGNAL_BASS, 0, HOP);
    assert_float_equal(params_live(params, GLOBAL_EXPOSURE), 1, 0);
    params_free(params);
}

static void a_hand_is_seen_at_once_on_top_of_the_route(void **state)
{
    (void)state;
    Params *params = routed("look/exposure", 2);
    hop(params, SIGNAL_BASS, 1, HOP);
    assert_true(params_set(params, GLOBAL_EXPOSURE, -3));
    assert_float_equal(params_live(params, GLOBAL_EXPOSURE), -1, 1e-6);
    assert_true(params_set(params, GLOBAL_EXPOSURE, 7));
    assert_float_equal(params_live(params, GLOBAL_EXPOSURE), 8, 0);
    assert_true(params_set(params, GLOBAL_EXPOSURE, 0));
    assert_float_equal(params_live(params, GLOBAL_EXPOSURE), 2, 1e-6);
    params_free(params);
}

static void two_routes_to_one_target_add_up(void **state)
{
    (void)state;
    char why[256];
    Params *params = routed("look/exposure", 2);
    const Message second = { .path = "/routes/add",
                             .types = "sssf",
                             .text = "s\0bass\0look/exposure",
                             .number = { 0, 0, 0, 3 } };
    assert_int_equal(params_message(params, &second, NULL, why, sizeof why), MESSAGE_DONE);
    hop(params, SIGNAL_BASS, 1, HOP);
    assert_float_equal(params_live(params, GLOBAL_EXPOSURE), 5, 1e-5);
    params_remove(params, OWNER_ROUTE, 0);
    assert_float_equal(params_live(params, GLOBAL_EXPOSURE), 3, 1e-5);
    params_remove(params, OWNER_ROUTE, 1);
    assert_float_equal(params_live(params, GLOBAL_EXPOSURE), 0, 0);
    params_free(params);
}

static void disabled_and_reaction_0_move_nothing(void **state)
{
    (void)state;
    Params *params = routed("look/exposure", 2);
    params_set(params, GLOBAL_AUDIO_REACTION, 2);
    hop(params, SIGNAL_BASS, 1, HOP);
    assert_float_equal(params_live(params, GLOBAL_EXPOSURE), 4, 1e-5);
    params_set(params, GLOBAL_AUDIO_REACTION, 0);
    hop(params, SIGNAL_BASS, 1, HOP);
    assert_float_equal(params_live(params, GLOBAL_EXPOSURE), 0, 0);
    params_set(params, GLOBAL_AUDIO_REACTION, 1);
    set_route(params, ROUTE_ENABLED, 0);
    hop(params, SIGNAL_BASS, 1, HOP);
    assert_float_equal(params_live(params, GLOBAL_EXPOSURE), 0, 0);
    params_free(params);
}

static void another_target_frees_the_first(void **state)
{
    (void)state;
    char why[256];
    Params *params = routed("look/exposure", 2);
    hop(params, SIGNAL_BASS, 1, HOP);
    assert_true(params_set_text(params, params_id(OWNER_ROUTE, 0, ROUTE_TO), "/look/bloom/amount",
                                why, sizeof why));
    assert_string_equal(params_text(params, params_id(OWNER_ROUTE, 0, ROUTE_TO)),
                        "look/bloom/amount");
    assert_float_equal(params_live(params, GLOBAL_EXPOSURE), 0, 0);
    hop(params, SIGNAL_BASS, 1, HOP);
    assert_float_equal(params_live(params, GLOBAL_BLOOM), 2.3, 1e-5);
    params_free(params);
}

static void whole_numbers_stay_whole_when_moved(void **state)
{
    (void)state;
    char why[256];
    Params *params = walk_new();
    const int slot = params_slot(params, OWNER_ROUTE, "kick");
    params_set_text(params, params_id(OWNER_ROUTE, slot, ROUTE_TO), "emitters/spark/area", why,
                    sizeof why);
    params_set(params, params_id(OWNER_ROUTE, slot, ROUTE_AMOUNT), 0.7);
    hop(params, SIGNAL_LEVEL, 1, HOP);
    assert_float_equal(params_live(params, params_find(params, "emitters/spark/area")), 2, 0);
    params_free(params);
}

static void a_route_goes_with_the_instance_that_it_points_into(void **state)
{
    (void)state;
    char why[256];
    Params *params = walk_new();
    params_set_text(params, params_find(params, "routes/kick/to"), "emitters/spark/size", why,
                    sizeof why);
    params_remove(params, OWNER_EMITTER, 0);
    assert_int_equal(params_slot(params, OWNER_ROUTE, "kick"), -1);
    assert_int_equal(params_slot(params, OWNER_ROUTE, "emitter-spark"), -1);
    assert_true(params_slot(params, OWNER_ROUTE, "field-mist") >= 0);
    hop(params, SIGNAL_LEVEL, 1, HOP);
    assert_int_equal(params_add(params, OWNER_EMITTER, "spark", why, sizeof why), 0);
    assert_float_equal(params_live(params, params_find(params, "emitters/spark/size")), 0.06, 1e-6);
    params_free(params);
}

static void what_cannot_be_moved_is_refused(void **state)
{
    (void)state;
    Params *params = walk_new();
    const struct {
        const char *leaf, *text, *says;
    } bad[] = {
        { "signal", "bas", "did you mean bass?" },
        { "signal", "nonsense", "no signal nonsense" },
        { "to", "look/exposur", "did you mean look/exposure?" },
        { "to", "show/preset", "numbers" },
        { "to", "emitters/spark/colour", "numbers" },
        { "to", "show/next", "numbers" },
        { "to", "sim/capacity", "preparation" },
        { "to", "fields/mist/capacity", "preparation" },
        { "to", "routes/kick/amount", "cannot move routes" },
        { "to", "audio/reaction", "master" },
        { "to", "forces/wind", "no parameter" },
    };
    Picture *picture = picture_take(params);
    for (int i = 0; i < COUNT_OF(bad); i++) {
        char path[64], why[256] = "";
        snprintf(path, sizeof path, "routes/kick/%s", bad[i].leaf);
        routes_hop(params, &(Features){ 0 }, HOP); // a search a text is allowed again
        assert_false(
            params_set_text(params, params_find(params, path), bad[i].text, why, sizeof why));
        if (!strstr(why, bad[i].says)) fail_msg("%s %s says: %s", bad[i].leaf, bad[i].text, why);
    }
    assert_int_equal(params_refused(params), COUNT_OF(bad));
    assert_true(picture_holds(picture, params));
    picture_free(picture);
    params_free(params);
}

static void odd_hops_do_no_harm(void **state)
{
    (void)state;
    Params *params = routed("look/exposure", 2);
    set_route(params, ROUTE_ATTACK, 0.1);
    const float seconds[] = { 0, -1, NAN, INFINITY };
    for (int i = 0; i < COUNT_OF(seconds); i++) {
        hop(params, SIGNAL_BASS, 1, seconds[i]);
        assert_true(params_live(params, GLOBAL_EXPOSURE) >= 0 &&
                    params_live(params, GLOBAL_EXPOSURE) <= 2);
    }
    params_free(params);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(default_routes_add_the_root_of_the_level),
        cmocka_unit_test(a_default_route_falls_with_its_time_constant),
        cmocka_unit_test(smoothing_is_the_same_at_any_hop),
        cmocka_unit_test(range_and_curve_shape_the_signal),
        cmocka_unit_test(live_stays_in_the_range_and_base_is_never_moved),
        cmocka_unit_test(a_hand_is_seen_at_once_on_top_of_the_route),
        cmocka_unit_test(two_routes_to_one_target_add_up),
        cmocka_unit_test(disabled_and_reaction_0_move_nothing),
        cmocka_unit_test(another_target_frees_the_first),
        cmocka_unit_test(whole_numbers_stay_whole_when_moved),
        cmocka_unit_test(a_route_goes_with_the_instance_that_it_points_into),
        cmocka_unit_test(what_cannot_be_moved_is_refused),
        cmocka_unit_test(odd_hops_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
