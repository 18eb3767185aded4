// Inside sim: how one particle meets the colliders in a step, as small inline pieces in the manner
// of step.h: law.c walks them for one particle, collide.c for a tile; shaders/common/collide.glsl
// has the same.
//
// A step goes straight from where it begins to where it ends.  The first collider on that way is
// met at a share of it; what is left of the step is gone from there with what the bounce leaves,
// and may meet another, ROUNDS times; then the particle stays where it is until the next step.
// What goes less than SKIN behind a surface has not met it, so that rounding is no contact.
//
// Energy never grows: the speed at the contact is that at which its square has changed by its share
// (as it does under an even force), and a particle at rest no longer feels what pushes it into the
// surface.  It rests when it would be back within two REST_TIMEs, whatever the length of the step;
// such a contact is no bounce: it costs nothing and nobody hears of it.
#pragma once

#include "sim/step.h"

enum { ROUNDS = 4 };
#define SKIN       1e-4f       // m
#define REST_TIME  (1.0f / 48) // s; longer than a sub-step
#define NO_MEETING 2.0f

// Where a way meets a collider.
typedef struct {
    float share; // of the way, or NO_MEETING
    Vec3 normal; // unit, to where particles may be
    float push;  // m along it, out of a collider that was moved over the particle; else 0
    float bend;  // 1/m: how much the surface bends towards the particle
} Meeting;

// A particle in what is left of a step.
typedef struct {
    Vec3 at, to;       // m
    Vec3 before, then; // m/s, here and there
    Vec3 force, kick;  // m/s2, of the step; m/s, its jitter
    float left;        // of the step, 1..0
    float speed;       // of SpeedCurve
} Flight;

static inline float least(float a, float b)
{
    return a < b ? a : b;
}

static inline float most(float a, float b)
{
    return a > b ? a : b;
}

static inline float dot(Vec3 a, Vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

// a + share d
static inline Vec3 beyond(Vec3 a, float share, Vec3 d)
{
    return (Vec3){ a.x + share * d.x, a.y + share * d.y, a.z + share * d.z };
}

static inline Vec3 from_to(Vec3 a, Vec3 b)
{
    return (Vec3){ b.x - a.x, b.y - a.y, b.z - a.z };
}

static inline Vec3 times(Vec3 a, float factor)
{
    return (Vec3){ a.x * factor, a.y * factor, a.z * factor };
}

static inline Vec3 either(bool first, Vec3 a, Vec3 b)
{
    return (Vec3){ first ? a.x : b.x, first ? a.y : b.y, first ? a.z : b.z };
}

// ---- where a way from `at` along all of `way` meets a collider ----------------------------------

static inline Meeting meet_plane(const Collider *c, Vec3 at, Vec3 way)
{
    const float above = dot(from_to(c->position, at), c->normal);
    const float rise = dot(way, c->normal);
    return (Meeting){
        .share = above + least(rise, 0) < -SKIN ? (above > 0 ? above / -rise : 0) : NO_MEETING,
        .normal = c->normal,
        .push = above < -2 * SKIN ? -above : 0,
    };
}

static inline Meeting meet_sphere(const Collider *c, Vec3 at, Vec3 way)
{
    const float side = c->side, radius = c->size.x;
    const Vec3 m = from_to(c->position, at);
    const float a = dot(way, way) + 1e-30f, b = dot(m, way), square = dot(m, m);
    const float above = (__builtin_sqrtf(square) - radius) * side;
    const bool deep = above < -2 * SKIN;

    // The farthest behind the surface: from outside, the nearest to the middle; inside, an end.
    const float near = least(most(-b / a, 0), 1);
    const float passed = square + near * (2 * b + near * a);
    const float ended = most(square, square + 2 * b + a);
    const float farthest = side > 0 ? passed : ended;
    const float lowest = (__builtin_sqrtf(most(farthest, 0)) - radius) * side;

    const float root = __builtin_sqrtf(most(b * b - a * (square - radius * radius), 0));
    const float crossed = least(most((-b - side * root) / a, 0), 1);
    const float share = deep ? 0 : crossed;
    const Vec3 out = beyond(m, share, way);
    const float length = __builtin_sqrtf(dot(out, out));
    const Vec3 normal = times(out, side / most(length, 1e-12f));
    return (Meeting){
        .share = lowest < -SKIN ? share : NO_MEETING,
        .normal = either(length < 1e-6f, (Vec3){ 0, 1, 0 }, normal),
        .push = deep ? -above : 0,
        .bend = side < 0 ? 1 / radius : 0,
    };
}

// A way and two opposite faces of a box.
typedef struct {
    float outside;      // m: how far beyond them it begins; below 0: between them
    float ends;         // m: the same of its end
    float enter, leave; // shares of the way: it comes between them, and leaves
    float skin;         // SKIN as a share of the way
    float side, heads;  // -1 or 1: where it begins, and which way it goes
} Slab;

static inline Slab slab_of(float m, float way, float half)
{
    const float inverse = 1 / (__builtin_fabsf(way) < 1e-20f ? 1e-20f : way);
    const float a = (-half - m) * inverse, b = (half - m) * inverse;
    return (Slab){
        .outside = __builtin_fabsf(m) - half,
        .ends = __builtin_fabsf(m + way) - half,
        .enter = least(a, b),
        .leave = most(a, b),
        .skin = SKIN * __builtin_fabsf(inverse),
        .side = m < 0 ? -1 : 1,
        .heads = way < 0 ? -1 : 1,
    };
}

// The axis of the greatest of three as a vector.
static inline Vec3 greatest_axis(float x, float y, float z)
{
    const float greatest = most(x, most(y, z));
    const float on_x = x == greatest ? 1 : 0;
    const float on_y = y == greatest ? 1 - on_x : 0;
    return (Vec3){ on_x, on_y, 1 - on_x - on_y };
}

static inline Meeting meet_box(const Collider *c, Vec3 at, Vec3 way)
{
    const Vec3 m = from_to(c->position, at);
    const Slab x = slab_of(m.x, way.x, c->size.x), y = slab_of(m.y, way.y, c->size.y),
               z = slab_of(m.z, way.z, c->size.z);
    const float above = most(x.outside, most(y.outside, z.outside));
    const bool within = above < 0;
    const float enter = most(x.enter, most(y.enter, z.enter));
    const float first = most(x.enter + x.skin, most(y.enter + y.skin, z.enter + z.skin));
    const float last = least(x.leave - x.skin, least(y.leave - y.skin, z.leave - z.skin));
    const bool meets = least(last, 1) > most(first, 0);
    const Vec3 axis = greatest_axis(within ? x.outside : x.enter, within ? y.outside : y.enter,
                                    within ? z.outside : z.enter);
    return (Meeting){
        .share = meets ? (within ? 0 : least(most(enter, 0), 1)) : NO_MEETING,
        .normal = { axis.x * (within ? x.side : -x.heads), axis.y * (within ? y.side : -y.heads),
                    axis.z * (within ? z.side : -z.heads) },
        .push = above < -2 * SKIN ? -above : 0,
    };
}

// A box from inside.
static inline Meeting meet_walls(const Collider *c, Vec3 at, Vec3 way)
{
    const Vec3 m = from_to(c->position, at);
    const Slab x = slab_of(m.x, way.x, c->size.x), y = slab_of(m.y, way.y, c->size.y),
               z = slab_of(m.z, way.z, c->size.z);
    const float behind = most(x.outside, most(y.outside, z.outside));
    const bool deep = behind > 2 * SKIN;
    const float leave = least(x.leave, least(y.leave, z.leave));
    const float farthest = most(behind, most(x.ends, most(y.ends, z.ends)));
    const Vec3 axis = greatest_axis(deep ? x.outside : -x.leave, deep ? y.outside : -y.leave,
                                    deep ? z.outside : -z.leave);
    return (Meeting){
        .share = farthest > SKIN ? (deep ? 0 : least(most(leave, 0), 1)) : NO_MEETING,
        .normal = { -axis.x * (deep ? x.side : x.heads), -axis.y * (deep ? y.side : y.heads),
                    -axis.z * (deep ? z.side : z.heads) },
        .push = deep ? behind : 0,
    };
}

// Whichever comes first.
static inline Meeting meet_first(Meeting a, Meeting b)
{
    const bool second = b.share < a.share;
    return (Meeting){
        .share = second ? b.share : a.share,
        .normal = either(second, b.normal, a.normal),
        .push = second ? b.push : a.push,
        .bend = second ? b.bend : a.bend,
    };
}

// ---- what comes of it ---------------------------------------------------------------------------

// The velocity in and out, and the forces that are felt until the next.  Yes is 1 and no is 0: sums of
// numbers become vectors where branches do not.
typedef struct {
    Vec3 in, out;
    Vec3 force, kick;
    float rests, bounces; // never both
    float relief;         // m/s2: what the surface takes from the force at rest
} Contact;

static inline Contact contact_of(const Step *step, const Meeting *m, float share, const Flight *f)
{
    const Vec3 n = m->normal;
    const Vec3 in = beyond(f->before, share, from_to(f->before, f->then));
    const float across = dot(in, n); // below 0: into the surface
    const float before = dot(f->before, n), then = dot(f->then, n);
    const float hard =
        __builtin_sqrtf(most(before * before + share * (then * then - before * before), 0));
    const Vec3 along = beyond(in, -across, n);

    const float pressed = most(-dot(f->force, n), 0), kicked = most(-dot(f->kick, n), 0);
    const float limit = (pressed + m->bend * dot(along, along)) * REST_TIME;
    const float rests = hard <= limit ? 1 : 0;
    const float pushed = m->push > 0 ? 1 : 0, comes = across < 0 ? 1 : 0;
    const float bounces = (1 - rests) * (1 - pushed) * comes;
    const float leaves = (1 - rests) * (1 - comes);
    const float soft = most(rests, pushed);
    const float keep = step->tangent_keep + soft * (step->rest_keep - step->tangent_keep);
    return (Contact){
        .in = in,
        .out = beyond(times(along, keep), bounces * step->bounce * hard + leaves * across, n),
        .relief = rests * pressed,
        .force = beyond(f->force, rests * pressed, n),
        .kick = beyond(f->kick, rests * kicked, n),
        .rests = rests,
        .bounces = bounces,
    };
}

// The rest of the step, `left` of all of it, behind a contact at `at`; what stays as it was is not
// filled in.
static inline Flight go_on(const Step *step, const Meeting *m, const Contact *c, Vec3 at,
                           float left, float speed)
{
    const Vec3 way = beyond(times(c->out, step->drag.reach * left * speed),
                            step->drag.fall * left * left * speed, c->force);
    // Along a surface that bends towards it, a particle at rest stays on the surface, which lifts it
    // against the force: that costs speed.
    const float wide = dot(way, way) * m->bend;
    const float rise = c->rests * wide / (1 + __builtin_sqrtf(most(1 - wide * m->bend, 0)));
    const Vec3 then =
        beyond(times(c->out, 1 - (1 - step->drag.keep) * left), step->drag.reach * left, c->force);
    const float lost = 2 * c->relief * rise / (dot(then, then) + 1e-30f);
    const Vec3 slowed = times(then, __builtin_sqrtf(most(1 - lost, 0)));
    return (Flight){
        .at = at,
        .to = beyond(beyond(at, 1, way), rise, m->normal),
        .before = c->out,
        .then = beyond(slowed, left, c->kick),
        .left = left,
    };
}

// Takes the flight to the meeting, where there is one, and on from there (`onward` 1) or not on (0).
// Returns the velocity in; `bounced` becomes 1 for a bounce, else 0.
static inline Vec3 take_meeting(const Step *step, const Meeting *m, float onward, Flight *f,
                                float *bounced)
{
    const bool meets = m->share <= 1;
    const float share = meets ? m->share : 0;
    const Contact c = contact_of(step, m, share, f);
    const Vec3 there = beyond(beyond(f->at, share, from_to(f->at, f->to)), m->push, m->normal);
    const Flight on = go_on(step, m, &c, there, onward * f->left * (1 - share), f->speed);
    f->at = either(meets, on.at, f->at);
    f->to = either(meets, on.to, f->to);
    f->before = either(meets, on.before, f->before);
    f->then = either(meets, on.then, f->then);
    f->left = meets ? on.left : f->left;
    *bounced = meets ? c.bounces : 0;
    return c.in;
}
