// A whole frame under traps: samples read, hops, routes, hands, simulation, picture and HUD of every shipped
// preset allocate nothing and free nothing.
#include "test.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "app/keys.h"
#include "app/show.h"
#include "app/status.h"
#include "audio/audio.h"
#include "gl/gl.h"

// ---- every allocation of ours comes by here (--wrap); the driver's do not ------------------------

static bool trapped;
static int caught;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *memory);

void *__wrap_malloc(size_t size)
{
    caught += trapped;
    return __real_malloc(size);
}
void *__wrap_calloc(size_t count, size_t size)
{
    caught += trapped;
    return __real_calloc(count, size);
}
void *__wrap_realloc(void *old, size_t size)
{
    caught += trapped;
    return __real_realloc(old, size);
}
void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    caught += trapped;
    return __real_aligned_alloc(alignment, size);
}
void __wrap_free(void *memory)
{
    caught += trapped;
    __real_free(memory);
}

// ---- frames ---------------------------------------------------------------------------------------

enum { WIDTH = 96, HEIGHT = 54, RATE = 48000, FRAMES = 40 };

// All kinds of hands, good and bad.
static int hands(Message *messages, int frame)
{
    messages[0] = message_number("/forces/gravity", frame % 7 - 3);
    messages[1] = message_number("/norm/look/exposure", 0.5);
    messages[2] = message_number("/inc/forces/wind/x", 0.1);
    messages[3] = message_number("/forces/gravty", 1);
    messages[4] = message_text("/look/exposure", "bright");
    messages[5] = message_text("/forces/gravity", "");
    messages[5].types[0] = 0; // a question
    messages[6] = message_text(frame % 2 ? "/emitters/add" : "/emitters/guest/remove", "guest");
    if (frame % 2 == 0) messages[6].types[0] = 0;
    return 7;
}

static void play(Show *show, Render *render, Audio *audio, const Target *target)
{
    static float pairs[RATE / 10 * AUDIO_CHANNELS];
    static Hud hud;
    Message messages[8];
    for (int frame = 0; frame < FRAMES; frame++) {
        trapped = frame > 2; // the first frames may warm up
        const uint32_t got = audio_read(audio, 1.0 / 60, pairs, RATE / 10);
        const AudioStatus status = audio_status(audio);
        show_frame(show,
                   &(ShowInput){ .samples = pairs,
                                 .frames = got,
                                 .rate = status.rate,
                                 .dt = 1.0 / 60,
                                 .messages = messages,
                                 .message_count = hands(messages, frame) },
                   target);
        const ShowStats stats = show_stats(show);
        hud.features = &stats.features;
        hud.visible = true;
        status_lines(&hud, &(Status){ .show = stats,
                                      .audio = status,
                                      .renderer = "",
                                      .preset = "",
                                      .quality = "a change",
                                      .notice = "a notice",
                                      .size = target->size });
        render_hud(render, &hud, target);
        keys_help(&hud);
        trapped = false;
    }
}

static void play_preset(const char *name)
{
    char path[512], why[512];
    const Size size = { WIDTH, HEIGHT };
    Target target;
    snprintf(path, sizeof path, SOURCE_DIR "/presets/%s", name);
    Preset *preset = preset_load(path, why, sizeof why);
    if (!preset) fail_msg("%s", why);
    Audio *audio = audio_open(&(AudioDesc){ .source = "demo", .rate = RATE }, why, sizeof why);
    Render *render = render_new(&(RenderDesc){ .shaders = SOURCE_DIR "/shaders", .size = size },
                                why, sizeof why);
    if (!render) fail_msg("%s", why);
    Show *show =
        show_new(&(ShowDesc){ .seed = 1, .rate = RATE, .render = render }, why, sizeof why);
    assert_non_null(show);
    assert_true(target_init(&target, size, GL_RGBA8, 1, false, why, sizeof why));
    show_load(show, preset);
    show_prepare(show, size, why, sizeof why);
    caught = 0;
    play(show, render, audio, &target);
    if (caught) fail_msg("%s: %d allocations or frees in %d frames", name, caught, FRAMES);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    show_free(show);
    render_free(render);
    target_free(&target);
    audio_close(audio);
    preset_free(preset);
}

static void a_frame_of_any_preset_allocates_nothing(void **state)
{
    (void)state;
    int count = 0;
    DIR *presets = opendir(SOURCE_DIR "/presets");
    assert_non_null(presets);
    for (struct dirent *entry; (entry = readdir(presets));) {
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".json")) continue;
        if (!SANITIZED || count % 3 == 0) play_preset(entry->d_name);
        count++;
    }
    closedir(presets);
    assert_true(count >= 3);
}

static void the_trap_catches(void **state)
{
    (void)state;
    char why[256];
    caught = 0;
    trapped = true;
    Params *params = params_new(); // a room's own call
    trapped = false;
    assert_true(caught > 0);
    assert_int_equal(params_add(params, OWNER_EMITTER, "a", why, sizeof why), 0);
    params_free(params);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(the_trap_catches),
                                        cmocka_unit_test(a_frame_of_any_preset_allocates_nothing) };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
