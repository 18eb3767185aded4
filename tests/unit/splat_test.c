// The light of sprites as the processor alone sums it for motes bench --gpu.
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/bench_splat.h"
#include "base/base.h"

static const Size size = { 320, 180 };
static const uint32_t white = 0xffffffff;

static Splat splat_of(Size picture, int threads)
{
    char why[256] = "";
    Splat splat;
    if (!splat_init(&splat, 1024, picture, threads, why, sizeof why)) fail_msg("%s", why);
    return splat;
}

typedef struct {
    SpritePlace place;
    SpriteLook look;
} Sprite;

// At x, y pixels from the picture's lower left corner, so many pixels across.
static Sprite sprite_at(const Splat *splat, float x, float y, float across)
{
    const Size picture = splat->light.size;
    const float metres = params_values(splat->crowd.params, OWNER_GLOBAL, 0)[GLOBAL_CAMERA_HEIGHT] /
                         (float)picture.height;
    return (Sprite){ .place = { .x = (x - 0.5f * (float)picture.width) * metres,
                                .y = (y - 0.5f * (float)picture.height) * metres,
                                .size = (uint16_t)half_of(across * metres) },
                     .look = { .colour = white } };
}

static void add(Splat *splat, Sprite sprite)
{
    splat_sprites(splat, &(Sprites){ .places = &sprite.place, .looks = &sprite.look }, 1);
}

static double sum_of(const Splat *splat, int colour)
{
    double sum = 0;
    for (int y = 0; y < splat->light.size.height; y++)
        for (int x = 0; x < splat->light.size.width; x++)
            sum += (double)light_row(&splat->light, y, colour)[x];
    return sum;
}

// All the same to the bit, with what lies behind the rows.
static bool same_light(const Light *a, const Light *b)
{
    const size_t floats = (size_t)a->stride * 3 * (size_t)a->size.height;
    return memcmp(a->values, b->values, floats * sizeof(float)) == 0;
}

// (1 - r^2)^2 over a disc comes to a third of its area; below 1.25 pixels the disc stays and its light
// falls with the square of the radius.
static void a_sprite_gives_light_by_its_area_at_any_size(void **state)
{
    (void)state;
    enum { PLACES = 8 };
    static const float radii[] = { 0.05f, 0.5f, 1, 1.25f, 2, 3.7f, 8, 16 };
    for (int r = 0; r < COUNT_OF(radii); r++) {
        Splat splat = splat_of(size, 1);
        for (int n = 0; n < PLACES * PLACES; n++) {
            const float x = (float)(n % PLACES) / PLACES, y = (float)(n / PLACES) / PLACES;
            add(&splat, sprite_at(&splat, 100 + x, 90 + y, 2 * radii[r]));
        }
        const double area = M_PI * (double)radii[r] * (double)radii[r] / 3;
        const double mean = sum_of(&splat, 0) / (PLACES * PLACES);
        if (!(fabs(mean / area - 1) < 0.01))
            fail_msg("radius %g: %g instead of %g", (double)radii[r], mean, area);
        splat_free(&splat);
    }
}

static void colours_and_opacity_are_as_the_sprite_has_them(void **state)
{
    (void)state;
    Splat splat = splat_of(size, 1);
    Sprite sprite = sprite_at(&splat, 100, 90, 6);
    add(&splat, sprite);
    const double whole = sum_of(&splat, 0);
    sprite.place.x = -sprite.place.x;
    sprite.look.colour = 51u | 102u << 8 | 204u << 16 | 85u << 24; // 1/5, 2/5, 4/5: roots; a third
    add(&splat, sprite);
    const double roots[] = { 0.2, 0.4, 0.8 };
    for (int c = 0; c < 3; c++)
        assert_float_equal(sum_of(&splat, c) / whole - 1, roots[c] * roots[c] / 3, 1e-4);
    splat_free(&splat);
}

static void what_is_not_to_be_seen_adds_nothing(void **state)
{
    (void)state;
    Splat splat = splat_of(size, 2), dark = splat_of(size, 2);
    const Sprite sprite = sprite_at(&splat, 160, 90, 6);
    const float eye = params_values(splat.crowd.params, OWNER_GLOBAL, 0)[GLOBAL_CAMERA_DISTANCE];
    const float odd[] = { NAN, INFINITY, -INFINITY, 1e30f, -1e30f };
    Sprite unseen[32];
    int count = 0;
    for (int n = 0; n < COUNT_OF(odd); n++) {
        unseen[count] = sprite, unseen[count++].place.x = odd[n];
        unseen[count] = sprite, unseen[count++].place.y = odd[n];
        unseen[count] = sprite, unseen[count++].place.z = odd[n];
    }
    unseen[count] = sprite, unseen[count++].place.size = 0;
    unseen[count] = sprite, unseen[count++].look.colour = white >> 8; // no opacity
    unseen[count] = sprite, unseen[count++].place.z = eye;
    unseen[count] = sprite, unseen[count++].place.z = eye + 5; // behind it
    unseen[count++] = sprite_at(&splat, -4, 90, 6);
    unseen[count++] = sprite_at(&splat, 324, 90, 6);
    unseen[count++] = sprite_at(&splat, 160, -4, 6);
    unseen[count++] = sprite_at(&splat, 160, 184, 6);
    assert_true(count <= COUNT_OF(unseen));
    for (int n = 0; n < count; n++) {
        add(&splat, unseen[n]);
        if (!same_light(&splat.light, &dark.light)) fail_msg("the %d-th can be seen", n);
    }
    splat_free(&splat);
    splat_free(&dark);
}

static void a_sprite_on_the_rim_gives_the_part_that_is_inside(void **state)
{
    (void)state;
    const float rims[][2] = { { 0, 90 }, { 320, 90 }, { 160, 0 }, { 160, 180 } };
    for (int n = 0; n < COUNT_OF(rims); n++) {
        Splat whole = splat_of(size, 1), half = splat_of(size, 1);
        const Sprite inside = sprite_at(&whole, 160, 90, 12);
        const Sprite across = sprite_at(&half, rims[n][0], rims[n][1], 12);
        add(&whole, inside);
        add(&half, across);
        assert_float_equal(sum_of(&half, 0) / sum_of(&whole, 0), 0.5, 1e-3);
        splat_free(&whole);
        splat_free(&half);
    }
}

// Of one batch and a little, from tiny to what two bands share.
enum { SPRITES = 33000 };

static void scatter(const Splat *splat, const Sprites *sprites)
{
    const float width = (float)splat->light.size.width, height = (float)splat->light.size.height;
    for (uint32_t n = 0; n < SPRITES; n++) {
        const float x = rng_unit(rng_draw(n, 0)), y = rng_unit(rng_draw(n, 1));
        const Sprite sprite = sprite_at(splat, (x * 1.2f - 0.1f) * width,
                                        (y * 1.2f - 0.1f) * height, rng_unit(rng_draw(n, 2)) * 8);
        sprites->places[n] = sprite.place;
        sprites->looks[n] = sprite.look;
    }
}

static void the_light_is_the_same_on_any_number_of_threads(void **state)
{
    (void)state;
    static const Size pictures[] = { { 320, 180 }, { 1, 1 }, { 3, 500 }, { 641, 41 } };
    const Sprites sprites = { .places = calloc(SPRITES, sizeof(SpritePlace)),
                              .looks = calloc(SPRITES, sizeof(SpriteLook)) };
    for (int p = 0; p < COUNT_OF(pictures); p++) {
        Splat one = splat_of(pictures[p], 1), many = splat_of(pictures[p], 2 + p);
        scatter(&one, &sprites);
        splat_sprites(&one, &sprites, SPRITES);
        splat_sprites(&many, &sprites, SPRITES);
        assert_true(sum_of(&one, 2) > 0);
        assert_true(same_light(&one.light, &many.light));
        splat_free(&one);
        splat_free(&many);
    }
    free(sprites.places);
    free(sprites.looks);
}

static void a_frame_has_the_light_of_its_own_sprites_alone(void **state)
{
    (void)state;
    Splat splat = splat_of(size, 2), again = splat_of(size, 1);
    uint32_t count = 0;
    for (int n = 0; n < 60; n++) count = splat_frame(&splat, 1.0f / 60);
    splat_sprites(&again, &splat.crowd.sprites, count);
    assert_true(sum_of(&again, 0) > 0);
    assert_true(same_light(&again.light, &splat.light));
    splat_free(&splat);
    splat_free(&again);
}

static void the_halves_are_the_light(void **state)
{
    (void)state;
    Splat splat = splat_of(size, 2);
    for (int n = 0; n < 60; n++) splat_frame(&splat, 1.0f / 60);
    for (int y = 0; y < size.height; y++)
        for (int x = 0; x < size.width; x++)
            for (int c = 0; c < 3; c++) {
                const float light = light_row(&splat.light, y, c)[x];
                const float half = half_value(splat.halves[4 * (y * size.width + x) + c]);
                if (fabsf(half - light) > fmaxf(light * 0x1p-11f, 0x1p-14f))
                    fail_msg("%g for %g", (double)half, (double)light);
            }
    splat_free(&splat);
}

static void pictures_that_are_none_are_refused_with_a_sentence(void **state)
{
    (void)state;
    const Size none[] = { { 0, 90 }, { 160, 0 }, { -3, -3 }, { 16, 1000000 } };
    for (int n = 0; n < COUNT_OF(none); n++) {
        char why[256] = "";
        Splat splat;
        assert_false(splat_init(&splat, 64, none[n], 1, why, sizeof why));
        assert_non_null(strstr(why, "pixels"));
        splat_free(&splat);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sprite_gives_light_by_its_area_at_any_size),
        cmocka_unit_test(colours_and_opacity_are_as_the_sprite_has_them),
        cmocka_unit_test(what_is_not_to_be_seen_adds_nothing),
        cmocka_unit_test(a_sprite_on_the_rim_gives_the_part_that_is_inside),
        cmocka_unit_test(the_light_is_the_same_on_any_number_of_threads),
        cmocka_unit_test(a_frame_has_the_light_of_its_own_sprites_alone),
        cmocka_unit_test(the_halves_are_the_light),
        cmocka_unit_test(pictures_that_are_none_are_refused_with_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
