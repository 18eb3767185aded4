#include "control_walk.h"

// ---- the table ----

static void every_default_lies_in_its_range(void **state)
{
    (void)state;
    for (Owner owner = 0; owner < OWNER_COUNT; owner++)
        for (int r = 0; r < owner_rows(owner); r++) {
            const ParamRow *row = owner_row(owner, r);
            const bool fits =
                kind_is_number(row->kind) ? row->min < row->max : row->min <= row->max;
            if (!fits || (!kind_has_stops(row->kind) && row_fit(row, row->normal) != row->normal))
                fail_msg("%s: default or range", row->path);
            if (row->response == RESPONSE_LOG && !(row->min > 0))
                fail_msg("%s: log of 0", row->path);
        }
}

static void every_row_has_a_sentence_of_help(void **state)
{
    (void)state;
    for (Owner owner = 0; owner < OWNER_COUNT; owner++)
        for (int r = 0; r < owner_rows(owner); r++)
            assert_true(strlen(owner_row(owner, r)->help) > 8);
}

static void paths_are_unique_lower_case_words(void **state)
{
    (void)state;
    for (Owner owner = 0; owner < OWNER_COUNT; owner++)
        for (int r = 0; r < owner_rows(owner); r++) {
            const char *path = owner_row(owner, r)->path;
            assert_true(strlen(path) > 0 && strlen(path) < 64);
            assert_int_equal(strspn(path, "abcdefghijklmnopqrstuvwxyz0123456789_/"), strlen(path));
            assert_null(strstr(path, "//"));
            assert_int_not_equal(path[0], '/');
            assert_int_not_equal(path[strlen(path) - 1], '/');
            assert_false(strncmp(path, "norm/", 5) == 0 || strncmp(path, "inc/", 4) == 0);
            for (int before = 0; before < r; before++)
                assert_string_not_equal(path, owner_row(owner, before)->path);
        }
}

static void every_enum_has_as_many_choices_as_its_range(void **state)
{
    (void)state;
    char word[64];
    for (Owner owner = 0; owner < OWNER_COUNT; owner++)
        for (int r = 0; r < owner_rows(owner); r++) {
            const ParamRow *row = owner_row(owner, r);
            if (row->kind != KIND_ENUM) continue;
            assert_int_equal((int)row->min, 0);
            assert_int_equal(row_choices(row), (int)row->max + 1);
            for (int i = 0; i < row_choices(row); i++) {
                assert_true(row_choice(row, i, word, sizeof word));
                assert_int_equal(row_choice_find(row, word), i);
            }
            assert_int_equal(row_choice_find(row, "nonsense"), -1);
        }
}

static void every_curve_and_gradient_has_a_default_that_fits(void **state)
{
    (void)state;
    char why[128];
    for (int r = 0; r < EMITTER_ROWS; r++) {
        const ParamRow *row = owner_row(OWNER_EMITTER, r);
        const Stops *stops = owner_stops(OWNER_EMITTER, r);
        assert_int_equal(stops != NULL, kind_has_stops(row->kind));
        if (!stops) continue;
        assert_true(stops_fit(row, stops, why, sizeof why));
        assert_float_equal(stops->at[0], 0, 0);
        assert_float_equal(stops->at[stops->count - 1], 1, 0);
    }
    const Stops *colour = owner_stops(OWNER_EMITTER, SWARM_COLOUR);
    assert_float_equal(colour->value[0][3], 0, 0);
    assert_float_equal(colour->value[colour->count - 1][3], 0, 0);
}

static void fields_share_the_rows_of_emitters(void **state)
{
    (void)state;
    for (int r = 0; r < SWARM_ROWS; r++)
        assert_string_equal(owner_row(OWNER_EMITTER, r)->path, owner_row(OWNER_FIELD, r)->path);
}

// ---- paths ----

static void every_row_is_found_by_its_path(void **state)
{
    (void)state;
    Params *params = walk_new();
    for (Owner owner = 0; owner < OWNER_COUNT; owner++)
        for (int r = 0; r < owner_rows(owner); r++) {
            char path[MESSAGE_PATH] = "/";
            int slot, row;
            const ParamId id = params_id(owner, walk_slot(params, owner), r);
            if (!row_there(owner, r)) continue;
            params_path(params, id, path + 1, sizeof path - 1);
            assert_int_equal(params_find(params, path), id);
            assert_int_equal(params_find(params, path + 1), id);
            assert_ptr_equal(params_row(id), owner_row(owner, r));
            assert_int_equal(params_owner(id, &slot, &row), owner);
            assert_int_equal(slot, walk_slot(params, owner));
            assert_int_equal(row, r);
        }
    params_free(params);
}

static void ids_do_not_overlap(void **state)
{
    (void)state;
    ParamId next = 0;
    for (Owner owner = 0; owner < OWNER_COUNT; owner++)
        for (int slot = 0; slot < owner_slots(owner); slot++)
            for (int r = 0; r < owner_rows(owner); r++)
                assert_int_equal(params_id(owner, slot, r), next++);
    assert_int_equal(params_id(OWNER_EMITTER, EMITTER_SLOTS, 0), PARAM_NONE);
    assert_int_equal(params_id(OWNER_GLOBAL, 0, GLOBAL_ROWS), PARAM_NONE);
    assert_int_equal(params_id(OWNER_GLOBAL, -1, 0), PARAM_NONE);
}

static void unknown_paths_are_not_found(void **state)
{
    (void)state;
    Params *params = walk_new();
    const char *const paths[] = { "",
                                  "/",
                                  "forces",
                                  "forces/gravity/x",
                                  "//forces/gravity",
                                  "emitters",
                                  "emitters/spark",
                                  "emitters//rate",
                                  "emitters/none/rate",
                                  "fields/spark/rate",
                                  "emitters/spark/nope" };
    for (int i = 0; i < COUNT_OF(paths); i++)
        assert_int_equal(params_find(params, paths[i]), PARAM_NONE);
    params_free(params);
}

// ---- setting ----

static void every_number_is_set_clamped_and_read_back(void **state)
{
    (void)state;
    Params *params = walk_new();
    for (Owner owner = 0; owner < OWNER_COUNT; owner++)
        for (int r = 0; r < owner_rows(owner); r++) {
            const ParamRow *row = owner_row(owner, r);
            const ParamId id = params_id(owner, walk_slot(params, owner), r);
            if (!row_there(owner, r)) continue;
            if (!kind_is_number(row->kind)) continue;
            assert_true(params_set(params, id, row->max));
            assert_true(params_base(params, id) == row->max);
            assert_true(params_set(params, id, row->min));
            assert_true(params_base(params, id) == row->min);
            if (row->kind == KIND_BOOL) continue;
            assert_true(params_set(params, id, 1e30));
            assert_true(params_base(params, id) == row->max);
            assert_true(params_set(params, id, -1e30));
            assert_true(params_base(params, id) == row->min);
        }
    params_free(params);
}

static void nonsense_is_refused_counted_and_changes_nothing(void **state)
{
    (void)state;
    Params *params = walk_new();
    Picture *picture = picture_take(params);
    uint64_t refusals = 0;
    for (Owner owner = 0; owner < OWNER_COUNT; owner++)
        for (int r = 0; r < owner_rows(owner); r++) {
            const ParamId id = params_id(owner, walk_slot(params, owner), r);
            if (!row_there(owner, r)) continue;
            assert_false(params_set(params, id, NAN));
            assert_false(params_set(params, id, INFINITY));
            assert_false(params_set_norm(params, id, -INFINITY));
            refusals += 3;
            if (kind_is_number(params_row(id)->kind) || params_row(id)->kind == KIND_TRIGGER)
                continue;
            assert_false(params_set(params, id, 1));
            refusals++;
        }
    assert_false(params_set(params, PARAM_NONE, 1));
    assert_false(params_set(params, VALUE_COUNT, 1));
    assert_false(params_set(params, params_id(OWNER_EMITTER, 5, SWARM_RATE), 1)); // an empty slot
    assert_int_equal(params_refused(params), refusals + 3);
    assert_true(picture_holds(picture, params));
    picture_free(picture);
    params_free(params);
}

static void norm_goes_over_the_whole_range_and_never_back(void **state)
{
    (void)state;
    enum { STEPS = 200 };
    Params *params = walk_new();
    for (Owner owner = 0; owner < OWNER_COUNT; owner++)
        for (int r = 0; r < owner_rows(owner); r++) {
            const ParamRow *row = owner_row(owner, r);
            const ParamId id = params_id(owner, walk_slot(params, owner), r);
            if (!row_there(owner, r)) continue;
            if (!kind_is_number(row->kind)) continue;
            float before = row->min;
            for (int i = 0; i <= STEPS; i++) {
                const float norm = (float)i / STEPS;
                assert_true(params_set_norm(params, id, norm));
                assert_true(params_base(params, id) >= before);
                before = params_base(params, id);
                if (i == 0) assert_true(before == row->min);
                if (i == STEPS) assert_true(before == row->max);
                if (row->kind == KIND_FLOAT)
                    assert_float_equal(params_norm(params, id), norm, 1e-3);
            }
        }
    params_free(params);
}

static void whole_numbers_are_rounded_and_bools_are_not_zero(void **state)
{
    (void)state;
    Params *params = walk_new();
    const ParamId layer = params_find(params, "emitters/spark/layer");
    const ParamId visible = params_find(params, "emitters/spark/visible");
    assert_true(params_set(params, layer, 2.6));
    assert_float_equal(params_base(params, layer), 3, 0);
    assert_true(params_set(params, visible, -0.25));
    assert_float_equal(params_base(params, visible), 1, 0);
    assert_true(params_set(params, visible, 0));
    assert_float_equal(params_base(params, visible), 0, 0);
    params_free(params);
}

static void a_trigger_counts_up_whatever_the_value(void **state)
{
    (void)state;
    Params *params = params_new();
    for (int i = 1; i < 5; i++) {
        assert_true(params_set(params, GLOBAL_NEXT, i - 3));
        assert_float_equal(params_values(params, OWNER_GLOBAL, 0)[GLOBAL_NEXT], i, 0);
    }
    params->base[GLOBAL_NEXT] = TRIGGER_WRAP - 1;
    assert_true(params_set(params, GLOBAL_NEXT, 1));
    assert_float_equal(params_live(params, GLOBAL_NEXT), 0, 0);
    params_free(params);
}

static void a_text_is_short_utf8_without_control_characters(void **state)
{
    (void)state;
    Params *params = walk_new();
    char why[128], longest[TEXT_SIZE + 1];
    const ParamId preset = params_find(params, "show/preset");
    memset(longest, 'x', TEXT_SIZE);
    longest[TEXT_SIZE] = 0;
    assert_false(params_set_text(params, preset, longest, why, sizeof why));
    longest[TEXT_SIZE - 1] = 0;
    assert_true(params_set_text(params, preset, longest, why, sizeof why));
    assert_true(params_set_text(params, preset, "sch\xc3\xb6n \xe2\x9c\xa8", why, sizeof why));
    const char *const broken[] = { "\xff",     "\xc3", "\xc0\xaf", "\xed\xa0\x80",
                                   "\xe2\x9c", "a\nb", "\x7f",     "\xf4\x90\x80\x80" };
    for (int i = 0; i < COUNT_OF(broken); i++) {
        why[0] = 0;
        assert_false(params_set_text(params, preset, broken[i], why, sizeof why));
        assert_true(why[0] != 0);
    }
    assert_string_equal(params_text(params, preset), "sch\xc3\xb6n \xe2\x9c\xa8");
    assert_false(params_set_text(params, GLOBAL_GRAVITY, "1", why, sizeof why));
    assert_string_equal(params_text(params, GLOBAL_GRAVITY), "");
    params_free(params);
}

// "Load that preset again" is the same text once more.
static void a_text_has_another_version_each_time_it_is_set(void **state)
{
    (void)state;
    Params *params = params_new();
    char why[128];
    static const struct {
        const char *text;
        bool counts;
    } steps[] = { { "fire", true }, { "fire", true }, { "a\nb", false }, { "", true } };
    for (int i = 0; i < COUNT_OF(steps); i++) {
        const uint32_t before = params_text_version(params, GLOBAL_PRESET);
        params_set_text(params, GLOBAL_PRESET, steps[i].text, why, sizeof why);
        assert_int_equal(params_text_version(params, GLOBAL_PRESET) != before, steps[i].counts);
    }
    assert_int_equal(params_text_version(params, GLOBAL_GRAVITY), 0);
    assert_int_equal(params_text_version(params, PARAM_NONE), 0);
    params_free(params);
}

static void points_must_rise_within_0_to_1(void **state)
{
    (void)state;
    Params *params = walk_new();
    char why[128];
    const ParamId curve = params_find(params, "fields/mist/size_curve");
    const Stops good = { .count = 2, .at = { 0.2f, 0.8f }, .value = { { 1 }, { 99 } } };
    const Stops bad[] = {
        { .count = 0 },
        { .count = STOPS_MAX + 1 },
        { .count = -1 },
        { .count = 2, .at = { 0.5f, 0.5f } },
        { .count = 2, .at = { 0.5f, 0.4f } },
        { .count = 1, .at = { -0.1f } },
        { .count = 1, .at = { 1.1f } },
        { .count = 1, .at = { NAN } },
        { .count = 1, .value = { { NAN } } },
    };
    const uint32_t version = params_stops_version(params, curve);
    assert_true(params_set_stops(params, curve, &good, why, sizeof why));
    assert_int_not_equal(params_stops_version(params, curve), version);
    assert_float_equal(params_stops(params, curve)->value[1][0], 4, 0); // clamped
    Picture *picture = picture_take(params);
    for (int i = 0; i < COUNT_OF(bad); i++)
        assert_false(params_set_stops(params, curve, &bad[i], why, sizeof why));
    assert_false(params_set_stops(params, GLOBAL_GRAVITY, &good, why, sizeof why));
    assert_true(picture_holds(picture, params));
    picture_free(picture);
    params_free(params);
}

static void stops_are_straight_between_and_held_outside(void **state)
{
    (void)state;
    const Stops stops = { .count = 2, .at = { 0.25f, 0.75f }, .value = { { 1, 2 }, { 3, 0 } } };
    const float at[] = { -1, 0.25f, 0.5f, 0.75f, 2 }, want[] = { 1, 1, 2, 3, 3 };
    float value[4];
    for (int i = 0; i < COUNT_OF(at); i++) {
        stops_at(&stops, at[i], value);
        assert_float_equal(value[0], want[i], 1e-6);
        assert_float_equal(value[1], 3 - want[i], 1e-6);
    }
    const Stops one = { .count = 1, .at = { 0.5f }, .value = { { 7 } } };
    stops_at(&one, 0.1f, value);
    assert_float_equal(value[0], 7, 0);
    stops_at(&one, NAN, value);
    assert_false(isnan(value[0]));
}

static const Stops curves[] = {
    { .count = 1, .at = { 0.5f }, .value = { { 2 } } },
    { .count = 2, .at = { 0, 1 }, .value = { { 0 }, { 1 } } },
    { .count = 2, .at = { 0.25f, 0.75f }, .value = { { 3 }, { 1 } } },
    { .count = 4, .at = { 0, 0.1f, 0.9f, 1 }, .value = { { 0 }, { 4 }, { 0.1f }, { 2 } } },
    { .count = 5,
      .at = { 0, 0.3f, 0.5f, 0.6f, 1 },
      .value = { { 0 }, { 1 }, { 1 }, { 3 }, { 4 } } },
};

// Between which values the curve may be at `at`.
static void expect_between_its_stops(const Stops *s, float at, float value)
{
    int n = 0;
    while (n + 2 < s->count && at > s->at[n + 1]) n++;
    const float one = s->value[n][0], other = s->count > 1 ? s->value[n + 1][0] : one;
    assert_true(value >= fminf(one, other) - 1e-5f && value <= fmaxf(one, other) + 1e-5f);
}

static void a_smooth_curve_goes_through_its_stops_and_never_beyond_them(void **state)
{
    (void)state;
    for (int c = 0; c < COUNT_OF(curves); c++) {
        const Stops *s = &curves[c];
        for (int n = 0; n < s->count; n++)
            assert_float_equal(curve_at(s, CURVES_SMOOTH, s->at[n]), s->value[n][0], 1e-5f);
        float before = curve_at(s, CURVES_SMOOTH, 0), slope = 0;
        for (int n = 1; n <= 10000; n++) {
            const float at = (float)n / 10000, value = curve_at(s, CURVES_SMOOTH, at);
            expect_between_its_stops(s, at, value);
            // No corner: the slope changes little by little.
            if (n > 1) assert_float_equal(value - before, slope, 0.002f);
            slope = value - before;
            before = value;
        }
    }
}

// The curves of a Bezier with evenly spaced x are known: Bernstein's polynomials.
static void a_bezier_curve_is_the_one_of_its_control_points(void **state)
{
    (void)state;
    const Stops cubic = { .count = 4,
                          .at = { 0, 1.0f / 3, 2.0f / 3, 1 },
                          .value = { { 1 }, { 4 }, { 0 }, { 2 } } };
    for (int n = 0; n <= 100; n++) {
        const float t = (float)n / 100, u = 1 - t;
        const float y = u * u * u * 1 + 3 * u * u * t * 4 + 2 * t * t * t;
        assert_float_equal(curve_at(&cubic, CURVES_BEZIER, t), y, 1e-4f);
    }
    // x is a curve too: t = 1/2 lies at 3/8 x 0.1 + 3/8 x 0.2 + 1/8.
    const Stops ease = { .count = 4,
                         .at = { 0, 0.1f, 0.2f, 1 },
                         .value = { { 0 }, { 0 }, { 1 }, { 1 } } };
    assert_float_equal(curve_at(&ease, CURVES_BEZIER, 0.2375f), 0.5f, 1e-4f);
}

static void every_curve_ends_where_its_stops_do_and_is_held_outside(void **state)
{
    (void)state;
    for (int mode = CURVES_LINES; mode <= CURVES_BEZIER; mode++) {
        for (int c = 0; c < COUNT_OF(curves); c++) {
            const Stops *s = &curves[c];
            const float first = s->value[0][0], last = s->value[s->count - 1][0];
            assert_float_equal(curve_at(s, mode, s->at[0]), first, 0);
            assert_float_equal(curve_at(s, mode, s->at[s->count - 1]), last, 1e-6f);
            assert_float_equal(curve_at(s, mode, -1), first, 0);
            assert_float_equal(curve_at(s, mode, 2), last, 0);
            assert_false(isnan(curve_at(s, mode, NAN)));
        }
    }
}

static void structural_rows_wait_for_prepare(void **state)
{
    (void)state;
    Params *params = params_new();
    const float normal = params_live(params, GLOBAL_SIM_CAPACITY);
    assert_false(params_prepare(params));
    assert_true(params_set(params, GLOBAL_SIM_CAPACITY, 4096));
    assert_float_equal(params_base(params, GLOBAL_SIM_CAPACITY), 4096, 0);
    assert_float_equal(params_live(params, GLOBAL_SIM_CAPACITY), normal, 0);
    assert_true(params_prepare(params));
    assert_float_equal(params_live(params, GLOBAL_SIM_CAPACITY), 4096, 0);
    assert_false(params_prepare(params));
    params_free(params);
}

// ---- instances ----

static void names_are_checked(void **state)
{
    (void)state;
    Params *params = walk_new();
    char why[128];
    const char *const bad[] = { "",      "add", "Spark",
                                "a b",   "a/b", "\xc3\xb6",
                                "spark", "a.b", "012345678901234567890123456789012" };
    Picture *picture = picture_take(params);
    for (int i = 0; i < COUNT_OF(bad); i++) {
        why[0] = 0;
        assert_int_equal(params_add(params, OWNER_EMITTER, bad[i], why, sizeof why), -1);
        assert_true(why[0] != 0);
    }
    assert_int_equal(params_add(params, OWNER_GLOBAL, "x", why, sizeof why), -1);
    assert_true(picture_holds(picture, params));
    assert_int_equal(
        params_add(params, OWNER_EMITTER, "0123456789012345678901234567890-", why, sizeof why), 1);
    assert_int_equal(params_slot(params, OWNER_ROUTE, "emitter-0123456789012345678901234567890-"),
                     3);
    picture_free(picture);
    params_free(params);
}

static void slots_run_out_with_a_sentence(void **state)
{
    (void)state;
    for (Owner owner = OWNER_EMITTER; owner < OWNER_SYSTEM; owner++) {
        Params *params = params_new();
        char name[16], why[128];
        for (int i = 0; i < owner_slots(owner); i++) {
            snprintf(name, sizeof name, "n%d", i);
            assert_int_equal(params_add(params, owner, name, why, sizeof why), i);
        }
        assert_int_equal(params_add(params, owner, "more", why, sizeof why), -1);
        assert_non_null(strstr(why, owner_name(owner)));
        params_remove(params, owner, 2);
        assert_int_equal(params_add(params, owner, "more", why, sizeof why), 2);
        params_free(params);
    }
}

static void a_slot_used_again_is_a_new_instance_with_defaults(void **state)
{
    (void)state;
    Params *params = walk_new();
    char why[128];
    const ParamId rate = params_id(OWNER_EMITTER, 0, SWARM_RATE);
    const ParamId colour = params_id(OWNER_EMITTER, 0, SWARM_COLOUR);
    const uint32_t generation = params_generation(params, OWNER_EMITTER, 0);
    const uint32_t version = params_stops_version(params, colour);
    assert_true(params_set(params, rate, 777));
    params_remove(params, OWNER_EMITTER, 0);
    assert_false(params_exists(params, OWNER_EMITTER, 0));
    assert_int_equal(params_slot(params, OWNER_EMITTER, "spark"), -1);
    assert_int_equal(params_add(params, OWNER_EMITTER, "flame", why, sizeof why), 0);
    assert_string_equal(params_name(params, OWNER_EMITTER, 0), "flame");
    assert_int_not_equal(params_generation(params, OWNER_EMITTER, 0), generation);
    assert_int_not_equal(params_stops_version(params, colour), version);
    assert_float_equal(params_base(params, rate), params_row(rate)->normal, 0);
    params_free(params);
}

static void resetting_looks_leaves_show_and_machine(void **state)
{
    (void)state;
    Params *params = walk_new(), *fresh = params_new();
    for (int r = 0; r < GLOBAL_ROWS; r++)
        if (kind_is_number(owner_row(OWNER_GLOBAL, r)->kind)) params_set_norm(params, r, 0.77);
    params_prepare(params);
    params_reset_looks(params);
    for (int r = 0; r < GLOBAL_ROWS; r++) {
        const ParamRow *row = owner_row(OWNER_GLOBAL, r);
        if (!kind_is_number(row->kind)) continue;
        if (row->scope == SCOPE_LOOK)
            assert_float_equal(params_live(params, r), params_live(fresh, r), 0);
        else if (params_live(params, r) != row_from_norm(row, 0.77))
            fail_msg("%s was reset", row->path);
    }
    for (Owner owner = OWNER_EMITTER; owner < OWNER_COUNT; owner++)
        for (int slot = 0; slot < owner_slots(owner); slot++)
            assert_false(params_exists(params, owner, slot));
    params_free(params);
    params_free(fresh);
}

static void hearing_is_what_the_audio_rows_say(void **state)
{
    (void)state;
    Params *params = params_new();
    const HearingSettings plain = hearing_of(NULL), fresh = hearing_of(params);
    assert_float_equal(plain.gain, 1, 0); // as it comes
    assert_float_equal(fresh.gain, 1, 0);
    assert_true(plain.automatic && fresh.automatic);
    assert_memory_equal(plain.edges, fresh.edges, sizeof plain.edges);
    params_set(params, GLOBAL_AUDIO_AUTO, 0);
    params_set(params, GLOBAL_AUDIO_RELEASE, 3);
    params_set(params, GLOBAL_BAND_HIGH, 5000);
    params_set(params, GLOBAL_AUDIO_GAIN, 20);
    params_set(params, GLOBAL_AUDIO_THRESHOLD, 2);
    params_set(params, GLOBAL_AUDIO_HUSH, 0.25);
    const HearingSettings other = hearing_of(params);
    assert_float_equal(other.gain, 10, 1e-5);
    assert_float_equal(other.onset_threshold, 2, 0);
    assert_float_equal(other.hush, 0.25, 0);
    assert_false(other.automatic);
    assert_float_equal(other.release, 3, 0);
    assert_float_equal(other.edges[3], 5000, 0.5);
    assert_float_equal(other.attack, plain.attack, 0);
    static const struct {
        double offset, early; // ms, s
    } early[] = { { 0, 0 }, { 40, 0 }, { -40, 0.04 }, { -500, 0.5 } };
    for (int i = 0; i < COUNT_OF(early); i++) {
        params_set(params, GLOBAL_AUDIO_OFFSET, early[i].offset);
        assert_float_equal(hearing_of(params).early, early[i].early, 1e-6);
    }
    params_free(params);
}

static void a_copy_holds_everything_and_shares_nothing(void **state)
{
    (void)state;
    char why[128];
    Params *from = walk_new(), *to = params_new();
    const ParamId curve = params_find(from, "emitters/spark/size_curve");
    const Stops stops = { .count = 1, .value = { { 3 } } };
    params_set(from, GLOBAL_GRAVITY, -7);
    params_set_text(from, GLOBAL_PRESET, "fire", why, sizeof why);
    params_set_stops(from, curve, &stops, why, sizeof why);
    Picture *picture = picture_take(from);
    params_copy(to, from);
    params_free(from);
    picture->all.texts = to->texts;
    picture->all.texts_versions = to->texts_versions;
    picture->all.stops = to->stops;
    picture->all.stops_versions = to->stops_versions;
    assert_true(picture_holds(picture, to));
    picture_free(picture);
    params_free(to);
}

// Who sends it may be anybody on the network.
static void a_look_is_saved_under_a_plain_name_only(void **state)
{
    (void)state;
    char why[256], longest[65];
    memset(longest, 'a', 64);
    longest[64] = 0;
    const char *const bad[] = { ".",   "..",     "../fire",      "a/b",   "/etc/fire", "A",
                                "a b", "a.json", "sch\xc3\xb6n", "~fire", longest };
    Params *params = params_new();
    for (int i = 0; i < COUNT_OF(bad); i++) {
        why[0] = 0;
        assert_false(params_set_text(params, GLOBAL_SAVE, bad[i], why, sizeof why));
        assert_non_null(strstr(why, "a-z"));
    }
    assert_string_equal(params_text(params, GLOBAL_SAVE), "");
    assert_true(params_set_text(params, GLOBAL_SAVE, longest + 1, why, sizeof why));
    assert_true(params_set_text(params, GLOBAL_SAVE, "my_look-2", why, sizeof why));
    params_free(params);
}

static void free_takes_nothing(void **state)
{
    (void)state;
    params_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_default_lies_in_its_range),
        cmocka_unit_test(every_row_has_a_sentence_of_help),
        cmocka_unit_test(paths_are_unique_lower_case_words),
        cmocka_unit_test(every_enum_has_as_many_choices_as_its_range),
        cmocka_unit_test(every_curve_and_gradient_has_a_default_that_fits),
        cmocka_unit_test(fields_share_the_rows_of_emitters),
        cmocka_unit_test(every_row_is_found_by_its_path),
        cmocka_unit_test(ids_do_not_overlap),
        cmocka_unit_test(unknown_paths_are_not_found),
        cmocka_unit_test(every_number_is_set_clamped_and_read_back),
        cmocka_unit_test(nonsense_is_refused_counted_and_changes_nothing),
        cmocka_unit_test(norm_goes_over_the_whole_range_and_never_back),
        cmocka_unit_test(whole_numbers_are_rounded_and_bools_are_not_zero),
        cmocka_unit_test(a_trigger_counts_up_whatever_the_value),
        cmocka_unit_test(a_text_is_short_utf8_without_control_characters),
        cmocka_unit_test(a_text_has_another_version_each_time_it_is_set),
        cmocka_unit_test(points_must_rise_within_0_to_1),
        cmocka_unit_test(stops_are_straight_between_and_held_outside),
        cmocka_unit_test(a_smooth_curve_goes_through_its_stops_and_never_beyond_them),
        cmocka_unit_test(a_bezier_curve_is_the_one_of_its_control_points),
        cmocka_unit_test(every_curve_ends_where_its_stops_do_and_is_held_outside),
        cmocka_unit_test(structural_rows_wait_for_prepare),
        cmocka_unit_test(names_are_checked),
        cmocka_unit_test(slots_run_out_with_a_sentence),
        cmocka_unit_test(a_slot_used_again_is_a_new_instance_with_defaults),
        cmocka_unit_test(resetting_looks_leaves_show_and_machine),
        cmocka_unit_test(hearing_is_what_the_audio_rows_say),
        cmocka_unit_test(a_copy_holds_everything_and_shares_nothing),
        cmocka_unit_test(a_look_is_saved_under_a_plain_name_only),
        cmocka_unit_test(free_takes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
