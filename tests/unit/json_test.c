#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/base.h"

static char *written(const char *text)
{
    char *json = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&json, &length);
    assert_non_null(out);
    json_text(out, text);
    fclose(out);
    return json;
}

static void every_text_reads_back_as_it_was(void **state)
{
    (void)state;
    char each[128] = "";
    for (int c = 1; c < 127; c++) each[c - 1] = (char)c;
    const char *const texts[] = { "",
                                  "plain",
                                  "a \"quoted\" one",
                                  "back\\slash",
                                  "two\nlines\t",
                                  "\"\\\"",
                                  "Lautsprecher \xc3\xbc\xe2\x82\xac \xf0\x9f\x94\x8a",
                                  each };
    for (int i = 0; i < COUNT_OF(texts); i++) {
        char *json = written(texts[i]);
        json_t *read = json_loads(json, JSON_DECODE_ANY, NULL);
        if (!read) fail_msg("not JSON: %s", json);
        assert_string_equal(json_string_value(read), texts[i]);
        json_decref(read);
        free(json);
    }
}

static void bytes_that_are_no_letters_are_replaced(void **state)
{
    (void)state;
    static const struct {
        const char *text, *read;
    } cases[] = {
        { "M\xfcller", "M\xef\xbf\xbdller" },                               // Latin-1
        { "cut \xf0\x9f\x94", "cut \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" }, // within a letter
        { "\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd" },                         // overlong
        { "\xed\xa0\x80x", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdx" },       // a surrogate
    };
    for (int i = 0; i < COUNT_OF(cases); i++) {
        char *json = written(cases[i].text);
        json_t *read = json_loads(json, JSON_DECODE_ANY, NULL);
        if (!read) fail_msg("not JSON: %s", json);
        assert_string_equal(json_string_value(read), cases[i].read);
        json_decref(read);
        free(json);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_text_reads_back_as_it_was),
        cmocka_unit_test(bytes_that_are_no_letters_are_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
