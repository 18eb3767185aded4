// What is born when.  A hop grows rate x seconds births; whole ones are born at the moment they
// become whole, the rest is carried over.  So the births depend on the hops alone, not on the
// frames.
#include "sim/birth.h"

#include <string.h>

uint32_t swarm_seed(uint32_t show_seed, Owner owner, const char *name)
{
    uint32_t hash = rng_mix(show_seed + (uint32_t)owner * 0x9e3779b9U);
    for (const char *c = name; *c; c++) hash = rng_mix(hash ^ (unsigned char)*c);
    return hash;
}

Births births_newest(const Births *births, uint32_t most)
{
    Births newest = *births;
    int gone = 0;
    while (newest.count > most) {
        BirthRun *run = &newest.runs[gone];
        const uint32_t over = newest.count - most;
        const uint32_t drop = over < run->count ? over : run->count;
        run->first += drop;
        run->count -= drop;
        run->age_first -= (float)drop * run->spacing;
        newest.first += drop;
        newest.count -= drop;
        if (run->count == 0) gone++;
    }
    newest.run_count -= gone;
    memmove(newest.runs, newest.runs + gone, sizeof(BirthRun) * (size_t)newest.run_count);
    return newest;
}

void swarm_start(Swarm *swarm, uint32_t seed, uint32_t generation)
{
    *swarm = (Swarm){
        .births = { .seed = seed },
        .exists = true,
        .generation = generation,
        .marks = swarm->marks,
    };
}

static uint64_t next_index(const Births *births)
{
    return births->first + births->count;
}

void swarm_begin(Swarm *swarm)
{
    Births *b = &swarm->births;
    b->first = next_index(b);
    b->count = 0;
    b->run_count = 0;
}

void swarm_clear(Swarm *swarm)
{
    swarm_begin(swarm);
    swarm->births.oldest = swarm->births.first;
    swarm->mark_count = 0;
}

static float run_age_last(const BirthRun *run)
{
    const float age = run->age_first - (float)(run->count - 1) * run->spacing;
    return age > 0 ? age : 0;
}

// The last run takes these too, evenly spaced from its first to the last of all.
static void stretch_run(BirthRun *run, uint32_t count, float age_last)
{
    run->count += count;
    run->spacing = (run->age_first - age_last) / (float)(run->count - 1);
}

void swarm_hop(Swarm *swarm, float rate_asked, float age, float seconds)
{
    const double rate = clampf(rate_asked, 0, 1e7f);
    const double grown = swarm->debt + rate * (double)clampf(seconds, 0, STALL_LONGEST);
    const uint32_t count = (uint32_t)grown;
    const double first_after = count ? (1 - swarm->debt) / rate : 0;
    swarm->debt = grown - count;
    if (count == 0) return;

    Births *b = &swarm->births;
    const BirthRun run = {
        .first = next_index(b),
        .count = count,
        .age_first =
            clampf((float)((double)clampf(age, 0, STALL_LONGEST) - first_after), 0, STALL_LONGEST),
        .spacing = (float)(1 / rate),
    };
    b->count += count;
    if (b->run_count < BIRTH_RUNS)
        b->runs[b->run_count++] = run;
    else
        stretch_run(&b->runs[BIRTH_RUNS - 1], count, run_age_last(&run));
}

// ---- the oldest that may be alive ---------------------------------------------------------------

// Ages are sums of many dt in float, and may lag behind the clock by about this share.
static double with_slack(double life)
{
    return life * 1.0005 + 1e-3;
}

static void add_mark(Swarm *swarm, Mark mark)
{
    if (swarm->mark_count < MARKS) {
        swarm->marks[(swarm->mark_first + swarm->mark_count++) % MARKS] = mark;
        return;
    }
    // Full, from hops far shorter than usual: the newest mark speaks for these births too.
    Mark *newest = &swarm->marks[(swarm->mark_first + MARKS - 1) % MARKS];
    mark.life = mark.life > newest->life ? mark.life : newest->life;
    *newest = mark;
}

// A life is cut from the longest life at birth, or from the one now: an owner of particles may do
// either.
static void pass_marks(Swarm *swarm, double life_now)
{
    while (swarm->mark_count > 0) {
        const Mark *mark = &swarm->marks[swarm->mark_first];
        const double life = mark->life > life_now ? mark->life : life_now;
        if (mark->time + with_slack(life) > swarm->clock) return;
        swarm->births.oldest = mark->index;
        swarm->mark_first = (swarm->mark_first + 1) % MARKS;
        swarm->mark_count--;
    }
}

static void keep_oldest(Swarm *swarm, double life)
{
    const Births *b = &swarm->births;
    for (int n = 0; n < b->run_count; n++) {
        const BirthRun *run = &b->runs[n];
        add_mark(swarm, (Mark){ swarm->clock - run_age_last(run), life, run->first + run->count });
    }
    pass_marks(swarm, life);
}

void swarm_step(Swarm *swarm, const float *values, float dt)
{
    const Vec3 now = { values[SWARM_POSITION_X], values[SWARM_POSITION_Y],
                       values[SWARM_POSITION_Z] };
    const Vec3 before = swarm->placed ? swarm->position : now;
    swarm->births.moved = (Vec3){ before.x - now.x, before.y - now.y, before.z - now.z };
    swarm->position = now;
    swarm->placed = true;
    swarm->clock += dt;
    if (swarm->marks) keep_oldest(swarm, values[SWARM_LIFE]);
}
