#include "app/bench_bound.h"

#include <stdlib.h>
#include <string.h>

enum { WRITTEN = 7, LENGTH = 2048 };

typedef struct {
    _Alignas(64) float written[WRITTEN][LENGTH];
    uint32_t read[LENGTH];
    uint32_t sum; // so that reading is not for nothing
} Stretch;

struct Bound {
    Stretch *stretches;
    int count;
    Team *team;
};

// The sanitizers' start-up does not bear the resolvers of clones.
#if defined __x86_64__ && defined __gnu_linux__ && !defined __SANITIZE_ADDRESS__ &&                \
    !defined __SANITIZE_THREAD__
#define CLONED __attribute__((noinline, target_clones("default", "avx2", "avx512f")))
#else
#define CLONED __attribute__((noinline))
#endif

CLONED static uint32_t stream(float *restrict x, float *restrict y, float *restrict z,
                              float *restrict vx, float *restrict vy, float *restrict vz,
                              float *restrict age, const uint32_t *restrict key)
{
    uint32_t sum = 0;
    for (int n = 0; n < LENGTH; n++) {
        x[n] += 1;
        y[n] += 1;
        z[n] += 1;
        vx[n] += 1;
        vy[n] += 1;
        vz[n] += 1;
        age[n] += 1;
        sum += key[n];
    }
    return sum;
}

static void stream_stretch(void *work, int n)
{
    const Bound *bound = work;
    Stretch *s = &bound->stretches[n];
    s->sum = stream(s->written[0], s->written[1], s->written[2], s->written[3], s->written[4],
                    s->written[5], s->written[6], s->read);
}

Bound *bound_new(uint32_t particles, int threads)
{
    Bound *bound = calloc(1, sizeof *bound);
    if (!bound) return NULL;
    bound->count = (int)((particles + LENGTH - 1) / LENGTH);
    bound->stretches = aligned_alloc(64, sizeof(Stretch) * (size_t)bound->count);
    bound->team = team_new(threads);
    if (bound->stretches && bound->team) {
        memset(bound->stretches, 0, sizeof(Stretch) * (size_t)bound->count);
        return bound;
    }
    bound_free(bound);
    return NULL;
}

void bound_free(Bound *bound)
{
    if (!bound) return;
    team_free(bound->team);
    free(bound->stretches);
    free(bound);
}

void bound_step(Bound *bound)
{
    team_run(bound->team, stream_stretch, bound, bound->count);
}

float bound_written(const Bound *bound)
{
    float sum = 0;
    for (int n = 0; n < bound->count; n++)
        for (int a = 0; a < WRITTEN; a++)
            for (int i = 0; i < LENGTH; i++) sum += bound->stretches[n].written[a][i];
    return sum;
}
