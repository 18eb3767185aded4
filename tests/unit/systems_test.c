// Systems, what is said to all of one, new names, and hits.
#include "control_walk.h"

static MessageResult say(Params *params, const Message message, char *why)
{
    why[0] = 0;
    return params_message(params, &message, NULL, why, MESSAGE_TEXT);
}

static void does(Params *params, const Message message)
{
    char why[MESSAGE_TEXT];
    if (say(params, message, why) != MESSAGE_DONE) fail_msg("%s: %s", message.path, why);
    walk_sound(params);
}

static float at(const Params *params, const char *path)
{
    const ParamId id = params_find(params, path);
    if (id == PARAM_NONE) fail_msg("no %s", path);
    return params_base(params, id);
}

static const char *text_at(const Params *params, const char *path)
{
    const ParamId id = params_find(params, path);
    if (id == PARAM_NONE) fail_msg("no %s", path);
    return params_text(params, id);
}

// The system "fire": emitters "fire" and "fire-spark" and the field "mist".
static Params *burning(void)
{
    Params *params = walk_new();
    does(params, (Message){ .path = "/systems/add", .types = "sss", .text = "fire\0ember\0spark" });
    does(params, message_text("/fields/mist/system", "fire"));
    return params;
}

// ---- coming and going ----

static void a_system_is_there_as_long_as_something_belongs_to_it(void **state)
{
    (void)state;
    char why[128];
    Params *params = params_new();
    does(params, message_text("/emitters/add", "a"));
    does(params, message_text("/fields/add", "a"));
    does(params, message_text("/emitters/add", "b"));
    const int a = params_slot(params, OWNER_SYSTEM, "a");
    assert_int_equal(params_system(params, OWNER_EMITTER, 0), a);
    assert_int_equal(params_system(params, OWNER_FIELD, 0), a);
    does(params, message_number("/systems/b/visible", 0));
    does(params, message_text("/emitters/b/system", "a"));
    assert_int_equal(params_slot(params, OWNER_SYSTEM, "b"), -1);
    does(params, (Message){ .path = "/fields/a/remove" });
    does(params, (Message){ .path = "/emitters/a/remove" });
    assert_int_equal(params_system(params, OWNER_EMITTER, 1), a);
    does(params, message_text("/emitters/b/system", ""));
    assert_int_equal(params_slot(params, OWNER_SYSTEM, "a"), -1);
    assert_true(at(params, "systems/b/visible") == 1); // another one than before
    does(params, (Message){ .path = "/emitters/b/remove" });
    assert_int_equal(params_system(params, OWNER_EMITTER, 1), -1);
    assert_int_equal(params_add(params, OWNER_SYSTEM, "c", why, sizeof why), -1);
    params_free(params);
}

// As many as there can be, each in a system of its own, all moved to others.
static void there_is_always_room_for_a_system(void **state)
{
    (void)state;
    char name[32], why[128];
    Params *params = params_new();
    for (Owner owner = OWNER_EMITTER; owner <= OWNER_FIELD; owner++)
        for (int i = 0; i < owner_slots(owner); i++) {
            snprintf(name, sizeof name, "%c%d", "?ef"[owner], i);
            assert_int_equal(params_add(params, owner, name, why, sizeof why), i);
        }
    for (int i = 0; i < EMITTER_SLOTS; i++) {
        snprintf(name, sizeof name, "other-%d", i);
        assert_true(params_set_text(params, params_id(OWNER_EMITTER, i, SWARM_SYSTEM), name, why,
                                    sizeof why));
    }
    walk_sound(params);
    params_free(params);
}

static void a_system_comes_with_an_emitter_a_type(void **state)
{
    (void)state;
    Params *params = burning();
    assert_string_equal(text_at(params, "emitters/fire/type"), "ember");
    assert_string_equal(text_at(params, "emitters/fire-spark/type"), "spark");
    assert_string_equal(text_at(params, "emitters/fire-spark/system"), "fire");
    assert_true(at(params, "routes/emitter-fire/amount") == 400);
    assert_true(at(params, "routes/emitter-fire-spark/amount") ==
                0); // silent: born of what happens
    does(params, (Message){ .path = "/systems/fire/remove" });
    assert_int_equal(params_slot(params, OWNER_SYSTEM, "fire"), -1);
    assert_int_equal(params_slot(params, OWNER_EMITTER, "fire-spark"), -1);
    assert_int_equal(params_slot(params, OWNER_FIELD, "mist"), -1);
    assert_int_equal(params_slot(params, OWNER_ROUTE, "emitter-fire"), -1);
    assert_true(params_slot(params, OWNER_TYPE, "spark") >= 0);
    params_free(params);
}

static void a_thousand_come_and_go(void **state)
{
    (void)state;
    char why[MESSAGE_TEXT];
    Params *params = params_new(), *fresh = params_new();
    const Message add = { .path = "/systems/add", .types = "ss", .text = "fire\0spark" };
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(say(params, add, why), MESSAGE_DONE);
        assert_int_equal(say(params, add, why), MESSAGE_REFUSED);
        assert_int_equal(say(params, (Message){ .path = "/systems/fire/remove" }, why),
                         MESSAGE_DONE);
    }
    walk_sound(params);
    params_reset_looks(params);
    assert_memory_equal(params->base, fresh->base, sizeof params->base);
    assert_memory_equal(params->live, fresh->live, sizeof params->live);
    params_free(params);
    params_free(fresh);
}

// ---- all of it at once ----

static void what_is_said_to_a_system_is_said_to_all_of_it(void **state)
{
    (void)state;
    Params *params = burning();
    does(params,
         (Message){ .path = "/systems/fire/tint", .types = "fff", .number = { 1, 0.5, 0.25 } });
    does(params, message_text("/systems/fire/blend", "alpha"));
    does(params, message_text("/systems/fire/sheet", "smoke"));
    does(params, message_number("/norm/systems/fire/layer", 1));
    does(params, (Message){ .path = "/systems/fire/size_curve",
                            .types = "ffff",
                            .number = { 0, 0.5, 1, 0 } });
    static const char *const members[] = { "emitters/fire", "emitters/fire-spark", "fields/mist" };
    for (int i = 0; i < COUNT_OF(members); i++) {
        char path[MESSAGE_PATH];
        snprintf(path, sizeof path, "%s/tint/b", members[i]);
        assert_true(at(params, path) == 0.25f);
        snprintf(path, sizeof path, "%s/blend", members[i]);
        assert_true(at(params, path) == BLEND_ALPHA);
        snprintf(path, sizeof path, "%s/layer", members[i]);
        assert_true(at(params, path) == 100);
        snprintf(path, sizeof path, "%s/sheet", members[i]);
        assert_string_equal(text_at(params, path), "smoke");
        snprintf(path, sizeof path, "%s/size_curve", members[i]);
        assert_int_equal(params_stops(params, params_find(params, path))->count, 2);
    }
    assert_true(at(params, "emitters/spark/tint/b") == 1); // not of it
    does(params, message_text("/systems/fire/type", "ember"));
    assert_string_equal(text_at(params, "emitters/fire-spark/type"), "ember");
    does(params, message_number("/systems/fire/capacity", 2048));
    assert_true(at(params, "fields/mist/capacity") == 2048);
    does(params, message_text("/systems/fire/system", "smoke"));
    assert_int_equal(params_slot(params, OWNER_SYSTEM, "fire"), -1);
    assert_string_equal(text_at(params, "emitters/fire/system"), "smoke");
    params_free(params);
}

static void a_system_s_own_rows_are_its_own(void **state)
{
    (void)state;
    Params *params = burning();
    does(params, message_text("/systems/fire/visible", "toggle"));
    assert_true(at(params, "systems/fire/visible") == 0 &&
                at(params, "emitters/fire/visible") == 1);
    does(params, message_text("/systems/fire/visible", "toggle"));
    assert_true(at(params, "systems/fire/visible") == 1);
    does(params,
         (Message){ .path = "/systems/fire/position", .types = "fff", .number = { 1, 2, 3 } });
    assert_true(at(params, "systems/fire/position/z") == 3 &&
                at(params, "emitters/fire/position/z") == 0);
    params_free(params);
}

static void each_bool_is_toggled_by_itself(void **state)
{
    (void)state;
    Params *params = burning();
    does(params, message_number("/emitters/fire/loop", 0));
    does(params, message_text("/systems/fire/loop", "toggle"));
    assert_true(at(params, "emitters/fire/loop") == 1 &&
                at(params, "emitters/fire-spark/loop") == 0 && at(params, "fields/mist/loop") == 0);
    params_free(params);
}

static void a_burst_of_a_system_is_one_of_each_member(void **state)
{
    (void)state;
    Params *params = burning();
    does(params, (Message){ .path = "/systems/fire/burst" });
    does(params, message_number("/systems/fire/burst", 1));
    does(params, message_number("/systems/fire/burst", 0)); // let go
    assert_true(at(params, "emitters/fire/burst") == 2);
    assert_true(at(params, "emitters/fire-spark/burst") == 2);
    assert_true(at(params, "fields/mist/burst") == 2);
    assert_true(at(params, "emitters/spark/burst") == 0);
    params_free(params);
}

static void readings_are_answered_and_not_set(void **state)
{
    (void)state;
    static const char *const paths[] = { "/systems/fire/alive", "/emitters/fire/alive",
                                         "/fields/mist/alive" };
    char why[MESSAGE_TEXT];
    Params *params = burning();
    for (int i = 0; i < COUNT_OF(paths); i++) {
        Message answer;
        params_tell(params, params_find(params, paths[i]), (float)(40 + i));
        const Message question = { .path = "/", .sender = 3 };
        Message asked = question;
        snprintf(asked.path, sizeof asked.path, "%s", paths[i]);
        assert_int_equal(params_message(params, &asked, &answer, why, sizeof why),
                         MESSAGE_ANSWERED);
        assert_string_equal(answer.types, "f");
        assert_true(answer.number[0] == 40 + i && answer.sender == 3);
        assert_int_equal(say(params, message_number(paths[i], 1), why), MESSAGE_REFUSED);
        assert_non_null(strstr(why, "only read"));
    }
    params_free(params);
}

// ---- hits ----

static Message hit_at(double x, double nx, double ny, double nz)
{
    return (Message){ .path = "/systems/fire/hit",
                      .types = "fffffffff",
                      .number = { x, 1, 2, 3, -4, 5, nx, ny, nz } };
}

static void hits_wait_in_their_order_until_they_are_taken(void **state)
{
    (void)state;
    char why[MESSAGE_TEXT];
    Params *params = burning();
    Hit hits[HITS_MAX];
    for (int i = 0; i < HITS_MAX; i++) does(params, hit_at(i, 0, 3, 4));
    assert_int_equal(say(params, hit_at(0, 0, 1, 0), why), MESSAGE_REFUSED);
    assert_non_null(strstr(why, "already 64 hits"));
    assert_int_equal(params_take_hits(params, hits), HITS_MAX);
    for (int i = 0; i < HITS_MAX; i++) {
        assert_int_equal(hits[i].system, params_slot(params, OWNER_SYSTEM, "fire"));
        assert_true(hits[i].position.x == (float)i && hits[i].velocity.y == -4);
        assert_float_equal(hits[i].normal.y, 0.6, 1e-6);
        assert_float_equal(hits[i].normal.z, 0.8, 1e-6);
    }
    assert_int_equal(params_take_hits(params, hits), 0);
    does(params, hit_at(7, 0, 1, 0));
    does(params, (Message){ .path = "/systems/fire/remove" });
    assert_int_equal(params_take_hits(params, hits), 0); // whom it hit is gone
    params_free(params);
}

static void a_normal_of_any_length_is_one(void **state)
{
    (void)state;
    static const double lengths[] = { 1e-300, 1e-30, 1, 1e30, 1e300 };
    Params *params = burning();
    for (int i = 0; i < COUNT_OF(lengths); i++) {
        Hit hits[HITS_MAX];
        does(params, hit_at(1e300, lengths[i], -lengths[i], 0));
        assert_int_equal(params_take_hits(params, hits), 1);
        assert_float_equal(hits[0].normal.x, 0.70710678, 1e-6);
        assert_float_equal(hits[0].normal.y, -0.70710678, 1e-6);
        assert_true(isfinite(hits[0].position.x));
    }
    params_free(params);
}

// ---- names ----

static void what_is_renamed_lives_on(void **state)
{
    (void)state;
    char why[MESSAGE_TEXT];
    Params *params = burning();
    does(params, (Message){ .path = "/routes/add",
                            .types = "sssf",
                            .text = "sway\0bass\0systems/fire/position/x" });
    does(params, message_text("/emitters/spark/born_from", "fire"));
    does(params, message_text("/types/ember/born_from", "fire"));
    const int emitter = params_slot(params, OWNER_EMITTER, "fire");
    const int system = params_slot(params, OWNER_SYSTEM, "fire");
    const uint32_t emitter_generation = params_generation(params, OWNER_EMITTER, emitter);
    const uint32_t system_generation = params_generation(params, OWNER_SYSTEM, system);

    does(params, message_text("/emitters/fire/name", "flame"));
    assert_string_equal(params_name(params, OWNER_EMITTER, emitter), "flame");
    assert_int_equal(params_generation(params, OWNER_EMITTER, emitter), emitter_generation);
    assert_string_equal(text_at(params, "routes/emitter-flame/to"), "emitters/flame/rate");
    assert_string_equal(text_at(params, "emitters/spark/born_from"), "flame");
    assert_string_equal(text_at(params, "types/ember/born_from"), "flame");
    assert_string_equal(text_at(params, "emitters/flame/system"), "fire"); // with the others

    does(params, message_text("/systems/fire/name", "pyre"));
    assert_int_equal(params_slot(params, OWNER_SYSTEM, "pyre"), system);
    assert_int_equal(params_generation(params, OWNER_SYSTEM, system), system_generation);
    assert_string_equal(text_at(params, "fields/mist/system"), "pyre");
    assert_string_equal(text_at(params, "routes/sway/to"), "systems/pyre/position/x");

    does(params, message_text("/types/ember/name", "coal"));
    assert_string_equal(text_at(params, "emitters/flame/type"), "coal");
    does(params, message_text("/routes/sway/name", "rock"));
    assert_true(params_slot(params, OWNER_ROUTE, "rock") >= 0);
    does(params, message_text("/routes/rock/name", "rock"));
    assert_int_equal(say(params, message_text("/routes/rock/name", "kick"), why), MESSAGE_REFUSED);
    params_free(params);
}

static void a_system_that_is_somebody_s_alone_goes_along(void **state)
{
    (void)state;
    Params *params = walk_new();
    does(params, message_number("/systems/spark/position/x", 4));
    does(params, (Message){ .path = "/routes/add",
                            .types = "sssf",
                            .text = "sway\0bass\0systems/spark/position/y" });
    does(params, message_text("/emitters/spark/name", "star"));
    assert_true(at(params, "systems/star/position/x") == 4);
    assert_string_equal(text_at(params, "routes/sway/to"), "systems/star/position/y");
    assert_string_equal(text_at(params, "emitters/star/system"), "");
    does(params, message_text("/emitters/star/name", "mist")); // there is a system of that name
    assert_true(at(params, "systems/star/position/x") == 4);
    assert_string_equal(text_at(params, "emitters/mist/system"), "star");
    does(params, message_text("/systems/star/name", "far"));
    does(params, message_text("/systems/mist/name", "near"));
    assert_string_equal(text_at(params, "fields/mist/system"), "near");
    params_free(params);
}

// ---- what is refused ----

static void nonsense_is_refused_and_changes_nothing(void **state)
{
    (void)state;
    static const struct {
        Message message;
        const char *says;
    } bad[] = {
        { { .path = "/systems/add" }, "a name and one or more types" },
        { { .path = "/systems/add", .types = "s", .text = "ice" }, "one or more types" },
        { { .path = "/systems/add", .types = "sf", .text = "ice" }, "one or more types" },
        { { .path = "/systems/add", .types = "ss", .text = "fire\0spark" }, "already a system" },
        { { .path = "/systems/add", .types = "ss", .text = "ice\0sprak" }, "did you mean spark?" },
        { { .path = "/systems/add", .types = "ss", .text = "ice\0" }, "a type has a name" },
        { { .path = "/systems/add", .types = "ss", .text = "Ice\0spark" }, "a-z" },
        { { .path = "/systems/add", .types = "ss", .text = "fire-spark\0spark" },
          "already an emitter" },
        { { .path = "/systems/add", .types = "sss", .text = "ice\0spark\0spark" }, "twice" },
        { { .path = "/systems/add",
            .types = "sss",
            .text = "a-name-of-as-many-as-27-letters\0ember\0spark" },
          "more than 32 letters" },
        { { .path = "/types/add" }, "takes a name" },
        { { .path = "/types/add", .types = "s", .text = "ember" }, "already a type" },
        { { .path = "/types/add", .types = "ss", .text = "ice\0fier" }, "did you mean fire?" },
        { { .path = "/types/add", .types = "s", .text = "add" }, "reserved" },
        { { .path = "/types/ember/type", .types = "s", .text = "ember" }, "no parameter" },
        { { .path = "/types/ember/system", .types = "s", .text = "fire" }, "no parameter" },
        { { .path = "/types/ember/position", .types = "fff" }, "no parameter" },
        { { .path = "/types/ember/visible", .types = "f" }, "no parameter" },
        { { .path = "/emitters/fire/type", .types = "s", .text = "embre" }, "did you mean ember?" },
        { { .path = "/emitters/fire/system", .types = "s", .text = "no name" }, "a-z" },
        { { .path = "/systems/fire/type", .types = "s", .text = "fume" }, "no type fume" },
        { { .path = "/systems/fire/rate", .types = "f", .number = { NAN } }, "finite" },
        { { .path = "/systems/fire/tint", .types = "ff" }, "takes 3 numbers" },
        { { .path = "/systems/fire/tint", .types = "fff", .number = { 0, 0, NAN } }, "finite" },
        { { .path = "/systems/fire/rate" }, "ask /emitters/fire/rate" },
        { { .path = "/systems/fire/rade", .types = "f" }, "did you mean /systems/fire/rate?" },
        { { .path = "/systems/fier/rate", .types = "f" }, "did you mean /systems/fire/rate?" },
        { { .path = "/systems/fire/loop", .types = "s", .text = "flip" }, "number" },
        { { .path = "/norm/systems/fire/loop", .types = "s", .text = "toggle" }, "number" },
        { { .path = "/systems/fire/rate", .types = "s", .text = "toggle" }, "number" },
        { { .path = "/systems/fire/hit", .types = "ffffffff" }, "9 numbers" },
        { { .path = "/systems/fire/hit", .types = "fffffffff" }, "a normal has a length" },
        { { .path = "/systems/fire/hit",
            .types = "fffffffff",
            .number = { 0, 0, NAN, 0, 0, 0, 0, 1, 0 } },
          "finite" },
        { { .path = "/systems/none/hit",
            .types = "fffffffff",
            .number = { 0, 0, 0, 0, 0, 0, 0, 1, 0 } },
          "no parameter" },
        { { .path = "/emitters/fire/hit", .types = "fffffffff" }, "no parameter" },
        { { .path = "/emitters/fire/name" }, "takes a new name" },
        { { .path = "/emitters/fire/name", .types = "s", .text = "spark" }, "already an emitter" },
        { { .path = "/emitters/fire/name", .types = "s", .text = "add" }, "reserved" },
        { { .path = "/emitters/fire/name", .types = "s", .text = "B C" }, "a-z" },
        { { .path = "/systems/fire/name", .types = "s", .text = "spark" }, "already a system" },
        { { .path = "/forces/name", .types = "s", .text = "x" }, "no parameter" },
        { { .path = "/routes/kick/to", .types = "s", .text = "types/ember/rate" }, "a type" },
        { { .path = "/routes/kick/to", .types = "s", .text = "systems/fire/burst" }, "numbers" },
    };
    Params *params = burning();
    Picture *picture = picture_take(params);
    for (int i = 0; i < COUNT_OF(bad); i++) {
        char why[MESSAGE_TEXT];
        const uint64_t before = params_refused(params);
        if (say(params, bad[i].message, why) != MESSAGE_REFUSED)
            fail_msg("%s was not refused: %s", bad[i].message.path, bad[i].says);
        if (!strstr(why, bad[i].says)) fail_msg("%s says: %s", bad[i].message.path, why);
        if (!picture_holds(picture, params))
            fail_msg("%s (%s) changed something", bad[i].message.path, bad[i].says);
        assert_int_equal(params_refused(params) - before, 1);
        routes_hop(params, &(Features){ 0 }, 0.005f); // a search a message is allowed again
    }
    picture_free(picture);
    params_free(params);
}

// Seven slots are left, and a system wants eight.
static void a_system_comes_whole_or_not_at_all(void **state)
{
    (void)state;
    char name[16], why[MESSAGE_TEXT];
    Message add = { .path = "/systems/add", .types = "s", .text = "fire" };
    size_t used = strlen(add.text) + 1;
    Params *params = params_new();
    for (int i = 0; i < 8; i++) {
        snprintf(name, sizeof name, "t%d", i);
        assert_true(params_add(params, OWNER_TYPE, name, why, sizeof why) >= 0);
        memcpy(add.text + used, name, strlen(name) + 1);
        used += strlen(name) + 1;
        add.types[1 + i] = 's';
    }
    for (int i = 0; i < EMITTER_SLOTS - 7; i++) {
        snprintf(name, sizeof name, "e%d", i);
        does(params, message_text("/emitters/add", name));
    }
    Picture *picture = picture_take(params);
    assert_int_equal(say(params, add, why), MESSAGE_REFUSED);
    assert_non_null(strstr(why, "no room"));
    assert_true(picture_holds(picture, params));
    does(params, (Message){ .path = "/emitters/e3/remove" });
    does(params, add);
    picture_free(picture);
    params_free(params);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_system_is_there_as_long_as_something_belongs_to_it),
        cmocka_unit_test(there_is_always_room_for_a_system),
        cmocka_unit_test(a_system_comes_with_an_emitter_a_type),
        cmocka_unit_test(a_thousand_come_and_go),
        cmocka_unit_test(what_is_said_to_a_system_is_said_to_all_of_it),
        cmocka_unit_test(a_system_s_own_rows_are_its_own),
        cmocka_unit_test(each_bool_is_toggled_by_itself),
        cmocka_unit_test(a_burst_of_a_system_is_one_of_each_member),
        cmocka_unit_test(readings_are_answered_and_not_set),
        cmocka_unit_test(hits_wait_in_their_order_until_they_are_taken),
        cmocka_unit_test(a_normal_of_any_length_is_one),
        cmocka_unit_test(what_is_renamed_lives_on),
        cmocka_unit_test(a_system_that_is_somebody_s_alone_goes_along),
        cmocka_unit_test(nonsense_is_refused_and_changes_nothing),
        cmocka_unit_test(a_system_comes_whole_or_not_at_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
