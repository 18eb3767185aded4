#include "test.h"

#include "base/base.h"

static void every_half_comes_back(void **state)
{
    (void)state;
    assert_true(half_value(0) == 0);
    for (uint32_t half = 0x400; half < 0x7c00; half++)
        assert_int_equal(half_of(half_value(half)), half);
}

static void a_half_is_the_nearest(void **state)
{
    (void)state;
    for (float x = 0x1p-14f; x < 65000; x *= 1.0003f)
        assert_true(fabsf(half_value(half_of(x)) / x - 1) <= 1.0f / 2048);
    assert_true(half_value(half_of(1)) == 1 && half_value(half_of(0.375f)) == 0.375f);
}

static void what_no_half_can_be_is_held(void **state)
{
    (void)state;
    assert_int_equal(half_of(0), 0);
    assert_int_equal(half_of(1e-9f), 0);
    assert_int_equal(half_of(0x1.fffffep-15f), 0);
    assert_int_equal(half_of(-0.0f), 0);
    assert_int_equal(half_of(-1), 0);
    assert_true(half_value(half_of(1e30f)) == 65504);
    assert_true(half_value(half_of(INFINITY)) == 65504);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_half_comes_back),
        cmocka_unit_test(a_half_is_the_nearest),
        cmocka_unit_test(what_no_half_can_be_is_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
