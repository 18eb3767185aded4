#include "render/field.h"

#include <stdlib.h>
#include <string.h>

enum { PATCHES_A_ROW = 256, PATCH_TEXELS = 4 }; // as shaders/common/birth.glsl has them

// ---- making -------------------------------------------------------------------------------------

// Both sets have them: a birth by fill is drawn into either.
static bool make_marks(Field *field, int rows)
{
    gfx_take_error(); // what others left
    glGenRenderbuffers(1, &field->marks);
    glBindRenderbuffer(GL_RENDERBUFFER, field->marks);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT16, RING_WIDTH, rows);
    for (int s = 0; s < 2; s++) {
        target_bind(&field->state[s]);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER,
                                  field->marks);
    }
    const bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    glDepthMask(GL_TRUE);
    if (complete) glClearBufferfv(GL_DEPTH, 0, &(GLfloat){ 1 });
    return complete && gfx_take_error() == GL_NO_ERROR;
}

static void free_states(Field *field)
{
    target_free(&field->state[0]);
    target_free(&field->state[1]);
    if (field->marks) glDeleteRenderbuffers(1, &field->marks);
    field->marks = 0;
}

static bool make_states(Field *field, int rows)
{
    char why[256];
    const Size size = { RING_WIDTH, rows };
    bool made = true;
    for (int s = 0; made && s < 2; s++)
        made = target_init(&field->state[s], size, GL_RGBA32F, 2, false, why, sizeof why);
    made = made && make_marks(field, rows);
    if (!made) free_states(field);
    field->capacity = made ? (uint32_t)rows * RING_WIDTH : 0;
    return made;
}

// Graphics memory is found by trying: it is refused when there is no more.  Main memory is not: the
// system promises more than it has, and trying would end in swapping or in the end of the show.  So
// where the processor draws there is a fixed limit, far beyond what it can draw in time.
static int rows_most(void)
{
    GLint most = 1;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
    return context_is_software() ? clampi(most, 1, SOFTWARE_LARGEST / RING_WIDTH) : most;
}

static void make_tables(Field *field)
{
    field->look = texture_new(
        &(TextureDesc){ .size = { LOOK_ENTRIES, 2 }, .format = GL_RGBA32F, .smooth = true });
    field->speeds = texture_new(&(TextureDesc){ .size = { SPEED_ENTRIES, 1 }, .format = GL_R32F });
}

void field_make(Field *field, uint32_t asked, const char *name, char *notice, int notice_size)
{
    field_free(field);
    int rows = clampi((int)((asked + RING_WIDTH - 1) / RING_WIDTH), 1, rows_most());
    while (rows > 0 && !make_states(field, rows)) rows /= 2;
    if (field->capacity > 0) make_tables(field);
    field->asked = asked;
    field_empty(field);
    if (field->capacity >= asked) return;
    snprintf(notice, (size_t)notice_size, "field %s: %u particles asked, %u given", name, asked,
             field->capacity);
}

void field_free(Field *field)
{
    free_states(field);
    if (field->look) glDeleteTextures(1, &field->look);
    if (field->speeds) glDeleteTextures(1, &field->speeds);
    memset(field, 0, sizeof *field);
}

// Rows of PATCHES_A_ROW patches; the last one is filled up with what nobody reads.
static GLuint patch_texture(const Shape *shape)
{
    const int rows = (shape->count + PATCHES_A_ROW - 1) / PATCHES_A_ROW;
    const int whole = shape->count / PATCHES_A_ROW, rest = shape->count % PATCHES_A_ROW;
    const GLuint texture = texture_new(
        &(TextureDesc){ .size = { PATCHES_A_ROW * PATCH_TEXELS, rows }, .format = GL_RGBA32F });
    glBindTexture(GL_TEXTURE_2D, texture);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, PATCHES_A_ROW * PATCH_TEXELS, whole, GL_RGBA, GL_FLOAT,
                    shape->patches);
    if (rest > 0)
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, whole, rest * PATCH_TEXELS, 1, GL_RGBA, GL_FLOAT,
                        shape->patches + whole * PATCHES_A_ROW);
    return texture;
}

void patches_free(Patches *patches)
{
    if (patches->texture) glDeleteTextures(1, &patches->texture);
    *patches = (Patches){ 0 };
}

bool patches_set(Patches *patches, const Shape *shape, const char *name, char *why, int why_size)
{
    patches_free(patches);
    if (!shape) return true;
    gfx_take_error(); // what others left
    *patches = (Patches){ patch_texture(shape), shape->count };
    if (gfx_take_error() == GL_NO_ERROR) return true;
    patches_free(patches);
    snprintf(why, (size_t)why_size, "field %s: no memory for what gives birth", name);
    return false;
}

void field_empty(Field *field)
{
    field->fresh = true;
    field->living = 0;
    field->whole = false;
    field->crowded = false;
}

// ---- the ring -----------------------------------------------------------------------------------

// Which of the newest births may be alive at the frame's end.  Births that were never stepped
// (frames without a picture) are as good as never born.
static void advance_ring(Field *field, const Births *births, bool clear)
{
    if (field->fresh || births->first != field->next) field->first = births->first;
    field->fresh = false;
    field->next = births->first + births->count;
    field->seed = births->seed;
    uint64_t oldest = births->oldest > field->first ? births->oldest : field->first;
    if (clear && oldest < births->first) oldest = births->first;
    if (clear || births->clears != field->clears || !births->fills) field->whole = false;
    field->clears = births->clears;
    const uint64_t living = field->next > oldest ? field->next - oldest : 0;
    field->crowded = living > field->capacity;
    field->living = field->crowded || field->whole ? field->capacity : (uint32_t)living;
}

static uint32_t head_of(const Field *field)
{
    return (uint32_t)((field->next - 1) % field->capacity);
}

void field_set_ring(const Field *field, const Program *program)
{
    const uint64_t last = field->next - 1;
    const Target *state = &field->state[field->newest];
    program_texture(program, "u_positions", 0, state->textures[0]);
    program_texture(program, "u_velocities", 1, state->textures[1]);
    program_uint(program, "u_capacity", field->capacity);
    program_uint(program, "u_head", head_of(field));
    program_uint(program, "u_last_lo", (uint32_t)last);
    program_uint(program, "u_last_hi", (uint32_t)(last >> 32));
    program_uint(program, "u_living", field->living);
    program_uint(program, "u_seed", field->seed);
}

typedef struct {
    const char *name;
    float value;
} Single;

static void set_singles(const Program *program, const Single *singles, int count)
{
    for (int n = 0; n < count; n++) program_float(program, singles[n].name, singles[n].value);
}

static void set_attractors(const Program *program, const Motion *felt)
{
    float attractors[GLOBAL_ATTRACTORS][4] = { { 0 } }, shapes[GLOBAL_ATTRACTORS][2] = { { 0 } };
    for (int n = 0; n < felt->attractor_count; n++) {
        const Attractor *a = &felt->attractors[n];
        memcpy(attractors[n],
               &(float[4]){ a->position.x, a->position.y, a->position.z, a->strength },
               sizeof attractors[n]);
        memcpy(shapes[n], &(float[2]){ a->vortex, a->softening }, sizeof shapes[n]);
    }
    glUniform4fv(program_uniform(program, "u_attractor"), GLOBAL_ATTRACTORS, attractors[0]);
    glUniform2fv(program_uniform(program, "u_attractor_shape"), GLOBAL_ATTRACTORS, shapes[0]);
}

static void set_colliders(const Program *program, const Motion *felt)
{
    float places[GLOBAL_COLLIDERS][4], forms[GLOBAL_COLLIDERS][4];
    for (int n = 0; n < felt->collider_count; n++) {
        const Collider *c = &felt->colliders[n];
        const Vec3 form = c->shape == COLLIDER_PLANE ? c->normal : c->size;
        memcpy(places[n],
               &(float[4]){ c->position.x, c->position.y, c->position.z, (float)c->shape },
               sizeof places[n]);
        memcpy(forms[n], &(float[4]){ form.x, form.y, form.z, c->side }, sizeof forms[n]);
    }
    glUniform4fv(program_uniform(program, "u_collider"), felt->collider_count, places[0]);
    glUniform4fv(program_uniform(program, "u_collider_form"), felt->collider_count, forms[0]);
    program_int(program, "u_collider_count", felt->collider_count);
}

static void set_rings(const Program *program, const Rings *rings)
{
    const Vec3 middle = rings->middle, axis = rings->axis;
    const float place[4] = { middle.x, middle.y, middle.z, rings->inner };
    const float along[4] = { axis.x, axis.y, axis.z, 1 / rings->spacing };
    const float push[4] = { rings->outward, rings->around, rings->along, rings_softening(rings) };
    glUniform4fv(program_uniform(program, "u_rings_middle"), 1, place);
    glUniform4fv(program_uniform(program, "u_rings_axis"), 1, along);
    glUniform4fv(program_uniform(program, "u_rings_push"), 1, push);
    glUniform1fv(program_uniform(program, "u_rings_levels"), ANALYSIS_BANDS, rings->levels);
}

static void set_motion(const Program *program, const Motion *felt)
{
    const Single singles[] = {
        { "u_drag", felt->drag },
        { "u_jitter", felt->jitter },
        { "u_turbulence", felt->turbulence },
        { "u_turbulence_scale", felt->turbulence_scale },
        { "u_turbulence_speed", felt->turbulence_speed },
        { "u_turbulence_phase", felt->turbulence_phase },
        { "u_bounce", felt->bounce },
        { "u_tangent_keep", felt->tangent_keep },
        { "u_hit_life", felt->hit_life },
    };
    set_singles(program, singles, COUNT_OF(singles));
    program_vec3(program, "u_acceleration", felt->acceleration);
    set_attractors(program, felt);
    set_rings(program, &felt->rings);
    set_colliders(program, felt);
}

static void set_swarm(const Program *program, const float *values)
{
    const Single singles[] = {
        { "u_thickness", values[SWARM_THICKNESS] },
        { "u_area_arc", values[SWARM_AREA_ARC] / 360 },
        { "u_area_lean", area_lean(values) },
        { "u_outward", values[SWARM_OUTWARD] },
        { "u_spin", values[SWARM_SPIN] },
        { "u_spread", values[SWARM_SPREAD] },
        { "u_speed_random", values[SWARM_SPEED_RANDOM] },
        { "u_life", values[SWARM_LIFE] },
        { "u_life_random", values[SWARM_LIFE_RANDOM] },
    };
    const float *size = values + SWARM_AREA_X, *velocity = values + SWARM_VELOCITY_X;
    set_singles(program, singles, COUNT_OF(singles));
    program_vec3(program, "u_area_size", (Vec3){ size[0], size[1], size[2] });
    program_vec3(program, "u_velocity", (Vec3){ velocity[0], velocity[1], velocity[2] });
    program_int(program, "u_area", (int)values[SWARM_AREA]);
}

static void set_patches(const Program *program, const Patches *patches)
{
    program_int(program, "u_patch_count", patches->count);
    if (patches->count > 0) program_texture(program, "u_patches", 3, patches->texture);
}

static void set_place(const Program *program, const Placement *place)
{
    const float turn[9] = { place->x.x, place->x.y, place->x.z, place->y.x, place->y.y,
                            place->y.z, place->z.x, place->z.y, place->z.z };
    glUniformMatrix3fv(program_uniform(program, "u_turn"), 1, GL_FALSE, turn);
    program_vec3(program, "u_middle", place->middle);
}

static void set_births(const Program *program, const Births *births)
{
    GLuint start[BIRTH_RUNS] = { 0 };
    float away[BIRTH_RUNS][4] = { { 0 } }, step[BIRTH_RUNS][4] = { { 0 } };
    for (int r = 0; r < births->run_count; r++) {
        const BirthRun *run = &births->runs[r];
        start[r] = (GLuint)(run->first - births->first);
        memcpy(away[r], &(float[4]){ run->away.x, run->away.y, run->away.z, run->age_first },
               sizeof away[r]);
        memcpy(step[r], &(float[4]){ run->step.x, run->step.y, run->step.z, run->spacing },
               sizeof step[r]);
    }
    program_uint(program, "u_births", births->count);
    program_int(program, "u_run_count", births->run_count);
    glUniform1uiv(program_uniform(program, "u_run_start"), BIRTH_RUNS, start);
    glUniform4fv(program_uniform(program, "u_run_away"), BIRTH_RUNS, away[0]);
    glUniform4fv(program_uniform(program, "u_run_step"), BIRTH_RUNS, step[0]);
}

static void set_refills(const Program *program, const Births *births, uint32_t capacity)
{
    float away[BIRTH_RUNS][4] = { { 0 } }, way[BIRTH_RUNS][4] = { { 0 } };
    float share[BIRTH_RUNS] = { 0 }, all[2] = { 0 };
    for (int r = 0; r < births->refill_count; r++) {
        const BirthRun *span = &births->refills[r].span;
        memcpy(away[r], &(float[4]){ span->away.x, span->away.y, span->away.z, span->age_first },
               sizeof away[r]);
        memcpy(way[r], &(float[4]){ span->step.x, span->step.y, span->step.z, span->spacing },
               sizeof way[r]);
        share[r] = fill_share(&births->refills[r], capacity);
        all[0] += share[r];
        all[1] = fmaxf(all[1], span->age_first);
    }
    program_vec2(program, "u_refill_all", all[0], all[1]);
    program_int(program, "u_refill_count", births->refill_count);
    program_uint(program, "u_generation", births->generation % FILL_GENERATIONS);
    glUniform4fv(program_uniform(program, "u_refill_away"), BIRTH_RUNS, away[0]);
    glUniform4fv(program_uniform(program, "u_refill_way"), BIRTH_RUNS, way[0]);
    glUniform1fv(program_uniform(program, "u_refill_share"), BIRTH_RUNS, share);
}

// ---- rows of the ring -----------------------------------------------------------------------------

static int rows_of(const Field *field)
{
    return (int)(field->capacity / RING_WIDTH);
}

// In how many rows the newest `count` births lie.
static int rows_with(const Field *field, uint32_t count)
{
    const uint32_t in_last = head_of(field) % RING_WIDTH + 1;
    if (count <= in_last) return count > 0;
    return clampi(1 + (int)((count - in_last + RING_WIDTH - 1) / RING_WIDTH), 1, rows_of(field));
}

static void draw_stretch(int first, int count)
{
    if (count <= 0) return;
    glScissor(0, first, RING_WIDTH, count);
    draw_fullscreen();
}

// Draws over `count` rows, of which the newest is the `back`-th behind that of the newest birth: at most
// two stretches.
static void draw_rows(const Field *field, int back, int count)
{
    const int all = rows_of(field);
    const int first = (int)(head_of(field) / RING_WIDTH) + 1 - back - count;
    const int from = first < 0 ? first + all : first, end = from + count;
    glEnable(GL_SCISSOR_TEST);
    draw_stretch(from, (end < all ? end : all) - from);
    draw_stretch(0, end - all); // what went round
    glDisable(GL_SCISSOR_TEST);
}

// ---- a frame --------------------------------------------------------------------------------------

// The live speed over life, uploaded if it changed; NULL when it is 1.
static const float *update_speeds(Field *field, const Params *params, int slot)
{
    const uint32_t before = field->speed.version;
    const float *speeds = speed_bake(&field->speed, params, OWNER_FIELD, slot);
    if (!speeds || before == field->speed.version) return speeds;
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, field->speeds);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, SPEED_ENTRIES, 1, GL_RED, GL_FLOAT, speeds);
    return speeds;
}

// What the passes of a frame draw from.
typedef struct {
    const Scene *scene;
    const Births *births;
    const Patches *patches;
    const float *values;
    Motion felt;
} Frame;

// What a program is asked for in some rows of a frame.
enum {
    BIRTHS = 1,
    LONG = 2,       // several sub-steps
    STIR = 4,       // turbulence, or more than one attractor
    SURGE = 8,      // the rings of the spectrum
    OBSTACLES = 16, // colliders, or speed over life
    FILL = 32,      // the first pass of births by fill
};

static int needs_of(const Frame *frame, bool births)
{
    const Motion *felt = &frame->felt;
    float longest = frame->scene->dt;
    for (int r = 0; births && r < frame->births->run_count; r++)
        longest = fmaxf(longest, frame->births->runs[r].age_first);
    return (births ? BIRTHS : 0) | (law_substeps(longest) > 1 ? LONG : 0) |
           (felt->turbulence != 0 || felt->attractor_count > 1 ? STIR : 0) |
           (rings_push(&felt->rings) ? SURGE : 0) |
           (felt->collider_count > 0 || felt->speed ? OBSTACLES : 0);
}

static Pass leanest(int needs)
{
    static const struct {
        Pass pass;
        int can;
    } passes[] = {
        { PASS_FIELD_GLIDE, 0 },
        { PASS_FIELD_BIRTH, BIRTHS },
        { PASS_FIELD_STIR, STIR },
        { PASS_FIELD_GLIDE_LONG, LONG },
        { PASS_FIELD_STIR_LONG, STIR | LONG },
        { PASS_FIELD_SURGE, STIR | LONG | SURGE },
        { PASS_FIELD_HINDER, STIR | LONG | OBSTACLES },
        { PASS_FIELD_FILL, FILL },
        { PASS_FIELD_FILL_STIR, FILL | STIR | LONG | SURGE },
        { PASS_FIELD_FILL_HINDER, FILL | STIR | LONG | SURGE | OBSTACLES },
    };
    for (int p = 0; p < COUNT_OF(passes); p++)
        if ((needs & ~passes[p].can) == 0 && (needs & FILL) == (passes[p].can & FILL))
            return passes[p].pass;
    return PASS_FIELD_STEP;
}

static void use_step(const Field *field, const Passes *passes, Pass pass, const Frame *frame)
{
    const Program *program = pass_use(passes, pass);
    field_set_ring(field, program);
    program_texture(program, "u_speeds", 2, field->speeds);
    program_int(program, "u_has_speeds", frame->felt.speed != NULL);
    set_motion(program, &frame->felt);
    set_swarm(program, frame->values);
    set_patches(program, frame->patches);
    set_place(program, &frame->births->place);
    set_births(program, frame->births);
    set_refills(program, frame->births, field->capacity);
    program_float(program, "u_dt", frame->scene->dt);
    program_uint(program, "u_step", frame->scene->frame * SUBSTEPS_MAX);
}

static void step_rows(const Field *field, const Passes *passes, Pass pass, const Frame *frame,
                      int back, int count)
{
    if (count <= 0) return;
    use_step(field, passes, pass, frame);
    draw_rows(field, back, count);
}

// The newest births lie in the first rows.
static void step_arc(const Field *field, const Passes *passes, const Frame *frame)
{
    const int rows = rows_with(field, field->living);
    const int with_births = rows_with(field, frame->births->count);
    const int newest = with_births < rows ? with_births : rows;
    step_rows(field, passes, leanest(needs_of(frame, true)), frame, 0, newest);
    step_rows(field, passes, leanest(needs_of(frame, false)), frame, newest, rows - newest);
}

// A point for each slot, of which those that have a birth are drawn, and marked where it is one by fill.
static void step_births(Field *field, const Passes *passes, const Frame *frame)
{
    use_step(field, passes, PASS_FIELD_FILL_BIRTH, frame);
    glEnable(GL_DEPTH_TEST); // nothing is written without
    glDepthFunc(GL_ALWAYS);
    glDepthMask(GL_TRUE);
    glDrawArrays(GL_POINTS, 0, (GLsizei)field->capacity);
    glDisable(GL_DEPTH_TEST);
    field->marked = true;
}

// Slots outside of the arc become part of the field.
static void step_whole(Field *field, const Passes *passes, const Frame *frame)
{
    const Births *births = frame->births;
    step_rows(field, passes, leanest(FILL | needs_of(frame, false)), frame, 0, rows_of(field));
    if (births->refill_count > 0 || births->count > 0) step_births(field, passes, frame);
    field->whole = true;
    field->living = field->capacity;
}

void field_step(Field *field, const Passes *passes, const Patches *patches, const Scene *scene,
                int slot)
{
    const Births *births = sim_field_births(scene->sim, slot);
    const float *values = params_values(scene->params, OWNER_FIELD, slot);
    advance_ring(field, births, scene->clear);
    if ((field->living == 0 && !births->fills) || births->frozen) return;

    const float *speeds = update_speeds(field, scene->params, slot);
    const Frame frame = { scene, births, patches, values,
                          motion_felt(&scene->motion, values, speeds) };
    glDisable(GL_BLEND);
    target_bind(&field->state[!field->newest]);
    if (births->fills)
        step_whole(field, passes, &frame);
    else
        step_arc(field, passes, &frame);
    field->newest = !field->newest;
}

// Drivers compile again at the first drawing.  A step of an empty ring is drawn with each program.
void fields_warm(const Passes *passes)
{
    static const float values[FIELD_ROWS];
    static const Births births;
    const Scene scene = { 0 };
    static const Patches patches;
    const Frame frame = {
        .scene = &scene, .births = &births, .patches = &patches, .values = values
    };
    char notice[256];
    Field field = { 0 };
    field_make(&field, RING_WIDTH, "", notice, sizeof notice);
    field.next = 1;                       // never drawn with less
    const bool made = field.capacity > 0; // else the first frame waits
    glDisable(GL_BLEND);
    if (made) target_bind(&field.state[!field.newest]);
    for (Pass pass = PASS_FIELD_STEP; made && pass <= PASS_FIELD_HINDER; pass++)
        if (pass != PASS_FIELD_FILL_BIRTH) step_rows(&field, passes, pass, &frame, 0, 1);
    if (made) step_births(&field, passes, &frame);
    if (made) field_count_born(&field, passes);
    field_free(&field);
}

// The set that is not read is bound, so that there is something to draw into; nothing is written.
void field_count(const Field *field, const Passes *passes)
{
    if (field->living == 0) return;
    const Program *program = pass_use(passes, PASS_FIELD_COUNT);
    target_bind(&field->state[!field->newest]);
    field_set_ring(field, program);
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    draw_rows(field, 0, rows_with(field, field->living));
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

// Drawn at half depth: over a mark it passes, and stays, so that nobody is counted twice.
void field_count_born(Field *field, const Passes *passes)
{
    if (!field->marked) return;
    field->marked = false;
    pass_use(passes, PASS_FIELD_COUNT_BORN);
    target_bind(&field->state[!field->newest]);
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_GREATER);
    glDepthMask(GL_TRUE);
    draw_fullscreen();
    glDisable(GL_DEPTH_TEST);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

// ---- look ---------------------------------------------------------------------------------------

void field_update_look(Field *field, const Params *params, int slot)
{
    LookSource source;
    look_source(&source, params, OWNER_FIELD, slot);
    if (field->look_made && look_source_same(&field->look_source, &source)) return;

    LookTable table;
    float over[LOOK_ENTRIES][4] = { { 0 } };
    look_bake(&table, &source);
    for (int n = 0; n < LOOK_ENTRIES; n++) {
        over[n][0] = table.size[n];
        over[n][1] = table.turned[n];
    }
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, field->look);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, LOOK_ENTRIES, 1, GL_RGBA, GL_FLOAT, table.colour);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 1, LOOK_ENTRIES, 1, GL_RGBA, GL_FLOAT, over);
    field->look_source = source;
    field->look_made = true;
}

void field_set_look(const Field *field, const Program *program, const float *values, int frames)
{
    static const float turn = 1.0f / 360;
    static const struct {
        const char *name;
        int row;
        float unit; // of the uniform, in those of the row
    } numbers[] = {
        { "u_size", SWARM_SIZE, 1 },
        { "u_size_random", SWARM_SIZE_RANDOM, 1 },
        { "u_size_end", SWARM_SIZE_END, 1 },
        { "u_size_end_random", SWARM_SIZE_END_RANDOM, 1 },
        { "u_rotation", SWARM_ROTATION, turn },
        { "u_rotation_random", SWARM_ROTATION_RANDOM, turn },
        { "u_rotation_speed", SWARM_ROTATION_SPEED, turn },
        { "u_rotation_speed_random", SWARM_ROTATION_SPEED_RANDOM, 1 },
        { "u_rotation_flip", SWARM_ROTATION_FLIP, 1 },
        { "u_sheet_fps", SWARM_SHEET_FPS, 1 },
    };
    static const struct {
        const char *name;
        int row;
    } choices[] = {
        { "u_size_change", SWARM_SIZE_CHANGE }, { "u_sheet_fit", SWARM_SHEET_FIT },
        { "u_sheet_start", SWARM_SHEET_START }, { "u_sheet_random", SWARM_SHEET_RANDOM },
        { "u_sheet_blend", SWARM_SHEET_BLEND },
    };
    for (int n = 0; n < COUNT_OF(numbers); n++)
        program_float(program, numbers[n].name, values[numbers[n].row] * numbers[n].unit);
    for (int n = 0; n < COUNT_OF(choices); n++)
        program_int(program, choices[n].name, (int)values[choices[n].row]);
    program_int(program, "u_frames", frames);
    program_texture(program, "u_look", 2, field->look);
    program_texture(program, "u_speeds", 4, field->speeds);
    program_int(program, "u_has_speeds", field->speed.version > 0 && !field->speed.flat);
}

// ---- for tests ----------------------------------------------------------------------------------

static Particle particle_of(const float *position_age, const float *velocity_life, bool may_live)
{
    return (Particle){
        .position = { position_age[0], position_age[1], position_age[2] },
        .velocity = { velocity_life[0], velocity_life[1], velocity_life[2] },
        .age = position_age[3],
        .life = may_live ? fabsf(velocity_life[3]) : 0,
    };
}

uint32_t field_read(const Field *field, Particle *particles, uint32_t capacity)
{
    const uint32_t count = field->capacity < capacity ? field->capacity : capacity;
    const uint32_t head = field->living > 0 ? head_of(field) : 0;
    float(*state[2])[4] = { malloc((size_t)field->capacity * 16),
                            malloc((size_t)field->capacity * 16) };
    glBindFramebuffer(GL_READ_FRAMEBUFFER, field->state[field->newest].framebuffer);
    for (int s = 0; s < 2 && state[0] && state[1]; s++) {
        glReadBuffer(s == 0 ? GL_COLOR_ATTACHMENT0 : GL_COLOR_ATTACHMENT1);
        glReadPixels(0, 0, RING_WIDTH, (GLsizei)(field->capacity / RING_WIDTH), GL_RGBA, GL_FLOAT,
                     state[s]);
    }
    for (uint32_t i = 0; i < count && state[0] && state[1]; i++) {
        const uint32_t back = i <= head ? head - i : head + field->capacity - i;
        particles[i] = particle_of(state[0][i], state[1][i], back < field->living);
    }
    free(state[0]);
    free(state[1]);
    return count;
}
