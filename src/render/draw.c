// Points are drawn at half the cost of quads, but they are round, have a largest size, and vanish when
// their middle leaves the target.  So small discs are points, into a picture with a margin of half
// the largest point; all others are quads.
#include "render/draw.h"

#include <stddef.h>
#include <string.h>

// Pixels at the origin up to which sprites are points: halfway to the eye they are still whole.
#define POINT_LARGEST (2.0f * MARGIN)

// ---- making -------------------------------------------------------------------------------------

enum { POINT_ATTRIBUTES = 4, BODY_ATTRIBUTES = 5, QUAD_ATTRIBUTES = 6 };

static void enable_attributes(GLuint array, GLuint count, GLuint divisor)
{
    glBindVertexArray(array);
    for (GLuint a = 0; a < count; a++) {
        glEnableVertexAttribArray(a);
        glVertexAttribDivisor(a, divisor);
    }
}

void drawer_init(Drawer *drawer)
{
    float range[2] = { 1, 1 };
    memset(drawer, 0, sizeof *drawer);
    glGetFloatv(GL_POINT_SIZE_RANGE, range);
    drawer->point_limit = range[1] < POINT_LARGEST ? range[1] : POINT_LARGEST;
    glGenVertexArrays(1, &drawer->points);
    glGenVertexArrays(1, &drawer->quads);
    glGenVertexArrays(1, &drawer->nothing);
    enable_attributes(drawer->points, POINT_ATTRIBUTES, 0);
    enable_attributes(drawer->quads, QUAD_ATTRIBUTES, 1);
    glBindVertexArray(drawer->nothing);
}

void drawer_free(Drawer *drawer)
{
    for (int n = 0; n < STREAMS; n++) stream_free(drawer->streams[n]);
    sheets_free(&drawer->sheets);
    for (int n = 0; n < EMITTER_SLOTS; n++) body_free(&drawer->emitter_bodies[n]);
    for (int n = 0; n < FIELD_SLOTS; n++) body_free(&drawer->field_bodies[n]);
    if (drawer->points)
        glDeleteVertexArrays(3, (GLuint[]){ drawer->points, drawer->quads, drawer->nothing });
    memset(drawer, 0, sizeof *drawer);
}

static const size_t sprite_bytes[STREAMS] = {
    [STREAM_PLACES] = sizeof(SpritePlace),
    [STREAM_LOOKS] = sizeof(SpriteLook),
    [STREAM_WAYS] = sizeof(SpriteWay),
};

bool drawer_prepare(Drawer *drawer, uint32_t sprites, char *why, int why_size)
{
    Stream *streams[STREAMS] = { NULL };
    bool made = true;
    if (drawer->streams[0] && drawer->sprites_most == sprites) return true;
    for (int n = 0; n < STREAMS && made; n++) {
        streams[n] = stream_new(sprite_bytes[n] * sprites, why, why_size);
        made = streams[n] != NULL;
    }
    for (int n = 0; n < STREAMS; n++) {
        stream_free(made ? drawer->streams[n] : streams[n]);
        if (made) drawer->streams[n] = streams[n];
    }
    if (!made) return false;
    drawer->sprites_most = sprites;
    drawer->sprites = (Sprites){ NULL };
    return true;
}

bool drawer_set_body(Drawer *drawer, Owner owner, int slot, const Mesh *mesh, const char *name,
                     char *why, int why_size)
{
    const bool field = owner == OWNER_FIELD;
    Body *body = field ? &drawer->field_bodies[slot] : &drawer->emitter_bodies[slot];
    const bool set = body_set(body, mesh, field ? 0 : BODY_ATTRIBUTES, name, why, why_size);
    glBindVertexArray(drawer->nothing);
    return set;
}

static const Body *body_of(const Drawer *drawer, Owner owner, int slot)
{
    return owner == OWNER_FIELD ? &drawer->field_bodies[slot] : &drawer->emitter_bodies[slot];
}

// ---- how many of them ---------------------------------------------------------------------------

enum { SHARES = 16 };

// Particles come and go a few at a time: all of them within a quarter of a second.
static void follow_share(Drawer *drawer, const Scene *scene)
{
    const float asked = params_values(scene->params, OWNER_GLOBAL, 0)[GLOBAL_QUALITY_SHARE_NOW];
    const float most = drawer->share > 0 ? 4 * scene->dt : 1;
    drawer->share += clampf(asked - drawer->share, -most, most);
}

static uint32_t sixteenths(const Drawer *drawer)
{
    return (uint32_t)clampi((int)lroundf(drawer->share * SHARES), 1, SHARES);
}

// Those of each sixteen, spread evenly: turned-round bits, the first few of them, in order.
static void set_share(const Drawer *drawer, const Program *program)
{
    GLuint shared[SHARES], count = 0;
    for (GLuint n = 0; n < SHARES; n++) {
        const GLuint turned = (n & 1) << 3 | (n & 2) << 1 | (n & 4) >> 1 | (n & 8) >> 3;
        if (turned < sixteenths(drawer)) shared[count++] = n;
    }
    program_uint(program, "u_share", count);
    glUniform1uiv(program_uniform(program, "u_shared"), (GLsizei)count, shared);
}

// How many vertices or instances draw that share of a field: whole sixteens, cut by the shader.
static uint32_t shared_births(const Drawer *drawer, const Field *field)
{
    const uint64_t last = field->next - 1, oldest = field->next - field->living;
    if (sixteenths(drawer) == SHARES) return field->living;
    return (uint32_t)(last / SHARES - oldest / SHARES + 1) * sixteenths(drawer);
}

// ---- what kind of sprites -----------------------------------------------------------------------

static float largest_of(const Stops *curve)
{
    float largest = 0;
    for (int s = 0; s < curve->count; s++)
        if (curve->value[s][0] > largest) largest = curve->value[s][0];
    return largest;
}

// No curve goes beyond its stops.
static float largest_size(const Params *params, Owner owner, int slot)
{
    const float *values = params_values(params, owner, slot);
    const Stops *curve = params_stops(params, params_id(owner, slot, SWARM_SIZE_CURVE));
    if (values[SWARM_SIZE_CHANGE] == 0) return values[SWARM_SIZE];
    return values[SWARM_SIZE] * fmaxf(1, values[SWARM_SIZE_END]) * largest_of(curve);
}

static SpriteKind kind_of(const Drawer *drawer, const Params *params, Owner owner, int slot,
                          const Camera *camera)
{
    const bool faces_eye = (int)params_values(params, owner, slot)[SWARM_FACING] == FACING_EYE;
    const float pixels = largest_size(params, owner, slot) * camera->pixels / camera->distance;
    if (body_of(drawer, owner, slot)->corners > 0) return SPRITE_BODY;
    if (sheets_of(&drawer->sheets, params, owner, slot).layer > 0) return SPRITE_SHEET;
    return faces_eye && pixels <= 0.5f * drawer->point_limit ? SPRITE_POINT : SPRITE_DISC;
}

static SpriteView view_of(const Drawer *drawer, const Params *params, const Camera *camera)
{
    SpriteView view = { .forward = camera->forward };
    for (int n = 0; n < EMITTER_SLOTS; n++) {
        if (!params_exists(params, OWNER_EMITTER, n)) continue;
        const Sheet sheet = sheets_of(&drawer->sheets, params, OWNER_EMITTER, n);
        view.kinds[n] = kind_of(drawer, params, OWNER_EMITTER, n, camera);
        view.frames[n] = (uint16_t)(sheet.columns * sheet.rows);
    }
    return view;
}

// ---- the list -----------------------------------------------------------------------------------

// Items of one layer stay in the order they came in.
static void add_item(Drawer *drawer, DrawItem item)
{
    int at = drawer->item_count++;
    for (; at > 0 && drawer->items[at - 1].layer > item.layer; at--)
        drawer->items[at] = drawer->items[at - 1];
    drawer->items[at] = item;
}

static void list_fields(Drawer *drawer, const Field *fields, const Params *params,
                        const Camera *camera)
{
    for (int f = 0; f < FIELD_SLOTS; f++) {
        if (fields[f].living == 0 || !params_exists(params, OWNER_FIELD, f)) continue;
        if (!swarm_is_visible(params, OWNER_FIELD, f)) continue;
        const float *values = params_values(params, OWNER_FIELD, f);
        add_item(drawer, (DrawItem){ .layer = (int)values[SWARM_LAYER],
                                     .owner = OWNER_FIELD,
                                     .kind = kind_of(drawer, params, OWNER_FIELD, f, camera),
                                     .covers = (int)values[SWARM_BLEND] == BLEND_ALPHA,
                                     .slot = f,
                                     .count = fields[f].living });
    }
}

static void map_sprites(Drawer *drawer)
{
    if (drawer->sprites.places) return;
    drawer->sprites = (Sprites){
        .places = stream_map(drawer->streams[STREAM_PLACES]),
        .looks = stream_map(drawer->streams[STREAM_LOOKS]),
        .ways = stream_map(drawer->streams[STREAM_WAYS]),
    };
}

void drawer_begin(Drawer *drawer, const Picture *picture, const Params *params, Sim *sim,
                  double orbit)
{
    const Camera camera = camera_of(params, orbit, picture->size, MARGIN);
    const SpriteView view = view_of(drawer, params, &camera);
    map_sprites(drawer);
    sim_will_draw(sim, &view, &drawer->sprites, drawer->sprites_most);
}

// Whether any emitter's sprites have ways.
static bool stretches(const Params *params)
{
    for (int n = 0; n < EMITTER_SLOTS; n++)
        if (params_exists(params, OWNER_EMITTER, n) &&
            (int)params_values(params, OWNER_EMITTER, n)[SWARM_FACING] == FACING_STRETCHED)
            return true;
    return false;
}

// Takes the CPU's sprites into the streams.
static void list_emitters(Drawer *drawer, const Scene *scene, const Camera *camera)
{
    SpriteRun runs[EMITTER_SLOTS];
    int run_count = 0;
    const SpriteView view = view_of(drawer, scene->params, camera);
    map_sprites(drawer);
    const uint32_t count = sim_sprites(scene->sim, scene->params, &view, &drawer->sprites,
                                       drawer->sprites_most, runs, &run_count);
    for (int n = 0; n < STREAMS; n++) {
        const bool written = n != STREAM_WAYS || stretches(scene->params);
        drawer->offsets[n] =
            stream_unmap(drawer->streams[n], written ? count * sprite_bytes[n] : 0);
    }
    drawer->sprites = (Sprites){ NULL };
    for (int r = 0; r < run_count; r++)
        add_item(drawer, (DrawItem){ .layer = runs[r].layer,
                                     .owner = OWNER_EMITTER,
                                     .kind = runs[r].kind,
                                     .covers = runs[r].covers,
                                     .slot = runs[r].emitter,
                                     .first = runs[r].first,
                                     .count = runs[r].count });
}

// ---- drawing ------------------------------------------------------------------------------------

static void set_blend(bool covers)
{
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_ONE, covers ? GL_ONE_MINUS_SRC_ALPHA : GL_ONE);
}

enum { SWARM_VECTORS = 3 };

// What shaders/common/sprite.glsl takes of a swarm.
static void describe_swarm(const Drawer *drawer, const Params *params, Owner owner, int slot,
                           float vectors[SWARM_VECTORS][4])
{
    const float *v = params_values(params, owner, slot);
    const Sheet sheet = sheets_of(&drawer->sheets, params, owner, slot);
    const bool covers = (int)v[SWARM_BLEND] == BLEND_ALPHA;
    // Fewer that add light give as much of it in all; what covers is not made to cover more.
    const float light =
        v[SWARM_INTENSITY] * (covers ? 1 : (float)SHARES / (float)sixteenths(drawer));
    const float all[SWARM_VECTORS][4] = {
        { v[SWARM_TINT_R] * light, v[SWARM_TINT_G] * light, v[SWARM_TINT_B] * light,
          v[SWARM_OPACITY] },
        { v[SWARM_SOFTNESS], v[SWARM_STRETCH], v[SWARM_FACING] + (covers ? 4 : 0),
          (float)(sheet.columns * sheet.rows) },
        { (float)sheet.layer, (float)sheet.columns, sheet.wide, sheet.high },
    };
    memcpy(vectors, all, sizeof all);
}

static void set_swarms(const Drawer *drawer, const Program *program, const Params *params,
                       const DrawItem *item)
{
    float vectors[EMITTER_SLOTS][SWARM_VECTORS][4] = { 0 };
    int count = 1;
    if (item->owner == OWNER_FIELD) {
        describe_swarm(drawer, params, OWNER_FIELD, item->slot, vectors[0]);
    } else {
        for (int n = 0; n < EMITTER_SLOTS; n++) {
            if (!params_exists(params, OWNER_EMITTER, n)) continue;
            describe_swarm(drawer, params, OWNER_EMITTER, n, vectors[n]);
            count = n + 1;
        }
    }
    glUniform4fv(program_uniform(program, "u_swarms"), count * SWARM_VECTORS, vectors[0][0]);
}

static void set_sheets(const Drawer *drawer, const Program *program)
{
    const int unit = 3;
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(GL_TEXTURE_2D_ARRAY, drawer->sheets.texture);
    glUniform1i(program_uniform(program, "u_sheets"), unit);
    program_float(program, "u_sheet_side", SHEET_SIDE);
}

static void set_camera(const Drawer *drawer, const Program *program, const Picture *picture,
                       const Camera *camera, bool points)
{
    const Size all = picture->light.size;
    program_mat4(program, "u_view_projection", camera->view_projection);
    program_vec2(program, "u_target", (float)all.width, (float)all.height);
    program_float(program, "u_pixels", camera->pixels);
    program_float(program, "u_distance", camera->distance);
    program_vec3(program, "u_eye", camera->eye);
    program_float(program, "u_point_limit", drawer->point_limit);
    program_int(program, "u_points", points);
}

// Bodies are closed: what looks away is hidden.
static void draw_bodies(const Body *body, uint32_t count)
{
    glEnable(GL_CULL_FACE);
    glDrawArraysInstanced(GL_TRIANGLES, 0, body->corners, (GLsizei)count);
    glDisable(GL_CULL_FACE);
}

static void draw_sprites(uint32_t count, bool points)
{
    if (points)
        glDrawArrays(GL_POINTS, 0, (GLsizei)count);
    else
        glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, (GLsizei)count);
}

static void draw_field(const Drawer *drawer, Field *field, const Program *program,
                       const Params *params, const DrawItem *item)
{
    const Sheet sheet = sheets_of(&drawer->sheets, params, OWNER_FIELD, item->slot);
    field_update_look(field, params, item->slot);
    field_set_ring(field, program);
    field_set_look(field, program, params_values(params, OWNER_FIELD, item->slot),
                   sheet.columns * sheet.rows);
    const uint32_t count = shared_births(drawer, field);
    if (item->kind != SPRITE_BODY) {
        draw_sprites(count, item->kind == SPRITE_POINT);
        return;
    }
    glBindVertexArray(drawer->field_bodies[item->slot].array);
    draw_bodies(&drawer->field_bodies[item->slot], count);
    glBindVertexArray(drawer->nothing);
}

// Where the run's sprites begin in a stream, which is bound.
static size_t bind_stream(const Drawer *drawer, int stream, const DrawItem *item)
{
    glBindBuffer(GL_ARRAY_BUFFER, stream_buffer(drawer->streams[stream]));
    return drawer->offsets[stream] + item->first * sprite_bytes[stream];
}

static void take_places(size_t at)
{
    const GLsizei step = sizeof(SpritePlace);
    glVertexAttribPointer(0, 3, GL_FLOAT, false, step, (void *)(at + offsetof(SpritePlace, x)));
    glVertexAttribPointer(1, 1, GL_HALF_FLOAT, false, step,
                          (void *)(at + offsetof(SpritePlace, size)));
    glVertexAttribIPointer(3, 2, GL_UNSIGNED_BYTE, step,
                           (void *)(at + offsetof(SpritePlace, emitter)));
}

static void take_looks(size_t at, bool turned)
{
    const GLsizei step = sizeof(SpriteLook);
    glVertexAttribPointer(2, 4, GL_UNSIGNED_BYTE, true, step,
                          (void *)(at + offsetof(SpriteLook, colour)));
    if (!turned) return;
    glVertexAttribPointer(4, 2, GL_UNSIGNED_SHORT, false, step,
                          (void *)(at + offsetof(SpriteLook, rotation)));
}

static void draw_run(const Drawer *drawer, const DrawItem *item)
{
    const bool points = item->kind == SPRITE_POINT, bodies = item->kind == SPRITE_BODY;
    const Body *body = &drawer->emitter_bodies[item->slot];
    glBindVertexArray(points ? drawer->points : bodies ? body->array : drawer->quads);
    take_places(bind_stream(drawer, STREAM_PLACES, item));
    take_looks(bind_stream(drawer, STREAM_LOOKS, item), !points);
    if (!points && !bodies)
        glVertexAttribPointer(5, 3, GL_SHORT, false, sizeof(SpriteWay),
                              (void *)bind_stream(drawer, STREAM_WAYS, item));
    if (bodies)
        draw_bodies(body, item->count);
    else
        draw_sprites(item->count, points);
    glBindVertexArray(drawer->nothing);
}

static const Program *use_pass(const Passes *passes, const DrawItem *item)
{
    const Pass first = item->owner == OWNER_FIELD ? PASS_FIELD_POINTS : PASS_POINTS;
    return pass_use(passes, first + (Pass)item->kind);
}

void drawer_draw(Drawer *drawer, const Passes *passes, Picture *picture, Field *fields,
                 const Scene *scene)
{
    const Camera camera = camera_of(scene->params, scene->orbit, picture->size, MARGIN);
    follow_share(drawer, scene);
    drawer->item_count = 0;
    list_fields(drawer, fields, scene->params, &camera);
    list_emitters(drawer, scene, &camera);

    glBindVertexArray(drawer->nothing);
    glEnable(GL_PROGRAM_POINT_SIZE);
    picture_begin(picture);
    for (int i = 0; i < drawer->item_count; i++) {
        const DrawItem *item = &drawer->items[i];
        const Program *program = use_pass(passes, item);
        set_blend(item->covers);
        set_camera(drawer, program, picture, &camera, item->kind == SPRITE_POINT);
        set_swarms(drawer, program, scene->params, item);
        set_share(drawer, program);
        if (item->kind == SPRITE_SHEET) set_sheets(drawer, program);
        if (item->owner == OWNER_FIELD)
            draw_field(drawer, &fields[item->slot], program, scene->params, item);
        else
            draw_run(drawer, item);
    }
}
