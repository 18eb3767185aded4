// Inside sim: how many are born, when and from where: one Swarm for each emitter and each field.
// Pure, but for the memory of a swarm's marks.
#pragma once

#include "sim/sim.h"

// One hop, as a swarm feels it.
typedef struct {
    const float *values;      // the swarm's, live: SWARM_ rows
    const Features *features; // what was heard in it, or NULL
    Vec3 place;               // m: where the swarm is at the hop's end
    float age, seconds;       // it starts `age` seconds before the frame's end
    bool by_fill;             // births are refills
} Hop;

// From `time` + its life on, no birth before `index` is alive.
typedef struct {
    double time; // of the last birth before index, on the swarm's clock
    double life; // s, the longest at that time
    uint64_t index;
} Mark;

enum {
    MARKS = 12288
}; // one a hop over the longest life: 60 s at 187.5 hops a second, and some room

typedef struct {
    Births births;
    bool exists;
    uint32_t generation;
    double debt;         // the share of the next birth that has grown already, 0..1
    bool by_fill;        // births were refills in the last hop
    double clock;        // s, the end of the last frame stepped
    double filled_until; // none that was born by fill is alive then
    double cycle;      // s since the cycle began; where there is no next one, at most its duration
    double burst_wait; // s to the next burst of burst_every
    float bursts_seen, clears_seen, reseeds_seen; // the triggers' counters
    double phase[3];                              // turns, 0..1: of the path's axes
    Vec3 place;                                   // m: at the end of the last hop or frame
    bool placed;                                  // place is known
    Vec3 moved;         // m: by hands, between the last frame and this one
    const Shape *shape; // of its area, or NULL; not owned
    Mark *marks;        // a ring of MARKS, or NULL: `oldest` is not kept
    uint32_t mark_first, mark_count;
} Swarm;

// Starts over as another instance: births from index 0.
void swarm_start(Swarm *swarm, uint32_t seed, uint32_t generation);

// A frame begins, at `place`: the births of the last one are forgotten.
void swarm_begin(Swarm *swarm, Vec3 place);

// The path goes on for a hop of `seconds`, unless the swarm is frozen.
void swarm_travel(Swarm *swarm, const float *values, float seconds);

// Where the path has led: m, from the area's position, in its system.
Vec3 swarm_path(const Swarm *swarm, const float *values);

// The births of a hop, along the way from where the swarm was to the hop's place.  A frozen swarm has
// none, and bursts that hands ask of it are lost.
void swarm_hop(Swarm *swarm, const Hop *hop);

// The frame of dt ends, with the area at `place`.  What moved the swarm from one hop's end to the next one's
// beginning, or to the frame's, were hands: it counts as moved evenly over the frame, and its births
// with it.
void swarm_step(Swarm *swarm, const float *values, const Placement *place, float dt);

// No birth comes any more by itself: the only cycle is over.
bool swarm_is_over(const Swarm *swarm, const float *values);

// All die, this frame's too.
void swarm_clear(Swarm *swarm);

// Does what the triggers clear and reseed were pulled for; true when all have died.
bool swarm_obey(Swarm *swarm, const float *values);
