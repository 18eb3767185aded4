#include "control_walk.h"

static void set_text(Params *params, const char *path, const char *text)
{
    char why[MESSAGE_TEXT];
    if (!params_set_text(params, params_find(params, path), text, why, sizeof why))
        fail_msg("%s: %s", path, why);
    walk_sound(params);
}

static void set(Params *params, const char *path, double value)
{
    if (!params_set(params, params_find(params, path), value)) fail_msg("%s", path);
    walk_sound(params);
}

static float at(const Params *params, const char *path)
{
    const ParamId id = params_find(params, path);
    if (id == PARAM_NONE) fail_msg("no %s", path);
    return params_live(params, id);
}

// Emitters "spark" and "star" of the type "ember", and "own" without one.
static Params *typed(void)
{
    char why[MESSAGE_TEXT];
    Params *params = walk_new();
    assert_int_equal(params_add(params, OWNER_EMITTER, "star", why, sizeof why), 1);
    assert_int_equal(params_add(params, OWNER_EMITTER, "own", why, sizeof why), 2);
    set_text(params, "emitters/spark/type", "ember");
    set_text(params, "emitters/star/type", "ember");
    return params;
}

// Something else than it is.
static void change(Params *params, ParamId id)
{
    char why[MESSAGE_TEXT];
    const Stops stops = { .count = 2, .at = { 0.1f, 0.9f }, .value = { { 0.2f }, { 0.7f } } };
    const ParamKind kind = params_row(id)->kind;
    if (kind == KIND_TEXT)
        assert_true(params_set_text(params, id, "word", why, sizeof why));
    else if (kind_has_stops(kind))
        assert_true(params_set_stops(params, id, &stops, why, sizeof why));
    else if (params_set_norm(params, id, 0.77) && params_base(params, id) == params_row(id)->normal)
        assert_true(params_set_norm(params, id, 0.31));
}

static bool same(const Params *params, ParamId a, ParamId b)
{
    return params_base(params, a) == params_base(params, b) &&
           params_live(params, a) == params_live(params, b) &&
           strcmp(params_text(params, a), params_text(params, b)) == 0 &&
           (!params_stops(params, a) ||
            memcmp(params_stops(params, a), params_stops(params, b), sizeof(Stops)) == 0);
}

// Each row by itself: the type's goes to its emitters, and to nobody else.
static void every_row_that_is_inherited_goes_to_the_emitters(void **state)
{
    (void)state;
    Params *params = typed();
    int count = 0;
    for (int r = 0; r < EMITTER_ROWS; r++) {
        if (!row_inherited(r)) continue;
        const ParamId type = params_id(OWNER_TYPE, 0, r), own = params_id(OWNER_EMITTER, 2, r);
        const uint32_t texts = params_text_version(params, params_id(OWNER_EMITTER, 0, r));
        const uint32_t stops = params_stops_version(params, params_id(OWNER_EMITTER, 0, r));
        change(params, type);
        for (int slot = 0; slot < 2; slot++)
            if (!same(params, params_id(OWNER_EMITTER, slot, r), type))
                fail_msg("%s is not inherited", params_row(type)->path);
        if (same(params, own, type)) fail_msg("%s is everybody's", params_row(type)->path);
        const ParamKind kind = params_row(type)->kind;
        assert_int_equal(kind == KIND_TEXT,
                         params_text_version(params, params_id(OWNER_EMITTER, 0, r)) != texts);
        assert_int_equal(kind_has_stops(kind),
                         params_stops_version(params, params_id(OWNER_EMITTER, 0, r)) != stops);
        count++;
    }
    assert_true(count > SWARM_ROWS / 2);
    walk_sound(params);
    params_free(params);
}

static void what_an_emitter_has_set_is_its_own(void **state)
{
    (void)state;
    Params *params = typed();
    for (int r = 0; r < EMITTER_ROWS; r++)
        if (row_inherited(r)) change(params, params_id(OWNER_EMITTER, 0, r));
    params_set(params, params_find(params, "types/ember/size"), 3);
    set_text(params, "types/ember/sheet", "flame");
    for (int r = 0; r < EMITTER_ROWS; r++)
        if (row_inherited(r) &&
            same(params, params_id(OWNER_EMITTER, 0, r), params_id(OWNER_TYPE, 0, r)))
            fail_msg("%s is not its own", owner_row(OWNER_EMITTER, r)->path);
    assert_true(at(params, "emitters/star/size") == 3);
    params_free(params);
}

static void place_and_name_are_nobody_else_s(void **state)
{
    (void)state;
    static const char *const rows[] = { "visible",    "system",     "alive", "position/x",
                                        "position/y", "position/z", "type",  "burst" };
    Params *params = typed();
    for (int i = 0; i < COUNT_OF(rows); i++) {
        char path[MESSAGE_PATH];
        snprintf(path, sizeof path, "types/ember/%s", rows[i]);
        if (params_find(params, path) != PARAM_NONE) fail_msg("%s", path);
        assert_false(row_inherited(row_find(OWNER_EMITTER, rows[i])));
        assert_false(
            params_set(params, params_id(OWNER_TYPE, 0, row_find(OWNER_EMITTER, rows[i])), 1));
    }
    assert_int_not_equal(params_find(params, "types/ember/remove"), PARAM_NONE);
    params_free(params);
}

static void another_type_is_taken_on_whole(void **state)
{
    (void)state;
    Params *params = typed();
    set(params, "types/ember/size", 2);
    set(params, "types/ember/life", 7);
    set(params, "emitters/star/life", 5);
    assert_true(at(params, "emitters/star/size") == 2);
    set_text(params, "emitters/star/type", "spark");
    assert_true(at(params, "emitters/star/size") == at(params, "types/spark/size"));
    assert_true(at(params, "emitters/star/life") == 5); // its own
    assert_true(at(params, "emitters/star/rate") == 0);
    set_text(params, "emitters/star/type", "");
    assert_true(at(params, "emitters/star/size") == owner_row(OWNER_EMITTER, SWARM_SIZE)->normal);
    assert_true(at(params, "emitters/star/life") == 5);
    params_remove(params, OWNER_TYPE, params_slot(params, OWNER_TYPE, "ember"));
    walk_sound(params);
    assert_string_equal(params_text(params, params_find(params, "emitters/spark/type")), "");
    assert_true(at(params, "emitters/spark/life") == owner_row(OWNER_EMITTER, SWARM_LIFE)->normal);
    params_free(params);
}

static void routes_move_what_is_inherited_too(void **state)
{
    (void)state;
    char why[MESSAGE_TEXT];
    Params *params = typed();
    set_text(params, "routes/kick/to", "emitters/star/size");
    set(params, "routes/kick/amount", 1);
    routes_hop(params, &(Features){ .signal = { [SIGNAL_LEVEL] = 1 } }, 0.005f);
    set(params, "types/ember/size", 2);
    assert_float_equal(at(params, "emitters/star/size"), 3, 1e-6);
    assert_float_equal(at(params, "emitters/spark/size"), 2, 1e-6);
    set_text(params, "emitters/star/type", "");
    assert_float_equal(at(params, "emitters/star/size"),
                       owner_row(OWNER_EMITTER, SWARM_SIZE)->normal + 1, 1e-6);
    assert_false(params_set_text(params, params_find(params, "routes/kick/to"), "types/ember/size",
                                 why, sizeof why));
    assert_non_null(strstr(why, "cannot move a type"));
    params_free(params);
}

// Eight times the rate that it inherits, until a hand sets the amount.
static void a_default_route_goes_with_the_rate_of_the_type(void **state)
{
    (void)state;
    Params *params = typed();
    assert_true(at(params, "routes/emitter-spark/amount") == 400);
    set(params, "types/ember/rate", 10);
    assert_true(at(params, "routes/emitter-spark/amount") == 80);
    set(params, "emitters/spark/rate", 3); // its own, and still of that type
    set(params, "routes/emitter-star/amount", 7);
    set(params, "types/ember/rate", 20);
    assert_true(at(params, "routes/emitter-spark/amount") == 160);
    assert_true(at(params, "routes/emitter-star/amount") == 7);
    set_text(params, "emitters/spark/type", "spark");
    assert_true(at(params, "routes/emitter-spark/amount") == 0);
    set_text(params, "emitters/spark/type", "");
    assert_true(at(params, "routes/emitter-spark/amount") == 400);
    params_free(params);
}

static void a_type_is_made_from_an_emitter(void **state)
{
    (void)state;
    char why[MESSAGE_TEXT];
    Params *params = typed();
    const Message add = { .path = "/types/add", .types = "ss", .text = "copy\0own" };
    for (int r = 0; r < EMITTER_ROWS; r++)
        if (row_inherited(r)) change(params, params_id(OWNER_EMITTER, 2, r));
    assert_int_equal(params_message(params, &add, NULL, why, sizeof why), MESSAGE_DONE);
    set_text(params, "emitters/star/type", "copy");
    for (int r = 0; r < EMITTER_ROWS; r++)
        if (row_inherited(r) &&
            !same(params, params_id(OWNER_EMITTER, 1, r), params_id(OWNER_EMITTER, 2, r)))
            fail_msg("%s", owner_row(OWNER_EMITTER, r)->path);
    params_free(params);
}

static void every_type_that_is_built_in_is_made_when_it_is_named(void **state)
{
    (void)state;
    char why[MESSAGE_TEXT];
    for (int i = 0; type_builtin_name(i); i++) {
        Params *params = walk_new();
        const uint64_t refused = params_refused(params);
        set_text(params, "emitters/spark/type", type_builtin_name(i));
        assert_int_equal(type_builtin(type_builtin_name(i)), i);
        assert_int_equal(params_refused(params), refused); // all of its settings fit
        const int type = params_slot(params, OWNER_TYPE, type_builtin_name(i));
        assert_int_equal(params_type(params, 0), type);
        int differs = 0;
        for (int r = 0; r < EMITTER_ROWS; r++)
            differs += params_base(params, params_id(OWNER_TYPE, type, r)) !=
                       owner_row(OWNER_EMITTER, r)->normal;
        assert_true(differs > 3);
        assert_false(params_add(params, OWNER_TYPE, type_builtin_name(i), why, sizeof why) >= 0);
        params_free(params);
    }
}

static void a_spark_is_the_classic_one(void **state)
{
    (void)state;
    Params *params = walk_new();
    set_text(params, "emitters/spark/type", "spark");
    assert_float_equal(at(params, "emitters/spark/bounce"), 1.0 / 3, 1e-6);
    assert_float_equal(at(params, "emitters/spark/tangent_keep"), 1.0 / 3, 1e-6);
    assert_float_equal(at(params, "emitters/spark/hit_life"), 0.2, 1e-6);
    assert_float_equal(at(params, "emitters/spark/life_random"), 0.5, 1e-6);
    assert_true(at(params, "emitters/spark/rate") == 0);
    assert_true(at(params, "emitters/spark/hit_min") == 2 &&
                at(params, "emitters/spark/hit_max") == 7);
    const Stops *colour = params_stops(params, params_find(params, "emitters/spark/colour"));
    for (int i = 1; i < colour->count; i++) // its energy falls, and shows as opacity
        assert_true(colour->value[i][3] < colour->value[i - 1][3]);
    params_free(params);
}

static void an_unknown_type_is_refused(void **state)
{
    (void)state;
    char why[MESSAGE_TEXT], name[16];
    Params *params = typed();
    const ParamId type = params_find(params, "emitters/spark/type");
    assert_false(params_set_text(params, type, "amber", why, sizeof why));
    assert_non_null(strstr(why, "no type amber; did you mean ember?"));
    assert_string_equal(params_text(params, type), "ember");
    for (int i = 1; i < TYPE_SLOTS; i++) {
        snprintf(name, sizeof name, "t%d", i);
        assert_int_equal(params_add(params, OWNER_TYPE, name, why, sizeof why), i);
    }
    assert_false(params_set_text(params, type, "spark", why, sizeof why)); // no room to make it
    assert_non_null(strstr(why, "already 32 types"));
    params_free(params);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_that_is_inherited_goes_to_the_emitters),
        cmocka_unit_test(what_an_emitter_has_set_is_its_own),
        cmocka_unit_test(place_and_name_are_nobody_else_s),
        cmocka_unit_test(another_type_is_taken_on_whole),
        cmocka_unit_test(routes_move_what_is_inherited_too),
        cmocka_unit_test(a_default_route_goes_with_the_rate_of_the_type),
        cmocka_unit_test(a_type_is_made_from_an_emitter),
        cmocka_unit_test(every_type_that_is_built_in_is_made_when_it_is_named),
        cmocka_unit_test(a_spark_is_the_classic_one),
        cmocka_unit_test(an_unknown_type_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
