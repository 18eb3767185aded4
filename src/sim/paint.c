// A block is painted in spans: each property of all of a span's sprites, one loop a property, and at
// last all of them put together.  The loops go on to the next whole tile, where there are numbers
// too; what is put together ends with the living.
#include <string.h>

#include "sim/clones.h"
#include "sim/paint.h"

_Static_assert(sizeof(Sprite) == 32, "eight words a sprite");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "halves of words, the lower one first");

enum {
    SPAN = BLOCK < 256 ? BLOCK : 256,
    SHORT_SPAN = 64,        // where memory is fetched: a little with each
    AHEAD = 2 * SHORT_SPAN, // sprites
    LINE = 64,              // bytes that memory gives at once
    WORDS = 8,
};
_Static_assert(BLOCK % SHORT_SPAN == 0 && SHORT_SPAN % TILE == 0, "whole spans of whole tiles");

typedef uint32_t __attribute__((may_alias)) Word; // of a sprite

// ---- what is the same for all -------------------------------------------------------------------

Paint paint_of(const float *values, int emitter, SpriteKind kind, int frames)
{
    const float turn = 1.0f / 360;
    const bool body = kind == SPRITE_BODY;
    if (body) frames = BODY_AXES; // any of them stays for life
    return (Paint){
        .emitter = emitter,
        .life = values[SWARM_LIFE],
        .life_random = values[SWARM_LIFE_RANDOM],
        .size = values[SWARM_SIZE],
        .size_random = values[SWARM_SIZE_RANDOM],
        .size_changes = values[SWARM_SIZE_CHANGE] != 0,
        .size_end = values[SWARM_SIZE_END],
        .size_end_random = values[SWARM_SIZE_END_RANDOM],
        .turns = frames > 0,
        .rotation = values[SWARM_ROTATION] * turn,
        .rotation_random = values[SWARM_ROTATION_RANDOM] * turn,
        .turning = values[SWARM_ROTATION_SPEED] * turn,
        .turning_random = values[SWARM_ROTATION_SPEED_RANDOM],
        .flip = values[SWARM_ROTATION_FLIP],
        .frames = frames,
        .fit = body ? SHEET_FIT_STILL : (int)values[SWARM_SHEET_FIT],
        .frame = frames > 0 && !body ? (int)values[SWARM_SHEET_START] % frames : 0,
        .frame_rate = values[SWARM_SHEET_FPS],
        .frame_any = body || values[SWARM_SHEET_RANDOM] != 0,
        .frames_melt = !body && values[SWARM_SHEET_BLEND] != 0,
    };
}

// ---- the loops ----------------------------------------------------------------------------------

// Normalised age, below 1, and life.
KERNEL static void find_shares(const Paint *restrict paint, const float *restrict age,
                               const uint32_t *restrict key, int count, float *restrict share,
                               float *restrict life)
{
    const float longest = paint->life, random = paint->life_random;
    for (int n = 0; n < count; n++) {
        life[n] = life_of(longest, random, key[n]);
        const float gone = age[n] / life[n];
        share[n] = gone < 0x1.fffffep-1f ? gone : 0x1.fffffep-1f;
    }
}

// A table's value at a normalised age.
static inline float over_life(const float *restrict table, float share)
{
    const float x = share * (LOOK_ENTRIES - 1);
    const int n = (int)x;
    return table[n] + (table[n + 1] - table[n]) * (x - (float)n);
}

// Sizes that stay what they were at birth.
KERNEL static void find_sizes(const Paint *restrict paint, const uint32_t *restrict key, int count,
                              float *restrict size)
{
    const float largest = paint->size, random = paint->size_random;
    for (int n = 0; n < count; n++) size[n] = largest * size_factor_of(random, key[n]);
}

// Colours, and sizes that change.
KERNEL static void find_looks(const Paint *restrict paint, const Shade *restrict shades,
                              const float *restrict share, const uint32_t *restrict key, int count,
                              float *restrict size, uint32_t *restrict colour)
{
    const float largest = paint->size, random = paint->size_random;
    const float last = paint->size_end, last_random = paint->size_end_random;
    for (int n = 0; n < count; n++) {
        const Shade shade = shades[(int)(share[n] * (SHADES - 1) + 0.5f)];
        const float end = last_random == 0 ? last : last * size_end_factor(last_random, key[n]);
        const float change = (1 + (end - 1) * share[n]) * shade_size(shade);
        size[n] = largest * size_factor_of(random, key[n]) * change;
        colour[n] = shade_colour(shade);
    }
}

// Rotation at birth, in the lower half of the word.
KERNEL static void find_rotations(const Paint *restrict paint, const uint32_t *restrict key,
                                  int count, uint32_t *restrict word)
{
    const float rotation = paint->rotation, random = paint->rotation_random;
    for (int n = 0; n < count; n++) {
        const float turns = rotation + random * rotation_unit(key[n]);
        word[n] = (uint32_t)(int)(turns * 65536) & 0xffff;
    }
}

KERNEL static void turn_on(const Paint *restrict paint, const float *restrict table,
                           const float *restrict share, const float *restrict life,
                           const uint32_t *restrict key, int count, uint32_t *restrict word)
{
    const float turning = paint->turning, random = paint->turning_random, flip = paint->flip;
    for (int n = 0; n < count; n++) {
        const float speed = turning * turning_factor(random, flip, key[n]);
        const float turns = speed * life[n] * over_life(table, share[n]);
        word[n] = (word[n] + (uint32_t)(int)(turns * 65536)) & 0xffff;
    }
}

// Frames since birth: `per_share` over a life, `per_second` besides.
KERNEL static void find_frames(const Paint *restrict paint, float per_share, float per_second,
                               const float *restrict share, const float *restrict age,
                               const uint32_t *restrict key, int count, uint32_t *restrict word)
{
    const int frames = paint->frames, all = frames * 256;
    const float each = 1 / (float)frames;
    const uint32_t keep = paint->frames_melt ? 0xffff : 0xff00;
    const uint32_t any = paint->frame_any ? 0xffffffff : 0;
    const int start = paint->frame;
    for (int n = 0; n < count; n++) {
        const int first = start + (int)(frame_draw(key[n], (uint32_t)frames) & any);
        const float at = (float)first + share[n] * per_share + age[n] * per_second;
        int fixed = (int)(at * 256) - (int)(at * each) * all;
        fixed = fixed < 0 ? fixed + all : fixed;
        fixed = fixed >= all ? fixed - all : fixed;
        word[n] |= ((uint32_t)fixed & keep) << 16;
    }
}

static inline uint32_t velocity_half(float v)
{
    const float held = v < 127.99f ? v : 127.99f;
    return (uint32_t)(int)((held > -127.99f ? held : -127.99f) * 256) & 0xffff;
}

KERNEL static void pack_velocities(const float *restrict vx, const float *restrict vy,
                                   const float *restrict vz, const uint32_t *restrict key,
                                   uint32_t emitter, int count, uint32_t *restrict across,
                                   uint32_t *restrict along)
{
    for (int n = 0; n < count; n++) {
        across[n] = velocity_half(vx[n]) | velocity_half(vy[n]) << 16;
        along[n] = velocity_half(vz[n]) | emitter << 16 | (key[n] & 0xff000000);
    }
}

// The same of those that a curve makes faster or slower than their velocities.
KERNEL static void pack_speeds(const float *restrict table, const float *restrict share,
                               const float *restrict vx, const float *restrict vy,
                               const float *restrict vz, const uint32_t *restrict key,
                               uint32_t emitter, int count, uint32_t *restrict across,
                               uint32_t *restrict along)
{
    for (int n = 0; n < count; n++) {
        const float times = speed_at(table, share[n]);
        across[n] = velocity_half(vx[n] * times) | velocity_half(vy[n] * times) << 16;
        along[n] = velocity_half(vz[n] * times) | emitter << 16 | (key[n] & 0xff000000);
    }
}

KERNEL static void put_together(const Word *restrict x, const Word *restrict y,
                                const Word *restrict z, const Word *restrict size,
                                const uint32_t *restrict colour, const uint32_t *restrict turn,
                                const uint32_t *restrict across, const uint32_t *restrict along,
                                int count, Word *restrict sprite)
{
    for (int n = 0; n < count; n++) {
        sprite[n * WORDS] = x[n];
        sprite[n * WORDS + 1] = y[n];
        sprite[n * WORDS + 2] = z[n];
        sprite[n * WORDS + 3] = size[n];
        sprite[n * WORDS + 4] = colour[n];
        sprite[n * WORDS + 5] = turn[n];
        sprite[n * WORDS + 6] = across[n];
        sprite[n * WORDS + 7] = along[n];
    }
}

// ---- a span -------------------------------------------------------------------------------------

typedef struct {
    _Alignas(64) float share[SPAN];
    float life[SPAN], size[SPAN];
    uint32_t colour[SPAN], turn[SPAN], across[SPAN], along[SPAN];
} Span;

static void paint_frames(const Paint *paint, const float *age, const uint32_t *key, int count,
                         Span *span)
{
    // A life ends on the last frame, not on the first again.
    const int whole = paint->frames - paint->frames_melt;
    const float per_share = paint->fit == SHEET_FIT_LIFE ? (float)whole : 0;
    const float per_second = paint->fit == SHEET_FIT_FREE ? paint->frame_rate : 0;
    find_frames(paint, per_share, per_second, span->share, age, key, count, span->turn);
}

static void paint_velocities(const Paint *paint, const Block *block, uint32_t at, int count,
                             Span *span)
{
    const float *vx = block->vx + at, *vy = block->vy + at, *vz = block->vz + at;
    const uint32_t *key = block->key + at, emitter = (uint32_t)paint->emitter;
    if (paint->speed_over)
        pack_speeds(paint->speed_over, span->share, vx, vy, vz, key, emitter, count, span->across,
                    span->along);
    else
        pack_velocities(vx, vy, vz, key, emitter, count, span->across, span->along);
}

static void paint_span(const Paint *paint, const Block *block, uint32_t at, int living,
                       Sprite *sprites)
{
    Span span;
    const int count = (living + TILE - 1) / TILE * TILE;
    const uint32_t *key = block->key + at;
    const float *age = block->age + at;
    find_shares(paint, age, key, count, span.share, span.life);
    find_looks(paint, paint->shades, span.share, key, count, span.size, span.colour);
    if (!paint->size_changes) find_sizes(paint, key, count, span.size);
    if (paint->turns)
        find_rotations(paint, key, count, span.turn);
    else
        memset(span.turn, 0, sizeof *span.turn * (size_t)count);
    if (paint->turns && paint->turning != 0)
        turn_on(paint, paint->turned_over, span.share, span.life, key, count, span.turn);
    if (paint->frames > 1) paint_frames(paint, age, key, count, &span);
    paint_velocities(paint, block, at, count, &span);
    put_together((const Word *)(block->x + at), (const Word *)(block->y + at),
                 (const Word *)(block->z + at), (const Word *)span.size, span.colour, span.turn,
                 span.across, span.along, living, (Word *)sprites);
}

// A little with each span: a core waits when it asks for a block's worth of memory at once.
static void fetch_block(const Block *block, uint32_t at)
{
    const void *arrays[] = { block->x + at,  block->y + at,  block->z + at,   block->vx + at,
                             block->vy + at, block->vz + at, block->age + at, block->key + at };
    for (int n = 0; n < COUNT_OF(arrays); n++)
        for (size_t byte = 0; byte < SHORT_SPAN * sizeof(float); byte += LINE)
            __builtin_prefetch((const char *)arrays[n] + byte);
}

// Where sprites will be written; behind the last, too, which costs nothing.
static void fetch_sprites(const Sprite *sprites)
{
    const uintptr_t begin = (uintptr_t)sprites + AHEAD * sizeof *sprites;
    for (size_t byte = 0; byte < SHORT_SPAN * sizeof *sprites; byte += LINE)
        __builtin_prefetch((const void *)(begin + byte), 1);
}

void paint_block(const Paint *paint, const Block *block, uint32_t count, const Block *next,
                 Sprite *sprites)
{
    const uint32_t span = next ? SHORT_SPAN : SPAN;
    for (uint32_t at = 0; at < count; at += span) {
        if (next) {
            fetch_block(next, at);
            fetch_sprites(sprites + at);
        }
        paint_span(paint, block, at, (int)(count - at < span ? count - at : span), sprites + at);
    }
}

// ---- depth --------------------------------------------------------------------------------------

KERNEL static void find_depths(const float *restrict x, const float *restrict y,
                               const float *restrict z, Vec3 forward, int count,
                               float *restrict depth)
{
    for (int n = 0; n < count; n++)
        depth[n] = x[n] * forward.x + y[n] * forward.y + z[n] * forward.z;
}

// A float as a number that rises as it falls.
KERNEL static void turn_depths(const Word *restrict bits, int count, uint32_t *restrict depth)
{
    for (int n = 0; n < count; n++) depth[n] = bits[n] >> 31 ? bits[n] : ~bits[n] & 0x7fffffffU;
}

void paint_depths(const Block *block, uint32_t count, Vec3 forward, uint32_t *depths)
{
    float depth[SPAN];
    for (uint32_t at = 0; at < count; at += SPAN) {
        const int living = (int)(count - at < SPAN ? count - at : SPAN);
        find_depths(block->x + at, block->y + at, block->z + at, forward, living, depth);
        turn_depths((const Word *)depth, living, depths + at);
    }
}
