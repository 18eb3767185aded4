// One GPU field: particles that live in textures, born into a ring of slots, moved and killed by
// shaders/field_step.frag.  Nothing is ever read back to know what lives: birth n lies in slot
// n % capacity, and the living are among the newest births, one arc of the ring.
//
// Births by fill are the exception: they happen in any slot, so all of the ring is stepped and drawn as
// long as particles born so may live.
//
// Only the GPU knows how many they are: each marks its slot in a depth buffer, over which a query of
// samples passed counts.
//
// There are two sets of state, read and written in turn.  Rows outside the arc keep what they had;
// no one believes it, because only the newest `living` births may be alive.
#pragma once

#include "gfx/gfx.h"
#include "render/camera.h"
#include "render/passes.h"
#include "render/render.h"

enum {
    RING_WIDTH = 1024,                  // slots in a row, as shaders/common/ring.glsl has it
    SOFTWARE_LARGEST = 4 * 1024 * 1024, // slots where the processor draws: 264 MiB
};

typedef struct {
    Target state[2];        // textures: position and age, velocity and life
    int newest;             // the set of the last frame
    GLuint marks;           // depth of both sets: 0 where a birth by fill was not counted yet
    bool marked;            // there may be any
    uint32_t capacity;      // slots, whole rows; 0: there is no field
    uint32_t asked;         // what `capacity` was made for
    uint32_t generation;    // of the instance
    GLuint look;            // 256 x 2 by normalised age: colour; size, what is turned
    LookSource look_source; // that `look` was made from
    bool look_made;
    GLuint speeds;    // SPEED_ENTRIES x 1: speed by normalised age
    SpeedCurve speed; // that was uploaded

    bool fresh;      // a ring without births so far
    uint64_t first;  // birth index: older ones lay in another ring
    uint64_t next;   // index of the next birth
    uint32_t seed;   // of the swarm
    uint32_t living; // this many newest births, or all slots, may be alive
    bool whole;      // all slots: each is alive or waits for its birth by fill
    uint32_t clears; // of the swarm, as last seen
    bool crowded;
} Field;

// What area mesh or image gives birth on, in graphics memory.
typedef struct {
    GLuint texture; // four texels a patch (Patch in src/sim/shape.h); 0: nothing
    int count;
} Patches;

// Makes an empty ring for that many particles, or as many as the machine gives, with a sentence in
// `notice` when they are fewer.
void field_make(Field *field, uint32_t asked, const char *name, char *notice, int notice_size);
void field_free(Field *field);

// The patches of a shape from now on; NULL: nothing.  False and one sentence, in which `name` is the
// field, when the machine refuses; then there is nothing.
bool patches_set(Patches *patches, const Shape *shape, const char *name, char *why, int why_size);
void patches_free(Patches *patches);

// Forgets all particles; birth indices start wherever the next birth has them.
void field_empty(Field *field);

// One frame of birth, motion and death.
void field_step(Field *field, const Passes *passes, const Patches *patches, const Scene *scene,
                int slot);

// After the programs were loaded, outside the frame, so that no frame waits for a compiler.
void fields_warm(const Passes *passes);

// Draws only the living into the query that is running (see counts.h).
void field_count(const Field *field, const Passes *passes);

// The same with the births by fill since they were counted last.  Those of a frame without a count come with
// the next, but for those in whose slot there has been a birth or death since.
void field_count_born(Field *field, const Passes *passes);

// The curves and the gradient as they are live; uploads them when they changed.
void field_update_look(Field *field, const Params *params, int slot);

// Puts the look, and how particles of a sheet of so many frames (0: none) are drawn with it, into the
// program in use, and its speed over life as of the last step: units 2 and 4.
void field_set_look(const Field *field, const Program *program, const float *values, int frames);

// Puts the ring and the state into the program in use: units 0 and 1.
void field_set_ring(const Field *field, const Program *program);

// Waits.  The particle of each slot, dead ones with life 0.
uint32_t field_read(const Field *field, Particle *particles, uint32_t capacity);
