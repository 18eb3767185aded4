#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "gfx/source.h"

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int enter_folder(void **state)
{
    static char path[32];
    strcpy(path, "/tmp/motes_test_XXXXXX");
    *state = path;
    return mkdtemp(path) && chdir(path) == 0 ? 0 : -1;
}

static int leave_folder(void **state)
{
    char command[64];
    snprintf(command, sizeof command, "rm -r '%s'", (const char *)*state);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

static Source *load(const char *name)
{
    char why[512];
    Source *source = source_load(".", name, why, sizeof why);
    if (!source) fail_msg("%s", why);
    return source;
}

static void includes_come_in_once_and_in_place(void **state)
{
    (void)state;
    put("a", "first\n#include \"b\"\n  # include \"c\"  \nlast\n");
    put("b", "b before\n#include \"c\"\n#include \"a\"\nb after");
    put("c", "c\n#include \"b\"\n#include \"c\"\n");
    Source *source = load("a");
    assert_string_equal(source_text(source), "first\n\nb before\n\nc\n\n\n\nb after\n\nlast\n");
    source_free(source);
}

typedef struct {
    const char *log, *says;
} Saying;

// Line 2 of the text is the include's own, line 3 the first of b, line 5 the second of a.
static const Saying sayings[] = {
    { "0:5(3): error: `x' undeclared\n", "./a:3: `x' undeclared" },
    { "0:3(1): error: syntax error\n0:5(3): error: more\n", "./b:1: syntax error" },
    { "0(4) : error C1503: undefined variable \"x\"\n",
      "./b:2: error C1503: undefined variable \"x\"" },
    { "ERROR: 0:1: 'x' : undeclared identifier\nERROR: 1 compilation errors.\n",
      "./a:1: 'x' : undeclared identifier" },
    { "0(1) : warning C7050: \"y\" might be used\n0(5) : error C0000: syntax error\r\n",
      "./a:3: error C0000: syntax error" },
    { "WARNING: 0:3: something\n", "./b:1: something" },
    { "0:99(1): error: beyond\n", "./a: beyond" },
    { "0:0(0): error: no place\n", "./a: error: no place" },
    { "error: too many uniforms\n", "./a: error: too many uniforms" },
    { "Internal trouble\nsecond line\n", "./a: Internal trouble" },
    { "", "./a: the driver gives no reason" },
    { "\n\n", "./a: the driver gives no reason" },
    { "0:", "./a: 0:" },
    { "0(5", "./a:3: " },
};

static void every_form_of_driver_maps_back_to_file_and_line(void **state)
{
    (void)state;
    put("a", "one\n#include \"b\"\nthree\n");
    put("b", "b one\nb two\n");
    Source *source = load("a");
    for (int i = 0; i < COUNT_OF(sayings); i++) {
        char why[512];
        source_explain(source, sayings[i].log, why, sizeof why);
        assert_string_equal(why, sayings[i].says);
    }
    source_free(source);
}

static void a_chain_of_includes_without_end_is_refused(void **state)
{
    (void)state;
    for (int i = 0; i < 100; i++) {
        char name[16], text[32];
        snprintf(name, sizeof name, "chain%d", i);
        snprintf(text, sizeof text, "#include \"chain%d\"\n", i + 1);
        put(name, text);
    }
    char why[512];
    assert_null(source_load(".", "chain0", why, sizeof why));
    assert_non_null(strstr(why, "too many includes"));
}

static void an_empty_file_is_an_empty_text(void **state)
{
    (void)state;
    put("empty", "");
    Source *source = load("empty");
    assert_string_equal(source_text(source), "\n");
    source_free(source);
    source_free(NULL);
}

static void a_sentence_is_cut_to_its_buffer(void **state)
{
    (void)state;
    put("a", "#include \"nowhere\"\n");
    char why[10] = "";
    assert_null(source_load(".", "a", why, sizeof why));
    assert_int_equal(strlen(why), 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(includes_come_in_once_and_in_place),
        cmocka_unit_test(every_form_of_driver_maps_back_to_file_and_line),
        cmocka_unit_test(a_chain_of_includes_without_end_is_refused),
        cmocka_unit_test(an_empty_file_is_an_empty_text),
        cmocka_unit_test(a_sentence_is_cut_to_its_buffer),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
