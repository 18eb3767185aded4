// The shipped effects, played as shows without a picture: each reacts to the sound in its own way.
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "app/show.h"
#include "audio/audio.h"

enum { FPS = 60, FRAMES = 4 * FPS, RATE = 48000 };

// How many of an emitter lived at most, heard so long.
typedef struct {
    uint32_t most[EMITTER_SLOTS];
    Params *params; // at the end
    Show *show;
} Played;

static Played play(const char *preset, const char *source)
{
    char why[512] = "", path[256];
    static float samples[2 * RATE / FPS + 4];
    Played played = { .show = show_new(&(ShowDesc){ .seed = 1, .rate = RATE, .threads = 1 }, why,
                                       sizeof why) };
    Audio *audio = audio_open(&(AudioDesc){ .source = source, .wait = true }, why, sizeof why);
    snprintf(path, sizeof path, SOURCE_DIR "/presets/%s.json", preset);
    Preset *look = preset_load(path, why, sizeof why);
    if (!played.show || !audio || !look) fail_msg("%s", why);
    show_load(played.show, look);
    show_prepare(played.show, (Size){ 16, 9 }, why, sizeof why);
    for (int f = 0; f < FRAMES; f++) {
        const uint32_t got = audio_read(audio, 1.0 / FPS, samples, COUNT_OF(samples) / 2);
        show_frame(played.show,
                   &(ShowInput){ .samples = samples, .frames = got, .rate = RATE, .dt = 1.0 / FPS },
                   NULL);
        for (int n = 0; n < EMITTER_SLOTS; n++) {
            const uint32_t alive = sim_emitter_alive(show_sim(played.show), n);
            if (alive > played.most[n]) played.most[n] = alive;
        }
    }
    played.params = show_params(played.show);
    preset_free(look);
    audio_close(audio);
    return played;
}

static uint32_t most_of(const Played *played, const char *emitter)
{
    const int slot = params_slot(played->params, OWNER_EMITTER, emitter);
    if (slot < 0) fail_msg("there is no emitter %s", emitter);
    return played->most[slot];
}

static const struct {
    const char *preset, *emitter;
    double louder; // so many times more live with music than in silence; 0: none live in silence
} rows[] = {
    { "fire", "middle", 1.5 },    { "fire", "embers", 1.5 },   { "fire", "smoke", 1.2 },
    { "smoke", "left", 1.5 },     { "smoke", "middle", 1.3 },  { "sparks", "left", 2 },
    { "sparks", "pools", 2 },     { "sparks", "fountain", 0 }, { "sparks", "splinters", 0 },
    { "dust", "far", 1.2 },       { "dust", "swirl", 0 },      { "dust", "glints", 1.5 },
    { "magic", "gold", 1.5 },     { "magic", "circle", 0 },    { "explosion", "fireball", 0 },
    { "explosion", "debris", 0 }, { "explosion", "smoke", 0 }, { "explosion", "cinders", 1.2 },
};

static void effects_live_by_the_sound(void **state)
{
    (void)state;
    for (int from = 0, to; from < COUNT_OF(rows); from = to) {
        Played loud = play(rows[from].preset, "demo"),
               quiet = play(rows[from].preset, "demo:silence");
        for (to = from; to < COUNT_OF(rows) && !strcmp(rows[to].preset, rows[from].preset); to++) {
            const uint32_t heard = most_of(&loud, rows[to].emitter);
            const uint32_t unheard = most_of(&quiet, rows[to].emitter);
            const bool reacts = rows[to].louder > 0
                                    ? (double)heard > rows[to].louder * (double)unheard
                                    : heard > 0 && unheard == 0;
            if (!reacts)
                fail_msg("%s/%s: %u live with music, %u in silence", rows[to].preset,
                         rows[to].emitter, heard, unheard);
        }
        show_free(loud.show);
        show_free(quiet.show);
    }
}

// Fire rises, sparks fall and are held by the floor, smoke is sorted (it covers), what explodes flies
// apart.
static void mean_of(const Played *played, const char *emitter, Vec3 *position, Vec3 *velocity)
{
    static Particle particles[65536];
    static uint32_t keys[65536];
    const uint32_t count =
        sim_particles(show_sim(played->show), params_slot(played->params, OWNER_EMITTER, emitter),
                      particles, keys, COUNT_OF(particles));
    *position = *velocity = (Vec3){ 0, 0, 0 };
    assert_true(count > 0);
    for (uint32_t n = 0; n < count; n++) {
        position->y += particles[n].position.y / (float)count;
        velocity->y += particles[n].velocity.y / (float)count;
    }
}

static void fire_rises_and_sparks_stay_above_the_floor(void **state)
{
    (void)state;
    Vec3 position, velocity;
    Played fire = play("fire", "demo");
    mean_of(&fire, "middle", &position, &velocity);
    assert_true(velocity.y > 1);
    show_free(fire.show);

    static Particle particles[65536];
    static uint32_t keys[65536];
    Played sparks = play("sparks", "demo");
    const uint32_t count =
        sim_particles(show_sim(sparks.show), params_slot(sparks.params, OWNER_EMITTER, "left"),
                      particles, keys, COUNT_OF(particles));
    assert_true(count > 20);
    for (uint32_t n = 0; n < count; n++) assert_true(particles[n].position.y > -3.601f);
    show_free(sparks.show);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(effects_live_by_the_sound),
        cmocka_unit_test(fire_rises_and_sparks_stay_above_the_floor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
