// Who decides on quality: hands, or the governor and what it is told.
#include "test.h"

#include "app/quality.h"

#include <string.h>

typedef struct {
    Params *params;
    Governor governor;
    char said[GOVERNOR_SENTENCE];
} Desk;

static void set(Desk *desk, GlobalRow row, double value)
{
    assert_true(params_set(desk->params, params_id(OWNER_GLOBAL, 0, row), value));
}

static float now(const Desk *desk, GlobalRow row)
{
    return params_live(desk->params, params_id(OWNER_GLOBAL, 0, row));
}

static Desk open_desk(void)
{
    Desk desk = { .params = params_new() };
    assert_non_null(desk.params);
    governor_init(&desk.governor);
    return desk;
}

// Frames of 60 Hz that the processor and the chip take so long for; how often quality changed.
static int play(Desk *desk, double seconds, double cpu_ms, float gpu_ms, bool software, bool timed)
{
    const ShowStats stats = { .timed = timed, .gpu_ms_all = gpu_ms };
    const QualityFrame frame = {
        .seconds = 1.0 / 60, .cpu_ms = cpu_ms, .fps = 60, .software = software, .stats = &stats
    };
    int changes = 0;
    for (int n = 0; n < seconds * 60; n++)
        changes += quality_frame(&desk->governor, desk->params, &frame, desk->said);
    return changes;
}

static void at_first_everything_is_drawn(void **state)
{
    (void)state;
    Desk desk = open_desk();
    assert_true(now(&desk, GLOBAL_QUALITY_AUTO) == 1);
    assert_true(now(&desk, GLOBAL_QUALITY_SCALE_NOW) == 1);
    assert_true(now(&desk, GLOBAL_QUALITY_SHARE_NOW) == 1);
    params_free(desk.params);
}

static void what_hands_set_holds_whatever_it_costs(void **state)
{
    (void)state;
    Desk desk = open_desk();
    set(&desk, GLOBAL_QUALITY_AUTO, 0);
    set(&desk, GLOBAL_QUALITY_SCALE, 0.6);
    set(&desk, GLOBAL_QUALITY_SHARE, 0.25);
    assert_int_equal(play(&desk, 10, 100, 100, true, true), 0);
    assert_true(now(&desk, GLOBAL_QUALITY_SCALE_NOW) == 0.6f);
    assert_true(now(&desk, GLOBAL_QUALITY_SHARE_NOW) == 0.25f);

    // Handed to the governor, which begins with what it has.
    set(&desk, GLOBAL_QUALITY_AUTO, 1);
    play(&desk, 0.1, 1, 1, true, true);
    assert_true(now(&desk, GLOBAL_QUALITY_SCALE_NOW) == 1);
    assert_true(now(&desk, GLOBAL_QUALITY_SHARE_NOW) == 1);
    params_free(desk.params);
}

static const struct {
    const char *name;
    double cpu_ms;
    float gpu_ms;
    bool software, timed, lowered;
} machines[] = {
    { "a fast chip", 3, 5, false, true, false },
    { "a slow chip", 3, 25, false, true, true },
    { "a slow processor beside a chip", 40, 5, false, true, false },
    { "both together, one behind the other", 12, 12, false, true, false },
    { "a processor that draws", 25, 5, true, true, true },
    { "a processor that draws behind itself", 5, 25, true, true, true },
    { "no clock", 40, 0, false, false, false },
};

static void quality_falls_where_that_helps(void **state)
{
    (void)state;
    for (int n = 0; n < COUNT_OF(machines); n++) {
        Desk desk = open_desk();
        play(&desk, 5, machines[n].cpu_ms, machines[n].gpu_ms, machines[n].software,
             machines[n].timed);
        if ((now(&desk, GLOBAL_QUALITY_SCALE_NOW) < 1) != machines[n].lowered)
            fail_msg("%s: %s", machines[n].name, desk.said);
        params_free(desk.params);
    }
}

static void the_frame_rate_asked_for_is_the_one_that_is_held(void **state)
{
    (void)state;
    Desk desk = open_desk();
    set(&desk, GLOBAL_QUALITY_FPS, 30);
    assert_int_equal(play(&desk, 10, 3, 25, false, true), 0);
    set(&desk, GLOBAL_QUALITY_FPS, 0);
    assert_true(play(&desk, 10, 3, 25, false, true) > 0);
    params_free(desk.params);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_first_everything_is_drawn),
        cmocka_unit_test(what_hands_set_holds_whatever_it_costs),
        cmocka_unit_test(quality_falls_where_that_helps),
        cmocka_unit_test(the_frame_rate_asked_for_is_the_one_that_is_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
