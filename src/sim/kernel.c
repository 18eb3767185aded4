// The law over whole blocks.  What makes the compiler turn these loops into vectors: restrict, nothing
// but float (and 32-bit) lanes, and functions that are not inlined into their callers.  The sums are
// law.c's, in its order; so all clones give the same bits.
#include "sim/clones.h"
#include "sim/pool.h"

// ---- a step: every number is read and written once ----------------------------------------------

// Acceleration by gravity, wind, turbulence and the spectrum.
typedef struct {
    _Alignas(64) float x[STRIP], y[STRIP], z[STRIP];
} Stirred;

KERNEL static void stir(const Block *block, uint32_t at, uint32_t count, const Step *step,
                        Stirred *stirred)
{
    const float *x = block->x + at, *y = block->y + at, *z = block->z + at;
    const float *vx = block->vx + at, *vy = block->vy + at, *vz = block->vz + at;
    float *restrict ax = stirred->x, *restrict ay = stirred->y, *restrict az = stirred->z;
    const Flow flow = step->flow;
    const float half = step->drag.half, much = step->turbulence;
    const float steady_x = step->x, steady_y = step->y, steady_z = step->z;
    for (uint32_t n = 0; n < count; n++) {
        const float hx = x[n] + vx[n] * half, hy = y[n] + vy[n] * half, hz = z[n] + vz[n] * half;
        const Vec3 push = flow_at(&flow, hx, hy, hz);
        ax[n] = steady_x + much * push.x;
        ay[n] = steady_y + much * push.y;
        az[n] = steady_z + much * push.z;
    }
}

KERNEL static void rest(uint32_t count, const Step *step, Stirred *stirred)
{
    float *restrict ax = stirred->x, *restrict ay = stirred->y, *restrict az = stirred->z;
    const float x = step->x, y = step->y, z = step->z;
    for (uint32_t n = 0; n < count; n++) {
        ax[n] = x;
        ay[n] = y;
        az[n] = z;
    }
}

KERNEL static void surge(const Block *block, uint32_t at, uint32_t count, const Step *step,
                         Stirred *stirred)
{
    const float *x = block->x + at, *y = block->y + at, *z = block->z + at;
    const float *vx = block->vx + at, *vy = block->vy + at, *vz = block->vz + at;
    float *restrict ax = stirred->x, *restrict ay = stirred->y, *restrict az = stirred->z;
    const Surge s = step->surge;
    const float half = step->drag.half;
    for (uint32_t n = 0; n < count; n++) {
        const float hx = x[n] + vx[n] * half, hy = y[n] + vy[n] * half, hz = z[n] + vz[n] * half;
        step_surge(&s, hx, hy, hz, &ax[n], &ay[n], &az[n]);
    }
}

// `stirred` may be NULL.
static inline __attribute__((always_inline)) void glide(Block *block, uint32_t at, uint32_t count,
                                                        const Step *step, float dt, int pulls,
                                                        const Stirred *stirred)
{
    float *restrict x = block->x + at, *restrict y = block->y + at, *restrict z = block->z + at;
    float *restrict vx = block->vx + at, *restrict vy = block->vy + at;
    float *restrict vz = block->vz + at, *restrict age = block->age + at;
    const uint32_t *restrict key = block->key + at;
    const Step s = *step; // out of reach of what is written
    for (uint32_t n = 0; n < count; n++) {
        const float hx = x[n] + vx[n] * s.drag.half, hy = y[n] + vy[n] * s.drag.half,
                    hz = z[n] + vz[n] * s.drag.half;
        float ax = stirred ? stirred->x[n] : s.x, ay = stirred ? stirred->y[n] : s.y,
              az = stirred ? stirred->z[n] : s.z;
#pragma GCC unroll 8
        for (int p = 0; p < pulls; p++) step_pull(&s.pulls[p], hx, hy, hz, &ax, &ay, &az);
        const uint32_t bits = step_bits(s.salt, key[n]);
        step_move(&s.drag, ax, step_kick(s.drag.kick, bits), &x[n], &vx[n]);
        step_move(&s.drag, ay, step_kick(s.drag.kick, bits >> 10), &y[n], &vy[n]);
        step_move(&s.drag, az, step_kick(s.drag.kick, bits >> 20), &z[n], &vz[n]);
        age[n] += dt;
    }
}

// A loop for each number of attractors.
#define GLIDE(pulls)                                                                               \
    KERNEL static void glide_##pulls(Block *block, uint32_t at, uint32_t count, const Step *step,  \
                                     float dt)                                                     \
    {                                                                                              \
        glide(block, at, count, step, dt, pulls, NULL);                                            \
    }                                                                                              \
    KERNEL static void glide_stirred_##pulls(Block *block, uint32_t at, uint32_t count,            \
                                             const Step *step, float dt, const Stirred *stirred)   \
    {                                                                                              \
        glide(block, at, count, step, dt, pulls, stirred);                                         \
    }

GLIDE(0)
GLIDE(1)
GLIDE(2)
GLIDE(3)
GLIDE(4)
GLIDE(5)
GLIDE(6)
GLIDE(7)
GLIDE(8)
_Static_assert(GLOBAL_ATTRACTORS == 8, "a GLIDE for each number of attractors");

static bool is_stirred(const Step *step)
{
    return step->turbulence != 0 || step->surges;
}

// One strip as if nothing were in its way.
static void glide_strip(Block *block, uint32_t at, uint32_t count, const Step *step)
{
    static void (*const glides[])(Block *, uint32_t, uint32_t, const Step *, float) = {
        glide_0, glide_1, glide_2, glide_3, glide_4, glide_5, glide_6, glide_7, glide_8,
    };
    static void (*const stirred_glides[])(Block *, uint32_t, uint32_t, const Step *, float,
                                          const Stirred *) = {
        glide_stirred_0, glide_stirred_1, glide_stirred_2, glide_stirred_3, glide_stirred_4,
        glide_stirred_5, glide_stirred_6, glide_stirred_7, glide_stirred_8,
    };
    if (!is_stirred(step)) {
        glides[step->pull_count](block, at, count, step, step->dt);
        return;
    }
    Stirred stirred;
    if (step->turbulence != 0)
        stir(block, at, count, step, &stirred);
    else
        rest(count, step, &stirred);
    if (step->surges) surge(block, at, count, step, &stirred);
    stirred_glides[step->pull_count](block, at, count, step, step->dt, &stirred);
}

static void step_hindered(Block *block, uint32_t count, uint32_t living, const Step *step,
                          Bounces *bounces)
{
    Before before;
    for (uint32_t at = 0; at < count; at += STRIP) {
        const uint32_t some = count - at < STRIP ? count - at : STRIP;
        collide_begin(&before, block, at, some);
        glide_strip(block, at, some, step);
        collide_end(&before, block, at, some, living - at, step, bounces);
    }
}

void kernel_step(Block *block, uint32_t living, const Step *step, Bounces *bounces)
{
    // Whole tiles: behind the living are numbers too.
    const uint32_t count = (living + TILE - 1) / TILE * TILE;
    if (step_is_hindered(step)) {
        step_hindered(block, count, living, step, bounces);
        return;
    }
    const uint32_t most = is_stirred(step) ? STRIP : BLOCK;
    for (uint32_t at = 0; at < count; at += most)
        glide_strip(block, at, count - at < most ? count - at : most, step);
}

// ---- newborns, each of which steps as long as it is old ------------------------------------------

KERNEL static void find_drags(double k, double jitter, const float *restrict dt, uint32_t count,
                              float *restrict half, float *restrict keep, float *restrict reach,
                              float *restrict fall, float *restrict kick)
{
    for (uint32_t n = 0; n < count; n++) {
        const Drag drag = drag_of(k, dt[n], jitter);
        half[n] = drag.half;
        keep[n] = drag.keep;
        reach[n] = drag.reach;
        fall[n] = drag.fall;
        kick[n] = drag.kick;
    }
}

void kernel_drag(float k, float jitter, const float *dt, uint32_t count, Drags *drags)
{
    find_drags(k, jitter, dt, count, drags->half, drags->keep, drags->reach, drags->fall,
               drags->kick);
}

// ---- deaths -------------------------------------------------------------------------------------

KERNEL static uint32_t count_older(const float *restrict age, uint32_t count, float than)
{
    uint32_t older = 0;
    for (uint32_t n = 0; n < count; n++) older += age[n] >= than;
    return older;
}

// 1 for each that is past its life; returns how many.
KERNEL static uint32_t mark_dead(const float *restrict age, const uint32_t *restrict key,
                                 uint32_t count, float life, float life_random,
                                 uint32_t *restrict dead)
{
    uint32_t all = 0;
    for (uint32_t n = 0; n < count; n++) {
        dead[n] = age[n] >= life_of(life, life_random, key[n]);
        all += dead[n];
    }
    return all;
}

static void swap_numbers(float *row, uint32_t a, uint32_t b)
{
    const float other = row[a];
    row[a] = row[b];
    row[b] = other;
}

static void swap_particles(Block *block, uint32_t a, uint32_t b)
{
    swap_numbers(block->x, a, b);
    swap_numbers(block->y, a, b);
    swap_numbers(block->z, a, b);
    swap_numbers(block->vx, a, b);
    swap_numbers(block->vy, a, b);
    swap_numbers(block->vz, a, b);
    swap_numbers(block->age, a, b);
    const uint32_t key = block->key[a];
    block->key[a] = block->key[b];
    block->key[b] = key;
}

uint32_t kernel_bury(Block *block, uint32_t count, float life, float life_random)
{
    // Most blocks hold none that is as old as the shortest life, which needs no key to know.
    const float shortest = life * (1 - life_random);
    if (count_older(block->age, count, shortest) == 0) return count;
    uint32_t dead[BLOCK];
    uint32_t left = mark_dead(block->age, block->key, count, life, life_random, dead);
    for (uint32_t n = count; left > 0; left--) { // from behind: what takes a place is alive
        do n--;
        while (!dead[n]);
        swap_particles(block, --count, n);
    }
    return count;
}

const char *kernel_clone(void)
{
#ifdef CLONES
    if (__builtin_cpu_supports("avx512f")) return "avx512f";
    if (__builtin_cpu_supports("avx2")) return "avx2";
#endif
    return "default";
}
