// The ring of a GPU field: who is alive is exact without reading anything back.
#include "gl/stage.h"

#include <math.h>
#include <stdlib.h>

// Everyone who was ever born, moved by the law's ages alone.
enum { EVER = 40000 };

typedef struct {
    float age[EVER], life[EVER];
    uint64_t first; // index of the first of them
    uint32_t count;
} Model;

static void model_age(Model *model, uint32_t n, float span)
{
    const int count = law_substeps(span);
    const float step = span / (float)count;
    for (int s = 0; s < count; s++) model->age[n] += step;
}

static void model_frame(Model *model, const Stage *stage, float dt)
{
    const Births *births = sim_field_births(stage->sim, 0);
    for (uint32_t n = 0; n < model->count; n++) model_age(model, n, dt);
    if (model->count == 0) model->first = births->first;
    for (uint32_t n = 0; n < births->count; n++) {
        const uint32_t at = model->count++;
        assert_true(at < EVER);
        model->age[at] = 0;
        model->life[at] =
            law_birth(stage_field(stage), &births->place, rng_key(births->seed, births->first + n))
                .life;
        model_age(model, at, birth_age(births, n));
    }
}

// Of the newest `capacity` births.
static uint32_t model_alive(const Model *model, uint32_t capacity)
{
    uint32_t alive = 0;
    const uint32_t from = model->count > capacity ? model->count - capacity : 0;
    for (uint32_t n = from; n < model->count; n++) alive += model->age[n] < model->life[n];
    return alive;
}

static Stage field_stage(double rate, double life, double capacity)
{
    Stage stage = stage_new((Size){ 16, 9 });
    stage_set(&stage, "fields/main/rate", rate);
    stage_set(&stage, "fields/main/life", life);
    stage_set(&stage, "fields/main/capacity", capacity);
    stage_prepare(&stage, NULL, 0);
    return stage;
}

static Model *empty_model(void)
{
    static Model model;
    memset(&model, 0, sizeof model);
    return &model;
}

static void step_both(Stage *stage, Model *model, float dt, int hops)
{
    stage_frame(stage, dt, hops);
    model_frame(model, stage, dt);
    const RenderStatus status = render_status(stage->render);
    assert_int_equal(status.frame, stage->frame - 1);
    assert_int_equal(status.alive, model_alive(model, status.capacity[0]));
    assert_int_equal(status.alive, status.field_alive[0]);
}

// Particle n lies in slot n % capacity, and lives as long as it should.
static void expect_slots(Stage *stage, const Model *model)
{
    static Particle slots[16384];
    const uint32_t capacity = render_field_particles(stage->render, 0, slots, COUNT_OF(slots));
    const uint32_t from = model->count > capacity ? model->count - capacity : 0;
    for (uint32_t n = from; n < model->count; n++) {
        const Particle *slot = &slots[(model->first + n) % capacity];
        const bool alive = model->age[n] < model->life[n];
        assert_true(is_alive(slot) == alive);
        if (alive) assert_float_equal(slot->life, model->life[n], 1e-6f);
        if (alive) assert_float_equal(slot->age, model->age[n], 1e-5f);
    }
}

static void the_living_are_counted_exactly_in_every_frame(void **state)
{
    (void)state;
    static const float lengths[] = { 1.0f / 60, 1.0f / 144, 0.05f, 1.0f / 30, 0.1f };
    Stage stage = field_stage(5000, 0.5, 4096);
    Model *model = empty_model();
    for (int f = 0; f < 120; f++)
        step_both(&stage, model, lengths[f % COUNT_OF(lengths)], 1 + f % 9);
    assert_true(model->count > 3 * 4096); // the ring was gone round
    assert_false(render_status(stage.render).crowded[0]);
    expect_slots(&stage, model);

    stage_set(&stage, "fields/main/rate", 0);
    stage_prepare(&stage, NULL, 0);
    for (int f = 0; f < 40; f++) step_both(&stage, model, 1.0f / 60, 3);
    assert_int_equal(render_status(stage.render).alive, 0);
    stage_free(&stage);
}

static void what_was_cleared_stays_dead_when_the_ring_comes_round(void **state)
{
    (void)state;
    Stage stage = field_stage(6000, 5, 4096);
    Model *model = empty_model();
    for (int f = 0; f < 21; f++) step_both(&stage, model, 1.0f / 60, 3);
    sim_clear(stage.sim);
    for (uint32_t n = 0; n < model->count; n++) model->life[n] = 0;
    for (int f = 0; f < 60; f++) step_both(&stage, model, 1.0f / 60, 3);
    stage_free(&stage);
}

static void where_births_outrun_the_ring_the_oldest_go_first(void **state)
{
    (void)state;
    Stage stage = field_stage(8000, 2, 1024);
    Model *model = empty_model();
    for (int f = 0; f < 30; f++) step_both(&stage, model, 1.0f / 60, 3);
    const RenderStatus status = render_status(stage.render);
    assert_true(status.crowded[0]);
    assert_int_equal(status.capacity[0], 1024);
    assert_true(status.alive > 1000);
    expect_slots(&stage, model);
    stage_free(&stage);
}

static void more_births_in_a_frame_than_slots_leave_the_newest(void **state)
{
    (void)state;
    Stage stage = field_stage(100000, 2, 1024);
    Model *model = empty_model();
    for (int f = 0; f < 3; f++) step_both(&stage, model, 0.05f, 9);
    expect_slots(&stage, model);
    stage_free(&stage);
}

static void indices_go_on_beyond_32_bits(void **state)
{
    (void)state;
    Stage stage = field_stage(6000, 0.5, 5000);
    // As after a few days of births, of which one frame's lie on both sides.
    const uint64_t first = (1ULL << 32) - 950;
    sim_begin(stage.sim, stage.params);
    ((Births *)sim_field_births(stage.sim, 0))->first = first;
    Model *model = empty_model();
    for (int f = 0; f < 20; f++) {
        step_both(&stage, model, 1.0f / 60, 3);
        expect_slots(&stage, model);
    }
    assert_true(model->first == first);
    assert_int_equal(render_status(stage.render).capacity[0], 5120); // whole rows
    expect_slots(&stage, model);
    stage_free(&stage);
}

static void another_capacity_is_an_empty_ring_whose_indices_go_on(void **state)
{
    (void)state;
    Stage stage = field_stage(6000, 1, 8192);
    Model *model = empty_model();
    for (int f = 0; f < 20; f++) step_both(&stage, model, 1.0f / 60, 3);
    stage_set(&stage, "fields/main/capacity", 16384);
    stage_prepare(&stage, NULL, 0);
    model = empty_model();
    for (int f = 0; f < 20; f++) step_both(&stage, model, 1.0f / 60, 3);
    assert_true(model->first > 0);
    expect_slots(&stage, model);
    stage_free(&stage);
}

static void another_field_in_the_same_slot_starts_empty(void **state)
{
    (void)state;
    char why[256];
    Stage stage = field_stage(6000, 5, 8192);
    for (int f = 0; f < 10; f++) stage_frame(&stage, 1.0f / 60, 3);
    assert_true(render_status(stage.render).alive > 0);
    params_remove(stage.params, OWNER_FIELD, 0);
    stage_prepare(&stage, NULL, 0);
    stage_frame(&stage, 1.0f / 60, 3);
    assert_int_equal(render_status(stage.render).alive, 0);
    assert_int_equal(render_status(stage.render).capacity[0], 0);

    assert_int_equal(params_add(stage.params, OWNER_FIELD, "other", why, sizeof why), 0);
    stage_set(&stage, "fields/other/rate", 6000);
    stage_prepare(&stage, NULL, 0);
    Model *model = empty_model();
    for (int f = 0; f < 5; f++) step_both(&stage, model, 1.0f / 60, 3);
    stage_free(&stage);
}

static void counts_that_are_not_waited_for_come_later(void **state)
{
    (void)state;
    Stage stage = stage_with((Size){ 16, 9 }, false);
    Model *model = empty_model();
    uint32_t counted[60];
    stage_set(&stage, "fields/main/rate", 6000);
    stage_prepare(&stage, NULL, 0);
    for (int f = 0; f < 60; f++) {
        stage_frame(&stage, 1.0f / 60, 3);
        model_frame(model, &stage, 1.0f / 60);
        counted[f] = model_alive(model, 1u << 30);
        const RenderStatus status = render_status(stage.render);
        if (status.alive > 0) assert_int_equal(status.alive, counted[status.frame]);
    }
    glFinish();
    stage_frame(&stage, 1.0f / 60, 3);
    assert_in_range(render_status(stage.render).frame, 50, 60);
    stage_free(&stage);
}

static bool is_number(const Particle *p)
{
    return isfinite(p->position.x) && isfinite(p->position.y) && isfinite(p->position.z) &&
           isfinite(p->velocity.x) && isfinite(p->velocity.y) && isfinite(p->velocity.z) &&
           isfinite(p->age);
}

static void nonsense_in_the_state_is_dead_and_gone(void **state)
{
    (void)state;
    static Particle slots[8192];
    Stage stage = field_stage(6000, 5, 8192);
    for (int f = 0; f < 10; f++) stage_frame(&stage, 1.0f / 60, 3);
    stage.spoil = NAN;
    stage_frame(&stage, 1.0f / 60, 3);
    Model *model = empty_model();
    for (int f = 0; f < 2; f++) step_both(&stage, model, 1.0f / 60, 3);
    const uint32_t count = render_field_particles(stage.render, 0, slots, COUNT_OF(slots));
    for (uint32_t n = 0; n < count; n++) assert_true(is_number(&slots[n]));
    assert_int_equal(glGetError(), GL_NO_ERROR);
    stage_free(&stage);
}

static void an_absurd_capacity_becomes_what_the_machine_gives(void **state)
{
    (void)state;
    char notice[256] = "";
    Stage stage = stage_new((Size){ 16, 9 });
    stage_set(&stage, "fields/main/rate", 1000);
    stage_set(&stage, "fields/main/capacity", 100000000);
    stage_prepare(&stage, notice, sizeof notice);
    assert_non_null(strstr(notice, "field main: 100000000 particles asked, "));
    Model *model = empty_model();
    for (int f = 0; f < 5; f++) step_both(&stage, model, 1.0f / 60, 3);
    const uint32_t given = render_status(stage.render).capacity[0];
    GLint rows = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &rows);
    assert_in_range(given, 1024, context_is_software() ? 4194304 : 1024 * (uint32_t)rows);

    // Said once, and not tried again.
    stage_prepare(&stage, notice, sizeof notice);
    assert_string_equal(notice, "");
    assert_int_equal(render_status(stage.render).capacity[0], given);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    stage_free(&stage);
}

// ---- what hands do to a field -------------------------------------------------------------------

enum { SLOTS = 4096 };

static void busy_frames(Stage *stage, int frames)
{
    for (int f = 0; f < frames; f++) stage_frame(stage, 1.0f / 60, 3);
}

static void pull(Stage *stage, const char *path)
{
    stage_set(stage, path, 1);
    stage_prepare(stage, NULL, 0);
}

static void a_frozen_field_stays_as_it_is_and_goes_on_from_there(void **state)
{
    (void)state;
    static Particle before[SLOTS], after[SLOTS];
    Stage stage = field_stage(2000, 5, SLOTS);
    stage_set(&stage, "forces/gravity", -5);
    stage_set(&stage, "forces/jitter", 3);
    busy_frames(&stage, 30);
    const uint32_t alive = render_status(stage.render).alive;
    render_field_particles(stage.render, 0, before, SLOTS);
    pull(&stage, "fields/main/freeze");
    busy_frames(&stage, 30);
    pull(&stage, "fields/main/burst");
    busy_frames(&stage, 1);
    render_field_particles(stage.render, 0, after, SLOTS);
    assert_memory_equal(before, after, sizeof before);
    assert_int_equal(render_status(stage.render).alive, alive);

    stage_set(&stage, "fields/main/freeze", 0);
    stage_prepare(&stage, NULL, 0);
    busy_frames(&stage, 30);
    assert_in_range(render_status(stage.render).alive, alive + 990, alive + 1010);
    stage_free(&stage);
}

static void a_field_is_cleared_alone(void **state)
{
    (void)state;
    char why[256];
    Stage stage = field_stage(2000, 5, SLOTS);
    assert_int_equal(params_add(stage.params, OWNER_FIELD, "other", why, sizeof why), 1);
    stage_set(&stage, "fields/other/rate", 2000);
    stage_prepare(&stage, NULL, 0);
    busy_frames(&stage, 30);
    const RenderStatus before = render_status(stage.render);
    pull(&stage, "fields/main/clear");
    busy_frames(&stage, 1);
    assert_int_equal(render_status(stage.render).field_alive[0], 0);
    assert_true(render_status(stage.render).field_alive[1] > before.field_alive[1]);
    busy_frames(&stage, 30);
    assert_in_range(render_status(stage.render).field_alive[0], 950, 1010);
    stage_free(&stage);
}

static void a_reseeded_field_is_born_anew_by_another_chance(void **state)
{
    (void)state;
    static Particle slots[SLOTS];
    Stage stage = field_stage(2000, 5, SLOTS);
    busy_frames(&stage, 10);
    const uint32_t seed = sim_field_births(stage.sim, 0)->seed;
    pull(&stage, "fields/main/reseed");
    busy_frames(&stage, 1);
    assert_int_equal(render_status(stage.render).alive, 0);
    const Births *births = sim_field_births(stage.sim, 0);
    assert_true(births->seed != seed);
    const uint64_t first = births->first + births->count;
    busy_frames(&stage, 2);
    render_field_particles(stage.render, 0, slots, SLOTS);
    const float life =
        law_birth(stage_field(&stage), &births->place, rng_key(births->seed, first)).life;
    assert_float_equal(slots[first % SLOTS].life, life, 1e-6f);
    stage_free(&stage);
}

// ---- births by fill -----------------------------------------------------------------------------

static Stage filled_stage(double rate, double life)
{
    Stage stage = field_stage(rate, life, SLOTS);
    stage_set(&stage, "fields/main/born_by", BORN_BY_FILL);
    stage_prepare(&stage, NULL, 0);
    return stage;
}

static uint32_t take_slots(Stage *stage, Particle *slots)
{
    uint32_t alive = 0;
    render_field_particles(stage->render, 0, slots, SLOTS);
    for (int n = 0; n < SLOTS; n++) alive += is_alive(&slots[n]);
    assert_int_equal(render_status(stage->render).alive, alive);
    assert_false(render_status(stage->render).crowded[0]);
    return alive;
}

// A slot is dead for 1 / share seconds on average, and then lives for as long as it may.  The same are born
// at the same times; few die or are born so near to a frame's end that it is another one's.
static void density_by_fill_is_the_same_at_any_frame_rate(void **state)
{
    (void)state;
    if (SANITIZED) skip(); // figures, of the same code as above
    static const struct {
        int fps, hops;
    } rates[] = { { 30, 6 }, { 60, 3 }, { 144, 1 } };
    static Particle slots[SLOTS];
    int early[COUNT_OF(rates)], late[COUNT_OF(rates)];
    for (int r = 0; r < COUNT_OF(rates); r++) {
        Stage stage = filled_stage(2 * SLOTS, 0.5);
        const float dt = 1.0f / (float)rates[r].fps;
        for (int f = 0; f < rates[r].fps / 2; f++) stage_frame(&stage, dt, rates[r].hops);
        early[r] = (int)take_slots(&stage, slots);
        for (int f = 0; f < rates[r].fps * 2; f++) stage_frame(&stage, dt, rates[r].hops);
        late[r] = (int)take_slots(&stage, slots);
        assert_in_range(abs(early[r] - early[0]), 0, 5);
        assert_in_range(abs(late[r] - late[0]), 0, 15);
        stage_free(&stage);
    }
    // Lives of 0.25 to 0.5 s, and 0.5 s in between.
    const double living = SLOTS * 0.375 / (0.375 + 0.5);
    assert_float_equal(late[0], living, 130);
}

static void fill_from_seed(uint32_t seed, Particle *slots)
{
    Stage stage = stage_new((Size){ 16, 9 });
    stage_again(&stage, seed);
    stage_set(&stage, "fields/main/born_by", BORN_BY_FILL);
    stage_set(&stage, "fields/main/capacity", SLOTS);
    stage_set(&stage, "fields/main/rate", 9000);
    stage_set(&stage, "forces/jitter", 2);
    stage_prepare(&stage, NULL, 0);
    busy_frames(&stage, 60);
    assert_true(take_slots(&stage, slots) > 1000);
    stage_free(&stage);
}

static void the_same_show_fills_the_same_and_another_seed_another_way(void **state)
{
    (void)state;
    static Particle first[SLOTS], again[SLOTS], other[SLOTS];
    fill_from_seed(1, first);
    fill_from_seed(1, again);
    fill_from_seed(2, other);
    assert_memory_equal(first, again, sizeof first);
    assert_memory_not_equal(first, other, sizeof first);
}

// Nobody dies or jumps when the way of birth changes, and each goes on as who it was.
static void expect_no_jump(Stage *stage, double way)
{
    static Particle before[SLOTS], after[SLOTS];
    const uint32_t alive = take_slots(stage, before);
    stage_set(stage, "fields/main/born_by", way);
    stage_prepare(stage, NULL, 0);
    busy_frames(stage, 1);
    render_field_particles(stage->render, 0, after, SLOTS);
    uint32_t went_on = 0;
    for (int n = 0; n < SLOTS; n++) {
        if (!is_alive(&before[n]) || before[n].life != after[n].life) continue;
        assert_float_equal(after[n].age, before[n].age + 1.0f / 60, 1e-5f);
        assert_float_equal(after[n].position.x, before[n].position.x + before[n].velocity.x / 60,
                           1e-4f);
        went_on++;
    }
    assert_true(went_on > alive * 19 / 20);
    assert_in_range(take_slots(stage, after), alive - 100, alive + 100); // 33 are born in a frame
    busy_frames(stage, 90);
    assert_true(take_slots(stage, after) > 500);
}

static void births_that_are_not_waited_for_are_told_later_and_none_is_missed(void **state)
{
    (void)state;
    enum { PLAYED = 60 };
    uint64_t born[PLAYED];
    Stage stage = filled_stage(9000, 1);
    for (int f = 0; f < PLAYED; f++) {
        busy_frames(&stage, 1);
        born[f] = render_status(stage.render).born;
        assert_true(born[f] > (f > 0 ? born[f - 1] : 0));
    }
    stage_free(&stage);

    stage = stage_with((Size){ 16, 9 }, false);
    stage_set(&stage, "fields/main/rate", 9000);
    stage_set(&stage, "fields/main/life", 1);
    stage_set(&stage, "fields/main/capacity", SLOTS);
    stage_set(&stage, "fields/main/born_by", BORN_BY_FILL);
    stage_prepare(&stage, NULL, 0);
    for (int f = 0; f < PLAYED; f++) {
        if (f == PLAYED - 1) glFinish();
        busy_frames(&stage, 1);
        const RenderStatus status = render_status(stage.render);
        if (status.born > 0) assert_int_equal(status.born, born[status.frame]);
    }
    assert_in_range(render_status(stage.render).frame, PLAYED - 10, PLAYED);
    stage_free(&stage);
}

static void only_births_by_fill_are_left_to_the_gpu_to_count(void **state)
{
    (void)state;
    Stage stage = field_stage(2000, 1, SLOTS);
    busy_frames(&stage, 30);
    assert_int_equal(render_status(stage.render).born, 0);
    stage_set(&stage, "fields/main/born_by", BORN_BY_FILL);
    stage_prepare(&stage, NULL, 0);
    busy_frames(&stage, 30);
    const uint64_t born = render_status(stage.render).born;
    assert_in_range(born, 1, 1000);

    // Births by rate go the way of the others for as long as those live.
    stage_set(&stage, "fields/main/born_by", BORN_BY_RATE);
    stage_prepare(&stage, NULL, 0);
    busy_frames(&stage, 10);
    assert_true(sim_field_births(stage.sim, 0)->fills && sim_field_births(stage.sim, 0)->count > 0);
    assert_int_equal(render_status(stage.render).born, born);
    stage_free(&stage);
}

static void the_way_of_birth_changes_without_a_jump(void **state)
{
    (void)state;
    Stage stage = field_stage(2000, 1, SLOTS);
    busy_frames(&stage, 90);
    expect_no_jump(&stage, BORN_BY_FILL);
    expect_no_jump(&stage, BORN_BY_RATE);
    expect_no_jump(&stage, BORN_BY_FILL);
    assert_true(sim_field_births(stage.sim, 0)->fills);
    stage_set(&stage, "fields/main/born_by", BORN_BY_RATE);
    stage_prepare(&stage, NULL, 0);
    busy_frames(&stage, 90); // those born by fill have died: the ring is exact again
    assert_false(sim_field_births(stage.sim, 0)->fills);
    static Particle slots[SLOTS];
    const uint64_t next = sim_field_births(stage.sim, 0)->first;
    take_slots(&stage, slots);
    assert_true(is_alive(&slots[(next - 1) % SLOTS]));
    assert_false(is_alive(&slots[(next + SLOTS / 4) % SLOTS]));
    stage_free(&stage);
}

static void a_filled_field_is_frozen_cleared_and_reseeded(void **state)
{
    (void)state;
    static Particle before[SLOTS], after[SLOTS];
    Stage stage = filled_stage(6000, 2);
    busy_frames(&stage, 40);
    const uint32_t alive = take_slots(&stage, before);
    stage_set(&stage, "fields/main/freeze", 1);
    stage_prepare(&stage, NULL, 0);
    busy_frames(&stage, 20);
    take_slots(&stage, after);
    assert_memory_equal(before, after, sizeof before);
    pull(&stage, "fields/main/clear"); // while it is frozen
    busy_frames(&stage, 2);
    assert_int_equal(take_slots(&stage, after), 0);

    stage_set(&stage, "fields/main/freeze", 0);
    stage_prepare(&stage, NULL, 0);
    busy_frames(&stage, 40);
    assert_in_range(take_slots(&stage, after), alive - 150, alive + 150);
    int same = 0; // who comes after is somebody else
    for (int n = 0; n < SLOTS; n++) same += is_alive(&after[n]) && after[n].life == before[n].life;
    assert_in_range(same, 0, 5);

    pull(&stage, "fields/main/reseed");
    busy_frames(&stage, 1);
    assert_int_equal(take_slots(&stage, before), 0);
    busy_frames(&stage, 40);
    assert_in_range(take_slots(&stage, before), alive - 150, alive + 150);
    sim_clear(stage.sim);
    busy_frames(&stage, 1);
    assert_in_range(take_slots(&stage, before), 0, 200);
    stage_free(&stage);
}

static void a_filled_field_of_other_sizes_fills_anew(void **state)
{
    (void)state;
    static const double capacities[] = { 16384, 1024, 100000, SLOTS };
    static Particle slots[SLOTS];
    Stage stage = filled_stage(20000, 2);
    for (int n = 0; n < COUNT_OF(capacities); n++) {
        stage_set(&stage, "fields/main/capacity", capacities[n]);
        stage_prepare(&stage, NULL, 0);
        busy_frames(&stage, 2);
        assert_in_range(render_status(stage.render).alive, 300, 800); // births of 2 frames
        busy_frames(&stage, 30);
        assert_true(render_status(stage.render).alive > capacities[n] / 20);
    }
    take_slots(&stage, slots);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    stage_free(&stage);
}

static void nonsense_in_a_filled_field_is_dead_and_the_slot_lives_on(void **state)
{
    (void)state;
    static Particle slots[SLOTS];
    Stage stage = filled_stage(4 * SLOTS, 5);
    busy_frames(&stage, 60);
    stage.spoil = NAN;
    busy_frames(&stage, 1);
    assert_in_range(take_slots(&stage, slots), 0, 100);
    busy_frames(&stage, 60);
    assert_true(take_slots(&stage, slots) > SLOTS / 2);
    for (int n = 0; n < SLOTS; n++)
        if (is_alive(&slots[n])) assert_true(is_number(&slots[n]));
    stage_free(&stage);
}

// ---- for as long as it takes --------------------------------------------------------------------

static void a_ring_of_other_sizes_while_playing_goes_on(void **state)
{
    (void)state;
    static const double capacities[] = { 100000, 10, 100000 };
    Stage stage = field_stage(6000, 1, capacities[0]);
    for (int n = 0; n < COUNT_OF(capacities); n++) {
        stage_set(&stage, "fields/main/capacity", capacities[n]);
        stage_prepare(&stage, NULL, 0);
        Model *model = empty_model();
        for (int f = 0; f < 20; f++) step_both(&stage, model, 1.0f / 60, 3);
        assert_true(render_status(stage.render).capacity[0] >= fmax(capacities[n], 1024));
    }
    assert_int_equal(glGetError(), GL_NO_ERROR);
    stage_free(&stage);
}

// After `hours` of show, of which no second was spent on it.
static void play_late(double hours, Particle *slots)
{
    const double seconds = hours * 3600;
    Stage stage = field_stage(2000, 0.7, SLOTS);
    stage.frame = (uint32_t)(seconds * 60);
    stage.time = seconds;
    stage_set(&stage, "forces/gravity", -2);
    stage_set(&stage, "forces/drag", 0.5);
    stage_set(&stage, "forces/turbulence/strength", 3);
    stage_set(&stage, "forces/attractor1/strength", 3);
    stage_prepare(&stage, NULL, 0);
    busy_frames(&stage, 60);
    render_field_particles(stage.render, 0, slots, SLOTS);
    stage_free(&stage);
}

static void after_hours_and_days_all_moves_as_at_first(void **state)
{
    (void)state;
    static const double hours[] = { 8, 7 * 24 };
    static Particle first[SLOTS], later[SLOTS];
    play_late(0, first);
    for (int n = 0; n < COUNT_OF(hours); n++) {
        play_late(hours[n], later);
        assert_memory_equal(first, later, sizeof first);
    }
}

// Each number of the forces and of the field at its least, its most, or as it is by default, all at
// once; the third of them by its row's number, so that many mixtures come by.
static void set_ends(Stage *stage, int turn)
{
    for (int owner = OWNER_GLOBAL; owner <= OWNER_FIELD; owner++) {
        if (owner == OWNER_EMITTER) continue;
        for (int row = 0; row < owner_rows((Owner)owner); row++) {
            const ParamRow *r = owner_row((Owner)owner, row);
            const bool number =
                r->kind == KIND_FLOAT || r->kind == KIND_INT || r->kind == KIND_ENUM;
            if (!number || (owner == OWNER_GLOBAL && strncmp(r->path, "forces/", 7))) continue;
            const uint32_t side = rng_mix((uint32_t)(turn * 4096 + owner * 1024 + row)) % 3;
            const float ends[] = { r->min, r->max, r->normal };
            params_set(stage->params, params_id((Owner)owner, 0, row), (double)ends[side]);
        }
    }
    stage_set(stage, "fields/main/rate", 20000);
}

static void expect_numbers(Stage *stage, int turn)
{
    static Particle slots[1024];
    render_field_particles(stage->render, 0, slots, COUNT_OF(slots));
    for (int n = 0; n < COUNT_OF(slots); n++)
        if (!is_number(&slots[n])) fail_msg("turn %d: slot %d is no number", turn, n);
}

static void with_everything_at_its_ends_all_stay_numbers(void **state)
{
    (void)state;
    static const float lengths[] = { 0.1f, 1.0f / 60, 1e-4f };
    Stage stage = field_stage(0, 1, 1024);
    for (int turn = 0; turn < 60; turn++) {
        set_ends(&stage, turn);
        stage_prepare(&stage, NULL, 0);
        for (int f = 0; f < 6; f++) stage_frame(&stage, lengths[(turn + f) % COUNT_OF(lengths)], 2);
        expect_numbers(&stage, turn);
    }
    stage_free(&stage);
}

// Minute by minute at other ends; in the longest frames, which are the hardest and the fewest.  Nothing
// but the clock outlives a minute, and clocks have a test of their own: two stand for an hour.
static void after_minutes_at_the_ends_all_are_numbers(void **state)
{
    (void)state;
    if (SANITIZED) skip(); // the same code as above
    enum { MINUTES = 2 };
    Stage stage = field_stage(0, 1, 1024);
    for (int minute = 0; minute < MINUTES; minute++) {
        set_ends(&stage, minute);
        stage_prepare(&stage, NULL, 0);
        for (int f = 0; f < (int)(60 / STALL_LONGEST); f++) stage_frame(&stage, STALL_LONGEST, 1);
        expect_numbers(&stage, minute);
    }
    stage_free(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_living_are_counted_exactly_in_every_frame),
        cmocka_unit_test(what_was_cleared_stays_dead_when_the_ring_comes_round),
        cmocka_unit_test(where_births_outrun_the_ring_the_oldest_go_first),
        cmocka_unit_test(more_births_in_a_frame_than_slots_leave_the_newest),
        cmocka_unit_test(indices_go_on_beyond_32_bits),
        cmocka_unit_test(another_capacity_is_an_empty_ring_whose_indices_go_on),
        cmocka_unit_test(another_field_in_the_same_slot_starts_empty),
        cmocka_unit_test(counts_that_are_not_waited_for_come_later),
        cmocka_unit_test(nonsense_in_the_state_is_dead_and_gone),
        cmocka_unit_test(an_absurd_capacity_becomes_what_the_machine_gives),
        cmocka_unit_test(a_frozen_field_stays_as_it_is_and_goes_on_from_there),
        cmocka_unit_test(a_field_is_cleared_alone),
        cmocka_unit_test(a_reseeded_field_is_born_anew_by_another_chance),
        cmocka_unit_test(density_by_fill_is_the_same_at_any_frame_rate),
        cmocka_unit_test(the_same_show_fills_the_same_and_another_seed_another_way),
        cmocka_unit_test(births_that_are_not_waited_for_are_told_later_and_none_is_missed),
        cmocka_unit_test(only_births_by_fill_are_left_to_the_gpu_to_count),
        cmocka_unit_test(the_way_of_birth_changes_without_a_jump),
        cmocka_unit_test(a_filled_field_is_frozen_cleared_and_reseeded),
        cmocka_unit_test(a_filled_field_of_other_sizes_fills_anew),
        cmocka_unit_test(nonsense_in_a_filled_field_is_dead_and_the_slot_lives_on),
        cmocka_unit_test(a_ring_of_other_sizes_while_playing_goes_on),
        cmocka_unit_test(after_hours_and_days_all_moves_as_at_first),
        cmocka_unit_test(with_everything_at_its_ends_all_stay_numbers),
        cmocka_unit_test(after_minutes_at_the_ends_all_are_numbers),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
