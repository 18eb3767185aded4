// Speed over life, and the colliders, over tiles: the first meeting of each lane, and what comes of
// it, until no lane meets anything.  The sums are law.c's and collide.h's.  Most tiles meet nothing
// and are left after one look; what pulls the others is found once more.
#include "sim/collide.h"

#include "sim/clones.h"
#include "sim/pool.h"

typedef struct {
    _Alignas(64) float x[TILE];
    float y[TILE], z[TILE];
} Lanes;

// The Flights (see collide.h) of a tile, and how often each has bounced.
typedef struct {
    Lanes at, to, before, then, force, kick;
    float left[TILE], speed[TILE], bounced[TILE];
} Flights;

typedef struct {
    Lanes normal;
    float share[TILE], push[TILE], bend[TILE];
} Meetings;

static inline Vec3 lane(const Lanes *lanes, int n)
{
    return (Vec3){ lanes->x[n], lanes->y[n], lanes->z[n] };
}

static inline void put_lane(Lanes *lanes, int n, Vec3 v)
{
    lanes->x[n] = v.x;
    lanes->y[n] = v.y;
    lanes->z[n] = v.z;
}

static inline Vec3 way_of(const Flights *f, int n)
{
    return from_to(lane(&f->at, n), lane(&f->to, n));
}

static inline Meeting meeting_at(const Meetings *m, int n)
{
    return (Meeting){ m->share[n], lane(&m->normal, n), m->push[n], m->bend[n] };
}

static inline void keep_first(Meetings *m, int n, Meeting other)
{
    const Meeting first = meet_first(meeting_at(m, n), other);
    m->share[n] = first.share;
    put_lane(&m->normal, n, first.normal);
    m->push[n] = first.push;
    m->bend[n] = first.bend;
}

KERNEL static void no_meetings(Meetings *restrict m)
{
    for (int n = 0; n < TILE; n++) {
        m->share[n] = NO_MEETING;
        m->push[n] = m->bend[n] = 0;
        put_lane(&m->normal, n, (Vec3){ 0, 0, 0 });
    }
}

#define MEET_TILE(name)                                                                            \
    KERNEL static void name##_tile(const Collider *restrict c, const Flights *restrict f,          \
                                   Meetings *restrict m)                                           \
    {                                                                                              \
        for (int n = 0; n < TILE; n++) keep_first(m, n, name(c, lane(&f->at, n), way_of(f, n)));   \
    }

MEET_TILE(meet_plane)
MEET_TILE(meet_sphere)
MEET_TILE(meet_box)
MEET_TILE(meet_walls)

static void meet_tile(const Collider *c, const Flights *f, Meetings *m)
{
    if (c->shape == COLLIDER_PLANE)
        meet_plane_tile(c, f, m);
    else if (c->shape == COLLIDER_SPHERE)
        meet_sphere_tile(c, f, m);
    else if (c->side > 0)
        meet_box_tile(c, f, m);
    else
        meet_walls_tile(c, f, m);
}

KERNEL static int count_meetings(const Meetings *restrict m)
{
    int count = 0;
    for (int n = 0; n < TILE; n++) count += m->share[n] <= 1;
    return count;
}

static inline Flight flight_at(const Flights *f, int n)
{
    return (Flight){
        .at = lane(&f->at, n),
        .to = lane(&f->to, n),
        .before = lane(&f->before, n),
        .then = lane(&f->then, n),
        .force = lane(&f->force, n),
        .kick = lane(&f->kick, n),
        .left = f->left[n],
        .speed = f->speed[n],
    };
}

// Every lane to its meeting and on; `in`: the velocities that came, `bounced`: 1 or 0.
KERNEL static void take_tile(const Step *restrict step, const Meetings *restrict m, float onward,
                             Flights *restrict f, Lanes *restrict in, float *restrict bounced)
{
    for (int n = 0; n < TILE; n++) {
        const Meeting meeting = meeting_at(m, n);
        Flight flight = flight_at(f, n);
        put_lane(in, n, take_meeting(step, &meeting, onward, &flight, &bounced[n]));
        put_lane(&f->at, n, flight.at);
        put_lane(&f->to, n, flight.to);
        put_lane(&f->before, n, flight.before);
        put_lane(&f->then, n, flight.then);
        f->left[n] = flight.left;
    }
}

static void tell(Bounces *bounces, const Bounce *bounce)
{
    if (bounces->count < bounces->room) bounces->at[bounces->count] = *bounce;
    bounces->count++;
}

static void note_bounces(Flights *f, const float *bounced, const Meetings *m, const Lanes *in,
                         const Step *step, const uint32_t *key, uint32_t living, Bounces *bounces)
{
    for (uint32_t n = 0; n < TILE; n++) f->bounced[n] += bounced[n];
    for (uint32_t n = 0; bounces && n < living; n++) {
        if (bounced[n] == 0) continue;
        tell(bounces, &(Bounce){ key[n], lane(&f->at, (int)n), lane(in, (int)n),
                                 lane(&m->normal, (int)n), f->left[n] * step->dt });
    }
}

// ---- what the step felt ---------------------------------------------------------------------------

// Where the forces were felt; and those that are the same everywhere.
KERNEL static void begin_forces(const Step *restrict step, Flights *restrict f,
                                Lanes *restrict felt)
{
    for (int n = 0; n < TILE; n++) {
        put_lane(felt, n, beyond(lane(&f->at, n), step->drag.half, lane(&f->before, n)));
        put_lane(&f->force, n, (Vec3){ step->x, step->y, step->z });
    }
}

KERNEL static void add_flow(const Step *restrict step, const Lanes *restrict felt,
                            Lanes *restrict force)
{
    const Flow flow = step->flow;
    const float much = step->turbulence;
    for (int n = 0; n < TILE; n++) {
        const Vec3 push = flow_at(&flow, felt->x[n], felt->y[n], felt->z[n]);
        force->x[n] += much * push.x;
        force->y[n] += much * push.y;
        force->z[n] += much * push.z;
    }
}

KERNEL static void add_surge(const Step *restrict step, const Lanes *restrict felt,
                             Lanes *restrict force)
{
    for (int n = 0; n < TILE; n++)
        step_surge(&step->surge, felt->x[n], felt->y[n], felt->z[n], &force->x[n], &force->y[n],
                   &force->z[n]);
}

KERNEL static void add_pull(const Pull *restrict pull, const Lanes *restrict felt,
                            Lanes *restrict force)
{
    for (int n = 0; n < TILE; n++)
        step_pull(pull, felt->x[n], felt->y[n], felt->z[n], &force->x[n], &force->y[n],
                  &force->z[n]);
}

KERNEL static void find_kicks(const Step *restrict step, const uint32_t *restrict key,
                              Lanes *restrict kick)
{
    for (int n = 0; n < TILE; n++) {
        const uint32_t bits = step_bits(step->salt, key[n]);
        kick->x[n] = step_kick(step->drag.kick, bits);
        kick->y[n] = step_kick(step->drag.kick, bits >> 10);
        kick->z[n] = step_kick(step->drag.kick, bits >> 20);
    }
}

static void find_forces(Flights *f, const Step *step, const uint32_t *key)
{
    Lanes felt;
    begin_forces(step, f, &felt);
    if (step->turbulence != 0) add_flow(step, &felt, &f->force);
    if (step->surges) add_surge(step, &felt, &f->force);
    for (int n = 0; n < step->pull_count; n++) add_pull(&step->pulls[n], &felt, &f->force);
    find_kicks(step, key, &f->kick);
}

// ---- a tile in its block --------------------------------------------------------------------------

static void load(Lanes *lanes, const float *x, const float *y, const float *z)
{
    memcpy(lanes->x, x, sizeof lanes->x);
    memcpy(lanes->y, y, sizeof lanes->y);
    memcpy(lanes->z, z, sizeof lanes->z);
}

static void store(const Lanes *lanes, float *x, float *y, float *z)
{
    memcpy(x, lanes->x, sizeof lanes->x);
    memcpy(y, lanes->y, sizeof lanes->y);
    memcpy(z, lanes->z, sizeof lanes->z);
}

KERNEL static void take_speed(const Step *restrict step, const float *restrict age,
                              const uint32_t *restrict key, Flights *restrict f)
{
    for (int n = 0; n < TILE; n++) {
        const float life = life_of(step->life, step->life_random, key[n]);
        f->speed[n] = speed_at(step->speed, (age[n] - 0.5f * step->dt) / life);
        put_lane(&f->to, n, beyond(lane(&f->at, n), f->speed[n], way_of(f, n)));
    }
}

KERNEL static void wear(const Step *restrict step, const float *restrict bounced,
                        const uint32_t *restrict key, float *restrict age)
{
    for (int n = 0; n < TILE; n++)
        age[n] += bounced[n] * (step->hit_life * life_of(step->life, step->life_random, key[n]));
}

static void find_meetings(Meetings *m, const Flights *f, const Step *step)
{
    no_meetings(m);
    for (int n = 0; n < step->collider_count; n++) meet_tile(&step->colliders[n], f, m);
}

// Lets the tile bounce until it is over; false: it met nothing.
static bool collide_tile(Flights *f, const Step *step, const uint32_t *key, uint32_t living,
                         Bounces *bounces)
{
    Meetings m;
    Lanes in;
    _Alignas(64) float bounced[TILE];
    find_meetings(&m, f, step);
    if (count_meetings(&m) == 0) return false;
    find_forces(f, step, key);
    for (int round = 1; round <= ROUNDS; round++) {
        take_tile(step, &m, round < ROUNDS, f, &in, bounced);
        note_bounces(f, bounced, &m, &in, step, key, living, bounces);
        if (round < ROUNDS) find_meetings(&m, f, step);
        if (count_meetings(&m) == 0) break;
    }
    return true;
}

static void end_tile(Flights *f, Block *block, uint32_t at, uint32_t living, const Step *step,
                     Bounces *bounces)
{
    float *x = block->x + at, *y = block->y + at, *z = block->z + at;
    float *vx = block->vx + at, *vy = block->vy + at, *vz = block->vz + at;
    const uint32_t *key = block->key + at;
    load(&f->to, x, y, z);
    load(&f->then, vx, vy, vz);
    for (int n = 0; n < TILE; n++) {
        f->left[n] = f->speed[n] = 1;
        f->bounced[n] = 0;
    }
    if (step->speed) take_speed(step, block->age + at, key, f);
    const bool collided = step->collider_count > 0 && collide_tile(f, step, key, living, bounces);
    if (collided || step->speed) store(&f->to, x, y, z);
    if (!collided) return;
    store(&f->then, vx, vy, vz);
    wear(step, f->bounced, key, block->age + at);
}

void collide_begin(Before *before, const Block *block, uint32_t count)
{
    const size_t size = count * sizeof(float);
    memcpy(before->x, block->x, size);
    memcpy(before->y, block->y, size);
    memcpy(before->z, block->z, size);
    memcpy(before->vx, block->vx, size);
    memcpy(before->vy, block->vy, size);
    memcpy(before->vz, block->vz, size);
}

void collide_end(const Before *before, Block *block, uint32_t count, uint32_t living,
                 const Step *step, Bounces *bounces)
{
    Flights f;
    for (uint32_t n = 0; n < count; n += TILE) {
        load(&f.at, before->x + n, before->y + n, before->z + n);
        load(&f.before, before->vx + n, before->vy + n, before->vz + n);
        end_tile(&f, block, n, living - n < TILE ? living - n : TILE, step, bounces);
    }
}
