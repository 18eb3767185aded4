// The newborns of a block: born where and when their runs say, and moved from then to the frame's
// end, side by side.  Each takes steps of its own length, so what is one number for all in kernel.c
// is a lane here.  The sums are law.c's, in its order.
#include "sim/area.h"
#include "sim/engine.h"

typedef struct {
    _Alignas(64) uint32_t key[BLOCK];
    float x[BLOCK], y[BLOCK], z[BLOCK]; // m, from where the area is to where it was
    float age[BLOCK];                   // s, at the frame's end
    float steps[BLOCK], dt[BLOCK];      // how many until then; s, of each
    Drags drags;
    uint32_t count;
} Newborns;

// ---- who is born --------------------------------------------------------------------------------

// Births `from` to `end` of a run.
KERNEL static void list_run(const Births *births, const BirthRun *run, uint32_t from, uint32_t end,
                            Newborns *newborns)
{
    const uint32_t at = newborns->count, seed = births->seed;
    uint32_t *restrict key = newborns->key + at;
    float *restrict x = newborns->x + at, *restrict y = newborns->y + at;
    float *restrict z = newborns->z + at, *restrict age = newborns->age + at;
    float *restrict steps = newborns->steps + at, *restrict dt = newborns->dt + at;
    const BirthRun r = *run; // out of reach of what is written
    for (uint32_t n = 0; n < end - from; n++) {
        const float number = (float)(int32_t)(from + n);
        key[n] = rng_key(seed, r.first + from + n);
        x[n] = r.away.x + number * r.step.x;
        y[n] = r.away.y + number * r.step.y;
        z[n] = r.away.z + number * r.step.z;
        age[n] = clampf(r.age_first - number * r.spacing, 0, STALL_LONGEST);
        steps[n] = (float)substeps_of(age[n]);
        dt[n] = age[n] / steps[n];
    }
    newborns->count += end - from;
}

// Those that this block has room for, of all runs of its emitter.
static void list_newborns(const Births *births, const BlockInfo *info, Newborns *newborns)
{
    const uint32_t first = info->newborn_first, end = first + info->newborns;
    uint32_t before = 0; // births in the runs before
    newborns->count = 0;
    for (int r = 0; r < births->run_count && before < end; r++) {
        const BirthRun *run = &births->runs[r];
        const uint32_t from = before < first ? first - before : 0;
        const uint32_t to = end - before < run->count ? end - before : run->count;
        if (from < to) list_run(births, run, from, to, newborns);
        before += run->count;
    }
}

// ---- birth --------------------------------------------------------------------------------------

INLINED void bear(int area, const Emission *emission, const Newborns *newborns, Block *block,
                  uint32_t at)
{
    const Emission e = *emission; // out of reach of what is written
    const float *restrict away_x = newborns->x, *restrict away_y = newborns->y;
    const float *restrict away_z = newborns->z;
    const uint32_t *restrict born = newborns->key;
    float *restrict x = block->x + at, *restrict y = block->y + at, *restrict z = block->z + at;
    float *restrict vx = block->vx + at, *restrict vy = block->vy + at;
    float *restrict vz = block->vz + at, *restrict age = block->age + at;
    uint32_t *restrict key = block->key + at;
    const uint32_t count = newborns->count;
    for (uint32_t n = 0; n < count; n++) {
        const Particle p = birth_in(area, &e, born[n]);
        x[n] = p.position.x + away_x[n];
        y[n] = p.position.y + away_y[n];
        z[n] = p.position.z + away_z[n];
        vx[n] = p.velocity.x;
        vy[n] = p.velocity.y;
        vz[n] = p.velocity.z;
        age[n] = 0;
        key[n] = born[n];
    }
}

// A loop for each area.
#define BEAR(name, area)                                                                           \
    KERNEL static void name(const Emission *emission, const Newborns *newborns, Block *block,      \
                            uint32_t at)                                                           \
    {                                                                                              \
        bear(area, emission, newborns, block, at);                                                 \
    }

BEAR(bear_at_point, AREA_POINT)
BEAR(bear_in_sphere, AREA_SPHERE)
BEAR(bear_in_box, AREA_BOX)
BEAR(bear_in_circle, AREA_CIRCLE)
BEAR(bear_in_hemisphere, AREA_HEMISPHERE)
BEAR(bear_in_cone, AREA_CONE)
BEAR(bear_on_line, AREA_LINE)
BEAR(bear_on_patches, AREA_MESH)

static void (*const bears[])(const Emission *, const Newborns *, Block *, uint32_t) = {
    [AREA_POINT] = bear_at_point,
    [AREA_SPHERE] = bear_in_sphere,
    [AREA_BOX] = bear_in_box,
    [AREA_CIRCLE] = bear_in_circle,
    [AREA_HEMISPHERE] = bear_in_hemisphere,
    [AREA_CONE] = bear_in_cone,
    [AREA_LINE] = bear_on_line,
    [AREA_MESH] = bear_on_patches,
    [AREA_IMAGE] = bear_on_patches,
};
_Static_assert(COUNT_OF(bears) == AREA_IMAGE + 1, "a loop for each area");

// ---- a sub-step ---------------------------------------------------------------------------------

// Where each feels its forces, and what they come to.
typedef struct {
    _Alignas(64) float x[BLOCK], y[BLOCK], z[BLOCK]; // m
    float ax[BLOCK], ay[BLOCK], az[BLOCK];           // m/s2
} Felt;

KERNEL static void go_half_way(const Block *block, uint32_t at, const Newborns *newborns,
                               const Step *step, Felt *felt)
{
    const float *x = block->x + at, *y = block->y + at, *z = block->z + at;
    const float *vx = block->vx + at, *vy = block->vy + at, *vz = block->vz + at;
    const float *half = newborns->drags.half;
    float *restrict hx = felt->x, *restrict hy = felt->y, *restrict hz = felt->z;
    float *restrict ax = felt->ax, *restrict ay = felt->ay, *restrict az = felt->az;
    const float steady_x = step->x, steady_y = step->y, steady_z = step->z;
    const uint32_t count = newborns->count;
    for (uint32_t n = 0; n < count; n++) {
        hx[n] = x[n] + vx[n] * half[n];
        hy[n] = y[n] + vy[n] * half[n];
        hz[n] = z[n] + vz[n] * half[n];
        ax[n] = steady_x;
        ay[n] = steady_y;
        az[n] = steady_z;
    }
}

// Sub-step `s` of a frame of dt; each in a flow of its own moment.
KERNEL static void feel_flow(const Newborns *newborns, const Motion *motion, int s, float dt,
                             Felt *felt)
{
    const float *x = felt->x, *y = felt->y, *z = felt->z;
    const float *age = newborns->age, *each = newborns->dt;
    float *restrict ax = felt->ax, *restrict ay = felt->ay, *restrict az = felt->az;
    const float much = motion->turbulence, per_metre = flow_per_metre(motion->turbulence_scale);
    const float phase = motion->turbulence_phase, speed = motion->turbulence_speed;
    const uint32_t count = newborns->count;
    for (uint32_t n = 0; n < count; n++) {
        const float since = dt - age[n] + (float)s * each[n];
        const Flow flow = flow_make(per_metre, phase + speed * since);
        const Vec3 push = flow_at(&flow, x[n], y[n], z[n]);
        ax[n] += much * push.x;
        ay[n] += much * push.y;
        az[n] += much * push.z;
    }
}

KERNEL static void feel_surge(const Surge *felt_surge, uint32_t count, Felt *felt)
{
    const float *x = felt->x, *y = felt->y, *z = felt->z;
    float *restrict ax = felt->ax, *restrict ay = felt->ay, *restrict az = felt->az;
    const Surge surge = *felt_surge;
    for (uint32_t n = 0; n < count; n++)
        step_surge(&surge, x[n], y[n], z[n], &ax[n], &ay[n], &az[n]);
}

KERNEL static void feel_pull(const Pull *felt_pull, uint32_t count, Felt *felt)
{
    const float *x = felt->x, *y = felt->y, *z = felt->z;
    float *restrict ax = felt->ax, *restrict ay = felt->ay, *restrict az = felt->az;
    const Pull pull = *felt_pull;
    for (uint32_t n = 0; n < count; n++) step_pull(&pull, x[n], y[n], z[n], &ax[n], &ay[n], &az[n]);
}

// Those that have had all of their steps before sub-step `s` take one that leads nowhere.
KERNEL static void let_rest(const float *restrict steps, float s, uint32_t count, Drags *drags,
                            float *restrict dt)
{
    float *restrict half = drags->half, *restrict keep = drags->keep;
    float *restrict reach = drags->reach, *restrict fall = drags->fall;
    float *restrict kick = drags->kick;
    for (uint32_t n = 0; n < count; n++) {
        const bool moves = s < steps[n];
        half[n] = moves ? half[n] : 0;
        keep[n] = moves ? keep[n] : 1;
        reach[n] = moves ? reach[n] : 0;
        fall[n] = moves ? fall[n] : 0;
        kick[n] = moves ? kick[n] : 0;
        dt[n] = moves ? dt[n] : 0;
    }
}

KERNEL static void move_on(Block *block, uint32_t at, const Newborns *newborns, const Felt *felt,
                           uint32_t salt)
{
    float *restrict x = block->x + at, *restrict y = block->y + at, *restrict z = block->z + at;
    float *restrict vx = block->vx + at, *restrict vy = block->vy + at;
    float *restrict vz = block->vz + at, *restrict age = block->age + at;
    const Drags *d = &newborns->drags;
    const uint32_t count = newborns->count;
    for (uint32_t n = 0; n < count; n++) {
        const Drag drag = { d->half[n], d->keep[n], d->reach[n], d->fall[n], d->kick[n] };
        const uint32_t bits = step_bits(salt, newborns->key[n]);
        step_move(&drag, felt->ax[n], step_kick(drag.kick, bits), &x[n], &vx[n]);
        step_move(&drag, felt->ay[n], step_kick(drag.kick, bits >> 10), &y[n], &vy[n]);
        step_move(&drag, felt->az[n], step_kick(drag.kick, bits >> 20), &z[n], &vz[n]);
        age[n] += newborns->dt[n];
    }
}

static void fly(const Share *share, uint32_t frame, float dt, Newborns *newborns, Block *block,
                uint32_t at)
{
    const Step *step = &share->steps[0];
    float most = 0;
    for (uint32_t n = 0; n < newborns->count; n++) most = fmaxf(most, newborns->steps[n]);
    for (int s = 0; s < (int)most; s++) {
        Felt felt;
        if (s > 0)
            let_rest(newborns->steps, (float)s, newborns->count, &newborns->drags, newborns->dt);
        go_half_way(block, at, newborns, step, &felt);
        if (step->turbulence != 0) feel_flow(newborns, &share->felt, s, dt, &felt);
        if (step->surges) feel_surge(&step->surge, newborns->count, &felt);
        for (int p = 0; p < step->pull_count; p++)
            feel_pull(&step->pulls[p], newborns->count, &felt);
        move_on(block, at, newborns, &felt, step_salt(frame * SUBSTEPS_MAX + (uint32_t)s));
    }
}

// ---- where something may be in the way, or speed goes over life ----------------------------------

static void fly_hindered(const Share *share, uint32_t frame, float dt, Newborns *newborns,
                         Block *block, uint32_t at)
{
    const Motion *felt = &share->felt;
    const Drags *d = &newborns->drags;
    Step step = share->steps[0];
    for (uint32_t n = 0; n < newborns->count; n++) {
        const Drag drag = { d->half[n], d->keep[n], d->reach[n], d->fall[n], d->kick[n] };
        Particle p = block_get(block, at + n, felt->life, felt->life_random);
        for (int s = 0; s < (int)newborns->steps[n]; s++) {
            const float since = dt - newborns->age[n] + (float)s * newborns->dt[n];
            const float phase = felt->turbulence_phase + felt->turbulence_speed * since;
            step_remake(&step, felt, phase, step_salt(frame * SUBSTEPS_MAX + (uint32_t)s),
                        newborns->dt[n], &drag);
            step_particle(&step, &p, newborns->key[n]);
        }
        block_put(block, at + n, &p, newborns->key[n]);
    }
}

void newborns_put(const Share *share, uint32_t frame, float dt, const BlockInfo *info, Block *block)
{
    const Emission emission = emission_of(share->values, &share->births.place);
    Newborns newborns;
    list_newborns(&share->births, info, &newborns);
    bears[emission.area](&emission, &newborns, block, info->count);
    kernel_drag(drag_felt(&share->felt), share->felt.jitter, newborns.dt, newborns.count,
                &newborns.drags);
    const bool hindered = step_is_hindered(&share->steps[0]);
    (hindered ? fly_hindered : fly)(share, frame, dt, &newborns, block, info->count);
}
