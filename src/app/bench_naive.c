#include "app/bench_naive.h"

#include <stdlib.h>

typedef struct {
    Vec3 position, velocity, acceleration;
    float age, life;
    float size_start, size;
    float colour[4];
    float rotation, angular_velocity; // turns, turns/s
    float frame;
    uint32_t key;
    uint32_t next_free;
} Mote;

enum { NONE = UINT32_MAX, FRAMES = 16, FRAMES_A_SECOND = 12 };

struct Naive {
    Mote *motes;
    uint32_t capacity, first_free;
    uint32_t *living; // indices
    uint32_t alive;
    uint64_t births;
    uint32_t seed;
    double debt;
};

Naive *naive_new(uint32_t capacity, uint32_t seed)
{
    Naive *naive = calloc(1, sizeof *naive);
    if (!naive) return NULL;
    *naive = (Naive){
        .motes = calloc(capacity, sizeof(Mote)),
        .living = calloc(capacity, sizeof(uint32_t)),
        .capacity = capacity,
        .seed = seed,
    };
    if (!naive->motes || !naive->living) {
        naive_free(naive);
        return NULL;
    }
    for (uint32_t n = 0; n < capacity; n++)
        naive->motes[n].next_free = n + 1 < capacity ? n + 1 : NONE;
    return naive;
}

void naive_free(Naive *naive)
{
    if (!naive) return;
    free(naive->motes);
    free(naive->living);
    free(naive);
}

uint32_t naive_alive(const Naive *naive)
{
    return naive->alive;
}

uint64_t naive_births(const Naive *naive)
{
    return naive->births;
}

// ---- births -------------------------------------------------------------------------------------

static void bear(Naive *naive, const float *values, float age)
{
    const uint32_t key = rng_key(naive->seed, naive->births++);
    if (naive->first_free == NONE) return;
    const uint32_t index = naive->first_free;
    Mote *m = &naive->motes[index];
    naive->first_free = m->next_free;
    naive->living[naive->alive++] = index;
    const Placement place = {
        .x = { 1, 0, 0 },
        .y = { 0, 1, 0 },
        .z = { 0, 0, 1 },
        .middle = { values[SWARM_POSITION_X], values[SWARM_POSITION_Y], values[SWARM_POSITION_Z] },
    };
    const Particle p = law_birth(values, &place, key);
    *m = (Mote){
        .position = p.position,
        .velocity = p.velocity,
        .age = age,
        .life = p.life,
        .size_start = values[SWARM_SIZE] * law_size_factor(key, values[SWARM_SIZE_RANDOM]),
        .rotation = rng_unit(rng_mix(key)),
        .angular_velocity = rng_unit(rng_mix(~key)) - 0.5f,
        .key = key,
    };
}

static void emit(Naive *naive, const float *values, float dt)
{
    const double rate = values[SWARM_RATE];
    const double grown = naive->debt + rate * (double)dt;
    const uint32_t count = (uint32_t)grown;
    const float oldest = (float)((double)dt - (1 - naive->debt) / rate);
    const float spacing = (float)(1 / rate);
    naive->debt = grown - count;
    for (uint32_t n = 0; n < count; n++)
        bear(naive, values, clampf(oldest - (float)n * spacing, 0, STALL_LONGEST));
}

// ---- modules, one loop each ---------------------------------------------------------------------

#define EACH_LIVING(m)                                                                             \
    for (uint32_t at = 0; at < naive->alive; at++)                                                 \
        for (Mote *m = &naive->motes[naive->living[at]]; m; m = NULL)

static void push(Naive *naive, const Motion *motion)
{
    EACH_LIVING(m) m->acceleration = motion->acceleration;
}

static void attract(Naive *naive, const Attractor *a)
{
    EACH_LIVING(m)
    {
        const Vec3 d = { a->position.x - m->position.x, a->position.y - m->position.y,
                         a->position.z - m->position.z };
        const float square = d.x * d.x + d.y * d.y + d.z * d.z + a->softening * a->softening;
        const float pull = a->strength / (square * sqrtf(square));
        m->acceleration.x += d.x * pull;
        m->acceleration.y += d.y * pull;
        m->acceleration.z += d.z * pull;
    }
}

static float chance(uint32_t key, uint32_t salt)
{
    return (rng_unit(rng_mix(key ^ salt)) - 0.5f) * 3.4641f; // of variance 1
}

static void jitter(Naive *naive, const Motion *motion, float dt)
{
    const float kick = motion->jitter * sqrtf(dt);
    const uint32_t salt = (uint32_t)naive->births;
    EACH_LIVING(m)
    {
        m->velocity.x += kick * chance(m->key, salt);
        m->velocity.y += kick * chance(m->key, salt + 1);
        m->velocity.z += kick * chance(m->key, salt + 2);
    }
}

static void slow(Naive *naive, const Motion *motion, float dt)
{
    const float keep = expf(-motion->drag * dt);
    EACH_LIVING(m)
    {
        m->velocity.x *= keep;
        m->velocity.y *= keep;
        m->velocity.z *= keep;
    }
}

static void move(Naive *naive, float dt)
{
    EACH_LIVING(m)
    {
        m->velocity.x += m->acceleration.x * dt;
        m->velocity.y += m->acceleration.y * dt;
        m->velocity.z += m->acceleration.z * dt;
        m->position.x += m->velocity.x * dt;
        m->position.y += m->velocity.y * dt;
        m->position.z += m->velocity.z * dt;
    }
}

// A cubic Bezier curve from 0 to 1 with its two handles at these heights.
static float bezier(float from, float to, float t)
{
    const float u = 1 - t;
    return 3 * u * u * t * from + 3 * u * t * t * to + t * t * t;
}

static void resize(Naive *naive, const Stops *stops)
{
    EACH_LIVING(m)
    {
        float value[4];
        stops_at(stops, bezier(0.1f, 0.9f, m->age / m->life), value);
        m->size = m->size_start * value[0];
    }
}

static void colour_all(Naive *naive, const Stops *stops)
{
    EACH_LIVING(m) stops_at(stops, bezier(0.2f, 0.8f, m->age / m->life), m->colour);
}

static void turn(Naive *naive, float dt)
{
    EACH_LIVING(m)
    {
        m->rotation += m->angular_velocity * dt;
        m->rotation -= floorf(m->rotation);
    }
}

static void animate(Naive *naive, float dt)
{
    EACH_LIVING(m) m->frame = fmodf(m->frame + FRAMES_A_SECOND * dt, FRAMES);
}

static void age_all(Naive *naive, float dt)
{
    EACH_LIVING(m) m->age += dt;
}

static void bury(Naive *naive)
{
    for (uint32_t at = 0; at < naive->alive;) {
        const uint32_t index = naive->living[at];
        Mote *m = &naive->motes[index];
        if (m->age < m->life) {
            at++;
            continue;
        }
        m->next_free = naive->first_free;
        naive->first_free = index;
        naive->living[at] = naive->living[--naive->alive];
    }
}

void naive_live(Naive *naive, const float *values, float dt)
{
    age_all(naive, dt);
    emit(naive, values, dt);
    bury(naive);
}

void naive_move(Naive *naive, const Stops *size, const Stops *colour, const Motion *motion,
                float dt)
{
    push(naive, motion);
    for (int n = 0; n < motion->attractor_count; n++) attract(naive, &motion->attractors[n]);
    jitter(naive, motion, dt);
    slow(naive, motion, dt);
    move(naive, dt);
    resize(naive, size);
    colour_all(naive, colour);
    turn(naive, dt);
    animate(naive, dt);
}

// ---- sprites ------------------------------------------------------------------------------------

static uint32_t byte_of(float value)
{
    return (uint32_t)(clampf(value, 0, 1) * 255 + 0.5f);
}

void naive_write(const Naive *naive, const Sprites *sprites)
{
    SpritePlace *place = sprites->places;
    SpriteLook *look = sprites->looks;
    EACH_LIVING(m)
    {
        *place++ = (SpritePlace){
            .x = m->position.x,
            .y = m->position.y,
            .z = m->position.z,
            .size = (uint16_t)half_of(m->size),
        };
        *look++ = (SpriteLook){
            .colour = byte_of(sqrtf(clampf(m->colour[0], 0, 1))) |
                      byte_of(sqrtf(clampf(m->colour[1], 0, 1))) << 8 |
                      byte_of(sqrtf(clampf(m->colour[2], 0, 1))) << 16 |
                      byte_of(m->colour[3]) << 24,
            .rotation = (uint16_t)(m->rotation * 65535),
            .frame = (uint16_t)m->frame,
        };
    }
}
