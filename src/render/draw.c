// Points are drawn at half the cost of quads, but they have a largest size, and vanish when their
// middle leaves the target.  So small sprites are points, into a picture with a margin of half the
// largest point; larger ones are quads.
#include "render/draw.h"

#include <stddef.h>
#include <string.h>

// Pixels at the origin up to which sprites are points: halfway to the eye they are still whole.
#define POINT_LARGEST (2.0f * MARGIN)

// ---- making -------------------------------------------------------------------------------------

static void enable_attributes(GLuint array, GLuint divisor)
{
    glBindVertexArray(array);
    for (GLuint a = 0; a < 3; a++) {
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
    enable_attributes(drawer->points, 0);
    enable_attributes(drawer->quads, 1);
    glBindVertexArray(drawer->nothing);
}

void drawer_free(Drawer *drawer)
{
    stream_free(drawer->stream);
    if (drawer->points)
        glDeleteVertexArrays(3, (GLuint[]){ drawer->points, drawer->quads, drawer->nothing });
    memset(drawer, 0, sizeof *drawer);
}

bool drawer_prepare(Drawer *drawer, uint32_t sprites, char *why, int why_size)
{
    if (drawer->stream && drawer->sprites_most == sprites) return true;
    Stream *stream = stream_new(sizeof(Sprite) * (size_t)sprites, why, why_size);
    if (!stream) return false;
    stream_free(drawer->stream);
    drawer->stream = stream;
    drawer->sprites_most = sprites;
    return true;
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

static int layer_of(const Params *params, Owner owner, int slot)
{
    return (int)params_values(params, owner, slot)[SWARM_LAYER];
}

static void list_fields(Drawer *drawer, const Field *fields, const Params *params)
{
    for (int f = 0; f < FIELD_SLOTS; f++) {
        if (fields[f].living == 0 || !params_exists(params, OWNER_FIELD, f)) continue;
        if (params_values(params, OWNER_FIELD, f)[SWARM_VISIBLE] <= 0) continue;
        add_item(drawer, (DrawItem){ layer_of(params, OWNER_FIELD, f), OWNER_FIELD, f, 0,
                                     fields[f].living });
    }
}

// Writes the CPU's sprites into the stream; returns the offset where they lie.
static size_t list_emitters(Drawer *drawer, const Scene *scene, Vec3 forward)
{
    SpriteRun runs[EMITTER_SLOTS];
    int run_count = 0;
    const uint32_t count =
        sim_sprites(scene->sim, scene->params, forward, stream_map(drawer->stream),
                    drawer->sprites_most, runs, &run_count);
    const size_t offset = stream_unmap(drawer->stream, count * sizeof(Sprite));
    for (int r = 0; r < run_count; r++) {
        if (runs[r].count == 0) continue;
        const int layer = layer_of(scene->params, OWNER_EMITTER, runs[r].emitter);
        add_item(drawer,
                 (DrawItem){ layer, OWNER_EMITTER, runs[r].emitter, runs[r].first, runs[r].count });
    }
    return offset;
}

// ---- drawing ------------------------------------------------------------------------------------

static float largest_of(const Stops *curve)
{
    float largest = 0;
    for (int s = 0; s < curve->count; s++)
        if (curve->value[s][0] > largest) largest = curve->value[s][0];
    return largest;
}

static bool draws_as_points(const Drawer *drawer, const Params *params, const DrawItem *item,
                            const Camera *camera)
{
    const Stops *curve = params_stops(params, params_id(item->owner, item->slot, SWARM_SIZE_CURVE));
    const float size =
        params_values(params, item->owner, item->slot)[SWARM_SIZE] * largest_of(curve);
    return size * camera->pixels / camera->distance <= 0.5f * drawer->point_limit;
}

static void set_blend(bool covers)
{
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_ONE, covers ? GL_ONE_MINUS_SRC_ALPHA : GL_ONE);
}

static void set_sprites(const Drawer *drawer, const Program *program, const Picture *picture,
                        const Camera *camera, const float *values, bool points)
{
    const bool covers = (int)values[SWARM_BLEND] == BLEND_ALPHA;
    const Size all = picture->light.size;
    set_blend(covers);
    program_mat4(program, "u_view_projection", camera->view_projection);
    program_vec2(program, "u_target", (float)all.width, (float)all.height);
    program_float(program, "u_pixels", camera->pixels);
    program_float(program, "u_distance", camera->distance);
    program_float(program, "u_softness", values[SWARM_SOFTNESS]);
    program_float(program, "u_intensity", values[SWARM_INTENSITY]);
    program_float(program, "u_point_limit", drawer->point_limit);
    program_float(program, "u_cover", covers ? 1 : 0);
    program_int(program, "u_points", points);
}

static void draw_sprites(uint32_t count, bool points)
{
    if (points)
        glDrawArrays(GL_POINTS, 0, (GLsizei)count);
    else
        glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, (GLsizei)count);
}

static void draw_field(const Field *field, const Program *program, const float *values, bool points)
{
    field_set_ring(field, program);
    program_texture(program, "u_look", 2, field->look);
    program_float(program, "u_size", values[SWARM_SIZE]);
    program_float(program, "u_size_random", values[SWARM_SIZE_RANDOM]);
    draw_sprites(field->living, points);
}

static void draw_emitter(const Drawer *drawer, const DrawItem *item, size_t offset, bool points)
{
    const size_t at = offset + item->first * sizeof(Sprite);
    const GLsizei stride = sizeof(Sprite);
    glBindVertexArray(points ? drawer->points : drawer->quads);
    glBindBuffer(GL_ARRAY_BUFFER, stream_buffer(drawer->stream));
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, stride, (void *)(at + offsetof(Sprite, x)));
    glVertexAttribPointer(1, 1, GL_FLOAT, GL_FALSE, stride, (void *)(at + offsetof(Sprite, size)));
    glVertexAttribPointer(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, stride,
                          (void *)(at + offsetof(Sprite, colour)));
    draw_sprites(item->count, points);
    glBindVertexArray(drawer->nothing);
}

static Pass pass_of(const DrawItem *item, bool points)
{
    if (item->owner == OWNER_FIELD) return points ? PASS_FIELD_POINTS : PASS_FIELD_QUADS;
    return points ? PASS_POINTS : PASS_QUADS;
}

void drawer_draw(Drawer *drawer, const Passes *passes, Picture *picture, Field *fields,
                 const Scene *scene)
{
    const Camera camera = camera_of(scene->params, scene->orbit, picture->size, MARGIN);
    drawer->item_count = 0;
    list_fields(drawer, fields, scene->params);
    const size_t offset = list_emitters(drawer, scene, camera.forward);

    glBindVertexArray(drawer->nothing);
    glEnable(GL_PROGRAM_POINT_SIZE);
    picture_begin(picture);
    for (int i = 0; i < drawer->item_count; i++) {
        const DrawItem *item = &drawer->items[i];
        const bool field = item->owner == OWNER_FIELD;
        const float *values = params_values(scene->params, item->owner, item->slot);
        const bool points = draws_as_points(drawer, scene->params, item, &camera);
        if (field) field_update_look(&fields[item->slot], scene->params, item->slot);
        const Program *program = pass_use(passes, pass_of(item, points));
        set_sprites(drawer, program, picture, &camera, values, points);
        if (field)
            draw_field(&fields[item->slot], program, values, points);
        else
            draw_emitter(drawer, item, offset, points);
    }
}
