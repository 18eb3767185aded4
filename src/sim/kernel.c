// The law over whole blocks.  What makes the compiler turn these loops into vectors: restrict, nothing
// but float (and 32-bit) lanes, and functions that are not inlined into their callers.  The sums are
// law.c's, in its order; so all clones give the same bits.
#include "sim/clones.h"
#include "sim/pool.h"

// ---- a step: every number is read and written once ----------------------------------------------

// Acceleration by gravity, wind, turbulence and the spectrum.
typedef struct {
    _Alignas(64) float x[BLOCK], y[BLOCK], z[BLOCK];
} Stirred;

KERNEL static void stir(const Block *block, uint32_t count, const Step *step, Stirred *stirred)
{
    const float *x = block->x, *y = block->y, *z = block->z;
    const float *vx = block->vx, *vy = block->vy, *vz = block->vz;
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

KERNEL static void surge(const Block *block, uint32_t count, const Step *step, Stirred *stirred)
{
    const float *x = block->x, *y = block->y, *z = block->z;
    const float *vx = block->vx, *vy = block->vy, *vz = block->vz;
    float *restrict ax = stirred->x, *restrict ay = stirred->y, *restrict az = stirred->z;
    const Surge s = step->surge;
    const float half = step->drag.half;
    for (uint32_t n = 0; n < count; n++) {
        const float hx = x[n] + vx[n] * half, hy = y[n] + vy[n] * half, hz = z[n] + vz[n] * half;
        step_surge(&s, hx, hy, hz, &ax[n], &ay[n], &az[n]);
    }
}

enum { GROUP = 16 }; // particles that are moved at once: one to four vectors

INLINED void glide_group(float *restrict x, float *restrict y, float *restrict z,
                         float *restrict vx, float *restrict vy, float *restrict vz,
                         float *restrict age, const uint32_t *restrict key,
                         const Step *restrict step, int pulls, bool stirs,
                         const float *restrict stir_x, const float *restrict stir_y,
                         const float *restrict stir_z)
{
    const Drag *d = &step->drag;
    for (int n = 0; n < GROUP; n++) {
        const float hx = x[n] + vx[n] * d->half, hy = y[n] + vy[n] * d->half,
                    hz = z[n] + vz[n] * d->half;
        float ax = stirs ? stir_x[n] : step->x, ay = stirs ? stir_y[n] : step->y,
              az = stirs ? stir_z[n] : step->z;
#pragma GCC unroll 8
        for (int p = 0; p < pulls; p++) step_pull(&step->pulls[p], hx, hy, hz, &ax, &ay, &az);
        const uint32_t bits = step_bits(step->salt, key[n]);
        step_move(d, ax, step_kick(d->kick, bits), &x[n], &vx[n]);
        step_move(d, ay, step_kick(d->kick, bits >> 10), &y[n], &vy[n]);
        step_move(d, az, step_kick(d->kick, bits >> 20), &z[n], &vz[n]);
        age[n] += step->dt;
    }
}

// `stirred` may be NULL.  Group by group, so that there is time in between to ask for what comes.
INLINED void glide(Block *block, uint32_t count, const Step *step, int pulls,
                   const Stirred *stirred, const Ahead *ahead)
{
    const Step s = *step; // out of reach of what is written
    const Ahead a = *ahead;
    for (uint32_t n = 0; n < count; n += GROUP) {
        ahead_load(&a, n, GROUP);
        glide_group(block->x + n, block->y + n, block->z + n, block->vx + n, block->vy + n,
                    block->vz + n, block->age + n, block->key + n, &s, pulls, stirred != NULL,
                    stirred ? stirred->x + n : NULL, stirred ? stirred->y + n : NULL,
                    stirred ? stirred->z + n : NULL);
    }
}

// A loop for each number of attractors.
#define GLIDE(pulls)                                                                               \
    KERNEL static void glide_##pulls(Block *block, uint32_t count, const Step *step,               \
                                     const Stirred *none, const Ahead *ahead)                      \
    {                                                                                              \
        (void)none;                                                                                \
        glide(block, count, step, pulls, NULL, ahead);                                             \
    }                                                                                              \
    KERNEL static void glide_stirred_##pulls(Block *block, uint32_t count, const Step *step,       \
                                             const Stirred *stirred, const Ahead *ahead)           \
    {                                                                                              \
        glide(block, count, step, pulls, stirred, ahead);                                          \
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

typedef void Glide(Block *block, uint32_t count, const Step *step, const Stirred *stirred,
                   const Ahead *ahead);

// All of it as if nothing were in its way.
static void glide_block(Block *block, uint32_t count, const Step *step, const Ahead *ahead)
{
    static Glide *const glides[][2] = {
        { glide_0, glide_stirred_0 }, { glide_1, glide_stirred_1 }, { glide_2, glide_stirred_2 },
        { glide_3, glide_stirred_3 }, { glide_4, glide_stirred_4 }, { glide_5, glide_stirred_5 },
        { glide_6, glide_stirred_6 }, { glide_7, glide_stirred_7 }, { glide_8, glide_stirred_8 },
    };
    Stirred stirred;
    if (step->turbulence != 0)
        stir(block, count, step, &stirred);
    else if (step->surges)
        rest(count, step, &stirred);
    if (step->surges) surge(block, count, step, &stirred);
    const bool stirs = step->turbulence != 0 || step->surges;
    glides[step->pull_count][stirs](block, count, step, &stirred, ahead);
}

void kernel_step(Block *block, uint32_t living, const Step *step, Bounces *bounces,
                 const Ahead *ahead)
{
    // Whole tiles: behind the living are numbers too.
    const uint32_t count = (living + TILE - 1) / TILE * TILE;
    if (!step_is_hindered(step)) {
        glide_block(block, count, step, ahead);
        return;
    }
    Before before;
    collide_begin(&before, block, count);
    glide_block(block, count, step, ahead);
    collide_end(&before, block, count, living, step, bounces);
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

// ---- only read and written ----------------------------------------------------------------------

KERNEL static void multiply(float *restrict row, float times)
{
    for (int n = 0; n < BLOCK; n++) row[n] *= times;
}

KERNEL static uint32_t sum_up(const uint32_t *restrict key)
{
    uint32_t sum = 0;
    for (int n = 0; n < BLOCK; n++) sum += key[n];
    return sum;
}

uint32_t kernel_stream(Block *block, float times)
{
    float *const rows[] = { block->x,  block->y,  block->z,  block->vx,
                            block->vy, block->vz, block->age };
    for (int n = 0; n < COUNT_OF(rows); n++) multiply(rows[n], times);
    return sum_up(block->key);
}

// ---- the clone ----------------------------------------------------------------------------------

const char *kernel_clone(void)
{
#ifdef CLONES
    if (__builtin_cpu_supports("avx512f")) return "avx512f";
    if (__builtin_cpu_supports("avx2")) return "avx2";
#endif
    return "default";
}
