// The law over whole blocks.  What makes the compiler turn these loops into vectors: restrict, nothing
// but float (and 32-bit) lanes, and functions that are not inlined into their callers.  The sums are
// law.c's, in its order; so all clones give the same bits.
#include "sim/clones.h"
#include "sim/pool.h"

// ---- a step: every number is read and written once ----------------------------------------------

// Accelerations: at first by gravity, wind, turbulence and the spectrum, at last by attractors too.
typedef struct {
    _Alignas(64) float x[BLOCK], y[BLOCK], z[BLOCK];
} Pushes;

KERNEL static void stir(const Block *block, uint32_t count, const Step *step, Pushes *push)
{
    const float *x = block->x, *y = block->y, *z = block->z;
    const float *vx = block->vx, *vy = block->vy, *vz = block->vz;
    float *restrict ax = push->x, *restrict ay = push->y, *restrict az = push->z;
    const Flow flow = step->flow;
    const float half = step->drag.half, much = step->turbulence;
    const float steady_x = step->x, steady_y = step->y, steady_z = step->z;
    for (uint32_t n = 0; n < count; n++) {
        const float hx = x[n] + vx[n] * half, hy = y[n] + vy[n] * half, hz = z[n] + vz[n] * half;
        const Vec3 along = flow_at(&flow, hx, hy, hz);
        ax[n] = steady_x + much * along.x;
        ay[n] = steady_y + much * along.y;
        az[n] = steady_z + much * along.z;
    }
}

KERNEL static void rest(uint32_t count, const Step *step, Pushes *push)
{
    float *restrict ax = push->x, *restrict ay = push->y, *restrict az = push->z;
    const float x = step->x, y = step->y, z = step->z;
    for (uint32_t n = 0; n < count; n++) {
        ax[n] = x;
        ay[n] = y;
        az[n] = z;
    }
}

KERNEL static void surge(const Block *block, uint32_t count, const Step *step, Pushes *push)
{
    const float *x = block->x, *y = block->y, *z = block->z;
    const float *vx = block->vx, *vy = block->vy, *vz = block->vz;
    float *restrict ax = push->x, *restrict ay = push->y, *restrict az = push->z;
    const Surge s = step->surge;
    const float half = step->drag.half;
    for (uint32_t n = 0; n < count; n++) {
        const float hx = x[n] + vx[n] * half, hy = y[n] + vy[n] * half, hz = z[n] + vz[n] * half;
        step_surge(&s, hx, hy, hz, &ax[n], &ay[n], &az[n]);
    }
}

// Particles that are moved at once: one to four vectors.  Their pulls are found LEAD ahead of that: a
// root and a division take long, and so do not keep anybody waiting.
enum { GROUP = 16, LEAD = 2 * GROUP };
_Static_assert(TILE % LEAD == 0, "a whole tile has a lead");

INLINED void pull_group(const float *restrict x, const float *restrict y, const float *restrict z,
                        const float *restrict vx, const float *restrict vy,
                        const float *restrict vz, const Step *restrict step, int pulls,
                        bool stirred, float *restrict ax, float *restrict ay, float *restrict az)
{
    const float half = step->drag.half;
    INDEPENDENT
    for (int n = 0; n < GROUP; n++) {
        const float hx = x[n] + vx[n] * half, hy = y[n] + vy[n] * half, hz = z[n] + vz[n] * half;
        float px = stirred ? ax[n] : step->x, py = stirred ? ay[n] : step->y,
              pz = stirred ? az[n] : step->z;
#pragma GCC unroll 8
        for (int p = 0; p < pulls; p++) step_pull(&step->pulls[p], hx, hy, hz, &px, &py, &pz);
        ax[n] = px;
        ay[n] = py;
        az[n] = pz;
    }
}

INLINED void glide_group(float *restrict x, float *restrict y, float *restrict z,
                         float *restrict vx, float *restrict vy, float *restrict vz,
                         float *restrict age, const uint32_t *restrict key,
                         const Step *restrict step, bool pushed, const float *restrict ax,
                         const float *restrict ay, const float *restrict az)
{
    const Drag *d = &step->drag;
    INDEPENDENT
    for (int n = 0; n < GROUP; n++) {
        const uint32_t bits = step_bits(step->salt, key[n]);
        step_move(d, pushed ? ax[n] : step->x, step_kick(d->kick, bits), &x[n], &vx[n]);
        step_move(d, pushed ? ay[n] : step->y, step_kick(d->kick, bits >> 10), &y[n], &vy[n]);
        step_move(d, pushed ? az[n] : step->z, step_kick(d->kick, bits >> 20), &z[n], &vz[n]);
        age[n] += step->dt;
    }
}

// Group by group, so that there is time in between to ask for what comes.  `push` has the stirred
// accelerations, if they are; then it has the pulls as well.
INLINED void glide(Block *b, uint32_t count, const Step *step, int pulls, bool stirred,
                   Pushes *push, const Ahead *ahead)
{
    const Step s = *step; // out of reach of what is written
    const Ahead a = *ahead;
    for (uint32_t n = 0; pulls > 0 && n < LEAD && n < count; n += GROUP)
        pull_group(b->x + n, b->y + n, b->z + n, b->vx + n, b->vy + n, b->vz + n, &s, pulls,
                   stirred, push->x + n, push->y + n, push->z + n);
    for (uint32_t n = 0; n < count; n += GROUP) {
        const uint32_t m = n + LEAD;
        ahead_load(&a, n, GROUP);
        if (pulls > 0 && m < count)
            pull_group(b->x + m, b->y + m, b->z + m, b->vx + m, b->vy + m, b->vz + m, &s, pulls,
                       stirred, push->x + m, push->y + m, push->z + m);
        glide_group(b->x + n, b->y + n, b->z + n, b->vx + n, b->vy + n, b->vz + n, b->age + n,
                    b->key + n, &s, pulls > 0 || stirred, push->x + n, push->y + n, push->z + n);
    }
}

// A loop for each number of attractors.
#define GLIDE(pulls)                                                                               \
    KERNEL static void glide_##pulls(Block *block, uint32_t count, const Step *step, Pushes *push, \
                                     const Ahead *ahead)                                           \
    {                                                                                              \
        glide(block, count, step, pulls, false, push, ahead);                                      \
    }                                                                                              \
    KERNEL static void glide_stirred_##pulls(Block *block, uint32_t count, const Step *step,       \
                                             Pushes *push, const Ahead *ahead)                     \
    {                                                                                              \
        glide(block, count, step, pulls, true, push, ahead);                                       \
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

typedef void Glide(Block *block, uint32_t count, const Step *step, Pushes *push,
                   const Ahead *ahead);

// All of it as if nothing were in its way.
static void glide_block(Block *block, uint32_t count, const Step *step, const Ahead *ahead)
{
    static Glide *const glides[][2] = {
        { glide_0, glide_stirred_0 }, { glide_1, glide_stirred_1 }, { glide_2, glide_stirred_2 },
        { glide_3, glide_stirred_3 }, { glide_4, glide_stirred_4 }, { glide_5, glide_stirred_5 },
        { glide_6, glide_stirred_6 }, { glide_7, glide_stirred_7 }, { glide_8, glide_stirred_8 },
    };
    Pushes push;
    if (step->turbulence != 0)
        stir(block, count, step, &push);
    else if (step->surges)
        rest(count, step, &push);
    if (step->surges) surge(block, count, step, &push);
    const bool stirred = step->turbulence != 0 || step->surges;
    glides[step->pull_count][stirred](block, count, step, &push, ahead);
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
