// The linker leads malloc, calloc and realloc of the rooms through here: counted, and the n-th fails.
#include "control_walk.h"

#include <jansson.h>
#include <unistd.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

static int allocations; // since it was last set to 0
static int failing;     // the number of the one that fails; 0: none

static bool fails(void)
{
    return ++allocations == failing;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    return fails() ? NULL : __real_realloc(memory, size);
}

static void from_now_on(int fail)
{
    allocations = 0;
    failing = fail;
}

static void params_new_fails_cleanly_at_any_allocation(void **state)
{
    (void)state;
    Params *params = NULL;
    for (int n = 1; !params; n++) {
        from_now_on(n);
        params = params_new();
        assert_int_equal(params == NULL, allocations >= n);
        assert_true(n < 100);
    }
    assert_int_equal(allocations, 5); // the wrapping works
    from_now_on(0);
    params_free(params);
}

static void a_preset_fails_with_a_sentence_at_any_allocation(void **state)
{
    (void)state;
    Preset *preset = NULL;
    json_set_alloc_funcs(__wrap_malloc, free);
    for (int n = 1; !preset; n++) {
        char why[256] = "";
        from_now_on(n);
        preset = preset_load(SOURCE_DIR "/presets/drift.json", why, sizeof why);
        from_now_on(0);
        if (!preset) assert_non_null(strstr(why, "drift.json"));
        assert_true(n < 10000);
    }
    preset_free(preset);
    json_set_alloc_funcs(malloc, free);
}

static void nothing_allocates_after_new(void **state)
{
    (void)state;
    char why[256];
    const Features features = { .signal = { [SIGNAL_LEVEL] = 0.5f } };
    const Message messages[] = {
        message_number("/forces/gravity", -1),
        message_number("/forces/gravty", -1),
        message_text("/emitters/add", "flame"),
        message_text("/show/preset", "star"),
        { .path = "/forces/wind" },
        { .path = "/emitters/flame/remove" },
        { .path = "/systems/add", .types = "sss", .text = "fire\0spark\0ember" },
        { .path = "/types/add", .types = "ss", .text = "coal\0fire" },
        message_text("/systems/fire/type", "coal"),
        message_text("/systems/fire/type", "cola"),
        message_number("/types/coal/size", 2),
        { .path = "/systems/fire/hit", .types = "fffffffff", .number = { 0, 0, 0, 0, 0, 0, 0, 1 } },
        message_text("/systems/fire/name", "pyre"),
        { .path = "/systems/pyre/remove" },
    };
    Preset *preset = preset_load(SOURCE_DIR "/presets/drift.json", why, sizeof why);
    Params *params = walk_new(), *copy = params_new();
    assert_non_null(preset);
    from_now_on(0);
    for (int i = 0; i < COUNT_OF(messages); i++) {
        Message answer;
        params_message(params, &messages[i], &answer, why, sizeof why);
        routes_hop(params, &features, 0.005f);
    }
    preset_apply(preset, params);
    params_prepare(params);
    params_copy(copy, params);
    params_reset_looks(params);
    assert_int_equal(allocations, 0);
    params_free(copy);
    params_free(params);
    preset_free(preset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(params_new_fails_cleanly_at_any_allocation),
        cmocka_unit_test(a_preset_fails_with_a_sentence_at_any_allocation),
        cmocka_unit_test(nothing_allocates_after_new),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
