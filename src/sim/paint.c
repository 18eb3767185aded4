// A block is painted property by property, one loop each, and at last what belongs together is put
// together.  The loops go on to the next whole tile, where there are numbers too; what is put
// together ends with the living.
#include "sim/clones.h"
#include "sim/paint.h"

_Static_assert(sizeof(SpritePlace) == 16 && sizeof(SpriteLook) == 8 && sizeof(SpriteWay) == 8,
               "whole words");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "parts of words, the lower one first");

typedef uint32_t __attribute__((may_alias)) Word;  // of an array of sprites
typedef uint64_t __attribute__((may_alias)) Words; // two of them

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
        .stretches = !body && (int)values[SWARM_FACING] == FACING_STRETCHED,
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

// ---- size and colour ----------------------------------------------------------------------------

// Traits, normalised age, below 1, and the shade that is nearest to it.
KERNEL static void find_shares(const Paint *restrict paint, const float *restrict age,
                               const uint32_t *restrict key, int count, uint32_t *restrict traits,
                               float *restrict share, int32_t *restrict entry)
{
    const float longest = paint->life, random = paint->life_random;
    for (int n = 0; n < count; n++) {
        const uint32_t bits = traits_of(key[n]);
        const float gone = age[n] / trait_life(longest, random, bits);
        traits[n] = bits;
        share[n] = gone < 0x1.fffffep-1f ? gone : 0x1.fffffep-1f;
        entry[n] = (int)(share[n] * (SHADES - 1) + 0.5f);
    }
}

// No vectors: each entry is loaded by itself anyway.
static void look_up(const Shade *restrict shades, const int32_t *restrict entry, int count,
                    Shade *restrict shade)
{
#pragma GCC unroll 8
    for (int n = 0; n < count; n++) shade[n] = shades[entry[n]];
}

// Sizes that stay what they were at birth.
KERNEL static void find_sizes(const Paint *restrict paint, const uint32_t *restrict traits,
                              int count, float *restrict size)
{
    const float largest = paint->size, random = paint->size_random;
    for (int n = 0; n < count; n++) size[n] = largest * trait_size(random, traits[n]);
}

KERNEL static void find_changing_sizes(const Paint *restrict paint, const Shade *restrict shade,
                                       const float *restrict share, const uint32_t *restrict key,
                                       const uint32_t *restrict traits, int count,
                                       float *restrict size)
{
    const float largest = paint->size, random = paint->size_random;
    const float last = paint->size_end, last_random = paint->size_end_random;
    for (int n = 0; n < count; n++) {
        const float end = last_random == 0 ? last : last * size_end_factor(last_random, key[n]);
        const float change = (1 + (end - 1) * share[n]) * shade_size(shade[n]);
        size[n] = largest * trait_size(random, traits[n]) * change;
    }
}

// ---- rotation and frame -------------------------------------------------------------------------

// At birth, in turns / 65536; whole turns may be in it.
KERNEL static void find_rotations(const Paint *restrict paint, const uint32_t *restrict traits,
                                  int count, uint32_t *restrict rotation)
{
    const float least = paint->rotation * 65536, random = paint->rotation_random * 65536;
    for (int n = 0; n < count; n++)
        rotation[n] = (uint32_t)(int)(least + trait_rotation(random, traits[n]));
}

// A table's value at a normalised age.
static inline float over_life(const float *restrict table, float share)
{
    const float x = share * (LOOK_ENTRIES - 1);
    const int n = (int)x;
    return table[n] + (table[n + 1] - table[n]) * (x - (float)n);
}

KERNEL static void turn_on(const Paint *restrict paint, const float *restrict table,
                           const float *restrict share, const uint32_t *restrict key,
                           const uint32_t *restrict traits, int count, uint32_t *restrict rotation)
{
    const float longest = paint->life, random = paint->life_random;
    const float turning = paint->turning, turning_random = paint->turning_random;
    const float flip = paint->flip;
    for (int n = 0; n < count; n++) {
        const float speed = turning * turning_factor(turning_random, flip, key[n]);
        const float turns =
            speed * trait_life(longest, random, traits[n]) * over_life(table, share[n]);
        rotation[n] += (uint32_t)(int)(turns * 65536);
    }
}

// Frames / 256 since birth, `over_life` in a whole life: at most once round the sheet.
KERNEL static void find_frames(float over_life, const float *restrict share, int count,
                               uint32_t *restrict frame)
{
    const float times = over_life * 256;
    for (int n = 0; n < count; n++) frame[n] = (uint32_t)(int)(share[n] * times);
}

// The same at so many a second, without those that go round the sheet.
KERNEL static void find_free_frames(float a_second, int frames, const float *restrict age,
                                    int count, uint32_t *restrict frame)
{
    const float times = a_second * 256, each = 1 / ((float)frames * 256);
    const int all = frames * 256;
    for (int n = 0; n < count; n++) {
        const int since = (int)(age[n] * times);
        const int rest = since - (int)((float)since * each) * all;
        frame[n] = (uint32_t)(rest < 0 ? rest + all : rest);
    }
}

// Where frames begin with any.
KERNEL static void add_first_frames(int frames, const uint32_t *restrict key, int count,
                                    uint32_t *restrict frame)
{
    const uint32_t all = (uint32_t)frames;
    for (int n = 0; n < count; n++) frame[n] += frame_draw(key[n], all) << 8;
}

// ---- sprites ------------------------------------------------------------------------------------

KERNEL static void put_places(const Word *restrict x, const Word *restrict y,
                              const Word *restrict z, const float *restrict size,
                              const uint32_t *restrict key, uint32_t emitter, int count,
                              Word *restrict place)
{
    for (int n = 0; n < count; n++) {
        place[n * 4] = x[n];
        place[n * 4 + 1] = y[n];
        place[n * 4 + 2] = z[n];
        place[n * 4 + 3] = half_of(size[n]) | emitter << 16 | (key[n] & 0xff000000);
    }
}

// Of what neither turns nor has frames.
KERNEL static void put_colours(const Shade *restrict shade, int count, Words *restrict look)
{
    for (int n = 0; n < count; n++) look[n] = shade[n] >> 32;
}

static inline uint32_t once_round(uint32_t at, uint32_t all)
{
    const uint32_t less = at - all;
    return less < at ? less : at;
}

KERNEL static void put_looks(const Paint *restrict paint, const Shade *restrict shade,
                             const uint32_t *restrict rotation, const uint32_t *restrict frame,
                             int count, Words *restrict look)
{
    const uint32_t start = (uint32_t)paint->frame * 256, all = (uint32_t)paint->frames * 256;
    const uint32_t keep = paint->frames_melt ? 0xffff : 0xff00;
    for (int n = 0; n < count; n++) {
        const uint32_t at = once_round(once_round(start + frame[n], all), all);
        const uint32_t turn = (rotation[n] & 0xffff) | (at & keep) << 16;
        look[n] = shade[n] >> 32 | (Words)turn << 32;
    }
}

static inline uint32_t velocity_half(float v)
{
    const float held = v < 127.99f ? v : 127.99f;
    return (uint32_t)(int)((held > -127.99f ? held : -127.99f) * 256) & 0xffff;
}

KERNEL static void put_ways(const float *restrict vx, const float *restrict vy,
                            const float *restrict vz, int count, Word *restrict way)
{
    for (int n = 0; n < count; n++) {
        way[n * 2] = velocity_half(vx[n]) | velocity_half(vy[n]) << 16;
        way[n * 2 + 1] = velocity_half(vz[n]);
    }
}

// The same of those that a curve makes faster or slower than their velocities.
KERNEL static void put_sped_ways(const float *restrict table, const float *restrict share,
                                 const float *restrict vx, const float *restrict vy,
                                 const float *restrict vz, int count, Word *restrict way)
{
    for (int n = 0; n < count; n++) {
        const float times = speed_at(table, share[n]);
        way[n * 2] = velocity_half(vx[n] * times) | velocity_half(vy[n] * times) << 16;
        way[n * 2 + 1] = velocity_half(vz[n] * times);
    }
}

// ---- a block ------------------------------------------------------------------------------------

typedef struct {
    _Alignas(64) Shade shade[BLOCK];
    float share[BLOCK], size[BLOCK];
    int32_t entry[BLOCK];
    uint32_t traits[BLOCK], rotation[BLOCK], frame[BLOCK];
} Scratch;

static void paint_places(const Paint *paint, const Block *block, int count, int living,
                         Scratch *scratch, SpritePlace *places)
{
    if (paint->size_changes)
        find_changing_sizes(paint, scratch->shade, scratch->share, block->key, scratch->traits,
                            count, scratch->size);
    else
        find_sizes(paint, scratch->traits, count, scratch->size);
    put_places((const Word *)block->x, (const Word *)block->y, (const Word *)block->z,
               scratch->size, block->key, (uint32_t)paint->emitter, living, (Word *)places);
}

static void paint_frames(const Paint *paint, const Block *block, int count, Scratch *scratch)
{
    // A life ends on the last frame, not on the first again.
    const int over_life = paint->frames - paint->frames_melt;
    if (paint->fit == SHEET_FIT_FREE)
        find_free_frames(paint->frame_rate, paint->frames, block->age, count, scratch->frame);
    else
        find_frames(paint->fit == SHEET_FIT_LIFE ? (float)over_life : 0, scratch->share, count,
                    scratch->frame);
    if (paint->frame_any) add_first_frames(paint->frames, block->key, count, scratch->frame);
}

static void paint_looks(const Paint *paint, const Block *block, int count, int living,
                        Scratch *scratch, SpriteLook *looks)
{
    if (!paint->turns) {
        put_colours(scratch->shade, living, (Words *)looks);
        return;
    }
    find_rotations(paint, scratch->traits, count, scratch->rotation);
    if (paint->turning != 0)
        turn_on(paint, paint->turned_over, scratch->share, block->key, scratch->traits, count,
                scratch->rotation);
    paint_frames(paint, block, count, scratch);
    put_looks(paint, scratch->shade, scratch->rotation, scratch->frame, living, (Words *)looks);
}

static void paint_ways(const Paint *paint, const Block *block, int living, const Scratch *scratch,
                       SpriteWay *ways)
{
    if (paint->speed_over)
        put_sped_ways(paint->speed_over, scratch->share, block->vx, block->vy, block->vz, living,
                      (Word *)ways);
    else
        put_ways(block->vx, block->vy, block->vz, living, (Word *)ways);
}

void paint_block(const Paint *paint, const Block *block, uint32_t living, const Sprites *sprites)
{
    Scratch scratch;
    const int count = (int)(living + TILE - 1) / TILE * TILE;
    find_shares(paint, block->age, block->key, count, scratch.traits, scratch.share, scratch.entry);
    look_up(paint->shades, scratch.entry, count, scratch.shade);
    paint_places(paint, block, count, (int)living, &scratch, sprites->places);
    paint_looks(paint, block, count, (int)living, &scratch, sprites->looks);
    if (paint->stretches) paint_ways(paint, block, (int)living, &scratch, sprites->ways);
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
    float depth[BLOCK];
    find_depths(block->x, block->y, block->z, forward, (int)count, depth);
    turn_depths((const Word *)depth, (int)count, depths);
}
