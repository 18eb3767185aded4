// sim: birth and motion.  The CPU particles, and the law that both engines obey: what is born when
// (for emitters and GPU fields alike), and how it moves.  shaders/common/ holds the same law in
// GLSL; tests/gl holds the two together.
//
// Lengths are metres, y is up, times are seconds.  Frame thread only; the room's own pool of
// threads works inside sim_step and sim_sprites.  Nothing allocates after sim_new.  A show's
// particles are a pure function of the seed and the calls made, the same on any number of threads.
#pragma once

#include "base/base.h"
#include "control/control.h"
#include "sim/shape.h"

// ---- placement.c: where things are in the world -------------------------------------------------

typedef struct {
    Vec3 x, y, z;       // its axes, unit; zeros are no placement
    Vec3 middle;        // m
    const Shape *shape; // what the areas mesh and image give birth on; NULL: nothing
} Placement;

// A system's; -1: the world's.
Placement placement_of_system(const Params *params, int system_slot);

// The area of an emitter or field: its position and area_turn, inside its system's.  Turns are about
// z first, then x, then y.
Placement placement_of(const Params *params, Owner owner, int slot);

// A direction of `place`, and a point of it (m, from its middle), in the world.
static inline Vec3 placement_turn(const Placement *place, Vec3 direction)
{
    const Vec3 x = place->x, y = place->y, z = place->z, d = direction;
    return (Vec3){
        d.x * x.x + d.y * y.x + d.z * z.x,
        d.x * x.y + d.y * y.y + d.z * z.y,
        d.x * x.z + d.y * y.z + d.z * z.z,
    };
}

static inline Vec3 placement_point(const Placement *place, Vec3 point)
{
    const Vec3 v = placement_turn(place, point), middle = place->middle;
    return (Vec3){ middle.x + v.x, middle.y + v.y, middle.z + v.z };
}

// ---- law.c: the law of motion -------------------------------------------------------------------

typedef struct {
    Vec3 position;
    // m3/s2, along d / (|d|^2 + softening^2)^(3/2), d from the particle to position
    float strength;
    // m3/s2, the same along d x z: positive turns counter-clockwise seen from the eye (+z)
    float vortex;
    float softening; // m
} Attractor;

// The five bands of what is heard, each of which pushes what is on its own ring around the axis; between
// two rings one push passes smoothly into the other's.
typedef struct {
    Vec3 middle, axis;    // m; unit
    float inner, spacing; // m: radius of the lowest band's; from each to the next, either way
    float outward, around, along; // m/s2, at full level; around as the vortex of an attractor
    float levels[ANALYSIS_BANDS]; // 0..1 times /audio/reaction, from low to high
} Rings;

// What particles bounce off.
typedef struct {
    int shape;  // COLLIDER_PLANE...
    float side; // of a sphere or box: 1 keeps particles out, -1 keeps them in
    Vec3 position;
    Vec3 size;   // m: x the radius of a sphere; half sides of a box
    Vec3 normal; // of a plane: unit, to the side where particles may be
} Collider;

// The forces and colliders of one frame: those of all (motion_of), or as one swarm's particles feel
// them (motion_felt).
typedef struct {
    Vec3 acceleration;      // gravity and wind, m/s2
    float drag;             // 1/s
    float jitter;           // m/s per sqrt(s): the spread of a velocity after 1 s without drag
    float turbulence;       // m/s2
    float turbulence_scale; // m
    float turbulence_speed; // 1/s
    float turbulence_phase; // the integral of speed, 0..FLOW_PERIOD: at the start of the step
    Attractor attractors[GLOBAL_ATTRACTORS];
    int attractor_count; // those with a strength or vortex, packed to the front
    Rings rings;
    Collider colliders[GLOBAL_COLLIDERS];
    int collider_count; // those with a shape, packed to the front

    // Of a swarm alone.
    float bounce, tangent_keep; // what a bounce leaves of the speed across and along a collider
    float hit_life;             // what it costs, of the particle's life
    float life, life_random;    // SWARM_LIFE and SWARM_LIFE_RANDOM
    const float *speed;         // see SpeedCurve; NULL: 1 all life long
} Motion;

// The flow field repeats after this much phase, so that a week is as smooth as a minute.
#define FLOW_PERIOD 16.0f

enum {
    SUBSTEPS_MAX = 6, // 0.1 s in steps of at most 1/60 s
};
#define SUBSTEP_LONGEST (1.0f / 60)
#define STALL_LONGEST   0.1f // s: the rest of a longer frame is dropped, from the show's time too

// The forces that the live parameters say, at this phase of the turbulence, in silence.
Motion motion_of(const Params *params, float turbulence_phase);

// The rings of the spectrum feel these levels of the bands (see sim_heard).
void motion_hear(Motion *motion, const Params *params, const float levels[ANALYSIS_BANDS]);

// Whether the rings push at all.
bool rings_push(const Rings *rings);

// From the axis up to about here (m) the rings' outward and around die away, as there is no outwards.
float rings_softening(const Rings *rings);

// How fast a swarm's particles go over their life, times their velocity: entry n at the age
// n / (SPEED_ENTRIES - 1) of life, in between straight.  Start with zeros.
enum { SPEED_ENTRIES = 256 };

typedef struct {
    float x[SPEED_ENTRIES];
    bool flat;        // 1 throughout
    uint32_t version; // counts the bakings
    int curves;       // what it was baked from
    Stops stops;
} SpeedCurve;

// Bakes the live curve of an emitter or field if it changed; NULL when it is flat.
const float *speed_bake(SpeedCurve *curve, const Params *params, Owner owner, int slot);

// `motion` as the particles of a swarm feel it: `force` times the global forces and the swarm's own
// on top of them; its bounces; its speed over life.
Motion motion_felt(const Motion *motion, const float *values, const float *speed);

typedef struct {
    Vec3 position, velocity;
    float age;  // s
    float life; // s; dead once age >= life
} Particle;

// Moves one particle by dt (one step, no sub-steps; forces are felt half-way, at the position after
// dt / 2 without them, so that orbits neither grow nor shrink) under a motion as its swarm feels it.
// `key` is the particle's; `step` counts the show's frames x SUBSTEPS_MAX + sub-step: with the key
// it makes the kicks of jitter.  The reference that the vector kernels and the shaders are held
// against.
//
// Where the way of the step crosses a collider, the velocity there is reflected about its normal,
// and the rest of the step is gone with what the bounce leaves.  What a collider was moved over is
// pushed out to the nearest surface, at no cost.
//
// In a frame of dt, what is old takes law_substeps(dt) equal sub-steps 0, 1, ...  A newborn takes
// law_substeps(its age at the frame's end) equal sub-steps 0, 1, ... from age 0 to that age, and is
// not moved again.  A sub-step that starts `since` seconds behind the frame's start has its
// turbulence at turbulence_phase + since x turbulence_speed (a newborn's first: dt - age).
void law_step(Particle *particle, const Motion *felt, uint32_t key, uint32_t step, float dt);

// The flow field, about -1..1 a component: divergence-free, smooth, periodic in phase.
Vec3 law_flow(Vec3 position, float scale, float phase);

// How many sub-steps a frame of dt (0..STALL_LONGEST) takes, 1..SUBSTEPS_MAX: none is longer than
// SUBSTEP_LONGEST, but for a hundredth that forgives the jitter of a display's clock.
int law_substeps(float dt);

// Particle `index` of a swarm as it is born (age 0), in an area that lies at `place`: `values` are
// the live values of its emitter or field (SWARM_ rows), `key` = rng_key(swarm_seed(...), index).
// `outward` is along the area's own direction (see area.h), `spin` counter-clockwise about the
// area's z axis.  A thick area is filled evenly between its surface and the surface shrunk by 1 -
// thickness.  The velocity is turned with the area; forces stay as they are in the world.
Particle law_birth(const float *values, const Placement *place, uint32_t key);

// How far the side of a swarm's cone goes outwards for each metre up.
float area_lean(const float *values);

// The random shares of one particle's look, from its key: its size factor within SIZE_RANDOM.
float law_size_factor(uint32_t key, float size_random);

// ---- birth.c: what is born when -----------------------------------------------------------------

// The seed of the swarm of that name: the show's, the owner and the name hashed.
uint32_t swarm_seed(uint32_t show_seed, Owner owner, const char *name);

// A row of births evenly spaced in time and on the swarm's way: at the frame's end birth first + i
// has the age age_first - i * spacing, and was born away + i * step from where the swarm is then
// (i < count).
typedef struct {
    uint64_t first;
    uint32_t count;
    float age_first, spacing; // s
    Vec3 away, step;          // m
} BirthRun;

enum { BIRTH_RUNS = 32 };

// A stretch of a frame in which the dead of a ring are born again (see fill.c below), evenly: from when
// and where the first of two births of a run is to the second's; or all at once where they are one.
typedef struct {
    BirthRun span;
    float births; // so many would be born in it if all of the ring were dead
} Refill;

// The births of one swarm in one frame: a run or two a hop, or as many refills.  More than there is room
// for: the last one takes the rest.
typedef struct {
    uint32_t seed;  // swarm_seed
    uint64_t first; // index of the first birth of this frame = births before it
    uint32_t count; // births of this frame; those by events come last, and stand in no run
    // No birth before this index can be alive at the frame's end, whether its life was cut from the
    // longest life at its birth or is cut from the one now.  Known after sim_step; fields only.
    uint64_t oldest;
    BirthRun runs[BIRTH_RUNS];
    int run_count;
    // Births by fill, which have no index.  Fields only.
    Refill refills[BIRTH_RUNS];
    int refill_count;
    bool fills;          // there may be any, or living that were born so.  Known after sim_step
    uint32_t generation; // that slots without a past begin with
    uint32_t clears;     // counts the times that all died
    bool frozen; // SWARM_FREEZE when the frame began: no births, and the living stay as they are
    Placement place; // of the swarm's area at the frame's end; known after sim_step
} Births;

// The same births without the oldest that a pool or ring of `most` cannot hold; first and count
// move along.
Births births_newest(const Births *births, uint32_t most);

// ---- fill.c: births by fill -----------------------------------------------------------------------
//
// The other way of birth of a field: each dead slot of its ring waits, on its own, until its share of the
// births that have gone by since its death has come to what chance wants, which is exponential: so in
// any span of time the same share of the dead is born, into whatever frames it is cut, and each at a
// moment of its own.  A slot counts its generations; with them its key is never the same again (but
// for FILL_GENERATIONS later).  A particle born so keeps its generation in the last bits of its life,
// which are too fine to tell.
//
// In a frame, of a slot whose particle was alive: when age + dt >= life, it is dead and has been for age +
// dt - life; else it moves as any other, and is dead since the frame's end if it is past its life then.  A
// slot that is dead, or has just died, may have a birth.

enum { FILL_GENERATIONS = 1 << 14, FILL_LIFE_GRAIN = 1 << 9 };

// Of the particle of that generation (modulo FILL_GENERATIONS) in a slot.
uint32_t fill_key(uint32_t seed, uint32_t slot, uint32_t generation);

// What chance wants before the particle with that key is born: births a slot.
float fill_wait(uint32_t key);

// A life with the generation in it, at most a part in FILL_LIFE_GRAIN shorter or longer; and back.
float fill_life(float life, uint32_t generation);
uint32_t fill_generation(float life);

// How many births of a refill come a slot of a ring of that many; of those at once, so that a burst of half
// the ring is half of the dead.
float fill_share(const Refill *refill, uint32_t capacity);

typedef struct {
    float age; // s, at the frame's end
    Vec3 away; // m, from where the swarm is then
} FillBirth;

// Whether a slot that has been dead for `since` seconds at the frame's end has a birth in the frame.  If
// not, `wait` becomes what is left of it.
bool fill_is_due(const Births *births, uint32_t capacity, float since, float *wait,
                 FillBirth *birth);

// ---- the engine ---------------------------------------------------------------------------------
//
// Of a particle only position, velocity, age and key are kept.  Its life, size and colour are its
// key's share of what the emitter says now: a shorter life ends the old at once; a longer one
// spares them.

typedef struct {
    uint32_t capacity; // particles; 0: 131,072
    int threads;       // 0: all cores, at most 8
    uint32_t seed;
} SimDesc;

typedef struct Sim Sim;

Sim *sim_new(const SimDesc *desc, char *why, int why_size);
void sim_free(Sim *sim);

// What the area mesh or image of an emitter or field gives birth on; NULL: nothing, and it gives birth
// at one point.  Not owned; between frames.
void sim_set_shape(Sim *sim, Owner owner, int slot, const Shape *shape);

// A frame begins: the births of the last one are forgotten, swarms that were added or removed since
// are noticed.
void sim_begin(Sim *sim, const Params *params);

// One hop of `seconds`, whose start lies `age` seconds before the frame's end (of both, at most
// STALL_LONGEST is believed), and in which `features` were heard (NULL: nothing).  Every existing
// emitter and field travels its path and gives birth: at its live rate, for the metres travelled (both
// carry fractions over), and in bursts.
void sim_hop(Sim *sim, const Params *params, const Features *features, float age, float seconds);

// The levels of the five bands in this frame: the mean over its hops, so that what they push is the
// same at any frame rate; a frame without a hop has those of the frame before.
const float *sim_heard(const Sim *sim);

// Hits that hands have reported: in the next step every emitter of the hit's system gives hit_min to
// hit_max births there.
void sim_hits(Sim *sim, const Hit *hits, int count);

// Moves all CPU particles by dt (at most STALL_LONGEST, in sub-steps), with this frame's births.
// At its end come those of hits, and of collisions and deaths that emitters are born of (events.h).
// `frame` is the show's frame number.
void sim_step(Sim *sim, const Params *params, const Motion *motion, uint32_t frame, float dt);

// All particles die; birth indices go on.  Fields: `oldest` becomes the next index.
void sim_clear(Sim *sim);

// The emitters that are done: set to live once, their births ended, nobody alive.  Known after
// sim_step; returns how many.
int sim_over(const Sim *sim, const Params *params, int slots[EMITTER_SLOTS]);

// Goes on where another engine left off, but for the CPU particles: births, cycles, paths, counts.
// `before` is good for sim_free only.
void sim_resume(Sim *sim, Sim *before);

// This frame's births of a GPU field.
const Births *sim_field_births(const Sim *sim, int field_slot);

uint32_t sim_births(const Sim *sim);           // CPU births of this frame, by events too
uint32_t sim_field_births_all(const Sim *sim); // births of all fields this frame, by rate
uint32_t sim_alive(const Sim *sim);            // CPU particles alive now
uint32_t sim_emitter_alive(const Sim *sim, int emitter_slot);
uint64_t sim_lost_events(const Sim *sim); // since the start: hits, collisions, deaths without room
uint32_t sim_capacity(const Sim *sim);
int sim_threads(const Sim *sim);       // those that work
const char *sim_clone(const Sim *sim); // the vector code in use: "default", "avx2" or "avx512f"

// Reads and writes what every step must, over all threads, and does nothing else: each number of each
// CPU particle, but for its key, times `times` (1 leaves all as they are; after another, whoever is now
// past its life dies in the next step).  A plain loop: what benchmarks hold a step against.
// Back comes a sum of the keys.
uint32_t sim_stream(Sim *sim, float times);

// ---- look.c: how particles look over life -------------------------------------------------------

enum { LOOK_ENTRIES = 256 };

// What a swarm's table is made from: its curves, its gradient, and how the curves run.
typedef struct {
    int curves; // CURVES_LINES...
    Stops size, rotation, where, colour;
} LookSource;

// Entry n stands at n / (LOOK_ENTRIES - 1) of life; in between is straight.
typedef struct {
    float size[LOOK_ENTRIES];      // x
    float turned[LOOK_ENTRIES];    // the way turned so far, times life and speed of turning
    float colour[LOOK_ENTRIES][4]; // linear light, opacity
} LookTable;

void look_source(LookSource *source, const Params *params, Owner owner, int slot);
bool look_source_same(const LookSource *a, const LookSource *b);
void look_bake(LookTable *table, const LookSource *source);

// ---- drawing ------------------------------------------------------------------------------------

// Whether an emitter or field is to be seen, by itself and by its system.
bool swarm_is_visible(const Params *params, Owner owner, int slot);

// One sprite as the renderer streams it, in three arrays: its place, its look and, only of those that
// are stretched along it, its way.
typedef struct {
    float x, y, z;
    uint16_t size;   // m, diameter (base/half.h); 0: there is nothing to be seen
    uint8_t emitter; // slot
    uint8_t chance;  // the particle's own: any share of 0..255 is a fair share of the particles
} SpritePlace;

typedef struct {
    // r, g, b, opacity as bytes from the lowest; r, g, b are square roots of linear light.  The
    // emitter's tint, opacity and intensity are not in them.
    uint32_t colour;
    uint16_t rotation; // turns / 65536, counter-clockwise
    // Of the sheet, / 256: between two frames where they melt into each other.  Of a body: the number
    // of the axis that it turns about, x 256.
    uint16_t frame;
} SpriteLook;

typedef struct {
    int16_t vx, vy, vz; // m/s x 256, at most 128 m/s: as it is seen to go, with its speed over life
    int16_t none;
} SpriteWay;

// Arrays of them; written fastest where each begins on a multiple of 64 bytes.
typedef struct {
    SpritePlace *places;
    SpriteLook *looks;
    SpriteWay *ways;
} Sprites;

// Such arrays of `count`, with anything in them.  False: out of memory; free it either way.
bool sprites_init(Sprites *sprites, size_t count);
void sprites_free(Sprites *sprites);

// What a sprite is drawn as.  Of those up to SPRITE_SHEET, each can stand for those before it.
typedef enum {
    SPRITE_POINT, // a small disc that faces the eye
    SPRITE_DISC,
    SPRITE_SHEET, // a picture
    SPRITE_BODY,  // a mesh
} SpriteKind;

enum { BODY_AXES = 256 }; // as shaders/common/body.glsl has them

// What the renderer knows and the sprites depend on.
typedef struct {
    Vec3 forward; // the direction of view, unit
    SpriteKind kinds[EMITTER_SLOTS];
    uint16_t frames[EMITTER_SLOTS]; // of the emitter's sheet; 0: it has none
} SpriteView;

// Sprites that lie together and are drawn at once: those of one kind in a layer, or all of a layer.
typedef struct {
    int layer;
    SpriteKind kind;
    bool covers;           // some blend by alpha: all are sorted, far first
    int emitter;           // slot of the first; the only one of bodies
    uint32_t first, count; // in the array written
} SpriteRun;

// Tells that the sprites of the next step will be asked for, with this view and for these arrays.
// Then the step may write them itself, while what it moves is at hand; that saves reading all of it
// once more.  From there to sim_sprites the arrays must be there, and no parameter may change.
void sim_will_draw(Sim *sim, const SpriteView *view, const Sprites *sprites, uint32_t capacity);

// Writes the living particles of all visible emitters of visible systems, layer by layer from the
// lowest; in a layer bodies first, then sprites: those of all emitters sorted by distance along
// view->forward, far first, where one of them blends by alpha; else kind by kind in slot order.
// Returns how many sprites, at most `capacity`; where the step wrote them, those that died in it and
// some that fill up lines of memory are among them, with nothing to be seen.  `runs` has EMITTER_SLOTS.
uint32_t sim_sprites(Sim *sim, const Params *params, const SpriteView *view, const Sprites *sprites,
                     uint32_t capacity, SpriteRun *runs, int *run_count);

// For tests: the living particles of an emitter in pool order; returns how many, at most
// `capacity`.
uint32_t sim_particles(const Sim *sim, int emitter_slot, Particle *particles, uint32_t *keys,
                       uint32_t capacity);
