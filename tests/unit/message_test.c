#include "control_walk.h"

static MessageResult say(Params *params, const Message *message, char *why)
{
    why[0] = 0;
    return params_message(params, message, NULL, why, MESSAGE_TEXT);
}

static void does(Params *params, const Message message)
{
    char why[MESSAGE_TEXT];
    if (say(params, &message, why) != MESSAGE_DONE) fail_msg("%s: %s", message.path, why);
}

static float base_at(const Params *params, const char *path)
{
    const ParamId id = params_find(params, path);
    assert_int_not_equal(id, PARAM_NONE);
    return params_base(params, id);
}

// ---- what is done ----

static void every_number_is_set_by_its_address(void **state)
{
    (void)state;
    Params *params = walk_new();
    for (Owner owner = 0; owner < OWNER_COUNT; owner++)
        for (int r = 0; r < owner_rows(owner); r++) {
            const ParamRow *row = owner_row(owner, r);
            const ParamId id = params_id(owner, walk_slot(params, owner), r);
            if (!row_there(owner, r)) continue;
            char path[MESSAGE_PATH], norm[MESSAGE_PATH + 8], inc[MESSAGE_PATH + 8];
            if (!kind_is_number(row->kind)) continue;
            params_path(params, id, path, sizeof path);
            snprintf(norm, sizeof norm, "/norm/%s", path);
            snprintf(inc, sizeof inc, "/inc/%s", path);
            does(params, message_number(path, row->max));
            assert_true(params_base(params, id) == row->max);
            does(params, message_number(norm, 0));
            assert_true(params_base(params, id) == row->min);
            does(params, message_number(inc, row->max - row->min));
            assert_float_equal(params_base(params, id), row->max, fabsf(row->max) * 1e-6f);
            does(params, message_number(inc, 1));
            assert_true(params_base(params, id) == row->max);
            does(params, message_number(inc, -1e300));
            assert_true(params_base(params, id) == row->min);
        }
    params_free(params);
}

static void a_group_takes_as_many_numbers_as_it_has_leaves(void **state)
{
    (void)state;
    Params *params = walk_new();
    does(params, (Message){ .path = "/forces/wind", .types = "fff", .number = { 1, 2, 3 } });
    assert_float_equal(base_at(params, "forces/wind/z"), 3, 0);
    does(params, (Message){ .path = "/inc/forces/wind", .types = "fff", .number = { 1, 0, -1 } });
    assert_float_equal(base_at(params, "forces/wind/x"), 2, 0);
    assert_float_equal(base_at(params, "forces/wind/z"), 2, 0);
    does(params,
         (Message){ .path = "/norm/look/background", .types = "fff", .number = { 1, 0, 0.5 } });
    assert_float_equal(base_at(params, "look/background/r"), 1, 0);
    assert_float_equal(base_at(params, "look/background/b"), 0.125, 1e-6);
    does(params, (Message){ .path = "/emitters/spark/position",
                            .types = "fsf",
                            .number = { 1, 0, 3 },
                            .text = "-2.5" });
    assert_float_equal(base_at(params, "emitters/spark/position/y"), -2.5, 0);
    params_free(params);
}

static void groups_are_stems_of_single_numbers_that_lie_together(void **state)
{
    (void)state;
    const struct {
        Owner owner;
        const char *stem;
        int count;
    } stems[] = {
        { OWNER_GLOBAL, "forces/wind", 3 }, { OWNER_GLOBAL, "look/background", 3 },
        { OWNER_GLOBAL, "look/trail", 2 },  { OWNER_GLOBAL, "forces/attractor3/position", 3 },
        { OWNER_EMITTER, "position", 3 },   { OWNER_FIELD, "area_size", 3 },
        { OWNER_GLOBAL, "forces", 0 },      { OWNER_GLOBAL, "forces/attractor1", 0 },
        { OWNER_GLOBAL, "show", 0 },        { OWNER_GLOBAL, "sim", 0 },
        { OWNER_GLOBAL, "forces/win", 0 },  { OWNER_GLOBAL, "", 0 },
        { OWNER_EMITTER, "rate", 0 },       { OWNER_ROUTE, "", 0 },
    };
    for (int i = 0; i < COUNT_OF(stems); i++)
        if (group_find(stems[i].owner, stems[i].stem).count != stems[i].count)
            fail_msg("%s", stems[i].stem);
}

static void words_are_coerced(void **state)
{
    (void)state;
    Params *params = walk_new();
    does(params, message_text("/forces/gravity", "-9.8"));
    assert_float_equal(base_at(params, "forces/gravity"), -9.8f, 0);
    does(params, message_text("/emitters/spark/area", "box"));
    assert_float_equal(base_at(params, "emitters/spark/area"), AREA_BOX, 0);
    does(params, message_text("/emitters/spark/area", "0"));
    assert_float_equal(base_at(params, "emitters/spark/area"), AREA_POINT, 0);
    does(params, message_number("/emitters/spark/area", 1));
    assert_float_equal(base_at(params, "emitters/spark/area"), AREA_SPHERE, 0);
    does(params, message_text("show/blackout", "true"));
    assert_float_equal(base_at(params, "show/blackout"), 1, 0);
    does(params, message_text("show/blackout", "false"));
    assert_float_equal(base_at(params, "show/blackout"), 0, 0);
    does(params, message_text("/show/preset", "star"));
    assert_string_equal(params_text(params, params_find(params, "show/preset")), "star");
    params_free(params);
}

static void curves_and_gradients_are_points_in_a_row(void **state)
{
    (void)state;
    Params *params = walk_new();
    does(params, (Message){ .path = "/emitters/spark/size_curve",
                            .types = "ffff",
                            .number = { 0, 0.5, 1, 2 } });
    const Stops *curve = params_stops(params, params_find(params, "emitters/spark/size_curve"));
    assert_int_equal(curve->count, 2);
    assert_float_equal(curve->value[1][0], 2, 0);
    Message colour = { .path = "/fields/mist/colour",
                       .types = "fffff",
                       .number = { 0.5, 1, 0.5, 0.25, 1 } };
    does(params, colour);
    const Stops *gradient = params_stops(params, params_find(params, "fields/mist/colour"));
    assert_int_equal(gradient->count, 1);
    assert_float_equal(gradient->value[0][2], 0.25, 0);
    params_free(params);
}

static void a_trigger_fires_without_a_number_or_when_pressed(void **state)
{
    (void)state;
    Params *params = walk_new();
    does(params, (Message){ .path = "/show/next" });
    does(params, message_number("/show/next", 1));
    does(params, message_number("/show/next", 0)); // let go
    assert_float_equal(base_at(params, "show/next"), 2, 0);
    params_free(params);
}

static void instances_come_and_go(void **state)
{
    (void)state;
    Params *params = params_new();
    does(params, message_text("/emitters/add", "flame"));
    does(params, message_text("/fields/add", "mist"));
    does(params, (Message){ .path = "/routes/add",
                            .types = "sssf",
                            .text = "kick\0onset\0/look/exposure",
                            .number = { 0, 0, 0, 0.5 } });
    const int route = params_slot(params, OWNER_ROUTE, "kick");
    assert_true(route >= 0);
    assert_float_equal(base_at(params, "routes/kick/amount"), 0.5, 0);
    assert_string_equal(params_text(params, params_find(params, "routes/kick/to")),
                        "look/exposure");
    assert_true(params_slot(params, OWNER_ROUTE, "field-mist") >= 0);
    does(params, (Message){ .path = "/routes/kick/remove" });
    does(params, (Message){ .path = "/fields/mist/remove" });
    does(params, message_number("/emitters/flame/remove", 1));
    for (Owner owner = OWNER_EMITTER; owner < OWNER_COUNT; owner++)
        for (int slot = 0; slot < owner_slots(owner); slot++)
            assert_false(params_exists(params, owner, slot));
    params_free(params);
}

// ---- what is asked ----

// Every address asked and its answer sent back: nothing changes.
static void every_answer_can_be_said_back(void **state)
{
    (void)state;
    Params *params = walk_new();
    Params *other = walk_new();
    for (Owner owner = 0; owner < OWNER_COUNT; owner++)
        for (int r = 0; r < owner_rows(owner); r++) {
            const ParamId id = params_id(owner, walk_slot(params, owner), r);
            if (!row_there(owner, r)) continue;
            char why[MESSAGE_TEXT];
            Message question = { .path = "/", .sender = 7 }, answer;
            const ParamKind kind = params_row(id)->kind;
            if (kind == KIND_TRIGGER || kind == KIND_READING) continue;
            params_path(params, id, question.path + 1, MESSAGE_PATH - 1);
            params_set_norm(other, id, 0.9);
            assert_int_equal(params_message(params, &question, &answer, why, sizeof why),
                             MESSAGE_ANSWERED);
            assert_string_equal(answer.path, question.path);
            assert_int_equal(answer.sender, 7);
            does(other, answer);
            assert_true(params_base(other, id) == params_base(params, id));
            assert_string_equal(params_text(other, id), params_text(params, id));
            if (params_stops(params, id))
                assert_memory_equal(params_stops(params, id), params_stops(other, id),
                                    sizeof(Stops));
        }
    params_free(params);
    params_free(other);
}

static void groups_and_norms_are_answered(void **state)
{
    (void)state;
    char why[MESSAGE_TEXT];
    Params *params = walk_new();
    Message answer;
    does(params, (Message){ .path = "/forces/wind", .types = "fff", .number = { 1, 2, 50 } });
    assert_int_equal(
        params_message(params, &(Message){ .path = "/forces/wind" }, &answer, why, sizeof why),
        MESSAGE_ANSWERED);
    assert_string_equal(answer.types, "fff");
    assert_float_equal(answer.number[1], 2, 0);
    assert_int_equal(
        params_message(params, &(Message){ .path = "/norm/forces/wind" }, &answer, why, sizeof why),
        MESSAGE_ANSWERED);
    assert_string_equal(answer.path, "/norm/forces/wind");
    assert_float_equal(answer.number[2], 1, 0);
    params_free(params);
}

// ---- what is refused ----

static void refusals_say_why_and_change_nothing(void **state)
{
    (void)state;
    const struct {
        Message message;
        const char *says;
    } bad[] = {
        { { .path = "/forces/gravty", .types = "f" },
          "no parameter /forces/gravty; did you mean /forces/gravity?" },
        { { .path = "/emitters/sperk/rate", .types = "f" }, "did you mean /emitters/spark/rate?" },
        { { .path = "/emitters/spark/rade", .types = "f" }, "did you mean /emitters/spark/rate?" },
        { { .path = "/norm/forces/wimd", .types = "fff" }, "did you mean /forces/wind?" },
        { { .path = "/completely/elsewhere", .types = "f" }, "no parameter /completely/elsewhere" },
        { { .path = "//forces/gravity", .types = "f" }, "no parameter" },
        { { .path = "/norm//forces/gravity", .types = "f" }, "no parameter" },
        { { .path = "forces/gravity", .types = "f" }, "slash" },
        { { .path = "", .types = "f" }, "slash" },
        { { .path = "/", .types = "f" }, "no parameter" },
        { { .path = "/forces/*", .types = "f" }, "patterns" },
        { { .path = "/forces/gravit?", .types = "f" }, "patterns" },
        { { .path = "/forces/[a-z]", .types = "f" }, "patterns" },
        { { .path = "/{forces}", .types = "f" }, "patterns" },
        { { .path = "/forces/gravity", .types = "ff" }, "takes 1 number, not 2" },
        { { .path = "/forces/gravity", .types = "f", .number = { NAN } }, "finite" },
        { { .path = "/forces/gravity", .types = "f", .number = { INFINITY } }, "finite" },
        { { .path = "/forces/gravity", .types = "s", .text = "down" }, "takes a number" },
        { { .path = "/forces/gravity", .types = "s", .text = "1x" }, "takes a number" },
        { { .path = "/forces/gravity", .types = "s", .text = "" }, "takes a number" },
        { { .path = "/forces/gravity", .types = "s", .text = "nan" }, "finite" },
        { { .path = "/forces/gravity", .types = "b" }, "well made" },
        { { .path = "/forces/wind", .types = "ff", .number = { 1, 2 } }, "takes 3 numbers, not 2" },
        { { .path = "/forces/wind", .types = "ffff" }, "takes 3 numbers, not 4" },
        { { .path = "/forces/wind", .types = "fff", .number = { 1, 2, NAN } }, "finite" },
        { { .path = "/forces/wind", .types = "ffs", .number = { 1, 2 }, .text = "east" },
          "number" },
        { { .path = "/norm/forces/wind", .types = "fff", .number = { 1, 1, NAN } }, "finite" },
        { { .path = "/inc/forces/gravity" }, "takes a number" },
        { { .path = "/inc/show/preset", .types = "s", .text = "x" }, "no number" },
        { { .path = "/norm/show/next", .types = "f", .number = { 1 } }, "no number" },
        { { .path = "/norm/emitters/spark/colour" }, "no range" },
        { { .path = "/show/preset", .types = "f" }, "one text" },
        { { .path = "/show/preset", .types = "ss", .text = "a\0b" }, "one text" },
        { { .path = "/show/preset", .types = "s", .text = "\xff" }, "UTF-8" },
        { { .path = "/emitters/spark/area", .types = "s", .text = "cube" }, "point|sphere|box" },
        { { .path = "/emitters/spark/size_curve", .types = "fff" }, "2 numbers a point" },
        { { .path = "/emitters/spark/size_curve", .types = "ffff", .number = { 1, 0, 0, 0 } },
          "rise" },
        { { .path = "/emitters/spark/colour", .types = "ffff" }, "5 numbers a point" },
        { { .path = "/emitters/spark/colour", .types = "fffff", .number = { 2 } }, "from 0 to 1" },
        { { .path = "/emitters/spark/colour", .types = "fffff", .number = { 0, NAN } }, "finite" },
        { { .path = "/show/next", .types = "ff" }, "no more than one" },
        { { .path = "/show/next", .types = "s", .text = "now" }, "number" },
        { { .path = "/emitters/add" }, "takes a name" },
        { { .path = "/emitters/add", .types = "s", .text = "spark" }, "already" },
        { { .path = "/emitters/add", .types = "s", .text = "Bad Name" }, "a-z" },
        { { .path = "/fields/add", .types = "f" }, "takes a name" },
        { { .path = "/routes/add", .types = "s", .text = "r" }, "a signal" },
        { { .path = "/routes/add", .types = "sssf", .text = "r\0nothing\0look/exposure" },
          "no signal" },
        { { .path = "/routes/add", .types = "sssf", .text = "r\0level\0look/exposer" },
          "did you mean look/exposure" },
        { { .path = "/routes/add", .types = "sssf", .text = "kick\0level\0look/exposure" },
          "already" },
        { { .path = "/routes/add",
            .types = "sssf",
            .text = "r\0level\0look/exposure",
            .number = { 0, 0, 0, NAN } },
          "finite" },
        { { .path = "/emitters/none/remove" }, "no parameter" },
        { { .path = "/emitters/spark", .types = "f" }, "no parameter" },
    };
    Params *params = walk_new();
    Picture *picture = picture_take(params);
    for (int i = 0; i < COUNT_OF(bad); i++) {
        char why[MESSAGE_TEXT];
        if (say(params, &bad[i].message, why) != MESSAGE_REFUSED)
            fail_msg("%s was not refused", bad[i].message.path);
        if (!strstr(why, bad[i].says)) fail_msg("%s says: %s", bad[i].message.path, why);
        if (!picture_holds(picture, params))
            fail_msg("%s (%s) changed something", bad[i].message.path, bad[i].says);
        assert_int_equal(params_refused(params), i + 1);
        routes_hop(params, &(Features){ 0 }, 0.005f); // a search a message is allowed again
    }
    picture_free(picture);
    params_free(params);
}

// Misspelt messages come in floods, and each search costs as much as hundreds of messages.
static void only_the_first_refusals_of_a_hop_search_for_what_was_meant(void **state)
{
    (void)state;
    Params *params = walk_new();
    const Message typos[] = {
        { .path = "/forces/gravty", .types = "f" },
        { .path = "/emitters/sperk/rate", .types = "f" },
        { .path = "/routes/kick/signal", .types = "s", .text = "bas" },
        { .path = "/routes/kick/to", .types = "s", .text = "look/exposur" },
    };
    for (int hop = 0; hop < 3; hop++) {
        for (int i = 0; i < 100; i++) {
            char why[MESSAGE_TEXT];
            assert_int_equal(say(params, &typos[(i + hop) % COUNT_OF(typos)], why),
                             MESSAGE_REFUSED);
            assert_non_null(strstr(why, "no "));
            assert_int_equal(strstr(why, "did you mean") != NULL, i < SEARCHES_A_HOP);
        }
        routes_hop(params, &(Features){ 0 }, 0.005f);
    }
    params_free(params);
}

static void too_many_points_are_refused(void **state)
{
    (void)state;
    char why[MESSAGE_TEXT];
    Params *params = walk_new();
    Message message = { .path = "/emitters/spark/size_curve" };
    for (int i = 0; i < 2 * (STOPS_MAX + 1); i++) {
        message.types[i] = 'f';
        message.number[i] = i / 100.0;
    }
    assert_int_equal(say(params, &message, why), MESSAGE_REFUSED);
    assert_non_null(strstr(why, "at most 16 points"));
    params_free(params);
}

static void unfinished_texts_are_refused(void **state)
{
    (void)state;
    char why[MESSAGE_TEXT];
    Params *params = walk_new();
    Message message = message_text("/show/preset", "");
    memset(message.text, 'x', sizeof message.text);
    assert_int_equal(say(params, &message, why), MESSAGE_REFUSED);
    message = message_number("/forces/gravity", 1);
    memset(message.types, 'f', sizeof message.types);
    assert_int_equal(say(params, &message, why), MESSAGE_REFUSED);
    message = message_number("/forces/gravity", 1);
    memset(message.path, '/', sizeof message.path);
    assert_int_equal(say(params, &message, why), MESSAGE_REFUSED);
    params_free(params);
}

// ---- chance ----

static ParamId random_id(uint32_t *chance)
{
    const Owner owner = (Owner)walk_pick(chance, OWNER_COUNT);
    return params_id(owner, walk_pick(chance, owner == OWNER_GLOBAL ? 1 : 3),
                     walk_pick(chance, owner_rows(owner)));
}

static void random_path(Params *params, uint32_t *chance, char *path)
{
    static const char *const fronts[] = { "/", "/norm/", "/inc/", "", "//" };
    static const char *const whole[] = { "emitters/add",
                                         "fields/add",
                                         "routes/add",
                                         "types/add",
                                         "systems/add",
                                         "systems/n1/hit",
                                         "systems/spark/hit",
                                         "systems/spark/rate",
                                         "systems/n1/tint",
                                         "systems/spark/type",
                                         "systems/n2/system",
                                         "systems/spark/name",
                                         "emitters/spark/name",
                                         "emitters/n1/name",
                                         "types/n2/name",
                                         "types/spark/size",
                                         "forces/wind",
                                         "look/background",
                                         "emitters/spark/position",
                                         "emitters",
                                         "routes/kick",
                                         "*",
                                         "" };
    char rest[MESSAGE_PATH];
    if (walk_pick(chance, 3) == 0)
        snprintf(rest, sizeof rest, "%s", whole[walk_pick(chance, COUNT_OF(whole))]);
    else
        params_path(params, random_id(chance), rest, sizeof rest);
    snprintf(path, MESSAGE_PATH, "%s%.100s", fronts[walk_pick(chance, COUNT_OF(fronts))], rest);
    if (walk_pick(chance, 8) == 0)
        path[walk_pick(chance, MESSAGE_PATH)] = (char)walk_pick(chance, 256);
}

static double random_number(uint32_t *chance)
{
    static const double odd[] = {
        0, 1, -1, 0.5, 1e30, -1e30, 1e300, NAN, INFINITY, -INFINITY, 1e-40
    };
    if (walk_pick(chance, 3) == 0) return odd[walk_pick(chance, COUNT_OF(odd))];
    return walk_chance(chance) * 200 - 100;
}

static void random_arguments(uint32_t *chance, Message *message)
{
    static const char *const words[] = {
        "spark", "n1",     "n2",  "level", "bass", "look/exposure",      "1.5",
        "true",  "toggle", "box", "",      "\xff", "emitters/spark/rate"
    };
    const int count = walk_pick(chance, 12) == 0   ? walk_pick(chance, MESSAGE_ARGS + 1)
                      : walk_pick(chance, 12) == 0 ? 9
                                                   : walk_pick(chance, 6);
    int used = 0;
    for (int i = 0; i < count; i++) {
        message->types[i] = "ffffss?"[walk_pick(chance, walk_pick(chance, 20) ? 6 : 7)];
        message->number[i] = random_number(chance);
        if (message->types[i] != 's') continue;
        const char *word = words[walk_pick(chance, COUNT_OF(words))];
        if (used + (int)strlen(word) + 1 > MESSAGE_TEXT) break;
        memcpy(message->text + used, word, strlen(word) + 1);
        used += (int)strlen(word) + 1;
    }
}

static void values_are_sound(const Params *params)
{
    for (ParamId id = 0; id < VALUE_COUNT; id++) {
        const ParamRow *row = params_row(id);
        const float base = params_base(params, id), live = params_live(params, id);
        if (!kind_is_number(row->kind)) continue;
        if (!(base >= row->min && base <= row->max && live >= row->min && live <= row->max))
            fail_msg("%s is %g, %g", row->path, (double)base, (double)live);
    }
}

static void no_message_does_harm(void **state)
{
    (void)state;
    enum { MESSAGES = 100000 };
    Params *params = walk_new();
    uint32_t chance = 1;
    int results[3] = { 0 };
    for (int i = 0; i < MESSAGES; i++) {
        char why[MESSAGE_TEXT] = "";
        Message message = { 0 }, answer;
        random_path(params, &chance, message.path);
        random_arguments(&chance, &message);
        const uint64_t refused = params_refused(params);
        const MessageResult result = params_message(params, &message, &answer, why, sizeof why);
        assert_int_equal(params_refused(params) - refused, result == MESSAGE_REFUSED);
        assert_int_equal(why[0] != 0, result == MESSAGE_REFUSED);
        results[result]++;
        if (i % 1000 == 0) values_are_sound(params);
        if (i % 1000 == 0) walk_sound(params);
        if (i % 100 == 0) {
            Features features = { 0 };
            features.signal[walk_pick(&chance, SIGNAL_COUNT)] = walk_chance(&chance);
            routes_hop(params, &features, 0.005f);
        }
        if (params_slot(params, OWNER_EMITTER, "spark") < 0)
            params_add(params, OWNER_EMITTER, "spark", why, sizeof why);
    }
    for (int i = 0; i < 3; i++) assert_true(results[i] > MESSAGES / 100); // all ways were gone
    params_free(params);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_is_set_by_its_address),
        cmocka_unit_test(a_group_takes_as_many_numbers_as_it_has_leaves),
        cmocka_unit_test(groups_are_stems_of_single_numbers_that_lie_together),
        cmocka_unit_test(words_are_coerced),
        cmocka_unit_test(curves_and_gradients_are_points_in_a_row),
        cmocka_unit_test(a_trigger_fires_without_a_number_or_when_pressed),
        cmocka_unit_test(instances_come_and_go),
        cmocka_unit_test(every_answer_can_be_said_back),
        cmocka_unit_test(groups_and_norms_are_answered),
        cmocka_unit_test(refusals_say_why_and_change_nothing),
        cmocka_unit_test(only_the_first_refusals_of_a_hop_search_for_what_was_meant),
        cmocka_unit_test(too_many_points_are_refused),
        cmocka_unit_test(unfinished_texts_are_refused),
        cmocka_unit_test(no_message_does_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
