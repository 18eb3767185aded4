#include "control_walk.h"

#include <jansson.h>

// What is printed, as heap memory.
static char *printed(PrintFormat format)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    params_print(out, format);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void address_of(Owner owner, int r, char *address, int size)
{
    const char *path = owner_row(owner, r)->path;
    if (owner == OWNER_GLOBAL)
        snprintf(address, (size_t)size, "/%s", path);
    else
        snprintf(address, (size_t)size, "/%s/NAME/%s", owner_name(owner), path);
}

static void json_parses_and_holds_every_row_and_signal(void **state)
{
    (void)state;
    char *text = printed(PRINT_JSON);
    json_error_t error;
    json_t *array = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (!array) fail_msg("line %d: %s", error.line, error.text);
    size_t i = 0;
    for (Owner owner = 0; owner < OWNER_COUNT; owner++)
        for (int r = 0; r < owner_rows(owner); r++) {
            char address[128];
            if (!row_there(owner, r)) continue;
            const ParamRow *row = owner_row(owner, r);
            const json_t *object = json_array_get(array, i++);
            address_of(owner, r, address, sizeof address);
            assert_string_equal(json_string_value(json_object_get(object, "address")), address);
            assert_string_equal(json_string_value(json_object_get(object, "help")), row->help);
            assert_non_null(json_object_get(object, "default"));
            if (row->kind == KIND_ENUM)
                assert_int_equal(json_array_size(json_object_get(object, "choices")),
                                 row_choices(row));
            if (row->kind != KIND_FLOAT) continue;
            assert_true((float)json_number_value(json_object_get(object, "default")) ==
                        row->normal);
            assert_true((float)json_number_value(json_object_get(object, "max")) == row->max);
        }
    for (int s = 0; s < SIGNAL_COUNT; s++, i++)
        assert_string_equal(json_string_value(json_object_get(json_array_get(array, i), "signal")),
                            signal_rows[s].name);
    assert_int_equal(json_array_size(array), i);
    json_decref(array);
    free(text);
}

// Rows that emitters, fields and types share stand once.
static int rows_to_print(void)
{
    return GLOBAL_ROWS + EMITTER_ROWS + (FIELD_ROWS - SWARM_ROWS) + ROUTE_ROWS + SYSTEM_ROWS;
}

static int bars_in(const char *line)
{
    int bars = 0;
    for (; *line; line++) bars += *line == '|';
    return bars;
}

// As many as the head of their table.
static void every_markdown_row_has_its_cells(void **state)
{
    (void)state;
    char *text = printed(PRINT_MARKDOWN);
    int rows = 0, bars = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        if (line[0] == '|' && strncmp(line, "| `", 3) != 0) bars = bars_in(line);
        if (strncmp(line, "| `", 3) != 0) continue;
        assert_int_equal(bars_in(line), bars);
        rows += bars == 8;
    }
    assert_int_equal(rows, rows_to_print());
    free(text);
}

static void text_and_markdown_tell_every_row_once(void **state)
{
    (void)state;
    const PrintFormat formats[] = { PRINT_TEXT, PRINT_MARKDOWN };
    for (int f = 0; f < COUNT_OF(formats); f++) {
        char *text = printed(formats[f]);
        for (Owner owner = 0; owner < OWNER_COUNT; owner++)
            for (int r = 0; r < owner_rows(owner); r++) {
                char leaf[128];
                snprintf(leaf, sizeof leaf, formats[f] == PRINT_TEXT ? "%s%s " : "%s%s` |",
                         owner == OWNER_GLOBAL ? "/" : "", owner_row(owner, r)->path);
                if (!strstr(text, leaf)) fail_msg("no %s", leaf);
                assert_non_null(strstr(text, owner_row(owner, r)->help));
            }
        const char *rate = strstr(text, owner_row(OWNER_EMITTER, SWARM_RATE)->help);
        assert_null(strstr(rate + 1, owner_row(OWNER_EMITTER, SWARM_RATE)->help));
        for (int s = 0; s < SIGNAL_COUNT; s++) assert_non_null(strstr(text, signal_rows[s].help));
        assert_non_null(strstr(text, "STRUCTURAL"));
        assert_non_null(strstr(text, "/systems/NAME/hit"));
        free(text);
    }
}

// Else it would be hard to find anything in a hundred rows.
static void the_shared_rows_are_told_by_subject(void **state)
{
    (void)state;
    char *text = printed(PRINT_MARKDOWN);
    int longest = 0, rows = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        rows = strncmp(line, "| `", 3) != 0 || bars_in(line) != 8 ? 0 : rows + (line[3] != '/');
        longest = rows > longest ? rows : longest;
    }
    assert_true(longest > 1 && longest < SWARM_ROWS / 2);
    free(text);
}

static void numbers_are_short_and_read_back_the_same(void **state)
{
    (void)state;
    const struct {
        float value;
        const char *text;
    } known[] = {
        { 0.1f, "0.1" }, { 400, "400" }, { 1e8f, "100000000" }, { -2.5f, "-2.5" }, { 0, "0" }
    };
    char text[32];
    for (int i = 0; i < COUNT_OF(known); i++) {
        number_text(known[i].value, text, sizeof text);
        assert_string_equal(text, known[i].text);
    }
    uint32_t chance = 3;
    for (int i = 0; i < 10000; i++) {
        const float value =
            (walk_chance(&chance) - 0.5f) * powf(10, (float)walk_pick(&chance, 40) - 20);
        number_text(value, text, sizeof text);
        assert_true(strtof(text, NULL) == value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_parses_and_holds_every_row_and_signal),
        cmocka_unit_test(every_markdown_row_has_its_cells),
        cmocka_unit_test(text_and_markdown_tell_every_row_once),
        cmocka_unit_test(the_shared_rows_are_told_by_subject),
        cmocka_unit_test(numbers_are_short_and_read_back_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
