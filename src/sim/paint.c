// A block is painted in a few loops, each over all of it.  Those that find something aside go on to the
// next whole tile, where there are numbers too; those that put sprites down end with the living.
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

// Normalised age, below 1, and the shade that is nearest to it.
KERNEL static void find_shares(const Paint *restrict paint, const float *restrict age,
                               const uint32_t *restrict key, int count, float *restrict share,
                               int32_t *restrict entry)
{
    const float longest = paint->life, random = paint->life_random;
    for (int n = 0; n < count; n++) {
        const float gone = age[n] / life_of(longest, random, key[n]);
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

// ---- rotation and frame -------------------------------------------------------------------------

// At birth, in turns / 65536.
typedef struct {
    float least, random;
} Turn;

static inline Turn turn_at_birth(const Paint *paint)
{
    return (Turn){ paint->rotation * 65536, paint->rotation_random * 65536 };
}

// Whole turns may be in it.
static inline uint32_t turned_at_birth(Turn turn, uint32_t key)
{
    return (uint32_t)(int)(turn.least + rotation_of(turn.random, key));
}

KERNEL static void find_rotations(const Paint *restrict paint, const uint32_t *restrict key,
                                  int count, uint32_t *restrict rotation)
{
    const Turn turn = turn_at_birth(paint);
    for (int n = 0; n < count; n++) rotation[n] = turned_at_birth(turn, key[n]);
}

// A table's value at a normalised age.
static inline float over_life(const float *restrict table, float share)
{
    const float x = share * (LOOK_ENTRIES - 1);
    const int n = (int)x;
    return table[n] + (table[n + 1] - table[n]) * (x - (float)n);
}

KERNEL static void turn_on(const Paint *restrict paint, const float *restrict table,
                           const float *restrict share, const uint32_t *restrict key, int count,
                           uint32_t *restrict rotation)
{
    const float longest = paint->life, random = paint->life_random;
    const float turning = paint->turning, turning_random = paint->turning_random;
    const float flip = paint->flip;
    for (int n = 0; n < count; n++) {
        const float speed = turning * turning_factor(turning_random, flip, key[n]);
        const float turns = speed * life_of(longest, random, key[n]) * over_life(table, share[n]);
        rotation[n] += (uint32_t)(int)(turns * 65536);
    }
}

// Frames / 256 in a whole life: at most once round the sheet.
static inline float frames_over_life(const Paint *paint)
{
    // A life ends on the last frame, not on the first again.
    const int frames = paint->frames - paint->frames_melt;
    return paint->fit == SHEET_FIT_LIFE ? (float)(frames * 256) : 0;
}

static inline uint32_t frame_at(float over_life, float share)
{
    return (uint32_t)(int)(share * over_life);
}

// Since birth.
KERNEL static void find_frames(const Paint *restrict paint, const float *restrict share, int count,
                               uint32_t *restrict frame)
{
    const float frames = frames_over_life(paint);
    for (int n = 0; n < count; n++) frame[n] = frame_at(frames, share[n]);
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

// Sizes stay what they were at birth, or change: all to one end, or each to its own.
typedef enum { STAY, CHANGE, END_APART } Growth;

INLINED void put_places(const Paint *restrict paint, Growth growth, const Block *restrict block,
                        const Shade *restrict shade, const float *restrict share, int count,
                        Word *restrict place)
{
    const Word *restrict x = (const Word *)block->x, *restrict y = (const Word *)block->y,
                         *restrict z = (const Word *)block->z;
    const uint32_t *restrict key = block->key, emitter = (uint32_t)paint->emitter << 16;
    const float largest = paint->size, random = paint->size_random;
    const float last = paint->size_end, last_random = paint->size_end_random;
    for (int n = 0; n < count; n++) {
        float size = largest * size_factor_of(random, key[n]);
        if (growth != STAY) {
            const float end = growth == CHANGE ? last : last * size_end_factor(last_random, key[n]);
            size *= (1 + (end - 1) * share[n]) * shade_size(shade[n]);
        }
        place[n * 4] = x[n];
        place[n * 4 + 1] = y[n];
        place[n * 4 + 2] = z[n];
        place[n * 4 + 3] = half_of(size) | emitter | chance_of(key[n]);
    }
}

#define PUT_PLACES(name, growth)                                                                   \
    KERNEL static void name(const Paint *restrict paint, const Block *restrict block,              \
                            const Shade *restrict shade, const float *restrict share, int count,   \
                            Word *restrict place)                                                  \
    {                                                                                              \
        put_places(paint, growth, block, shade, share, count, place);                              \
    }

typedef void PutPlaces(const Paint *paint, const Block *block, const Shade *shade,
                       const float *share, int count, Word *place);

PUT_PLACES(put_staying, STAY)
PUT_PLACES(put_changing, CHANGE)
PUT_PLACES(put_ending_apart, END_APART)

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

// How a sheet is gone through, in frames / 256.
typedef struct {
    uint32_t start, all, keep;
} Sheet;

static inline Sheet sheet_of(const Paint *paint)
{
    return (Sheet){ (uint32_t)paint->frame * 256, (uint32_t)paint->frames * 256,
                    paint->frames_melt ? 0xffff : 0xff00 };
}

static inline Words look_of(Shade shade, Sheet sheet, uint32_t rotation, uint32_t frame)
{
    const uint32_t at = once_round(once_round(sheet.start + frame, sheet.all), sheet.all);
    const uint32_t turn = (rotation & 0xffff) | (at & sheet.keep) << 16;
    return shade >> 32 | (Words)turn << 32;
}

KERNEL static void put_looks(const Paint *restrict paint, const Shade *restrict shade,
                             const uint32_t *restrict rotation, const uint32_t *restrict frame,
                             int count, Words *restrict look)
{
    const Sheet sheet = sheet_of(paint);
    for (int n = 0; n < count; n++) look[n] = look_of(shade[n], sheet, rotation[n], frame[n]);
}

// Of what keeps its rotation and whose frames follow its life.
KERNEL static void put_steady_looks(const Paint *restrict paint, const Shade *restrict shade,
                                    const uint32_t *restrict key, const float *restrict share,
                                    int count, Words *restrict look)
{
    const Sheet sheet = sheet_of(paint);
    const Turn turn = turn_at_birth(paint);
    const float frames = frames_over_life(paint);
    for (int n = 0; n < count; n++)
        look[n] =
            look_of(shade[n], sheet, turned_at_birth(turn, key[n]), frame_at(frames, share[n]));
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
    _Alignas(64) float share[BLOCK];
    int32_t entry[BLOCK];
    uint32_t rotation[BLOCK], frame[BLOCK];
} Scratch;

static Growth growth_of(const Paint *paint)
{
    if (!paint->size_changes) return STAY;
    return paint->size_end_random == 0 ? CHANGE : END_APART;
}

static void paint_places(const Paint *paint, const Block *block, int living, const Scratch *scratch,
                         SpritePlace *places)
{
    static PutPlaces *const puts[] = {
        [STAY] = put_staying, [CHANGE] = put_changing, [END_APART] = put_ending_apart
    };
    puts[growth_of(paint)](paint, block, scratch->shade, scratch->share, living, (Word *)places);
}

static void paint_frames(const Paint *paint, const Block *block, int count, Scratch *scratch)
{
    if (paint->fit == SHEET_FIT_FREE)
        find_free_frames(paint->frame_rate, paint->frames, block->age, count, scratch->frame);
    else
        find_frames(paint, scratch->share, count, scratch->frame);
    if (paint->frame_any) add_first_frames(paint->frames, block->key, count, scratch->frame);
}

static void paint_looks(const Paint *paint, const Block *block, int count, int living,
                        Scratch *scratch, SpriteLook *looks)
{
    if (!paint->turns) {
        put_colours(scratch->shade, living, (Words *)looks);
        return;
    }
    if (paint->turning == 0 && paint->fit != SHEET_FIT_FREE && !paint->frame_any) {
        put_steady_looks(paint, scratch->shade, block->key, scratch->share, living, (Words *)looks);
        return;
    }
    find_rotations(paint, block->key, count, scratch->rotation);
    if (paint->turning != 0)
        turn_on(paint, paint->turned_over, scratch->share, block->key, count, scratch->rotation);
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
    find_shares(paint, block->age, block->key, count, scratch.share, scratch.entry);
    look_up(paint->shades, scratch.entry, count, scratch.shade);
    paint_places(paint, block, (int)living, &scratch, sprites->places);
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
