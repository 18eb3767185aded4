#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "sim/step.h"

typedef struct {
    Params *params;
    Sim *sim;
    Sprite *sprites;
    uint32_t count;
    SpriteRun runs[EMITTER_SLOTS];
    int run_count;
} Rig;

enum { CAPACITY = 32768 };

static Rig rig_new(int threads)
{
    char why[200];
    Rig rig = { .params = params_new(), .sprites = calloc(CAPACITY, sizeof(Sprite)) };
    rig.sim =
        sim_new(&(SimDesc){ .capacity = CAPACITY, .threads = threads, .seed = 7 }, why, sizeof why);
    assert_non_null(rig.sim);
    return rig;
}

static void rig_free(Rig *rig)
{
    sim_free(rig->sim);
    params_free(rig->params);
    free(rig->sprites);
}

static void set(Rig *rig, int slot, int row, float value)
{
    assert_true(params_set(rig->params, params_id(OWNER_EMITTER, slot, row), (double)value));
}

static int add(Rig *rig, const char *name, float rate, int blend)
{
    char why[200];
    const int slot = params_add(rig->params, OWNER_EMITTER, name, why, sizeof why);
    assert_true(slot >= 0);
    set(rig, slot, SWARM_RATE, rate);
    set(rig, slot, SWARM_BLEND, (float)blend);
    set(rig, slot, SWARM_AREA_Z, 3);
    return slot;
}

static void play(Rig *rig, int frames)
{
    for (int f = 0; f < frames; f++) {
        sim_begin(rig->sim, rig->params);
        sim_hop(rig->sim, rig->params, NULL, 1.0f / 60, 1.0f / 60);
        const Motion motion = motion_of(rig->params, 0);
        sim_step(rig->sim, rig->params, &motion, (uint32_t)f, 1.0f / 60);
    }
}

static const Vec3 forward = { 0.36f, 0.48f, -0.8f };

static void draw(Rig *rig, uint32_t capacity)
{
    rig->count = sim_sprites(rig->sim, rig->params, forward, rig->sprites, capacity, rig->runs,
                             &rig->run_count);
}

static float depth(const Sprite *s)
{
    return s->x * forward.x + s->y * forward.y + s->z * forward.z;
}

static void every_living_particle_is_one_sprite(void **state)
{
    (void)state;
    Rig rig = rig_new(2);
    const int slots[] = { add(&rig, "a", 5000, BLEND_ADD), add(&rig, "b", 20, BLEND_ALPHA),
                          add(&rig, "c", 2000, BLEND_ALPHA) };
    play(&rig, 60);
    draw(&rig, CAPACITY);
    assert_int_equal(rig.count, sim_alive(rig.sim));
    assert_int_equal(rig.run_count, 3);
    uint32_t next = 0;
    for (int n = 0; n < 3; n++) {
        assert_int_equal(rig.runs[n].emitter, slots[n]);
        assert_int_equal(rig.runs[n].first, next);
        assert_int_equal(rig.runs[n].count, sim_emitter_alive(rig.sim, slots[n]));
        next += rig.runs[n].count;
    }
    assert_int_equal(next, rig.count);
    rig_free(&rig);
}

static int by_place(const void *a, const void *b)
{
    return memcmp(a, b, 3 * sizeof(float));
}

static void sorted_by_depth_and_none_lost(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads += 2) {
        Rig rig = rig_new(threads);
        const int slot = add(&rig, "smoke", 6000, BLEND_ALPHA);
        play(&rig, 60);
        draw(&rig, CAPACITY);
        assert_true(rig.count > 4096);
        for (uint32_t n = 1; n < rig.count; n++)
            assert_true(depth(&rig.sprites[n - 1]) >= depth(&rig.sprites[n]));

        // The same sprites as without sorting.
        Sprite *sorted = calloc(CAPACITY, sizeof *sorted);
        memcpy(sorted, rig.sprites, sizeof *sorted * rig.count);
        set(&rig, slot, SWARM_BLEND, BLEND_ADD);
        draw(&rig, CAPACITY);
        qsort(sorted, rig.count, sizeof *sorted, by_place);
        qsort(rig.sprites, rig.count, sizeof *sorted, by_place);
        assert_memory_equal(sorted, rig.sprites, sizeof *sorted * rig.count);
        free(sorted);
        rig_free(&rig);
    }
}

static void a_curve(Rig *rig, int slot, int row, const Stops *stops)
{
    char why[200];
    assert_true(
        params_set_stops(rig->params, params_id(OWNER_EMITTER, slot, row), stops, why, sizeof why));
}

static float channel(uint32_t colour, int n)
{
    return (float)(colour >> 8 * n & 255) / 255;
}

static void size_and_colour_follow_the_curves(void **state)
{
    (void)state;
    Rig rig = rig_new(1);
    const int slot = add(&rig, "spark", 1500, BLEND_ADD);
    set(&rig, slot, SWARM_SIZE, 0.5f);
    set(&rig, slot, SWARM_SIZE_RANDOM, 0.4f);
    play(&rig, 10);
    draw(&rig, CAPACITY); // bakes the defaults, which must not stay
    a_curve(&rig, slot, SWARM_SIZE_CURVE,
            &(Stops){ .count = 2, .at = { 0, 1 }, .value = { { 3 }, { 1 } } });
    a_curve(&rig, slot, SWARM_COLOUR,
            &(Stops){ .count = 2,
                      .at = { 0, 1 },
                      .value = { { 1, 0, 0.25f, 1 }, { 0, 1, 0.25f, 0.2f } } });
    play(&rig, 60);
    draw(&rig, CAPACITY);
    Particle *p = calloc(CAPACITY, sizeof *p);
    uint32_t *keys = calloc(CAPACITY, sizeof *keys);
    assert_int_equal(sim_particles(rig.sim, slot, p, keys, CAPACITY), rig.count);
    for (uint32_t n = 0; n < rig.count; n++) {
        const Sprite *s = &rig.sprites[n];
        const float share = p[n].age / p[n].life;
        assert_float_equal(s->x, p[n].position.x, 0);
        assert_float_equal(s->y, p[n].position.y, 0);
        assert_float_equal(s->z, p[n].position.z, 0);
        assert_float_equal(s->size, 0.5f * law_size_factor(keys[n], 0.4f) * (3 - 2 * share),
                           0.004f);
        assert_float_equal(powf(channel(s->colour, 0), 2), 1 - share, 0.012f);
        assert_float_equal(powf(channel(s->colour, 1), 2), share, 0.012f);
        assert_float_equal(channel(s->colour, 2), 0.5f, 0.003f);
        assert_float_equal(channel(s->colour, 3), 1 - 0.8f * share, 0.006f);
    }
    free(keys);
    free(p);
    rig_free(&rig);
}

static void the_hidden_live_on_undrawn(void **state)
{
    (void)state;
    Rig rig = rig_new(1);
    const int a = add(&rig, "a", 500, BLEND_ADD), b = add(&rig, "b", 500, BLEND_ALPHA);
    play(&rig, 30);
    set(&rig, a, SWARM_VISIBLE, 0);
    play(&rig, 1);
    draw(&rig, CAPACITY);
    assert_int_equal(rig.run_count, 1);
    assert_int_equal(rig.runs[0].emitter, b);
    assert_int_equal(rig.count, sim_emitter_alive(rig.sim, b));
    assert_true(sim_emitter_alive(rig.sim, a) > 200);
    set(&rig, b, SWARM_VISIBLE, 0);
    draw(&rig, CAPACITY);
    assert_int_equal(rig.run_count, 0);
    assert_int_equal(rig.count, 0);
    rig_free(&rig);
}

static void the_removed_are_not_drawn_even_before_the_next_frame(void **state)
{
    (void)state;
    Rig rig = rig_new(1);
    const int a = add(&rig, "a", 500, BLEND_ADD);
    play(&rig, 30);
    params_remove(rig.params, OWNER_EMITTER, a);
    draw(&rig, CAPACITY);
    assert_int_equal(rig.count, 0);
    assert_int_equal(add(&rig, "b", 500, BLEND_ADD), a);
    draw(&rig, CAPACITY);
    assert_int_equal(rig.count, 0);
    rig_free(&rig);
}

static void short_room_is_kept(void **state)
{
    (void)state;
    Rig rig = rig_new(2);
    add(&rig, "a", 4000, BLEND_ADD);
    add(&rig, "b", 4000, BLEND_ALPHA);
    play(&rig, 60);
    const uint32_t first = sim_emitter_alive(rig.sim, 0);
    const uint32_t rooms[] = { 0, 1, first - 1, first, first + 5, first + 2500 };
    for (int n = 0; n < COUNT_OF(rooms); n++) {
        memset(rig.sprites, 0xee, sizeof(Sprite) * CAPACITY);
        draw(&rig, rooms[n]);
        assert_int_equal(rig.count, rooms[n]);
        uint32_t behind;
        memset(&behind, 0xee, sizeof behind);
        assert_int_equal(rig.sprites[rooms[n]].colour, behind);
        uint32_t sum = 0;
        for (int r = 0; r < rig.run_count; r++) sum += rig.runs[r].count;
        assert_int_equal(sum, rooms[n]);
    }
    rig_free(&rig);
}

static void a_sprite_is_24_bytes(void **state)
{
    (void)state;
    assert_int_equal(sizeof(Sprite), 24);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_living_particle_is_one_sprite),
        cmocka_unit_test(sorted_by_depth_and_none_lost),
        cmocka_unit_test(size_and_colour_follow_the_curves),
        cmocka_unit_test(the_hidden_live_on_undrawn),
        cmocka_unit_test(the_removed_are_not_drawn_even_before_the_next_frame),
        cmocka_unit_test(short_room_is_kept),
        cmocka_unit_test(a_sprite_is_24_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
