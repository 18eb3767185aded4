// Births by fill: the same share of the dead in any span of time, however it is cut.
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "sim/birth.h"

// ---- what chance wants --------------------------------------------------------------------------

static void waits_are_exponential(void **state)
{
    (void)state;
    enum { MANY = 100000 };
    int beyond[6] = { 0 };
    double sum = 0;
    for (uint32_t n = 0; n < MANY; n++) {
        const float wait = fill_wait(fill_key(5, n, 3));
        assert_true(wait >= 0 && wait < 17);
        assert_float_equal(wait, -logf(expf(-wait)), 1e-4f);
        sum += (double)wait;
        for (int b = 0; b < COUNT_OF(beyond); b++) beyond[b] += wait > (float)b;
    }
    assert_float_equal(sum / MANY, 1, 0.015);
    for (int b = 0; b < COUNT_OF(beyond); b++)
        assert_float_equal((double)beyond[b] / MANY, exp(-b), 0.006);
}

static void no_key_comes_twice(void **state)
{
    (void)state;
    enum { SIDE = 200 };
    static uint32_t seen[SIDE * SIDE];
    int same = 0;
    for (uint32_t slot = 0; slot < SIDE; slot++)
        for (uint32_t g = 0; g < SIDE; g++) {
            const uint32_t key = fill_key(9, slot, g);
            assert_true(key == fill_key(9, slot, g + FILL_GENERATIONS));
            seen[slot * SIDE + g] = key;
            same += key == rng_key(9, ((uint64_t)g << 32) | slot); // a birth by rate
        }
    assert_in_range(same, 0, 1);
    for (int n = 1; n < SIDE * SIDE; n++) same += seen[n] == seen[0] || seen[n] == seen[n - 1];
    assert_in_range(same, 0, 1);
}

static void a_life_keeps_its_generation_and_its_length(void **state)
{
    (void)state;
    static const float lives[] = { 1e-5f, 0.01f, 0.7f, 2, 59.99f };
    for (int n = 0; n < COUNT_OF(lives); n++)
        for (uint32_t g = 0; g < FILL_GENERATIONS; g += 77) {
            const float life = fill_life(lives[n], g);
            assert_int_equal(fill_generation(life), g);
            assert_float_equal(life / lives[n], 1, 2e-3f);
        }
}

// ---- who is born when ---------------------------------------------------------------------------

enum { SLOTS = 4000 };
static const double hop = 1 / 187.5;

typedef struct {
    double time[SLOTS]; // of the first birth; 0: none
    Vec3 place[SLOTS];
    int count;
} Born;

// A rate that routes might make: it changes at every hop; and a way along x.
static float wobbling_rate(int n)
{
    return 3000 + 2500 * sinf((float)n * 0.37f);
}

// All slots die at their own time in the first tenth of a second; each has its first birth.
static double died_at(uint32_t slot)
{
    return 1e-3 + 0.1 * (double)slot / SLOTS;
}

static void frame_of(Swarm *swarm, double *time, int *hops, const float *values, double dt)
{
    float now[FIELD_ROWS];
    memcpy(now, values, sizeof now);
    *time += dt;
    swarm_begin(swarm, swarm->place);
    for (; (*hops + 1) * hop <= *time; ++*hops) {
        now[SWARM_RATE] = values[SWARM_RATE] >= 0 ? values[SWARM_RATE] : wobbling_rate(*hops);
        const Vec3 place = { 3 * (float)((*hops + 1) * hop), 0, 0 };
        swarm_hop(swarm, &(Hop){ .values = now,
                                 .place = place,
                                 .age = (float)(*time - *hops * hop),
                                 .seconds = (float)hop,
                                 .by_fill = true });
    }
    swarm_step(swarm, now, &(Placement){ .middle = swarm->place }, (float)dt);
}

static void fill_for(Born *born, const float *values, double seconds, const double *dts,
                     int dt_count)
{
    static float waits[SLOTS];
    Swarm swarm = { 0 };
    double time = 0;
    int hops = 0;
    memset(born, 0, sizeof *born);
    swarm_start(&swarm, 77, 1);
    for (uint32_t n = 0; n < SLOTS; n++) waits[n] = fill_wait(fill_key(77, n, 0));
    for (int f = 0; time < seconds - 1e-9; f++) {
        frame_of(&swarm, &time, &hops, values, dts[f % dt_count]);
        const Births *b = &swarm.births;
        assert_int_equal(b->count, 0);
        for (uint32_t n = 0; n < SLOTS; n++) {
            FillBirth birth;
            if (born->time[n] > 0 || died_at(n) >= time) continue;
            if (!fill_is_due(b, SLOTS, (float)(time - died_at(n)), &waits[n], &birth)) continue;
            born->time[n] = time - (double)birth.age;
            born->place[n] = birth.away;
            born->place[n].x += b->place.middle.x;
            born->count++;
        }
    }
}

static const double at_30[] = { 1.0 / 30 }, at_60[] = { 1.0 / 60 }, at_144[] = { 1.0 / 144 };
static const double uneven[] = { 0.09, 1e-4, 1.0 / 60, 0.004, 0.05 };
static const struct {
    const double *dts;
    int count;
} rates[] = { { at_30, 1 }, { at_60, 1 }, { at_144, 1 }, { uneven, COUNT_OF(uneven) } };

// Not alike: the same.
static void each_slot_is_born_at_its_time_and_place_at_any_frame_rate(void **state)
{
    (void)state;
    static Born first, born;
    const float values[FIELD_ROWS] = { [SWARM_RATE] = -1, [SWARM_LIFE] = 2 };
    fill_for(&first, values, 2, at_60, 1);
    assert_in_range(first.count, 2000, 3900);
    for (int r = 0; r < COUNT_OF(rates); r++) {
        fill_for(&born, values, 2, rates[r].dts, rates[r].count);
        for (int n = 0; n < SLOTS; n++) {
            if (first.time[n] > 1.9 || born.time[n] > 1.9) continue;
            assert_float_equal(born.time[n], first.time[n], 1e-4);
            assert_true(born.time[n] == 0 || born.time[n] > died_at((uint32_t)n) - 1e-5);
            assert_float_equal(born.place[n].x, 3 * born.time[n], 1e-3);
        }
    }
}

// A rate of a ring's slots a second leaves 1 / e of the dead after a second.
static void the_rate_is_that_of_an_empty_ring(void **state)
{
    (void)state;
    static Born born;
    const float values[FIELD_ROWS] = { [SWARM_RATE] = SLOTS, [SWARM_LIFE] = 2 };
    for (int r = 0; r < COUNT_OF(rates); r++) {
        int count = 0;
        fill_for(&born, values, 1.1, rates[r].dts, rates[r].count);
        for (int n = 0; n < SLOTS; n++)
            count += born.time[n] > 0 && born.time[n] < died_at((uint32_t)n) + 1;
        assert_float_equal((double)count / SLOTS, 1 - exp(-1), 0.02);
    }
    // A rate that is a thousandth of the ring is a thousandth of it.
    const float few[FIELD_ROWS] = { [SWARM_RATE] = SLOTS / 50.0f, [SWARM_LIFE] = 2 };
    fill_for(&born, few, 1.05, at_60, 1);
    assert_in_range(born.count, SLOTS / 50 - 30, SLOTS / 50 + 30);
}

static void births_are_spread_within_the_frame(void **state)
{
    (void)state;
    static Born born;
    const float values[FIELD_ROWS] = { [SWARM_RATE] = SLOTS, [SWARM_LIFE] = 2 };
    fill_for(&born, values, 1.05, at_30, 1);
    int part[4] = { 0 };
    for (int n = 0; n < SLOTS; n++)
        if (born.time[n] > 0) part[(int)(born.time[n] * 30 * 4) % 4]++;
    for (int p = 0; p < 4; p++) assert_in_range(part[p], born.count / 5, born.count * 3 / 10);
}

static void a_burst_of_half_the_ring_is_half_of_the_dead_at_once(void **state)
{
    (void)state;
    static Born born;
    const float values[FIELD_ROWS] = { [SWARM_LIFE] = 2,
                                       [SWARM_LOOP] = 1,
                                       [SWARM_BURST_EVERY] = 0.3f,
                                       [SWARM_BURST_COUNT] = SLOTS / 2.0f };
    fill_for(&born, values, 0.5, at_60, 1);
    int at_second = 0, sooner = 0;
    for (int n = 0; n < SLOTS; n++) {
        at_second += fabs(born.time[n] - 0.3) < 1e-3;
        sooner += born.time[n] > 0 && born.time[n] < 0.2;
    }
    assert_int_equal(sooner, 0); // nobody was dead at 0
    assert_in_range(at_second, SLOTS / 2 - 120, SLOTS / 2 + 120);
    assert_int_equal(at_second + sooner, born.count);
}

static void a_cycle_ends_refills(void **state)
{
    (void)state;
    static Born born;
    const float values[FIELD_ROWS] = {
        [SWARM_RATE] = 4.0f * SLOTS, [SWARM_LIFE] = 2, [SWARM_DURATION] = 0.203f
    };
    fill_for(&born, values, 1, at_60, 1);
    assert_true(born.count > SLOTS / 4);
    for (int n = 0; n < SLOTS; n++) assert_true(born.time[n] < 0.2035);
}

static void more_hops_than_refills_lose_nothing(void **state)
{
    (void)state;
    Swarm swarm = { 0 };
    const float values[FIELD_ROWS] = { [SWARM_RATE] = 1000 };
    for (int h = 0; h < 100; h++)
        swarm_hop(&swarm, &(Hop){ .values = values,
                                  .age = 0.1f - (float)h * 0.001f,
                                  .seconds = 0.001f,
                                  .by_fill = true });
    double births = 0;
    assert_int_equal(swarm.births.refill_count, BIRTH_RUNS);
    for (int r = 0; r < BIRTH_RUNS; r++) births += (double)swarm.births.refills[r].births;
    assert_float_equal(births, 100, 1e-3);
    const BirthRun *last = &swarm.births.refills[BIRTH_RUNS - 1].span;
    assert_float_equal(last->age_first - last->spacing, 0, 1e-5);
}

// As long as somebody who was born by fill may be alive, all of the ring counts.
static void a_swarm_fills_until_the_last_of_them_is_dead(void **state)
{
    (void)state;
    Swarm swarm = { 0 };
    const float values[FIELD_ROWS] = { [SWARM_RATE] = 1000, [SWARM_LIFE] = 1 };
    const Placement place = { 0 };
    swarm_start(&swarm, 1, 1);
    uint32_t generation = swarm.births.generation;
    for (int f = 0; f < 240; f++) {
        const bool by_fill = f >= 60 && f < 120;
        swarm_begin(&swarm, (Vec3){ 0, 0, 0 });
        swarm_hop(&swarm,
                  &(Hop){ .values = values, .age = 0.01f, .seconds = 0.01f, .by_fill = by_fill });
        swarm_step(&swarm, values, &place, 0.01f);
        assert_true((swarm.births.refill_count > 0) == by_fill);
        assert_true((swarm.births.run_count > 0) == !by_fill);
        if (f < 60 || f > 222) assert_false(swarm.births.fills);
        if (f >= 60 && f < 219) assert_true(swarm.births.fills);
    }
    assert_true(swarm.births.generation != generation);
    generation = swarm.births.generation;
    swarm_clear(&swarm);
    assert_int_equal(swarm.births.clears, 1);
    assert_true(swarm.births.generation != generation);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits_are_exponential),
        cmocka_unit_test(no_key_comes_twice),
        cmocka_unit_test(a_life_keeps_its_generation_and_its_length),
        cmocka_unit_test(each_slot_is_born_at_its_time_and_place_at_any_frame_rate),
        cmocka_unit_test(the_rate_is_that_of_an_empty_ring),
        cmocka_unit_test(births_are_spread_within_the_frame),
        cmocka_unit_test(a_burst_of_half_the_ring_is_half_of_the_dead_at_once),
        cmocka_unit_test(a_cycle_ends_refills),
        cmocka_unit_test(more_hops_than_refills_lose_nothing),
        cmocka_unit_test(a_swarm_fills_until_the_last_of_them_is_dead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
