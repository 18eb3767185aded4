#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/base.h"

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
        char *written = NULL;
        size_t length = 0;
        FILE *out = open_memstream(&written, &length);
        assert_non_null(out);
        json_text(out, texts[i]);
        fclose(out);
        json_t *read = json_loadb(written, length, JSON_DECODE_ANY, NULL);
        if (!read) fail_msg("not JSON: %s", written);
        assert_string_equal(json_string_value(read), texts[i]);
        json_decref(read);
        free(written);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_text_reads_back_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
