// Inside sim: births by event.  Hits come from hands; collisions and deaths of one emitter's
// particles give birth in the emitters that are born from it.  What happens in a frame's step is
// collected behind it, in the order of the blocks, and born at the frame's end: at the place, with
// age 0.  All of it is bounded; what finds no room is counted, and gives no births.
#pragma once

#include "sim/pool.h"

enum {
    BOUNCES = BLOCK,          // told of a block in one frame
    BOUNCE_BLOCKS = 512,      // blocks that tell
    SPAWNS_MAX = 4096,        // events of one frame that give birth
    SPAWN_BIRTHS_MAX = 16384, // and their births: sparks of sparks of sparks stay a show
};

// The births of one event in one emitter.
typedef struct {
    int emitter;           // slot
    uint32_t first, count; // numbers among the emitter's births by event in this frame
    Vec3 place;            // m
    Vec3 velocity;         // m/s: of what hit, reflected, or of what died
    bool died;
} Spawn;

typedef struct {
    // Who is born of each emitter's collisions and deaths, a bit a slot; as of the last step.
    uint64_t of_collision[EMITTER_SLOTS], of_death[EMITTER_SLOTS];
    Hit hits[HITS_MAX]; // of hands, for the next step
    int hit_count;

    Bounce *bounces;   // BOUNCES for each of BOUNCE_BLOCKS
    Bounces *of_block; // by block: where those whose collisions give birth tell theirs

    Spawn *spawns; // SPAWNS_MAX
    int spawn_count;
    uint64_t first[EMITTER_SLOTS]; // index of the first birth by event
    uint32_t births[EMITTER_SLOTS], births_all;
    uint64_t lost; // since the start
} Events;

bool events_init(Events *events, int blocks); // false: out of memory
void events_free(Events *events);

// Events of another emitter that exists give birth in this one.
bool is_born_of_events(const Params *params, int slot);

// A step begins, its births have their blocks: who is born of whom?
void events_begin(Sim *sim, const Params *params);

// Where a block's collisions are told, or NULL.
Bounces *events_bounces(Events *events, int emitter, int block);

// The step is done: its events, before anybody is born where the dead lie.
void events_collect(Sim *sim, const Params *params);

// And their births.
void events_bear(Sim *sim);
