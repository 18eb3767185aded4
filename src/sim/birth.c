// What is born when, and from where.  A hop grows rate x seconds births, and some for each metre on
// its way; whole ones are born at the moment and place where they become whole, the rest is carried
// over.  Bursts come on top.  So the births depend on the hops alone, not on the frames.
#include "sim/birth.h"
#include "sim/step.h"

#include <string.h>

// Cycles and bursts are no closer together than this.
static const double SHORTEST = 0.01; // s

enum {
    BURSTS_MOST = 16,      // of hands, in one hop
    BIRTHS_MOST = 1000000, // at a time

    GENERATIONS_ON = 997, // where slots begin after all have died, so that it is not as before
};

// ---- vectors ------------------------------------------------------------------------------------

static Vec3 plus(Vec3 a, Vec3 b)
{
    return (Vec3){ a.x + b.x, a.y + b.y, a.z + b.z };
}

static Vec3 minus(Vec3 a, Vec3 b)
{
    return (Vec3){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static Vec3 times(Vec3 a, double factor)
{
    return (Vec3){ (float)(a.x * factor), (float)(a.y * factor), (float)(a.z * factor) };
}

static double length(Vec3 a)
{
    return sqrt((double)a.x * a.x + (double)a.y * a.y + (double)a.z * a.z);
}

// ---- births of a frame --------------------------------------------------------------------------

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
        run->away = plus(run->away, times(run->step, drop));
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
        .shape = swarm->shape,
        .marks = swarm->marks,
    };
}

static uint64_t next_index(const Births *births)
{
    return births->first + births->count;
}

static void forget_births(Births *b)
{
    b->first = next_index(b);
    b->count = 0;
    b->run_count = b->refill_count = 0;
}

void swarm_begin(Swarm *swarm, Vec3 place)
{
    forget_births(&swarm->births);
    swarm->moved = swarm->placed ? minus(place, swarm->place) : (Vec3){ 0, 0, 0 };
    swarm->place = place;
    swarm->placed = true;
}

void swarm_clear(Swarm *swarm)
{
    forget_births(&swarm->births);
    swarm->births.oldest = swarm->births.first;
    swarm->births.clears++;
    swarm->births.generation += GENERATIONS_ON;
    swarm->filled_until = 0;
    swarm->mark_count = 0;
}

static float run_age_last(const BirthRun *run)
{
    const float age = run->age_first - (float)(run->count - 1) * run->spacing;
    return age > 0 ? age : 0;
}

// The last run takes another too, evenly spaced from its first to the last of all.
static void stretch_run(BirthRun *run, const BirthRun *more)
{
    const double gaps = (double)run->count + more->count - 1;
    const Vec3 last = plus(more->away, times(more->step, more->count - 1));
    run->spacing = (float)((run->age_first - run_age_last(more)) / gaps);
    run->step = times(minus(last, run->away), 1 / gaps);
    run->count += more->count;
}

// While hops go on, `away` is where births are in the world.
static void add_run(Swarm *swarm, const BirthRun *run)
{
    Births *b = &swarm->births;
    if (run->count == 0) return;
    BirthRun next = *run;
    next.first = next_index(b);
    if (next.count == 1) {
        next.spacing = 0;
        next.step = (Vec3){ 0, 0, 0 };
    }
    b->count += next.count;
    if (b->run_count < BIRTH_RUNS)
        b->runs[b->run_count++] = next;
    else
        stretch_run(&b->runs[BIRTH_RUNS - 1], &next);
}

// In place of births by rate: as many of an empty ring's.
static void add_refill(Swarm *swarm, double births, BirthRun span)
{
    Births *b = &swarm->births;
    if (!(births > 0)) return;
    span.count = 2;
    if (b->refill_count < BIRTH_RUNS) {
        b->refills[b->refill_count++] = (Refill){ span, (float)births };
        return;
    }
    Refill *last = &b->refills[BIRTH_RUNS - 1];
    const Vec3 end = plus(span.away, span.step);
    last->births += (float)births;
    last->span.spacing = last->span.age_first - run_age_last(&span);
    last->span.step = minus(end, last->span.away);
}

// All runs of a frame, those of refills too.
static BirthRun *run_at(Births *b, int n)
{
    return n < b->run_count ? &b->runs[n] : &b->refills[n - b->run_count].span;
}

static int runs_of(const Births *b)
{
    return b->run_count + b->refill_count;
}

// ---- paths --------------------------------------------------------------------------------------

void swarm_travel(Swarm *swarm, const float *values, float seconds)
{
    if (swarm->births.frozen) return;
    const int path = (int)values[SWARM_PATH];
    const bool swings = path == PATH_ORBIT || path == PATH_LISSAJOUS;
    for (int axis = 0; axis < 3; axis++) {
        const double turns = values[SWARM_PATH_RATE_X + axis] * (double)seconds;
        const double phase = swarm->phase[axis] + turns;
        swarm->phase[axis] = swings ? phase - floor(phase) : 0;
    }
}

// An orbit is a Lissajous figure whose axes keep one time.
Vec3 swarm_path(const Swarm *swarm, const float *values)
{
    const int path = (int)values[SWARM_PATH];
    if (path != PATH_ORBIT && path != PATH_LISSAJOUS) return (Vec3){ 0, 0, 0 };
    const bool orbit = path == PATH_ORBIT;
    const float x = (float)swarm->phase[0];
    const float y = orbit ? x : (float)swarm->phase[1], z = orbit ? x : (float)swarm->phase[2];
    return (Vec3){ values[SWARM_PATH_X] * sine_of_turns(x + 0.25f),
                   values[SWARM_PATH_Y] * sine_of_turns(y),
                   values[SWARM_PATH_Z] * sine_of_turns(z) };
}

// ---- cycles and bursts --------------------------------------------------------------------------

bool swarm_is_over(const Swarm *swarm, const float *values)
{
    return values[SWARM_DURATION] > 0 && values[SWARM_LOOP] == 0 &&
           swarm->cycle >= fmax(values[SWARM_DURATION], SHORTEST);
}

// What a hop brings by itself.
typedef struct {
    double open;     // s, from its start: births happen
    uint32_t bursts; // of burst_every
    double burst_at; // s, from its start: the first of them
} Course;

// A duration or a pause; none is endless.
static double span_of(float value)
{
    return value > 0 ? fmax((double)value, SHORTEST) : INFINITY;
}

// Cycles and bursts are walked in the order in which they begin; a cycle begins with a burst.
static Course take_course(Swarm *swarm, const float *values, double seconds)
{
    const double duration = span_of(values[SWARM_DURATION]);
    const double every = span_of(values[SWARM_BURST_EVERY]);
    const bool loops = values[SWARM_LOOP] != 0, bursts = every < INFINITY;
    Course course = { .open = loops ? seconds : clampd(duration - swarm->cycle, 0, seconds) };
    double next_cycle = loops ? fmax(duration - swarm->cycle, 0) : INFINITY;
    double next_burst = bursts ? fmin(swarm->burst_wait, every) : INFINITY;
    double began = -swarm->cycle;
    for (;;) {
        const double next = fmin(next_cycle, next_burst);
        if (!(next < course.open)) break;
        if (next_cycle <= next) {
            began = next;
            next_cycle += duration;
        }
        if (!bursts) continue;
        if (course.bursts++ == 0) course.burst_at = next;
        next_burst = next + every;
    }
    swarm->burst_wait = bursts ? next_burst - course.open : 0;
    swarm->cycle = duration < INFINITY ? fmin(seconds - began, loops ? INFINITY : duration) : 0;
    return course;
}

static uint32_t bursts_by_hand(float counter, float *seen)
{
    const float more = counter - *seen;
    *seen = counter;
    const float asked = more < 0 ? more + 0x1p24f : more; // the counter goes round
    return (uint32_t)clampf(asked, 0, BURSTS_MOST);
}

static bool is_set_off(const float *values, const Features *features)
{
    if (!features) return false;
    switch ((int)values[SWARM_BURST_ON]) {
    case BURST_ON_ONSET:
        return features->onset;
    case BURST_ON_KICK:
        return features->signal[SIGNAL_KICK] > 0;
    case BURST_ON_SNARE:
        return features->signal[SIGNAL_SNARE] > 0;
    case BURST_ON_HAT:
        return features->signal[SIGNAL_HAT] > 0;
    case BURST_ON_BEAT:
        return features->beat;
    default:
        return false;
    }
}

// All bursts of a hop are one, at the moment of the first; what hands and the sound set off comes at
// the hop's start.
static void bear_bursts(Swarm *swarm, const Hop *hop, const Course *course, double seconds)
{
    const bool heard = course->open > 0 && is_set_off(hop->values, hop->features);
    const uint32_t hands = bursts_by_hand(hop->values[SWARM_BURST], &swarm->bursts_seen) + heard;
    const double each = clampf(hop->values[SWARM_BURST_COUNT], 0, BIRTHS_MOST);
    const double at = hands > 0 ? 0 : course->burst_at;
    const double share = seconds > 0 ? at / seconds : 0;
    const BirthRun run = {
        .count = (uint32_t)fmin((hands + course->bursts) * each, BIRTHS_MOST),
        .age_first = clampf(hop->age - (float)at, 0, STALL_LONGEST),
        .away = plus(swarm->place, times(minus(hop->place, swarm->place), share)),
    };
    if (swarm->by_fill)
        add_refill(swarm, run.count, run);
    else
        add_run(swarm, &run);
}

bool swarm_obey(Swarm *swarm, const float *values)
{
    const uint32_t clears = bursts_by_hand(values[SWARM_CLEAR], &swarm->clears_seen);
    const uint32_t reseeds = bursts_by_hand(values[SWARM_RESEED], &swarm->reseeds_seen);
    if (clears + reseeds == 0) return false;
    for (uint32_t n = 0; n < reseeds; n++)
        swarm->births.seed = rng_mix(swarm->births.seed + 0x9e3779b9U);
    swarm_clear(swarm);
    return true;
}

// ---- births by time and way ---------------------------------------------------------------------

// Grows births over a stretch of `seconds`, of which the first `open` give birth, with `rate` a
// second: the run of those that become whole.
static BirthRun grow_run(Swarm *swarm, double rate, double open, double seconds, double age,
                         Vec3 from, Vec3 to)
{
    const double grown = swarm->debt + rate * open;
    const uint32_t count = (uint32_t)fmin(grown, BIRTHS_MOST);
    const double first_after = count ? (1 - swarm->debt) / rate : 0;
    swarm->debt = grown - floor(grown);
    if (count == 0) return (BirthRun){ 0 };
    const Vec3 speed = times(minus(to, from), 1 / seconds);
    return (BirthRun){
        .count = count,
        .age_first = clampf((float)(age - first_after), 0, STALL_LONGEST),
        .spacing = (float)(1 / rate),
        .away = plus(from, times(speed, first_after)),
        .step = times(speed, 1 / rate),
    };
}

// The same as a refill.
static void refill(Swarm *swarm, double rate, double open, double seconds, double age, Vec3 from,
                   Vec3 to)
{
    add_refill(swarm, rate * open,
               (BirthRun){
                   .age_first = clampf((float)age, 0, STALL_LONGEST),
                   .spacing = (float)open,
                   .away = from,
                   .step = times(minus(to, from), open / seconds),
               });
}

static void grow(Swarm *swarm, double rate, double open, double seconds, double age, Vec3 from,
                 Vec3 to)
{
    if (swarm->by_fill) {
        refill(swarm, rate, open, seconds, age, from, to);
        return;
    }
    const BirthRun run = grow_run(swarm, rate, open, seconds, age, from, to);
    add_run(swarm, &run);
}

static void take_way_of_birth(Swarm *swarm, bool by_fill)
{
    if (by_fill && !swarm->by_fill) swarm->births.generation += GENERATIONS_ON;
    swarm->by_fill = by_fill;
}

static double births_a_metre(const float *values)
{
    return clampf(values[SWARM_RATE_DISTANCE], 0, 1e4f);
}

void swarm_hop(Swarm *swarm, const Hop *hop)
{
    const double seconds = clampf(hop->seconds, 0, STALL_LONGEST);
    const double age = clampf(hop->age, 0, STALL_LONGEST);
    if (!swarm->placed) swarm->place = hop->place;
    swarm->placed = true;
    if (swarm->births.frozen) {
        bursts_by_hand(hop->values[SWARM_BURST], &swarm->bursts_seen);
        swarm->place = hop->place;
        return;
    }
    take_way_of_birth(swarm, hop->by_fill);
    const Course course = take_course(swarm, hop->values, seconds);
    bear_bursts(swarm, hop, &course, seconds);
    if (seconds > 0) {
        const double way = length(minus(hop->place, swarm->place));
        const double rate = (double)clampf(hop->values[SWARM_RATE], 0, 1e7f) +
                            births_a_metre(hop->values) * way / seconds;
        grow(swarm, rate, course.open, seconds, age, swarm->place, hop->place);
    }
    swarm->place = hop->place;
}

// A birth of age a has the share a / dt of a move over the frame ahead of it.  (At most 2: a hop
// that ends in this frame may have begun in the last.)
static void spread_move(BirthRun *run, Vec3 move, double dt)
{
    const double first = dt > 0 ? fmin(run->age_first / dt, 2) : 0;
    const double last = dt > 0 ? fmin(run_age_last(run) / dt, 2) : 0;
    run->away = minus(run->away, times(move, first));
    if (run->count > 1) run->step = plus(run->step, times(move, (first - last) / (run->count - 1)));
}

// What hands moved before the hops is in their places already; what they moved since is not.
static void take_moves(Swarm *swarm, const float *values, Vec3 place, double dt)
{
    Births *b = &swarm->births;
    const Vec3 since = minus(place, swarm->place), move = plus(swarm->moved, since);
    const double way = length(move);
    for (int n = 0; n < runs_of(b); n++) run_at(b, n)->away = plus(run_at(b, n)->away, since);
    if (way == 0) return;
    for (int n = 0; n < runs_of(b); n++) spread_move(run_at(b, n), move, dt);
    if (dt == 0 || swarm_is_over(swarm, values)) return;
    grow(swarm, births_a_metre(values) * way / dt, dt, dt, dt, minus(place, move), place);
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

// Lives of those born by fill are cut at birth.
static void keep_filled(Swarm *swarm, double life)
{
    const double until = swarm->clock + with_slack(life * (1 + 1.0 / FILL_LIFE_GRAIN));
    if (swarm->births.refill_count > 0 && until > swarm->filled_until) swarm->filled_until = until;
    swarm->births.fills = swarm->by_fill || swarm->filled_until > swarm->clock;
}

void swarm_step(Swarm *swarm, const float *values, const Placement *place, float dt)
{
    Births *b = &swarm->births;
    const Vec3 middle = place->middle;
    if (swarm->placed && !b->frozen) take_moves(swarm, values, middle, dt);
    for (int n = 0; n < runs_of(b); n++) run_at(b, n)->away = minus(run_at(b, n)->away, middle);
    b->place = *place;
    swarm->place = middle;
    swarm->moved = (Vec3){ 0, 0, 0 };
    swarm->placed = true;
    if (b->frozen) return;
    swarm->clock += dt;
    keep_filled(swarm, values[SWARM_LIFE]);
    if (swarm->marks) keep_oldest(swarm, values[SWARM_LIFE]);
}
