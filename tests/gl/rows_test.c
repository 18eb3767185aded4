// No dead rows: whatever a hand can set of an emitter or a field changes what is seen of it.
//
// A few frames are played for each row towards its ends, for each choice of an enum, and for other
// texts, curves and gradients; its outcome must be another than that of the scene as it was.  No one scene
// has all that there is, so there are some; a row must tell in one of them.
#include "gl/gl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/assets.h"
#include "control/state.h"
#include "render/render.h"

enum { WIDTH = 48, HEIGHT = 27, BYTES = WIDTH * HEIGHT * 3, FRAMES = 5 };
static const float dt = 0.1f;
static const Size size = { WIDTH, HEIGHT };

// ---- scenes -------------------------------------------------------------------------------------

typedef struct {
    const char *leaf; // below "main", or with a slash in front all of a path
    double value;
    const char *text;
} Setting;

enum { SETTINGS = 24 };

// For all scenes: forces, a floor, two attractors, and an emitter besides, which covers.
static const Setting world[] = {
    { "/look/bloom/amount", 0, NULL },
    { "/camera/pitch", 30, NULL },
    { "/forces/gravity", -6, NULL },
    { "/forces/turbulence/strength", 1, NULL },
    { "/forces/collider1/shape", COLLIDER_PLANE, NULL },
    { "/forces/collider1/position/y", -1, NULL },
    { "/forces/attractor1/position/x", 1.5, NULL },
    { "/forces/attractor2/position/y", 1.5, NULL },
    { "/forces/hand/position/x", -1, NULL },
    { "/emitters/other/rate", 60, NULL },
    { "/emitters/other/life", 0.4, NULL },
    { "/emitters/other/blend", BLEND_ALPHA, NULL },
    { "/emitters/other/velocity/y", -4, NULL },
    { "/emitters/other/size", 1, NULL },
    { "/emitters/other/sheet", 0, "star" }, // the same as below: it stays at hand
    { "/emitters/other/sheet_columns", 4, NULL },
    { "/emitters/other/sheet_rows", 2, NULL },
    { "/systems/other/position/x", 0.5, NULL },
    { "life", 0.5, NULL },
    { "size", 0.5, NULL },
};

static const Setting scenes[][SETTINGS] = {
    // a tumbling sheet
    { { "rate", 150, NULL },
      { "area", AREA_SPHERE, NULL },
      { "area_size/y", 1.2, NULL },
      { "area_size/z", 0.2, NULL },
      { "outward", 2, NULL },
      { "spread", 1, NULL },
      { "bounce", 0.6, NULL },
      { "sheet", 0, "star" },
      { "sheet_columns", 4, NULL },
      { "sheet_rows", 2, NULL },
      { "sheet_fit", SHEET_FIT_FREE, NULL },
      { "rotation_speed", 200, NULL },
      { "size_end", 2, NULL },
      { "size_curve", 0, "curve" } },
    // bursts and one short cycle along a path, stretched
    { { "rate", 60, NULL },
      { "duration", 0.2, NULL },
      { "loop", 0, NULL },
      { "burst_every", 0.1, NULL },
      { "life", 0.2, NULL },
      { "area", AREA_CONE, NULL },
      { "path", PATH_LISSAJOUS, NULL },
      { "path_size/z", 1.5, NULL },
      { "path_rate/x", 1, NULL },
      { "path_rate/z", 1, NULL },
      { "facing", FACING_STRETCHED, NULL } },
    // the same for ever
    { { "rate", 60, NULL },
      { "area", AREA_CONE, NULL },
      { "path", PATH_LISSAJOUS, NULL },
      { "path_size/z", 1.5, NULL },
      { "facing", FACING_STRETCHED, NULL },
      { "stretch", 0.3, NULL } },
    // a mesh that follows an attractor
    { { "rate", 100, NULL },
      { "area", AREA_MESH, NULL },
      { "area_file", 0, "cube" },
      { "sheet", 0, "star" },
      { "sheet_columns", 4, NULL },
      { "sheet_rows", 2, NULL },
      { "path", PATH_ATTRACTOR, NULL } },
    // more than there is room for
    { { "rate", 40000, NULL }, { "area_size/x", 3, NULL } },
};

// Of emitters alone.
static const Setting of_death[SETTINGS] = { { "rate", 0, NULL },
                                            { "born_of", BORN_OF_DEATH, NULL },
                                            { "born_from", 0, "other" } };
static const Setting of_other[SETTINGS] = { { "rate", 0, NULL }, { "born_from", 0, "other" } };

static const Setting *scene_of(Owner owner, int n)
{
    if (n < COUNT_OF(scenes)) return scenes[n];
    if (owner != OWNER_EMITTER) return NULL;
    return n == COUNT_OF(scenes) ? of_death : n == COUNT_OF(scenes) + 1 ? of_other : NULL;
}

// What a text is changed to.
static const struct {
    int row;
    const char *text;
} texts[] = {
    { SWARM_SYSTEM, "other" }, { SWARM_AREA_FILE, "torus" }, { SWARM_SHEET, "ring" },
    { SWARM_MESH, "cube" },    { EMITTER_TYPE, "spark" },    { EMITTER_BORN_FROM, "" },
};

// ---- one scene -----------------------------------------------------------------------------------

typedef struct {
    Render *render;
    Assets *assets;
    Target target;
    Params *params;
    Sim *sim;
} Stage;

typedef struct {
    uint64_t seen; // a hash of all pictures
    bool exists;   // still, at the end
} Outcome;

// A row that is another than in its scene.
typedef struct {
    int row;         // or -1
    int choice, end; // of an enum; else of its range: the lower one, or the upper
} Change;

static const Stops bent = { .count = 3,
                            .at = { 0, 0.3f, 1 },
                            .value = { { 0.2f }, { 1 }, { 0.4f } } };

static void set_stops(Params *params, ParamId id)
{
    char why[200];
    static const Stops gradient = { .count = 2,
                                    .at = { 0, 1 },
                                    .value = { { 1, 0, 0, 1 }, { 0, 0, 1, 0.5f } } };
    const bool coloured = params_row(id)->kind == KIND_GRADIENT;
    if (!params_set_stops(params, id, coloured ? &gradient : &bent, why, sizeof why))
        fail_msg("%s", why);
}

static void set_text(Params *params, ParamId id, const char *text)
{
    char why[200];
    if (!params_set_text(params, id, text, why, sizeof why)) fail_msg("%s", why);
}

static void apply(Params *params, Owner owner, const Setting *setting)
{
    char path[100];
    if (setting->leaf[0] == '/')
        snprintf(path, sizeof path, "%s", setting->leaf);
    else
        snprintf(path, sizeof path, "%s/main/%s", owner_name(owner), setting->leaf);
    const ParamId id = params_find(params, path);
    if (id == PARAM_NONE) fail_msg("there is no %s", path);
    if (params_row(id)->kind == KIND_CURVE)
        set_stops(params, id);
    else if (setting->text)
        set_text(params, id, setting->text);
    else
        assert_true(params_set(params, id, setting->value));
}

static void say(Params *params, ParamId id)
{
    char path[100], why[200];
    Message answer, message = message_number("/", 1);
    params_path(params, id, path, sizeof path);
    snprintf(message.path, sizeof message.path, "/%s", path);
    if (params_message(params, &message, &answer, why, sizeof why) != MESSAGE_DONE)
        fail_msg("%s", why);
}

static void change_row(Params *params, Owner owner, const Change *change)
{
    if (change->row < 0) return;
    const int slot = params_slot(params, owner, "main");
    const ParamId id = params_id(owner, slot, change->row);
    const ParamRow *row = params_row(id);
    if (kind_has_stops(row->kind)) {
        set_stops(params, id);
    } else if (row->kind == KIND_TEXT) {
        for (int n = 0; n < COUNT_OF(texts); n++)
            if (texts[n].row == change->row) set_text(params, id, texts[n].text);
    } else if (row->kind == KIND_TRIGGER) {
        say(params, id);
    } else if (row->kind == KIND_BOOL) {
        params_set(params, id, params_base(params, id) == 0);
    } else if (row->kind == KIND_ENUM) {
        params_set(params, id, change->choice);
    } else {
        params_set_norm(params, id, change->end ? 0.85 : 0.15);
    }
}

static void look(const Target *target, Outcome *outcome)
{
    static uint8_t rgb[BYTES];
    target_read_rgb(target, rgb);
    for (int n = 0; n < BYTES; n++) outcome->seen = (outcome->seen ^ rgb[n]) * 0x100000001b3ULL;
}

static void begin(Stage *stage)
{
    char why[512];
    Sim *sim = sim_new(&(SimDesc){ .capacity = 4096, .threads = 1, .seed = 3 }, why, sizeof why);
    assert_non_null(sim);
    sim_free(stage->sim); // not before: two engines have two addresses
    params_free(stage->params);
    stage->sim = sim;
    stage->params = params_new();
    assert_non_null(stage->params);
}

static void prepare(Stage *stage)
{
    char notice[512] = "";
    params_prepare(stage->params);
    assets_give(stage->assets, stage->params, stage->sim, stage->render, notice, sizeof notice);
    render_prepare(stage->render, stage->params, size, notice, sizeof notice);
}

// As in a show, after a blow in its first hop.
static void frame(Stage *stage, int number)
{
    enum { HOPS = 4 };
    int done[EMITTER_SLOTS];
    sim_begin(stage->sim, stage->params);
    for (int h = 0; h < HOPS; h++) {
        const float hop = dt / HOPS;
        Features heard = { .onset = number == 0 && h == 0 };
        heard.signal[SIGNAL_LEVEL] = 0.5f;
        routes_hop(stage->params, &heard, hop);
        sim_hop(stage->sim, stage->params, &heard, dt - (float)h * hop, hop);
    }
    const Motion motion = motion_of(stage->params, (float)number * dt);
    sim_step(stage->sim, stage->params, &motion, (uint32_t)number, dt);
    const int count = sim_over(stage->sim, stage->params, done);
    for (int n = 0; n < count; n++) params_remove(stage->params, OWNER_EMITTER, done[n]);
    const Scene scene = { .params = stage->params,
                          .sim = stage->sim,
                          .motion = motion,
                          .frame = (uint32_t)number,
                          .time = (double)(number + 1) * (double)dt,
                          .dt = dt };
    render_frame(stage->render, &scene, &stage->target);
}

static void play(Stage *stage, Owner owner, const Setting *scene, const Change *change,
                 Outcome *outcome)
{
    char why[512];
    begin(stage);
    Params *params = stage->params;
    *outcome = (Outcome){ .seen = 0xcbf29ce484222325ULL };
    assert_true(params_add(params, OWNER_EMITTER, "other", why, sizeof why) >= 0);
    assert_true(params_add(params, owner, "main", why, sizeof why) >= 0);
    params_set(params, params_find(params, "sim/capacity"), 4096);
    for (int n = 0; n < COUNT_OF(world); n++) apply(params, owner, &world[n]);
    for (const Setting *s = scene; s->leaf; s++) apply(params, owner, s);
    change_row(params, owner, change);
    for (int n = 0; n < FRAMES; n++) {
        prepare(stage);
        frame(stage, n);
        look(&stage->target, outcome);
    }
    outcome->exists = params_slot(params, owner, "main") >= 0;
    params_reset_looks(params); // the renderer forgets the fields
    render_prepare(stage->render, params, size, why, sizeof why);
}

static bool same(const Outcome *a, const Outcome *b)
{
    return a->exists == b->exists && a->seen == b->seen;
}

// ---- the walk -----------------------------------------------------------------------------------

enum { SCENES_MOST = 8 };
static Outcome plain[SCENES_MOST];

static bool tells(Stage *stage, Owner owner, const Change *change)
{
    Outcome outcome;
    for (int n = 0; scene_of(owner, n); n++) {
        play(stage, owner, scene_of(owner, n), change, &outcome);
        if (!same(&plain[n], &outcome)) return true;
    }
    return false;
}

static int choices_of(const ParamRow *row)
{
    return row->kind == KIND_ENUM ? (int)row->max + 1 : 1;
}

// What sets off bursts depends on the sound, which need not have all.
static bool needs_every_choice(int row)
{
    return row != SWARM_BURST_ON;
}

static void expect_effect(Stage *stage, Owner owner, int r)
{
    const ParamRow *row = owner_row(owner, r);
    const bool ends = kind_is_number(row->kind) && row->kind != KIND_BOOL && row->kind != KIND_ENUM;
    int told = 0;
    for (int choice = 0; choice < choices_of(row); choice++) {
        bool tells_this = false;
        if (row->kind == KIND_ENUM && choice == (int)row->normal)
            continue; // as most scenes have it
        for (int end = 0; end <= ends && !tells_this; end++)
            tells_this = tells(stage, owner, &(Change){ r, choice, end });
        told += tells_this;
        if (!tells_this && needs_every_choice(r))
            fail_msg("%s/%s: %d changes nothing", owner_name(owner), row->path, choice);
    }
    if (told == 0) fail_msg("%s/%s changes nothing", owner_name(owner), row->path);
}

static void walk(Owner owner)
{
    char why[512];
    Outcome again;
    Stage stage = { .assets = assets_open(true, why, sizeof why) };
    stage.render = render_new(&(RenderDesc){ .shaders = SOURCE_DIR "/shaders", .size = size }, why,
                              sizeof why);
    if (!stage.render) fail_msg("%s", why);
    assert_true(target_init(&stage.target, size, GL_RGBA8, 1, false, why, sizeof why));
    const Change none = { .row = -1 };
    for (int n = 0; scene_of(owner, n); n++)
        play(&stage, owner, scene_of(owner, n), &none, &plain[n]);
    for (int r = 0; r < owner_rows(owner); r++)
        if (owner_row(owner, r)->kind != KIND_READING) expect_effect(&stage, owner, r);
    // It was the rows, and nothing that one scene left to the next.
    for (int n = 0; scene_of(owner, n); n++) {
        play(&stage, owner, scene_of(owner, n), &none, &again);
        assert_true(same(&plain[n], &again));
    }
    sim_free(stage.sim);
    params_free(stage.params);
    render_free(stage.render);
    assets_close(stage.assets);
    target_free(&stage.target);
}

static void every_row_of_an_emitter_is_seen(void **state)
{
    (void)state;
    walk(OWNER_EMITTER);
}

static void every_row_of_a_field_is_seen(void **state)
{
    (void)state;
    if (SANITIZED) skip(); // most of it is the emitters' code again
    walk(OWNER_FIELD);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_an_emitter_is_seen),
        cmocka_unit_test(every_row_of_a_field_is_seen),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
