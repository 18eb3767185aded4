// What goes wrong with a picture costs nothing but a sentence, and what a picture is made of goes with
// it.
#include "gl/stage.h"

static const Size small = { 64, 36 };

// ---- objects ------------------------------------------------------------------------------------

enum { NAMES = 2048 }; // of each kind that are looked at

static int objects(void)
{
    int count = 0;
    glUseProgram(0); // the one in use lives until then
    for (GLuint n = 1; n < NAMES; n++)
        count += glIsTexture(n) + glIsBuffer(n) + glIsFramebuffer(n) + glIsQuery(n) +
                 glIsVertexArray(n) + glIsProgram(n) + glIsShader(n);
    return count;
}

static void play(Stage *stage, int frames)
{
    for (int f = 0; f < frames; f++) {
        stage_prepare(stage, NULL, 0);
        stage_frame(stage, 1.0f / 30, 2);
        render_hud(stage->render, &(Hud){ .banner = "HUD" }, &stage->target);
    }
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

// Everything that is made anew while a show runs: rings, pictures of other sizes and scales, room for
// sprites, programs.
static void play_a_show_of_changes(void)
{
    char why[512];
    static const double capacities[] = { 100000, 10, 100000 };
    Stage stage = stage_new(small);
    assert_true(params_add(stage.params, OWNER_EMITTER, "dots", why, sizeof why) >= 0);
    stage_set(&stage, "fields/main/rate", 1000);
    stage_set(&stage, "look/trail/amount", 1);
    for (int n = 0; n < COUNT_OF(capacities); n++) {
        stage_set(&stage, "fields/main/capacity", capacities[n]);
        stage_set(&stage, "sim/capacity", 4096 << n);
        params_tell(stage.params, params_id(OWNER_GLOBAL, 0, GLOBAL_QUALITY_SCALE_NOW),
                    1 - 0.25f * (float)n);
        play(&stage, 3);
        if (!render_reload(stage.render, why, sizeof why)) fail_msg("%s", why);
    }
    target_free(&stage.target);
    stage.target = (Target){ 0 };
    assert_true(target_init(&stage.target, (Size){ 100, 50 }, GL_RGBA8, 1, false, why, sizeof why));
    play(&stage, 3);
    stage_free(&stage);
}

static void a_picture_takes_all_its_objects_with_it(void **state)
{
    (void)state;
    const int before = objects();
    Stage stage = stage_new(small);
    play(&stage, 2);
    assert_true(objects() > before + 40);
    stage_free(&stage);
    for (int n = 0; n < 2; n++) {
        play_a_show_of_changes();
        assert_int_equal(objects(), before);
    }
}

static void a_picture_that_fails_leaves_no_objects(void **state)
{
    (void)state;
    char why[512];
    const int before = objects();
    assert_null(render_new(&(RenderDesc){ .shaders = "/nowhere", .size = small }, why, sizeof why));
    assert_null(
        render_new(&(RenderDesc){ .shaders = SOURCE_DIR "/shaders", .size = { 1 << 20, 1 } }, why,
                   sizeof why));
    if (!strstr(why, "this machine draws")) fail_msg("%s", why);
    assert_int_equal(objects(), before);
}

// ---- shaders ------------------------------------------------------------------------------------

static char *copy_shaders(void)
{
    char command[1024];
    char *folder = new_folder();
    snprintf(command, sizeof command, "cp -r '%s/shaders/.' '%s'", SOURCE_DIR, folder);
    assert_int_equal(system(command), 0);
    return folder;
}

static void remove_file(const char *folder, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(unlink(path), 0);
}

static void use_folder(Stage *stage, const char *folder)
{
    char why[512];
    render_free(stage->render);
    stage->render = render_new(
        &(RenderDesc){ .shaders = folder, .size = stage->target.size, .wait_counts = true }, why,
        sizeof why);
    if (!stage->render) fail_msg("%s", why);
}

static void look(const Stage *stage, uint8_t *rgb)
{
    target_read_rgb(&stage->target, rgb);
}

// Broken, missing, and right again, while it plays: the picture never changes.
static void a_bad_shader_is_named_and_the_last_good_one_stays(void **state)
{
    (void)state;
    static const struct {
        const char *file, *text, *says; // NULL: the file is gone
    } faults[] = {
        { "finish.frag", "#version 330 core\nvoid main()\n{\n    nonsense;\n}\n",
          "finish.frag:4: " },
        { "common/light.glsl", "uniform sampler2D u_light;\nvec4 light_at(vec2 uv) { return 1; }\n",
          "common/light.glsl:2: " },
        { "common/light.glsl", NULL, "common/light.glsl" },
    };
    char why[512] = "";
    static uint8_t before[3 * 64 * 36], after[3 * 64 * 36];
    char *folder = copy_shaders();
    Stage stage = stage_new(small);
    use_folder(&stage, folder);
    stage_set(&stage, "look/background/g", 0.5);
    play(&stage, 1);
    look(&stage, before);
    for (int n = 0; n < COUNT_OF(faults); n++) {
        if (faults[n].text)
            write_file(folder, faults[n].file, faults[n].text);
        else
            remove_file(folder, faults[n].file);
        assert_false(render_reload(stage.render, why, sizeof why));
        if (!strstr(why, faults[n].says)) fail_msg("%s", why);
        assert_null(strchr(why, '\n'));
        stage.frame = 0; // the same noise again
        play(&stage, 1);
        look(&stage, after);
        assert_memory_equal(before, after, sizeof before);
    }
    stage_free(&stage);
    free_folder(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_picture_takes_all_its_objects_with_it),
        cmocka_unit_test(a_picture_that_fails_leaves_no_objects),
        cmocka_unit_test(a_bad_shader_is_named_and_the_last_good_one_stays),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
