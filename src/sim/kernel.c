// The law over tiles of TILE particles.  What makes the compiler turn these loops into vectors: a
// fixed count, restrict, nothing but float (and 32-bit) lanes, and no inlining into the loop over
// tiles.  The sums are law.c's, in its order; so all clones give the same bits.
#include "sim/pool.h"

// The sanitizers' start-up does not bear the resolvers of clones.
#if defined __x86_64__ && defined __gnu_linux__ && !defined __SANITIZE_ADDRESS__ &&                \
    !defined __SANITIZE_THREAD__
#define KERNEL __attribute__((noinline, target_clones("default", "avx2", "avx512f")))
#define CLONES
#else
#define KERNEL __attribute__((noinline))
#endif

// Where the forces are felt, along one axis.
KERNEL static void halve_tile(const Step *restrict step, const float *restrict p,
                              const float *restrict v, float *restrict at)
{
    for (int n = 0; n < TILE; n++) at[n] = p[n] + v[n] * step->half;
}

KERNEL static void begin_tile(const Step *restrict step, float *restrict ax, float *restrict ay,
                              float *restrict az)
{
    for (int n = 0; n < TILE; n++) {
        ax[n] = step->x;
        ay[n] = step->y;
        az[n] = step->z;
    }
}

KERNEL static void stir_tile(const Step *restrict step, const float *restrict x,
                             const float *restrict y, const float *restrict z, float *restrict ax,
                             float *restrict ay, float *restrict az)
{
    float ux[TILE] = { 0 }, uy[TILE] = { 0 }, uz[TILE] = { 0 };
    for (int w = 0; w < WAVES; w++) {
        for (int n = 0; n < TILE; n++) {
            const float wave = flow_wave(&step->flow, w, x[n], y[n], z[n]);
            ux[n] += waves[w].push_x * wave;
            uy[n] += waves[w].push_y * wave;
            uz[n] += waves[w].push_z * wave;
        }
    }
    for (int n = 0; n < TILE; n++) {
        ax[n] += step->turbulence * ux[n];
        ay[n] += step->turbulence * uy[n];
        az[n] += step->turbulence * uz[n];
    }
}

KERNEL static void pull_tile(const Pull *restrict pull, const float *restrict x,
                             const float *restrict y, const float *restrict z, float *restrict ax,
                             float *restrict ay, float *restrict az)
{
    for (int n = 0; n < TILE; n++) step_pull(pull, x[n], y[n], z[n], &ax[n], &ay[n], &az[n]);
}

KERNEL static void kick_tile(const Step *restrict step, const uint32_t *restrict key,
                             float *restrict kx, float *restrict ky, float *restrict kz)
{
    for (int n = 0; n < TILE; n++) {
        const uint32_t bits = step_bits(step->salt, key[n]);
        kx[n] = step_kick(step->kick, bits);
        ky[n] = step_kick(step->kick, bits >> 10);
        kz[n] = step_kick(step->kick, bits >> 20);
    }
}

KERNEL static void move_tile(const Step *restrict step, const float *restrict a,
                             const float *restrict kick, float *restrict p, float *restrict v)
{
    for (int n = 0; n < TILE; n++) step_move(step, a[n], kick[n], &p[n], &v[n]);
}

KERNEL static void age_tile(float *restrict age, float dt)
{
    for (int n = 0; n < TILE; n++) age[n] += dt;
}

KERNEL static int dead_in_tile(const float *restrict age, const uint32_t *restrict key, float life,
                               float life_random)
{
    int dead = 0;
    for (int n = 0; n < TILE; n++) dead += age[n] >= life_of(life, life_random, key[n]);
    return dead;
}

static void step_tile(Block *block, uint32_t at, const Step *step, float dt)
{
    float *x = block->x + at, *y = block->y + at, *z = block->z + at;
    _Alignas(64) float ax[TILE], ay[TILE], az[TILE], kx[TILE] = { 0 }, ky[TILE] = { 0 },
                                                     kz[TILE] = { 0 };
    _Alignas(64) float hx[TILE], hy[TILE], hz[TILE];
    halve_tile(step, x, block->vx + at, hx);
    halve_tile(step, y, block->vy + at, hy);
    halve_tile(step, z, block->vz + at, hz);
    begin_tile(step, ax, ay, az);
    if (step->turbulence != 0) stir_tile(step, hx, hy, hz, ax, ay, az);
    for (int n = 0; n < step->pull_count; n++) pull_tile(&step->pulls[n], hx, hy, hz, ax, ay, az);
    if (step->kick != 0) kick_tile(step, block->key + at, kx, ky, kz);
    move_tile(step, ax, kx, x, block->vx + at);
    move_tile(step, ay, ky, y, block->vy + at);
    move_tile(step, az, kz, z, block->vz + at);
    age_tile(block->age + at, dt);
}

void kernel_step(Block *block, uint32_t count, const Step *step, float dt)
{
    for (uint32_t at = 0; at < count; at += TILE) step_tile(block, at, step, dt);
}

static void move_particle(Block *block, uint32_t from, uint32_t to)
{
    block->x[to] = block->x[from];
    block->y[to] = block->y[from];
    block->z[to] = block->z[from];
    block->vx[to] = block->vx[from];
    block->vy[to] = block->vy[from];
    block->vz[to] = block->vz[from];
    block->age[to] = block->age[from];
    block->key[to] = block->key[from];
}

uint32_t kernel_bury(Block *block, uint32_t count, float life, float life_random)
{
    for (uint32_t tile = 0; tile < count; tile += TILE) {
        if (dead_in_tile(block->age + tile, block->key + tile, life, life_random) == 0) continue;
        for (uint32_t n = tile; n < tile + TILE && n < count;) {
            if (block->age[n] >= life_of(life, life_random, block->key[n]))
                move_particle(block, --count, n);
            else
                n++;
        }
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
