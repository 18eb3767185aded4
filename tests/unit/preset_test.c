#include "control_walk.h"

#include <dirent.h>
#include <unistd.h>

// ---- files ----

static char scratch[64]; // a folder of this run

static int make_scratch(void **state)
{
    (void)state;
    snprintf(scratch, sizeof scratch, "/tmp/preset_test.XXXXXX");
    return mkdtemp(scratch) ? 0 : -1;
}

static int remove_scratch(void **state)
{
    (void)state;
    return rmdir(scratch);
}

static const char *scratch_file(void)
{
    static char file[80];
    snprintf(file, sizeof file, "%s/p.json", scratch);
    return file;
}

static void put(const char *content, size_t length)
{
    FILE *out = fopen(scratch_file(), "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(content, 1, length, out), length);
    assert_int_equal(fclose(out), 0);
}

static Preset *load_text(const char *content, char *why)
{
    put(content, strlen(content));
    Preset *preset = preset_load(scratch_file(), why, MESSAGE_TEXT);
    unlink(scratch_file());
    return preset;
}

static Params *applied(const char *content)
{
    char why[MESSAGE_TEXT];
    Preset *preset = load_text(content, why);
    if (!preset) fail_msg("%s", why);
    Params *params = params_new();
    preset_apply(preset, params);
    preset_free(preset);
    return params;
}

// ---- equal looks ----

static void same_slot(const Params *a, int a_slot, const Params *b, int b_slot, Owner owner)
{
    for (int r = 0; r < owner_rows(owner); r++) {
        const ParamRow *row = owner_row(owner, r);
        const ParamId x = params_id(owner, a_slot, r), y = params_id(owner, b_slot, r);
        if (row->scope != SCOPE_LOOK || row->kind == KIND_TRIGGER) continue;
        if (params_base(a, x) != params_base(b, y))
            fail_msg("%s: %.9g and %.9g", row->path, (double)params_base(a, x),
                     (double)params_base(b, y));
        assert_string_equal(params_text(a, x), params_text(b, y));
        if (params_stops(a, x))
            assert_memory_equal(params_stops(a, x), params_stops(b, y), sizeof(Stops));
    }
}

// A type that is changed later moves the same rows of both.
static void same_inheritance(const Params *a, const Params *b)
{
    walk_sound(b);
    for (int slot = 0; slot < EMITTER_SLOTS; slot++) {
        if (params_type(a, slot) < 0) continue;
        const int other = params_slot(b, OWNER_EMITTER, params_name(a, OWNER_EMITTER, slot));
        for (int r = 0; r < EMITTER_ROWS; r++)
            if (a->own[slot][r] != b->own[other][r])
                fail_msg("%s is the one's own", owner_row(OWNER_EMITTER, r)->path);
    }
}

static void same_looks(const Params *a, const Params *b)
{
    same_slot(a, 0, b, 0, OWNER_GLOBAL);
    for (Owner owner = OWNER_EMITTER; owner < OWNER_COUNT; owner++) {
        int a_count = 0, b_count = 0;
        for (int slot = 0; slot < owner_slots(owner); slot++) {
            a_count += params_exists(a, owner, slot);
            b_count += params_exists(b, owner, slot);
            if (!params_exists(a, owner, slot)) continue;
            const int other = params_slot(b, owner, params_name(a, owner, slot));
            if (other < 0)
                fail_msg("%s %s is missing", owner_name(owner), params_name(a, owner, slot));
            same_slot(a, slot, b, other, owner);
        }
        assert_int_equal(a_count, b_count);
    }
    same_inheritance(a, b);
}

// ---- random looks ----

static Stops random_stops(uint32_t *chance, const ParamRow *row)
{
    Stops stops = { .count = 1 + walk_pick(chance, STOPS_MAX) };
    for (int i = 0; i < stops.count; i++) {
        stops.at[i] = ((float)i + walk_chance(chance)) / (float)stops.count;
        for (int v = 0; v < stops_width(row->kind); v++)
            stops.value[i][v] = lerpf(row->min, row->max, walk_chance(chance));
    }
    return stops;
}

static const char *random_target(const Params *params, uint32_t *chance)
{
    static const char *const targets[] = { "", "look/exposure", "emitters/e0/rate",
                                           "fields/f0/size", "forces/wind/y" };
    const char *target = targets[walk_pick(chance, COUNT_OF(targets))];
    return *target && params_find(params, target) == PARAM_NONE ? "" : target;
}

static const char *random_type(const Params *params, uint32_t *chance)
{
    const int slot = walk_pick(chance, TYPE_SLOTS);
    const char *names[] = { "", "spark", params_name(params, OWNER_TYPE, slot) };
    return names[walk_pick(chance, COUNT_OF(names))];
}

static void random_value(Params *params, ParamId id, uint32_t *chance)
{
    static const char *const systems[] = { "", "e0", "e1", "hill", "vale" };
    static const char *const texts[] = { "", "a \"quoted\" \\ word", "sch\xc3\xb6n", "a/b|c" };
    const ParamRow *row = params_row(id);
    char why[MESSAGE_TEXT];
    if (kind_is_number(row->kind)) {
        assert_true(params_set_norm(params, id, walk_chance(chance)));
    } else if (kind_has_stops(row->kind)) {
        const Stops stops = random_stops(chance, row);
        assert_true(params_set_stops(params, id, &stops, why, sizeof why));
    } else if (row->kind == KIND_TEXT) {
        int r;
        const Owner owner = params_owner(id, NULL, &r);
        const char *text = texts[walk_pick(chance, COUNT_OF(texts))];
        if (id == GLOBAL_SAVE) text = "a_name";
        if (owner == OWNER_ROUTE)
            text = r == ROUTE_TO ? random_target(params, chance)
                                 : signal_rows[walk_pick(chance, SIGNAL_COUNT)].name;
        if (owner != OWNER_ROUTE && owner != OWNER_GLOBAL && r == SWARM_SYSTEM)
            text = systems[walk_pick(chance, COUNT_OF(systems))];
        if (owner == OWNER_EMITTER && r == EMITTER_TYPE) text = random_type(params, chance);
        assert_true(params_set_text(params, id, text, why, sizeof why));
    }
}

static Params *random_look(uint32_t *chance)
{
    static const char letters[] = {
        [OWNER_EMITTER] = 'e', [OWNER_FIELD] = 'f', [OWNER_ROUTE] = 'r', [OWNER_TYPE] = 't'
    };
    Params *params = params_new();
    char name[16], why[MESSAGE_TEXT];
    for (Owner owner = OWNER_EMITTER; owner < OWNER_SYSTEM; owner++)
        for (int i = 0, count = 1 + walk_pick(chance, owner_slots(owner) / 2); i < count; i++) {
            snprintf(name, sizeof name, "%c%d", letters[owner], i);
            assert_true(params_add(params, owner, name, why, sizeof why) >= 0);
        }
    for (ParamId id = 0; id < VALUE_COUNT; id++)
        if (param_settable(params, id) && walk_pick(chance, 3) > 0)
            random_value(params, id, chance);
    for (int slot = 0; slot < ROUTE_SLOTS; slot++)
        if (walk_pick(chance, 4) == 0) params_remove(params, OWNER_ROUTE, slot);
    if (walk_pick(chance, 2)) params_remove(params, OWNER_EMITTER, 1);
    return params;
}

// Saves, loads and applies to parameters where something else was before.
static Params *through_a_file(const Params *params)
{
    char why[MESSAGE_TEXT];
    assert_true(preset_save(params, "round \"trip\"", scratch_file(), why, sizeof why));
    Preset *preset = preset_load(scratch_file(), why, sizeof why);
    if (!preset) fail_msg("%s", why);
    assert_string_equal(preset_title(preset), "round \"trip\"");
    Params *back = walk_new();
    params_set(back, GLOBAL_GRAVITY, 33);
    preset_apply(preset, back);
    preset_free(preset);
    unlink(scratch_file());
    return back;
}

static void what_is_saved_comes_back_whole(void **state)
{
    (void)state;
    uint32_t chance = 5;
    for (int i = 0; i < (SANITIZED ? 4 : 20); i++) {
        Params *params = random_look(&chance), *back = through_a_file(params);
        same_looks(params, back);
        same_looks(back, params);
        params_free(params);
        params_free(back);
    }
}

// One at a time, so that no value hides behind its neighbours.
static void every_row_comes_back_alone(void **state)
{
    (void)state;
    uint32_t chance = 9;
    for (Owner owner = 0; owner < OWNER_COUNT; owner++)
        for (int r = 0; r < owner_rows(owner); r += SANITIZED ? 9 : 1) {
            if (!row_there(owner, r)) continue;
            Params *params = walk_new();
            random_value(params, params_id(owner, walk_slot(params, owner), r), &chance);
            if (owner == OWNER_ROUTE && r == ROUTE_TO) params_set(params, GLOBAL_DRAG, 1);
            Params *back = through_a_file(params);
            same_looks(params, back);
            params_free(params);
            params_free(back);
        }
}

static void only_what_differs_is_written(void **state)
{
    (void)state;
    char why[MESSAGE_TEXT];
    Params *params = params_new();
    params_set(params, GLOBAL_GRAVITY, -9.8);
    params_set(params, GLOBAL_WIND_Y, 0.1);
    params_set(params, GLOBAL_MASTER, 0.5); // the show's, not the look's
    assert_true(preset_save(params, "plain", scratch_file(), why, sizeof why));
    char *text = file_read(scratch_file(), NULL, why, sizeof why);
    assert_string_equal(text, "{\n"
                              "  \"version\": 1,\n"
                              "  \"title\": \"plain\",\n"
                              "  \"parameters\": {\n"
                              "    \"forces/gravity\": -9.8,\n"
                              "    \"forces/wind\": [0, 0.1, 0]\n"
                              "  },\n"
                              "  \"emitters\": {},\n"
                              "  \"fields\": {},\n"
                              "  \"routes\": {}\n"
                              "}\n");
    free(text);
    unlink(scratch_file());
    params_free(params);
}

// What comes from a type is written there, and one that is built in only where it was changed.
static void what_is_inherited_is_written_once(void **state)
{
    (void)state;
    char why[MESSAGE_TEXT];
    Params *params = params_new();
    params_add(params, OWNER_TYPE, "ember", why, sizeof why);
    params_add(params, OWNER_EMITTER, "a", why, sizeof why);
    params_add(params, OWNER_EMITTER, "b", why, sizeof why);
    params_set_text(params, params_find(params, "emitters/a/type"), "ember", why, sizeof why);
    params_set_text(params, params_find(params, "emitters/b/type"), "spark", why, sizeof why);
    params_set_text(params, params_find(params, "emitters/b/system"), "a", why, sizeof why);
    params_set(params, params_find(params, "types/ember/rate"), 10);
    params_set(params, params_find(params, "types/ember/tint/r"), 0.5);
    params_set(params, params_find(params, "emitters/a/tint/g"), 0.5);
    params_set(params, params_find(params, "emitters/b/size"), 0.06); // the table's, not the type's
    params_set(params, params_find(params, "systems/a/position/y"), 2);
    assert_true(preset_save(params, "typed", scratch_file(), why, sizeof why));
    char *text = file_read(scratch_file(), NULL, why, sizeof why);
    assert_string_equal(text, "{\n"
                              "  \"version\": 1,\n"
                              "  \"title\": \"typed\",\n"
                              "  \"parameters\": {},\n"
                              "  \"types\": {\n"
                              "    \"ember\": {\n"
                              "      \"rate\": 10,\n"
                              "      \"tint\": [0.5, 1, 1]\n"
                              "    }\n"
                              "  },\n"
                              "  \"emitters\": {\n"
                              "    \"a\": {\n"
                              "      \"tint/g\": 0.5,\n"
                              "      \"type\": \"ember\"\n"
                              "    },\n"
                              "    \"b\": {\n"
                              "      \"system\": \"a\",\n"
                              "      \"size\": 0.06,\n"
                              "      \"type\": \"spark\"\n"
                              "    }\n"
                              "  },\n"
                              "  \"fields\": {},\n"
                              "  \"systems\": {\n"
                              "    \"a\": {\n"
                              "      \"position\": [0, 2, 0]\n"
                              "    }\n"
                              "  },\n"
                              "  \"routes\": {\n"
                              "    \"emitter-a\": {},\n"
                              "    \"emitter-b\": {}\n"
                              "  }\n"
                              "}\n");
    free(text);
    unlink(scratch_file());
    params_set(params, params_find(params, "types/spark/life"), 3);
    Params *back = through_a_file(params);
    same_looks(params, back);
    assert_float_equal(params_base(back, params_find(back, "emitters/b/life")), 3, 0);
    params_free(back);
    params_free(params);
}

static void saving_nowhere_says_why(void **state)
{
    (void)state;
    char why[MESSAGE_TEXT] = "";
    Params *params = params_new();
    assert_false(preset_save(params, "x", "/nowhere/at/all.json", why, sizeof why));
    assert_non_null(strstr(why, "/nowhere/at/all.json"));
    assert_false(preset_save(params, "\xff", scratch_file(), why, sizeof why));
    params_free(params);
}

// ---- what a preset may say ----

static const char MANY_WAYS[] =
    "{\"version\": 1, \"title\": \"many ways\",\n"
    " \"parameters\": {\"forces\": {\"gravity\": -1, \"wind\": [1, 2, 3], \"turbulence/strength\": "
    "2,\n"
    "                             \"attractor1\": {\"strength\": 5, \"position\": {\"x\": 4}}},\n"
    "                \"look/exposure\": 1},\n"
    " \"emitters\": {\"spark\": {\"rate\": 10, \"position\": [0, 1, 0], \"area\": \"box\", "
    "\"visible\": false,\n"
    "   \"colour\": [[0, 1, 0.8, 0.2, 1], [1, 0.3, 0, 0.5, 0]], \"size_curve\": [[0, 1], [1, "
    "0]]}},\n"
    " \"fields\": {\"mist\": {\"capacity\": 65536, \"area\": 0}},\n"
    " \"routes\": {\"kick\": {\"signal\": \"onset\", \"to\": \"look/exposure\", \"amount\": 0.5}}}";

static void a_preset_says_it_nested_or_by_path(void **state)
{
    (void)state;
    Params *params = applied(MANY_WAYS);
    assert_float_equal(params_base(params, GLOBAL_GRAVITY), -1, 0);
    assert_float_equal(params_base(params, GLOBAL_WIND_Z), 3, 0);
    assert_float_equal(params_base(params, GLOBAL_TURBULENCE), 2, 0);
    assert_float_equal(params_base(params, GLOBAL_ATTRACTOR1_X), 4, 0);
    assert_float_equal(params_base(params, GLOBAL_EXPOSURE), 1, 0);
    assert_float_equal(params_base(params, params_find(params, "emitters/spark/position/y")), 1, 0);
    assert_float_equal(params_base(params, params_find(params, "emitters/spark/area")), AREA_BOX,
                       0);
    assert_float_equal(params_base(params, params_find(params, "emitters/spark/visible")), 0, 0);
    assert_int_equal(params_stops(params, params_find(params, "emitters/spark/colour"))->count, 2);
    assert_float_equal(params_base(params, params_find(params, "routes/kick/amount")), 0.5, 0);
    const ParamId capacity = params_find(params, "fields/mist/capacity");
    assert_float_equal(params_live(params, capacity), 262144, 0);
    assert_true(params_prepare(params));
    assert_float_equal(params_live(params, capacity), 65536, 0);
    params_free(params);
}

static void the_result_never_depends_on_what_ran_before(void **state)
{
    (void)state;
    char why[MESSAGE_TEXT];
    uint32_t chance = 77;
    Params *a = random_look(&chance), *c = random_look(&chance);
    Preset *preset = load_text(MANY_WAYS, why);
    assert_non_null(preset);
    preset_apply(preset, a);
    preset_apply(preset, c);
    same_looks(a, c);
    same_looks(c, a);
    for (ParamId id = 0; id < VALUE_COUNT; id++)
        if (params_row(id)->scope == SCOPE_LOOK)
            assert_true(params_live(a, id) == params_live(c, id) || !param_settable(a, id));
    preset_free(preset);
    params_free(a);
    params_free(c);
}

static void show_and_machine_are_left_alone(void **state)
{
    (void)state;
    char why[MESSAGE_TEXT];
    Params *params = params_new();
    params_set(params, GLOBAL_MASTER, 0.25);
    params_set(params, GLOBAL_AUDIO_GAIN, 6);
    Preset *preset = load_text(MANY_WAYS, why);
    preset_apply(preset, params);
    assert_float_equal(params_base(params, GLOBAL_MASTER), 0.25, 0);
    assert_float_equal(params_base(params, GLOBAL_AUDIO_GAIN), 6, 0);
    preset_free(preset);
    params_free(params);
}

static void routes_replace_the_default_of_their_target(void **state)
{
    (void)state;
    Params *params = applied(
        "{\"version\": 1, \"emitters\": {\"a\": {}, \"b\": {}, \"c\": {}, \"d\": {}}, \"routes\": {"
        "\"mine\": {\"to\": \"/emitters/a/rate\", \"amount\": 9},"
        "\"emitter-b\": null,"
        "\"emitter-c\": {\"amount\": 7},"
        "\"more\": {\"to\": \"emitters/c/rate\"}}}");
    assert_int_equal(params_slot(params, OWNER_ROUTE, "emitter-a"), -1);
    assert_int_equal(params_slot(params, OWNER_ROUTE, "emitter-b"), -1);
    assert_float_equal(params_base(params, params_find(params, "routes/emitter-c/amount")), 7, 0);
    assert_float_equal(params_base(params, params_find(params, "routes/emitter-c/release")), 0.15,
                       1e-6);
    assert_float_equal(params_base(params, params_find(params, "routes/emitter-d/amount")), 400, 0);
    assert_true(params_slot(params, OWNER_ROUTE, "mine") >= 0 &&
                params_slot(params, OWNER_ROUTE, "more") >= 0);
    params_free(params);
}

static void types_come_first_wherever_they_stand(void **state)
{
    (void)state;
    Params *params = applied(
        "{\"version\": 1, \"systems\": {\"fire\": {\"position\": [0, 3, 0], \"visible\": false}},"
        "\"emitters\": {\"a\": {\"size\": 1, \"type\": \"ember\", \"system\": \"fire\"},"
        "                \"b\": {\"type\": \"spark\", \"system\": \"fire\"}},"
        "\"types\": {\"ember\": {\"size\": 2, \"life\": 3, \"rate\": 5}, \"spark\": {\"life\": "
        "4}}}");
    walk_sound(params);
    assert_float_equal(params_base(params, params_find(params, "emitters/a/size")), 1, 0);
    assert_float_equal(params_base(params, params_find(params, "emitters/a/life")), 3, 0);
    assert_float_equal(params_base(params, params_find(params, "emitters/b/life")), 4, 0);
    assert_float_equal(params_base(params, params_find(params, "emitters/b/rate")), 0, 0);
    assert_float_equal(params_base(params, params_find(params, "systems/fire/position/y")), 3, 0);
    assert_float_equal(params_base(params, params_find(params, "routes/emitter-a/amount")), 40, 0);
    assert_float_equal(params_base(params, params_find(params, "routes/emitter-b/amount")), 0, 0);
    params_free(params);
}

static void without_a_title_the_file_names_it(void **state)
{
    (void)state;
    char why[MESSAGE_TEXT];
    Preset *preset = load_text("{\"version\": 1}", why);
    assert_string_equal(preset_title(preset), "p");
    preset_free(preset);
}

// ---- what is wrong ----

static const struct {
    const char *text;
    int line;
    const char *path, *says;
} broken[] = {
    { "", 1, "not JSON", "" },
    { "[]", 1, "a preset is an object", "" },
    { "3", 1, "not JSON", "" },
    { "{\n\n\"version\": 1", 3, "not JSON", "" },
    { "{}", 1, "needs \"version\"", "" },
    { "{\n\"version\": 2}", 2, "version: ", "reads version 1" },
    { "{\n\"version\": \"1\"}", 2, "version: ", "reads version 1" },
    { "{\"version\": 1,\n\"title\": 5}", 2, "title: ", "takes a text" },
    { "{\"version\": 1,\n\"titel\": \"x\"}", 2, "titel: ", "did you mean title?" },
    { "{\"version\": 1,\n\"a\": 1,\n\"a\": 2}", 3, "not JSON", "duplicate" },
    { "{\"version\": 1,\n\"parameters\": []}", 2, "parameters: ", "object" },
    { "{\"version\": 1, \"parameters\": {\n\"forces\": {\n\"gravty\": 1}}}", 3,
      "forces/gravty: ", "did you mean forces/gravity?" },
    { "{\"version\": 1, \"parameters\": {\n\"forces\": {\n\"gravity\": \"x\"}}}", 3,
      "forces/gravity: ", "number" },
    { "{\"version\": 1, \"parameters\": {\n\"forces\": {\n\"gravity\": 51}}}", 3,
      "forces/gravity: ", "outside -50 .. 50" },
    { "{\"version\": 1, \"parameters\": {\n\"forces\": 3}}", 2, "forces: ", "object" },
    { "{\"version\": 1, \"parameters\": {\n\"forces/wind\": [1, 2]}}", 2,
      "forces/wind: ", "3 numbers" },
    { "{\"version\": 1, \"parameters\": {\n\"forces/wind\": [1,\n2,\n99]}}", 4,
      "forces/wind[2]: ", "outside" },
    { "{\"version\": 1, \"parameters\": {\n\"forces/gravity\": 1,\n\"forces\": {\n\"gravity\": "
      "2}}}",
      4, "forces/gravity: ", "twice" },
    { "{\"version\": 1, \"parameters\": {\n\"show\": {\"master\": 1}}}", 2,
      "show/master: ", "does not belong" },
    { "{\"version\": 1, \"parameters\": {\n\"audio/gain\": 1}}", 2,
      "audio/gain: ", "does not belong" },
    { "{\"version\": 1, \"parameters\": {\n\"\": 1}}", 2, "no such parameter", "" },
    { "{\"version\": 1, \"emitters\": {\n\"a\": {},\n\"B\": {}}}", 3, "emitters/B: ", "a-z" },
    { "{\"version\": 1, \"emitters\": {\n\"add\": {}}}", 2, "emitters/add: ", "reserved" },
    { "{\"version\": 1, \"emitters\": {\n\"012345678901234567890123456789012345678901234\": {}}}",
      2, "emitters/0123", "1 to 32" },
    { "{\"version\": 1, \"emitters\": {\n\"a\": 1}}", 2, "emitters/a: ", "object" },
    { "{\"version\": 1, \"emitters\": {\"a\": {\n\"rade\": 1}}}", 2,
      "emitters/a/rade: ", "did you mean emitters/a/rate?" },
    { "{\"version\": 1, \"emitters\": {\"a\": {\n\"visible\": 1}}}", 2,
      "emitters/a/visible: ", "true or false" },
    { "{\"version\": 1, \"emitters\": {\"a\": {\n\"area\": \"cube\"}}}", 2,
      "emitters/a/area: ", "point|sphere|box" },
    { "{\"version\": 1, \"emitters\": {\"a\": {\n\"area\": 9}}}", 2,
      "emitters/a/area: ", "outside" },
    { "{\"version\": 1, \"emitters\": {\"a\": {\n\"layer\": 1.5}}}", 2,
      "emitters/a/layer: ", "whole" },
    { "{\"version\": 1, \"emitters\": {\"a\": {\n\"remove\": 1}}}", 2,
      "emitters/a/remove: ", "trigger" },
    { "{\"version\": 1, \"routes\": {\"r\": {\"to\": \"\",\n\"signal\": 1}}}", 2,
      "routes/r/signal: ", "text" },
    { "{\"version\": 1, \"routes\": {\"r\": {\n\"to\": \"a\\nb\"}}}", 2,
      "routes/r/to: ", "control" },
    { "{\"version\": 1, \"emitters\": {\"a\": {\n\"size_curve\": []}}}", 2,
      "emitters/a/size_curve: ", "at least one" },
    { "{\"version\": 1, \"emitters\": {\"a\": {\n\"size_curve\": 1}}}", 2,
      "emitters/a/size_curve: ", "array" },
    { "{\"version\": 1, \"emitters\": {\"a\": {\n\"size_curve\": [[0.5, 1], [0.5, 1]]}}}", 2,
      "emitters/a/size_curve: ", "rise" },
    { "{\"version\": 1, \"emitters\": {\"a\": {\n\"size_curve\": [[0, 1],\n[1, 5]]}}}", 3,
      "emitters/a/size_curve[1]: ", "outside" },
    { "{\"version\": 1, \"emitters\": {\"a\": {\n\"size_curve\": [[0, 1],\n[1]]}}}", 3,
      "emitters/a/size_curve[1]: ", "[at, value]" },
    { "{\"version\": 1, \"emitters\": {\"a\": {\n\"colour\": [[0, 1, 1, 1]]}}}", 2,
      "emitters/a/colour[0]: ", "opacity" },
    { "{\"version\": 1, \"emitters\": {\"a\": {\n\"colour\": [[0, 1, 1, 1, \"x\"]]}}}", 2,
      "emitters/a/colour[0]: ", "numbers" },
    { "{\"version\": 1, \"emitters\": {\"a\": {\n\"size_curve\": "
      "[[0,1],[0.01,1],[0.02,1],[0.03,1],[0.04,1],[0.05,1],[0.06,1],[0.07,1],[0.08,1],[0.09,1],[0."
      "1,1],[0.11,1],[0.12,1],[0.13,1],[0.14,1],[0.15,1],[0.16,1]]}}}",
      2, "emitters/a/size_curve: ", "at most 16" },
    { "{\"version\": 1, \"fields\": {\"a\":{},\"b\":{},\"c\":{},\"d\":{},\n\"e\":{}}}", 2,
      "fields/e: ", "already 4" },
    { "{\"version\": 1, \"routes\": {\n\"r\": {\"to\": \"look/exposure\",\n\"signal\": \"bas\"}}}",
      3, "routes/r/signal: ", "did you mean bass?" },
    { "{\"version\": 1, \"routes\": {\n\"r\": {\"to\": \"look/exposre\"}}}", 2,
      "routes/r/to: ", "did you mean look/exposure?" },
    { "{\"version\": 1, \"routes\": {\n\"r\": {\"to\": \"emitters/x/rate\"}}}", 2,
      "routes/r/to: ", "no parameter" },
    { "{\"version\": 1, \"routes\": {\n\"r\": {\"to\": \"show/next\"}}}", 2,
      "routes/r/to: ", "numbers" },
    { "{\"version\": 1, \"routes\": {\n\"r\": {}}}", 2, "routes/r: ", "needs \"to\"" },
    { "{\"version\": 1, \"routes\": {\n\"r\": null}}", 2, "routes/r: ", "no such route" },
    { "{\"version\": 1, \"emitters\": {\"a\": {\n\"type\": \"sprak\"}}}", 2,
      "emitters/a/type: ", "no type sprak; did you mean spark?" },
    { "{\"version\": 1, \"emitters\": {\"a\": {\n\"system\": \"a b\"}}}", 2,
      "emitters/a/system: ", "a-z" },
    { "{\"version\": 1, \"emitters\": {\"a\": {}}, \"systems\": {\n\"b\": {}}}", 2,
      "systems/b: ", "a system comes with" },
    { "{\"version\": 1, \"types\": {\"a\": {\n\"type\": \"a\"}}}", 2, "types/a/type: ", "no such" },
    { "{\"version\": 1, \"types\": {\"a\": {\n\"position\": [0, 0, 0]}}}", 2,
      "types/a/position: ", "no such parameter" },
    { "{\"version\": 1, \"types\": {\n\"add\": {}}}", 2, "types/add: ", "reserved" },
    { "{\"version\": 1, \"emitters\": {\"a\": {}}, \"systems\": {\"a\": {\n\"alive\": 3}}}", 2,
      "systems/a/alive: ", "only read" },
    { "{\"version\": 1, \"types\": {\"a\": {}}, \"routes\": {\"r\": {\n\"to\": "
      "\"types/a/rate\"}}}",
      2, "routes/r/to: ", "cannot move a type" },
    { "{\"version\": 1, \"parameters\": {\n\"forces/gravity\": 1e999}}", 2, "not JSON", "" },
    { "{\"version\": 1, \"parameters\": {\n\"forces/gravity\": 99999999999999999999999}}", 2,
      "not JSON", "" },
    { "{\"version\": 1, \"parameters\": {\"x }\\\" [\": 1,\n\"forces/gravity\": 77}}", 1,
      "x }\" [: ", "no such parameter" },
};

static void errors_name_file_line_and_path(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT_OF(broken); i++) {
        char why[MESSAGE_TEXT] = "", front[128];
        Preset *preset = load_text(broken[i].text, why);
        if (preset) fail_msg("loaded: %s", broken[i].text);
        snprintf(front, sizeof front, "%s:%d: ", scratch_file(), broken[i].line);
        if (strncmp(why, front, strlen(front)) != 0)
            fail_msg("not in line %d: %s", broken[i].line, why);
        if (strncmp(why + strlen(front), broken[i].path, strlen(broken[i].path)) != 0 &&
            !strstr(why, broken[i].path))
            fail_msg("not at %s: %s", broken[i].path, why);
        if (!strstr(why, broken[i].says)) fail_msg("not \"%s\": %s", broken[i].says, why);
        if (strchr(why, '\n')) fail_msg("more than a sentence: %s", why);
    }
}

static void too_many_emitters_are_an_error(void **state)
{
    (void)state;
    char text[4096] = "{\"version\": 1, \"emitters\": {\n", why[MESSAGE_TEXT];
    for (int i = 0; i <= EMITTER_SLOTS; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "\"e%d\": {}%s\n", i,
                 i < EMITTER_SLOTS ? "," : "}}");
    assert_null(load_text(text, why));
    assert_non_null(strstr(why, ":66: emitters/e64: there are already 64 emitters"));
}

static void a_missing_file_is_a_sentence(void **state)
{
    (void)state;
    char why[MESSAGE_TEXT] = "";
    assert_null(preset_load("/nowhere/at/all.json", why, sizeof why));
    assert_non_null(strstr(why, "/nowhere/at/all.json"));
}

static void bombs_are_sentences(void **state)
{
    (void)state;
    enum { DEEP = 100000, HUGE = 2 << 20 };
    char why[MESSAGE_TEXT] = "";
    char *text = malloc(HUGE + 1);
    assert_non_null(text);
    memset(text, '[', DEEP);
    text[DEEP] = 0;
    assert_null(load_text(text, why));
    assert_true(why[0] != 0);

    memset(text, ' ', HUGE);
    memcpy(text, "{\"version\": 1}", 14);
    text[HUGE] = 0;
    assert_null(load_text(text, why));
    assert_non_null(strstr(why, "larger than 1 MiB"));

    strcpy(text, "{\"version\": 1, \"parameters\": ");
    for (int i = 0; i < 1000; i++) strcat(text, "{\"forces\": ");
    strcat(text, "1");
    for (int i = 0; i < 1000; i++) strcat(text, "}");
    strcat(text, "}");
    assert_null(load_text(text, why));
    assert_non_null(strstr(why, "forces/forces: no such parameter"));
    free(text);

    put("{\"version\": 1}\0 ", 16);
    assert_null(preset_load(scratch_file(), why, sizeof why));
    unlink(scratch_file());
}

static void a_preset_cut_anywhere_is_a_sentence(void **state)
{
    (void)state;
    const size_t whole = strlen(MANY_WAYS);
    for (size_t length = 0; length < whole; length++) {
        char why[MESSAGE_TEXT] = "";
        put(MANY_WAYS, length);
        assert_null(preset_load(scratch_file(), why, sizeof why));
        assert_non_null(strstr(why, "p.json:"));
    }
    unlink(scratch_file());
}

static void a_preset_with_any_byte_changed_does_no_harm(void **state)
{
    (void)state;
    char text[sizeof MANY_WAYS];
    uint32_t chance = 21;
    for (int i = 0; i < 2000; i++) {
        char why[MESSAGE_TEXT] = "";
        memcpy(text, MANY_WAYS, sizeof text);
        for (int n = 0; n <= walk_pick(&chance, 3); n++)
            text[walk_pick(&chance, (int)sizeof text - 1)] =
                "\"{}[],:0-9e.xa \n\\\xff"[walk_pick(&chance, 18)];
        Preset *preset = load_text(text, why);
        assert_int_equal(preset == NULL, why[0] != 0);
        preset_free(preset);
    }
}

// ---- the looks that come with it ----

// Something of it is born in silence too: dim, not black.
static bool lives_by_itself(const Params *params, Owner owner)
{
    for (int slot = 0; slot < owner_slots(owner); slot++)
        if (params_exists(params, owner, slot) &&
            params_base(params, params_id(owner, slot, SWARM_RATE)) > 0)
            return true;
    return false;
}

static void every_shipped_preset_loads_and_is_never_black(void **state)
{
    (void)state;
    int count = 0, with_both = 0;
    DIR *folder = opendir(SOURCE_DIR "/presets");
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder));) {
        char file[512], why[MESSAGE_TEXT];
        if (!strstr(entry->d_name, ".json")) continue;
        snprintf(file, sizeof file, SOURCE_DIR "/presets/%s", entry->d_name);
        Preset *preset = preset_load(file, why, sizeof why);
        if (!preset) fail_msg("%s", why);
        Params *params = params_new();
        preset_apply(preset, params);
        const bool emits = lives_by_itself(params, OWNER_EMITTER);
        const bool fields = lives_by_itself(params, OWNER_FIELD);
        if (!emits && !fields) fail_msg("%s is black in silence", entry->d_name);
        with_both += emits && fields;
        Params *back = through_a_file(params);
        same_looks(params, back);
        params_free(back);
        params_free(params);
        preset_free(preset);
        count++;
    }
    closedir(folder);
    assert_true(count >= 9);
    assert_true(with_both >= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_saved_comes_back_whole),
        cmocka_unit_test(every_row_comes_back_alone),
        cmocka_unit_test(only_what_differs_is_written),
        cmocka_unit_test(what_is_inherited_is_written_once),
        cmocka_unit_test(saving_nowhere_says_why),
        cmocka_unit_test(a_preset_says_it_nested_or_by_path),
        cmocka_unit_test(the_result_never_depends_on_what_ran_before),
        cmocka_unit_test(show_and_machine_are_left_alone),
        cmocka_unit_test(routes_replace_the_default_of_their_target),
        cmocka_unit_test(types_come_first_wherever_they_stand),
        cmocka_unit_test(without_a_title_the_file_names_it),
        cmocka_unit_test(errors_name_file_line_and_path),
        cmocka_unit_test(too_many_emitters_are_an_error),
        cmocka_unit_test(a_missing_file_is_a_sentence),
        cmocka_unit_test(bombs_are_sentences),
        cmocka_unit_test(a_preset_cut_anywhere_is_a_sentence),
        cmocka_unit_test(a_preset_with_any_byte_changed_does_no_harm),
        cmocka_unit_test(every_shipped_preset_loads_and_is_never_black),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
