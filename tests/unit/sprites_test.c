#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "sim/engine.h"

typedef struct {
    Params *params;
    Sim *sim;
    Sprites sprites;
    SpriteView view;
    uint32_t count;
    SpriteRun runs[EMITTER_SLOTS];
    int run_count;
} Rig;

enum { CAPACITY = 32768 };

static Rig rig_new(int threads)
{
    char why[200];
    Rig rig = { .params = params_new(),
                .sprites = { .places = calloc(CAPACITY, sizeof(SpritePlace)),
                             .looks = calloc(CAPACITY, sizeof(SpriteLook)),
                             .ways = calloc(CAPACITY, sizeof(SpriteWay)) },
                .view = { .forward = { 0.36f, 0.48f, -0.8f } } };
    rig.sim =
        sim_new(&(SimDesc){ .capacity = CAPACITY, .threads = threads, .seed = 7 }, why, sizeof why);
    assert_non_null(rig.sim);
    return rig;
}

static void rig_free(Rig *rig)
{
    sim_free(rig->sim);
    params_free(rig->params);
    free(rig->sprites.places);
    free(rig->sprites.looks);
    free(rig->sprites.ways);
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

static void draw(Rig *rig, uint32_t capacity)
{
    rig->count = sim_sprites(rig->sim, rig->params, &rig->view, &rig->sprites, capacity, rig->runs,
                             &rig->run_count);
}

static float depth(const Rig *rig, const SpritePlace *s)
{
    const Vec3 f = rig->view.forward;
    return s->x * f.x + s->y * f.y + s->z * f.z;
}

// ---- which sprites, in which order --------------------------------------------------------------

static uint32_t count_of(const Rig *rig, int slot)
{
    uint32_t count = 0;
    for (uint32_t n = 0; n < rig->count; n++) count += rig->sprites.places[n].emitter == slot;
    return count;
}

static void every_living_particle_is_one_sprite(void **state)
{
    (void)state;
    Rig rig = rig_new(2);
    const int slots[] = { add(&rig, "a", 5000, BLEND_ADD), add(&rig, "b", 20, BLEND_ALPHA),
                          add(&rig, "c", 2000, BLEND_ALPHA), add(&rig, "d", 300, BLEND_ADD) };
    set(&rig, slots[0], SWARM_LAYER, 3);
    play(&rig, 60);
    draw(&rig, CAPACITY);
    assert_int_equal(rig.count, sim_alive(rig.sim));
    for (int n = 0; n < COUNT_OF(slots); n++)
        assert_int_equal(count_of(&rig, slots[n]), sim_emitter_alive(rig.sim, slots[n]));
    uint32_t next = 0;
    for (int n = 0; n < rig.run_count; n++) {
        assert_int_equal(rig.runs[n].first, next);
        next += rig.runs[n].count;
    }
    assert_int_equal(next, rig.count);
    rig_free(&rig);
}

typedef struct {
    int layer;
    SpriteKind kind;
    int blend;
} Given;

typedef struct {
    int layer;
    SpriteKind kind;
    bool covers;
    int emitter;
} Wanted;

static void expect_runs(const Given *given, int given_count, const Wanted *wanted, int wanted_count)
{
    Rig rig = rig_new(1);
    for (int n = 0; n < given_count; n++) {
        const int slot = add(&rig, (char[]){ (char)('a' + n), 0 }, 500, given[n].blend);
        set(&rig, slot, SWARM_LAYER, (float)given[n].layer);
        rig.view.kinds[slot] = given[n].kind;
    }
    play(&rig, 20);
    draw(&rig, CAPACITY);
    assert_int_equal(rig.run_count, wanted_count);
    for (int n = 0; n < wanted_count; n++) {
        assert_int_equal(rig.runs[n].layer, wanted[n].layer);
        assert_int_equal(rig.runs[n].kind, wanted[n].kind);
        assert_int_equal(rig.runs[n].covers, wanted[n].covers);
        assert_int_equal(rig.runs[n].emitter, wanted[n].emitter);
    }
    rig_free(&rig);
}

static void a_layer_is_one_run_a_kind_and_one_in_all_where_something_covers(void **state)
{
    (void)state;
    const Given lights[] = { { 0, SPRITE_SHEET, BLEND_ADD }, { 5, SPRITE_POINT, BLEND_ADD },
                             { 0, SPRITE_POINT, BLEND_ADD }, { 0, SPRITE_SHEET, BLEND_ADD },
                             { -7, SPRITE_DISC, BLEND_ADD }, { 0, SPRITE_POINT, BLEND_ADD } };
    const Wanted kind_by_kind[] = { { -7, SPRITE_DISC, false, 4 },
                                    { 0, SPRITE_POINT, false, 2 },
                                    { 0, SPRITE_SHEET, false, 0 },
                                    { 5, SPRITE_POINT, false, 1 } };
    expect_runs(lights, COUNT_OF(lights), kind_by_kind, COUNT_OF(kind_by_kind));

    const Given mixed[] = { { 0, SPRITE_POINT, BLEND_ADD },  { 0, SPRITE_BODY, BLEND_ALPHA },
                            { 0, SPRITE_DISC, BLEND_ALPHA }, { 1, SPRITE_POINT, BLEND_ALPHA },
                            { 0, SPRITE_BODY, BLEND_ADD },   { 2, SPRITE_BODY, BLEND_ALPHA } };
    const Wanted together[] = { { 0, SPRITE_BODY, false, 1 },
                                { 0, SPRITE_BODY, false, 4 },
                                { 0, SPRITE_DISC, true, 0 },
                                { 1, SPRITE_POINT, true, 3 },
                                { 2, SPRITE_BODY, false, 5 } };
    expect_runs(mixed, COUNT_OF(mixed), together, COUNT_OF(together));
}

// Insertion keeps equal ones in order, as the sort should.
static void sort_plainly(const Rig *rig, SpritePlace *places, SpriteLook *looks, uint32_t count)
{
    for (uint32_t n = 1; n < count; n++) {
        const SpritePlace place = places[n];
        const SpriteLook look = looks[n];
        uint32_t at = n;
        for (; at > 0 && depth(rig, &places[at - 1]) < depth(rig, &place); at--) {
            places[at] = places[at - 1];
            looks[at] = looks[at - 1];
        }
        places[at] = place;
        looks[at] = look;
    }
}

// Three emitters, of which one covers, through each other.
static void a_layer_is_sorted_by_depth_over_its_emitters(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads += 2) {
        Rig rig = rig_new(threads);
        const int light = add(&rig, "light", 2500, BLEND_ADD);
        const int smoke = add(&rig, "smoke", 3500, BLEND_ADD);
        add(&rig, "dust", 10, BLEND_ADD);
        set(&rig, light, SWARM_POSITION_Z, 0.5f);
        play(&rig, 60);
        draw(&rig, CAPACITY);
        assert_int_equal(rig.run_count, 1);
        assert_false(rig.runs[0].covers);
        assert_true(rig.count > 4096);
        SpritePlace *places = calloc(rig.count, sizeof *places);
        SpriteLook *looks = calloc(rig.count, sizeof *looks);
        memcpy(places, rig.sprites.places, rig.count * sizeof *places);
        memcpy(looks, rig.sprites.looks, rig.count * sizeof *looks);
        sort_plainly(&rig, places, looks, rig.count);

        set(&rig, smoke, SWARM_BLEND, BLEND_ALPHA);
        draw(&rig, CAPACITY);
        assert_int_equal(rig.run_count, 1);
        assert_true(rig.runs[0].covers);
        assert_memory_equal(places, rig.sprites.places, rig.count * sizeof *places);
        assert_memory_equal(looks, rig.sprites.looks, rig.count * sizeof *looks);
        free(places);
        free(looks);
        rig_free(&rig);
    }
}

// ---- looks --------------------------------------------------------------------------------------

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

enum { SHEET_64 = 64 };

// One emitter of long streams, with a sheet, and its particles beside its sprites.
typedef struct {
    Rig rig;
    int slot;
    Particle *particles;
    uint32_t *keys;
} Watch;

static Watch watch_new(float rate)
{
    Watch w = { .rig = rig_new(1),
                .particles = calloc(CAPACITY, sizeof(Particle)),
                .keys = calloc(CAPACITY, sizeof(uint32_t)) };
    w.slot = add(&w.rig, "spark", rate, BLEND_ADD);
    w.rig.view.kinds[w.slot] = SPRITE_SHEET;
    w.rig.view.frames[w.slot] = SHEET_64;
    return w;
}

static void watch_free(Watch *w)
{
    free(w->keys);
    free(w->particles);
    rig_free(&w->rig);
}

static void look_at(Watch *w)
{
    draw(&w->rig, CAPACITY);
    assert_int_equal(sim_particles(w->rig.sim, w->slot, w->particles, w->keys, CAPACITY),
                     w->rig.count);
    assert_true(w->rig.count > 50);
}

static float size_of(const Watch *w, uint32_t n)
{
    return half_value(w->rig.sprites.places[n].size);
}

static void size_and_colour_follow_the_curves(void **state)
{
    (void)state;
    Watch w = watch_new(1500);
    set(&w.rig, w.slot, SWARM_SIZE, 0.5f);
    set(&w.rig, w.slot, SWARM_SIZE_RANDOM, 0.4f);
    play(&w.rig, 10);
    draw(&w.rig, CAPACITY); // bakes the defaults, which must not stay
    a_curve(&w.rig, w.slot, SWARM_SIZE_CURVE,
            &(Stops){ .count = 2, .at = { 0, 1 }, .value = { { 3 }, { 1 } } });
    a_curve(&w.rig, w.slot, SWARM_COLOUR,
            &(Stops){ .count = 2,
                      .at = { 0, 1 },
                      .value = { { 1, 0, 0.25f, 1 }, { 0, 1, 0.25f, 0.2f } } });
    play(&w.rig, 60);
    look_at(&w);
    for (uint32_t n = 0; n < w.rig.count; n++) {
        const SpritePlace *s = &w.rig.sprites.places[n];
        const uint32_t colour = w.rig.sprites.looks[n].colour;
        const Particle *p = &w.particles[n];
        const float share = p->age / p->life;
        assert_float_equal(s->x, p->position.x, 0);
        assert_float_equal(s->y, p->position.y, 0);
        assert_float_equal(s->z, p->position.z, 0);
        assert_float_equal(half_value(s->size),
                           0.5f * law_size_factor(w.keys[n], 0.4f) * (3 - 2 * share),
                           0.5f / (SHADES - 1) + 1.5f / 2048);
        assert_float_equal(powf(channel(colour, 0), 2), 1 - share, 0.012f);
        assert_float_equal(powf(channel(colour, 1), 2), share, 0.012f);
        assert_float_equal(channel(colour, 2), 0.5f, 0.003f);
        assert_float_equal(channel(colour, 3), 1 - 0.8f * share, 0.006f);
        assert_int_equal(s->emitter, w.slot);
        assert_int_equal(s->chance, chance_of(w.keys[n]) >> 24);
    }
    watch_free(&w);
}

static void the_ends_of_the_gradient_are_reached(void **state)
{
    (void)state;
    Watch w = watch_new(30000);
    set(&w.rig, w.slot, SWARM_LIFE, 0.6f);
    a_curve(&w.rig, w.slot, SWARM_COLOUR,
            &(Stops){ .count = 2, .at = { 0, 1 }, .value = { { 1, 0, 0, 1 }, { 0, 1, 0, 0 } } });
    play(&w.rig, 60);
    look_at(&w);
    int first = 0, last = 0;
    for (uint32_t n = 0; n < w.rig.count; n++) {
        first += w.rig.sprites.looks[n].colour == 0xff0000ffU;
        last += w.rig.sprites.looks[n].colour == 0x0000ff00U;
    }
    assert_true(first > 0 && last > 0);

    // All of them where the curve says.
    a_curve(&w.rig, w.slot, SWARM_COLOUR_CURVE,
            &(Stops){ .count = 1, .at = { 0 }, .value = { { 1 } } });
    look_at(&w);
    for (uint32_t n = 0; n < w.rig.count; n++)
        assert_int_equal(w.rig.sprites.looks[n].colour, 0x0000ff00U);
    watch_free(&w);
}

static void size_goes_to_its_end_and_every_end_is_another(void **state)
{
    (void)state;
    const Stops flat = { .count = 1, .at = { 0 }, .value = { { 1 } } };
    Watch w = watch_new(1500);
    set(&w.rig, w.slot, SWARM_SIZE, 2);
    set(&w.rig, w.slot, SWARM_SIZE_RANDOM, 0);
    set(&w.rig, w.slot, SWARM_SIZE_END, 4);
    a_curve(&w.rig, w.slot, SWARM_SIZE_CURVE, &flat);
    play(&w.rig, 60);
    look_at(&w);
    for (uint32_t n = 0; n < w.rig.count; n++) {
        const float share = w.particles[n].age / w.particles[n].life;
        assert_float_equal(size_of(&w, n), 2 * (1 + 3 * share), 8.0f / 2048);
    }
    set(&w.rig, w.slot, SWARM_SIZE_END_RANDOM, 1);
    look_at(&w);
    float least = 10, most = 0;
    for (uint32_t n = 0; n < w.rig.count; n++) {
        const float share = w.particles[n].age / w.particles[n].life;
        const float end = 1 + (size_of(&w, n) / 2 - 1) / share;
        if (share < 0.2f) continue;
        assert_true(end > -0.01f && end < 4.01f);
        least = fminf(least, end);
        most = fmaxf(most, end);
    }
    assert_true(least < 0.1f && most > 3.9f);
    set(&w.rig, w.slot, SWARM_SIZE_CHANGE, 0);
    look_at(&w);
    for (uint32_t n = 0; n < w.rig.count; n++) assert_float_equal(size_of(&w, n), 2, 0);
    watch_free(&w);
}

// Turns apart, the short way round.
static float apart(float a, float b)
{
    const float d = a - b - floorf(a - b);
    return d < 0.5f ? d : 1 - d;
}

static float turns_of(const SpriteLook *s)
{
    return (float)s->rotation / 65536;
}

static void it_turns_as_fast_as_it_is_told(void **state)
{
    (void)state;
    Watch w = watch_new(500);
    set(&w.rig, w.slot, SWARM_ROTATION, 90);
    set(&w.rig, w.slot, SWARM_ROTATION_RANDOM, 0);
    set(&w.rig, w.slot, SWARM_ROTATION_SPEED, -700);
    set(&w.rig, w.slot, SWARM_ROTATION_SPEED_RANDOM, 0);
    play(&w.rig, 60);
    look_at(&w);
    for (uint32_t n = 0; n < w.rig.count; n++)
        assert_true(apart(turns_of(&w.rig.sprites.looks[n]),
                          0.25f - 700 * w.particles[n].age / 360) < 1e-3f);

    // A speed that grows from nothing: half as far at the end, a quarter of that at half.
    const Stops rising = { .count = 2, .at = { 0, 1 }, .value = { { 0 }, { 1 } } };
    a_curve(&w.rig, w.slot, SWARM_ROTATION_CURVE, &rising);
    look_at(&w);
    for (uint32_t n = 0; n < w.rig.count; n++) {
        const float age = w.particles[n].age, life = w.particles[n].life;
        assert_true(apart(turns_of(&w.rig.sprites.looks[n]),
                          0.25f - 700 * age * age / (2 * life) / 360) < 1e-3f);
    }
    watch_free(&w);
}

static void some_turn_the_other_way_and_each_at_its_own_speed(void **state)
{
    (void)state;
    Watch w = watch_new(1500);
    set(&w.rig, w.slot, SWARM_ROTATION_RANDOM, 0);
    set(&w.rig, w.slot, SWARM_ROTATION_SPEED, 100);
    set(&w.rig, w.slot, SWARM_ROTATION_SPEED_RANDOM, 0.5f);
    set(&w.rig, w.slot, SWARM_ROTATION_FLIP, 0.25f);
    play(&w.rig, 60);
    look_at(&w);
    float slowest = 1000, fastest = 0;
    int other = 0, all = 0;
    for (uint32_t n = 0; n < w.rig.count; n++) {
        if (w.particles[n].age < 0.2f) continue;
        const float turned = turns_of(&w.rig.sprites.looks[n]);
        const float speed = 360 * (turned < 0.5f ? turned : 1 - turned) / w.particles[n].age;
        slowest = fminf(slowest, speed);
        fastest = fmaxf(fastest, speed);
        other += turned >= 0.5f;
        all++;
    }
    assert_true(slowest > 49.8f && slowest < 52 && fastest > 98 && fastest < 100.2f);
    assert_true(abs(other - all / 4) < all / 16);
    watch_free(&w);
}

static void rotations_at_birth_fill_their_range(void **state)
{
    (void)state;
    Watch w = watch_new(1500);
    set(&w.rig, w.slot, SWARM_ROTATION, 36);
    set(&w.rig, w.slot, SWARM_ROTATION_RANDOM, 90);
    play(&w.rig, 60);
    look_at(&w);
    float least = 1, most = 0;
    for (uint32_t n = 0; n < w.rig.count; n++) {
        least = fminf(least, turns_of(&w.rig.sprites.looks[n]));
        most = fmaxf(most, turns_of(&w.rig.sprites.looks[n]));
    }
    assert_true(least >= 0.0999f && least < 0.105f && most > 0.345f && most <= 0.35f);
    w.rig.view.kinds[w.slot] = SPRITE_POINT; // round: nobody sees it turn
    w.rig.view.frames[w.slot] = 0;
    look_at(&w);
    for (uint32_t n = 0; n < w.rig.count; n++) assert_int_equal(w.rig.sprites.looks[n].rotation, 0);
    watch_free(&w);
}

// ---- frames -------------------------------------------------------------------------------------

static float frame_of(const SpriteLook *s)
{
    return (float)s->frame / 256;
}

// A curve that makes particles faster or slower than their velocity stretches them as it moves them.
static void what_is_stretched_goes_as_fast_as_it_is_seen_to_go(void **state)
{
    (void)state;
    Watch w = watch_new(1500);
    set(&w.rig, w.slot, SWARM_OUTWARD, 5);
    for (int curved = 0; curved < 2; curved++) {
        if (curved)
            a_curve(&w.rig, w.slot, SWARM_SPEED_CURVE,
                    &(Stops){ .count = 2, .at = { 0, 1 }, .value = { { 2 }, { 0.5f } } });
        set(&w.rig, w.slot, SWARM_FACING, FACING_EYE);
        play(&w.rig, 100);
        memset(w.rig.sprites.ways, 0xee, sizeof(SpriteWay) * CAPACITY);
        look_at(&w);
        for (uint32_t n = 0; n < w.rig.count; n++)
            assert_int_equal(w.rig.sprites.ways[n].vx, (int16_t)0xeeee); // costs nothing
        set(&w.rig, w.slot, SWARM_FACING, FACING_STRETCHED);
        look_at(&w);
        for (uint32_t n = 0; n < w.rig.count; n++) {
            const Particle *p = &w.particles[n];
            const SpriteWay *s = &w.rig.sprites.ways[n];
            const float times = curved ? 2 - 1.5f * p->age / p->life : 1;
            assert_float_equal(s->vx / 256.0f, times * p->velocity.x, 0.01f);
            assert_float_equal(s->vy / 256.0f, times * p->velocity.y, 0.01f);
            assert_float_equal(s->vz / 256.0f, times * p->velocity.z, 0.01f);
        }
    }
    watch_free(&w);
}

static void frames_run_once_over_life(void **state)
{
    (void)state;
    Watch w = watch_new(1500);
    play(&w.rig, 60);
    for (int melt = 0; melt < 2; melt++) {
        set(&w.rig, w.slot, SWARM_SHEET_BLEND, (float)melt);
        look_at(&w);
        for (uint32_t n = 0; n < w.rig.count; n++) {
            const float share = w.particles[n].age / w.particles[n].life;
            const float at = melt ? 63 * share : floorf(64 * share);
            assert_float_equal(frame_of(&w.rig.sprites.looks[n]), at, melt ? 0.01f : 0);
        }
    }
    watch_free(&w);
}

static void frames_run_free_round_the_sheet(void **state)
{
    (void)state;
    Watch w = watch_new(1500);
    set(&w.rig, w.slot, SWARM_SHEET_FIT, SHEET_FIT_FREE);
    set(&w.rig, w.slot, SWARM_SHEET_FPS, 100);
    set(&w.rig, w.slot, SWARM_SHEET_START, 70); // 6 on a sheet of 64
    play(&w.rig, 90);
    look_at(&w);
    int again = 0;
    for (uint32_t n = 0; n < w.rig.count; n++) {
        const float at = 6 + 100 * w.particles[n].age;
        again += at > 64;
        assert_true(apart(frame_of(&w.rig.sprites.looks[n]) / 64, at / 64) < 0.02f / 64);
        assert_true(w.rig.sprites.looks[n].frame < 64 * 256);
    }
    assert_true(again > 50);
    watch_free(&w);
}

static void a_still_frame_stays_and_any_frame_may_be_the_first(void **state)
{
    (void)state;
    Watch w = watch_new(1500);
    set(&w.rig, w.slot, SWARM_SHEET_FIT, SHEET_FIT_STILL);
    set(&w.rig, w.slot, SWARM_SHEET_START, 9);
    play(&w.rig, 60);
    look_at(&w);
    for (uint32_t n = 0; n < w.rig.count; n++)
        assert_int_equal(w.rig.sprites.looks[n].frame, 9 * 256);
    set(&w.rig, w.slot, SWARM_SHEET_RANDOM, 1);
    for (int frames = 1; frames <= 256; frames += 51) {
        int seen[256] = { 0 }, kinds = 0;
        w.rig.view.frames[w.slot] = (uint16_t)frames;
        look_at(&w);
        for (uint32_t n = 0; n < w.rig.count; n++) {
            assert_int_equal(w.rig.sprites.looks[n].frame % 256, 0);
            kinds += seen[w.rig.sprites.looks[n].frame / 256]++ == 0;
        }
        for (int f = frames; f < 256; f++) assert_int_equal(seen[f], 0);
        assert_true(kinds > frames * 9 / 10);
    }
    watch_free(&w);
}

// ---- tables -------------------------------------------------------------------------------------

static int tables_in_use(const Rig *rig)
{
    int count = 0;
    for (int n = 0; n < EMITTER_SLOTS; n++) count += rig->sim->looks[n].users > 0;
    return count;
}

static void emitters_of_the_same_curves_share_one_table(void **state)
{
    (void)state;
    const Stops other = { .count = 1, .at = { 0 }, .value = { { 0.5f } } };
    enum { MANY = 12 };
    Rig rig = rig_new(1);
    for (int n = 0; n < MANY; n++) {
        char name[16];
        snprintf(name, sizeof name, "e%d", n);
        add(&rig, name, 60, BLEND_ADD);
    }
    play(&rig, 10);
    draw(&rig, CAPACITY);
    assert_int_equal(tables_in_use(&rig), 1);
    a_curve(&rig, 7, SWARM_SIZE_CURVE, &other);
    a_curve(&rig, 9, SWARM_SIZE_CURVE, &other);
    set(&rig, 3, SWARM_CURVES, CURVES_SMOOTH);
    draw(&rig, CAPACITY);
    assert_int_equal(tables_in_use(&rig), 3);
    // Each another one.
    for (int n = 0; n < MANY; n++)
        a_curve(&rig, n, SWARM_SIZE_CURVE,
                &(Stops){ .count = 1, .at = { 0 }, .value = { { (float)(n + 1) / 32 } } });
    draw(&rig, CAPACITY);
    assert_int_equal(tables_in_use(&rig), MANY);
    rig_free(&rig);
}

// ---- who is drawn -------------------------------------------------------------------------------

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

static void a_hidden_system_hides_all_that_is_in_it(void **state)
{
    (void)state;
    char why[200];
    Rig rig = rig_new(1);
    const int a = add(&rig, "a", 500, BLEND_ADD), b = add(&rig, "b", 500, BLEND_ALPHA);
    const int c = add(&rig, "c", 500, BLEND_ADD);
    assert_true(params_set_text(rig.params, params_id(OWNER_EMITTER, a, SWARM_SYSTEM), "both", why,
                                sizeof why));
    assert_true(params_set_text(rig.params, params_id(OWNER_EMITTER, b, SWARM_SYSTEM), "both", why,
                                sizeof why));
    const int system = params_system(rig.params, OWNER_EMITTER, a);
    assert_true(params_set(rig.params, params_id(OWNER_SYSTEM, system, SYSTEM_VISIBLE), 0));
    play(&rig, 30);
    draw(&rig, CAPACITY);
    assert_int_equal(rig.count, sim_emitter_alive(rig.sim, c));
    assert_int_equal(count_of(&rig, c), rig.count);
    assert_true(params_set(rig.params, params_id(OWNER_SYSTEM, system, SYSTEM_VISIBLE), 1));
    draw(&rig, CAPACITY);
    assert_int_equal(rig.count, sim_alive(rig.sim));
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
        memset(rig.sprites.looks, 0xee, sizeof(SpriteLook) * CAPACITY);
        draw(&rig, rooms[n]);
        assert_int_equal(rig.count, rooms[n]);
        uint32_t behind;
        memset(&behind, 0xee, sizeof behind);
        assert_int_equal(rig.sprites.looks[rooms[n]].colour, behind);
        uint32_t sum = 0;
        for (int r = 0; r < rig.run_count; r++) sum += rig.runs[r].count;
        assert_int_equal(sum, rooms[n]);
    }
    rig_free(&rig);
}

// ---- sprites that the step writes ---------------------------------------------------------------

typedef struct {
    SpritePlace place;
    SpriteLook look;
    SpriteWay way;
} Seen;

// Those of which there is something to be seen, in the order of drawing.
static uint32_t take_seen(const Rig *rig, Seen *seen)
{
    uint32_t count = 0;
    for (int r = 0; r < rig->run_count; r++)
        for (uint32_t n = rig->runs[r].first; n < rig->runs[r].first + rig->runs[r].count; n++)
            if (rig->sprites.places[n].size > 0)
                seen[count++] =
                    (Seen){ rig->sprites.places[n], rig->sprites.looks[n], rig->sprites.ways[n] };
    return count;
}

static void add_all_kinds(Rig *rig)
{
    const int light = add(rig, "light", 9000, BLEND_ADD),
              smoke = add(rig, "smoke", 3000, BLEND_ALPHA);
    const int rain = add(rig, "rain", 4000, BLEND_ADD), bodies = add(rig, "bodies", 700, BLEND_ADD);
    const int hidden = add(rig, "hidden", 500, BLEND_ADD), mist = add(rig, "mist", 900, BLEND_ADD);
    set(rig, light, SWARM_LIFE, 0.4f);
    set(rig, rain, SWARM_FACING, FACING_STRETCHED);
    set(rig, smoke, SWARM_LIFE_RANDOM, 0.8f);
    set(rig, smoke, SWARM_LAYER, 1);
    set(rig, mist, SWARM_LAYER, 1);
    set(rig, hidden, SWARM_VISIBLE, 0);
    rig->view.kinds[light] = SPRITE_SHEET;
    rig->view.frames[light] = 16;
    rig->view.kinds[bodies] = SPRITE_BODY;
}

static void the_step_writes_what_would_be_written_behind_it(void **state)
{
    (void)state;
    Seen *seen = calloc(2 * CAPACITY, sizeof *seen), *again = seen + CAPACITY;
    for (int threads = 1; threads <= 3; threads += 2) {
        Rig rig = rig_new(threads);
        uint32_t dead = 0;
        add_all_kinds(&rig);
        for (int f = 0; f < 60; f++) {
            sim_will_draw(rig.sim, &rig.view, &rig.sprites, CAPACITY);
            play(&rig, 1);
            draw(&rig, CAPACITY);
            dead += rig.count - (sim_alive(rig.sim) - sim_emitter_alive(rig.sim, 4));
            const uint32_t count = take_seen(&rig, seen);
            memset(rig.sprites.ways, 0, sizeof(SpriteWay) * CAPACITY);
            draw(&rig, CAPACITY); // a second time: behind the step
            assert_int_equal(rig.count, sim_alive(rig.sim) - sim_emitter_alive(rig.sim, 4));
            assert_int_equal(take_seen(&rig, again), count);
            for (uint32_t n = 0; n < count; n++) {
                assert_memory_equal(&seen[n].place, &again[n].place, sizeof(SpritePlace));
                assert_memory_equal(&seen[n].look, &again[n].look, sizeof(SpriteLook));
                if (seen[n].place.emitter == 2)
                    assert_memory_equal(&seen[n].way, &again[n].way, sizeof(SpriteWay));
            }
        }
        assert_true(dead > 1000);
        rig_free(&rig);
    }
    free(seen);
}

// Another view, other arrays or too few of them, or births behind the step: then they are not.
static void what_the_step_cannot_foresee_is_written_behind_it(void **state)
{
    (void)state;
    Rig rig = rig_new(2);
    const int a = add(&rig, "a", 3000, BLEND_ADD);
    set(&rig, a, SWARM_LIFE, 0.5f);
    play(&rig, 60);
    const SpriteView other = { .forward = { 0, 0, 1 } };
    const Hit hit = { .system = params_system(rig.params, OWNER_EMITTER, a) };
    for (int n = 0; n < 5; n++) {
        sim_will_draw(rig.sim, n == 1 ? &other : &rig.view,
                      &(Sprites){ rig.sprites.places, rig.sprites.looks,
                                  rig.sprites.ways + (n == 2 ? CAPACITY / 2 : 0) },
                      n == 3 ? CAPACITY / 2 : CAPACITY);
        if (n == 4) sim_hits(rig.sim, &hit, 1);
        play(&rig, 1);
        draw(&rig, CAPACITY);
        assert_true(n == 0 ? rig.count > sim_alive(rig.sim) : rig.count == sim_alive(rig.sim));
    }
    rig_free(&rig);
}

static void a_sprite_is_24_bytes_and_its_way_8(void **state)
{
    (void)state;
    assert_int_equal(sizeof(SpritePlace) + sizeof(SpriteLook), 24);
    assert_int_equal(sizeof(SpriteWay), 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_living_particle_is_one_sprite),
        cmocka_unit_test(a_layer_is_one_run_a_kind_and_one_in_all_where_something_covers),
        cmocka_unit_test(a_layer_is_sorted_by_depth_over_its_emitters),
        cmocka_unit_test(size_and_colour_follow_the_curves),
        cmocka_unit_test(the_ends_of_the_gradient_are_reached),
        cmocka_unit_test(size_goes_to_its_end_and_every_end_is_another),
        cmocka_unit_test(it_turns_as_fast_as_it_is_told),
        cmocka_unit_test(some_turn_the_other_way_and_each_at_its_own_speed),
        cmocka_unit_test(rotations_at_birth_fill_their_range),
        cmocka_unit_test(what_is_stretched_goes_as_fast_as_it_is_seen_to_go),
        cmocka_unit_test(frames_run_once_over_life),
        cmocka_unit_test(frames_run_free_round_the_sheet),
        cmocka_unit_test(a_still_frame_stays_and_any_frame_may_be_the_first),
        cmocka_unit_test(emitters_of_the_same_curves_share_one_table),
        cmocka_unit_test(the_hidden_live_on_undrawn),
        cmocka_unit_test(a_hidden_system_hides_all_that_is_in_it),
        cmocka_unit_test(the_removed_are_not_drawn_even_before_the_next_frame),
        cmocka_unit_test(short_room_is_kept),
        cmocka_unit_test(the_step_writes_what_would_be_written_behind_it),
        cmocka_unit_test(what_the_step_cannot_foresee_is_written_behind_it),
        cmocka_unit_test(a_sprite_is_24_bytes_and_its_way_8),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
