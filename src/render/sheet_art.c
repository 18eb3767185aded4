// Smoke, flames and the like, drawn from noise.  Smoke and flame end where they begin, so that they
// may run free.  Nothing reaches the rim of its frame.
#include "render/sheet_art.h"

#include <math.h>
#include <string.h>

#include "base/base.h"

// ---- noise --------------------------------------------------------------------------------------

static float ease(float x)
{
    return x * x * x * (x * (x * 6 - 15) + 10);
}

// 0 at and below `low`, 1 at and above `high`; either way round.
static float step_from(float low, float high, float x)
{
    const float t = clampf((x - low) / (high - low), 0, 1);
    return t * t * (3 - 2 * t);
}

static int wrap(int n, int period)
{
    n %= period;
    return n < 0 ? n + period : n;
}

// The slope at a lattice point along the way (x, y, z) from it.
static float lattice(uint32_t key, int i, int j, int k, float x, float y, float z)
{
    const uint32_t bits = rng_mix(key ^ (uint32_t)i * 0x8da6b343U ^ (uint32_t)j * 0xd8163841U ^
                                  (uint32_t)k * 0xcb1ab31fU);
    const float u = (bits & 8) ? y : x, v = (bits & 4) ? z : (bits & 8) ? x : y;
    return ((bits & 1) ? u : -u) + ((bits & 2) ? v : -v);
}

// Gradient noise, about -1..1, that repeats along y and z after whole periods.
static float noise(uint32_t key, float x, float y, float z, int period_y, int period_z)
{
    const float fx = floorf(x), fy = floorf(y), fz = floorf(z);
    const int i = (int)fx, j = wrap((int)fy, period_y), k = wrap((int)fz, period_z);
    const int j1 = (j + 1) % period_y, k1 = (k + 1) % period_z;
    const float dx = x - fx, dy = y - fy, dz = z - fz;
    const float u = ease(dx), v = ease(dy), w = ease(dz);
    const float near = lerpf(
        lerpf(lattice(key, i, j, k, dx, dy, dz), lattice(key, i + 1, j, k, dx - 1, dy, dz), u),
        lerpf(lattice(key, i, j1, k, dx, dy - 1, dz),
              lattice(key, i + 1, j1, k, dx - 1, dy - 1, dz), u),
        v);
    const float far = lerpf(lerpf(lattice(key, i, j, k1, dx, dy, dz - 1),
                                  lattice(key, i + 1, j, k1, dx - 1, dy, dz - 1), u),
                            lerpf(lattice(key, i, j1, k1, dx, dy - 1, dz - 1),
                                  lattice(key, i + 1, j1, k1, dx - 1, dy - 1, dz - 1), u),
                            v);
    return lerpf(near, far, w);
}

enum { FOREVER = 1 << 20 }; // a period that is never reached

// ---- smoke --------------------------------------------------------------------------------------

enum {
    SMOKE_FRAMES = 64,
    SMOKE_TURNS = 3
}; // lattice steps of change from the first frame round to it

// Round lumps upon round lumps: noise folded at zero.  The smallest are a few texels wide.
static float lumps(float x, float y, float z)
{
    float sum = 0, share = 1, scale = 1.45f;
    for (uint32_t octave = 0; octave < 3; octave++) {
        const float n =
            noise(11 + octave, x * scale + 7.3f, y * scale + 3.1f, z, FOREVER, SMOKE_TURNS);
        sum += share * sqrtf(n * n + 0.004f);
        share *= 0.5f;
        scale *= 2.1f;
    }
    return sum;
}

static float smoke_density(float x, float y, float z)
{
    const float bend_x = noise(5, x * 1.1f, y * 1.1f, z, FOREVER, SMOKE_TURNS);
    const float bend_y = noise(6, x * 1.1f, y * 1.1f, z, FOREVER, SMOKE_TURNS);
    const float wx = x + 0.16f * bend_x, wy = y + 0.16f * bend_y;
    const float r = sqrtf(x * x + y * y);
    const float body = 0.62f - 0.95f * sqrtf(wx * wx + wy * wy) + 0.62f * lumps(wx, wy, z);
    return step_from(0, 0.85f, body) * step_from(0.97f, 0.55f, r);
}

static void paint_smoke(float x, float y, int frame, float rgba[4])
{
    const float here = smoke_density(x, y, (float)frame * SMOKE_TURNS / SMOKE_FRAMES);
    for (int c = 0; c < 4; c++) rgba[c] = here;
}

// ---- flame --------------------------------------------------------------------------------------

enum { FLAME_FRAMES = 64, FLAME_RISE = 6, FLAME_TURNS = 2 };

// A drop that narrows upwards; noise that rises through it draws it out, the more the higher.
static float flame_heat(float x, float y, float turn)
{
    const float rise = 1.5f * y - turn * FLAME_RISE, z = turn * FLAME_TURNS;
    const float high = clampf(y + 0.8f, 0, 2);
    const float sway = noise(21, x * 0.8f, rise * 0.5f, z, FLAME_RISE / 2, FLAME_TURNS);
    const float bent = x + 0.3f * high * sway;
    const float tear = noise(22, bent * 2.7f, rise, z, FLAME_RISE, FLAME_TURNS) +
                       0.55f * noise(23, bent * 5.6f, rise * 2, z, FLAME_RISE * 2, FLAME_TURNS) +
                       0.3f * noise(24, bent * 11, rise * 4, z, FLAME_RISE * 4, FLAME_TURNS);
    const float across = bent * (1.5f + 0.75f * high), along = 0.72f * (y + 0.38f);
    const float off = sqrtf(across * across + along * along) - 0.42f * high * (0.5f + 0.75f * tear);
    return (1 - 2 * clampf(off, -0.25f, 1)) * step_from(-0.95f, -0.7f, y) *
           step_from(0.97f, 0.7f, y) * step_from(0.95f, 0.7f, fabsf(x));
}

static void paint_flame(float x, float y, int frame, float rgba[4])
{
    const float heat = flame_heat(x, y, (float)frame / FLAME_FRAMES);
    const float light = step_from(0.05f, 1, heat), core = step_from(0.3f, 1.25f, heat);
    rgba[0] = light * lerpf(0.75f, 1, core);
    rgba[1] = light * lerpf(0.3f, 1, core);
    rgba[2] = light * lerpf(0.12f, 0.9f, core);
    rgba[3] = light;
}

// ---- lights -------------------------------------------------------------------------------------

// Light that ends at the rim of the frame.
static void put_light(float light, float x, float y, float rgba[4])
{
    const float r = sqrtf(x * x + y * y);
    const float shown = clampf(light * step_from(0.98f, 0.55f, r), 0, 1);
    for (int c = 0; c < 4; c++) rgba[c] = shown;
}

static float bell(float x, float width)
{
    const float t = x / width;
    return expf(-t * t);
}

// A hot head above a tail that thins out.
static void paint_spark(float x, float y, int frame, float rgba[4])
{
    (void)frame;
    const float head = 0.62f, along = (head - y) / (head + 0.95f); // 0 at the head, 1 at the end
    const float left = clampf(1 - along, 0, 1) * step_from(head + 0.3f, head, y);
    const float wide = 0.045f + 0.11f * left * left;
    const float tail = bell(x, wide) * powf(left, 1.7f);
    const float hot = bell(x, 0.12f) * bell(y - head + 0.06f, 0.16f);
    const float glow = 0.16f * bell(x, 0.34f) * bell(y - head + 0.15f, 0.45f);
    put_light(tail + hot + glow, x, y, rgba);
}

// Four long rays and four short ones.
static void paint_star(float x, float y, int frame, float rgba[4])
{
    (void)frame;
    const float r = sqrtf(x * x + y * y);
    const float dx = 0.70710678f * (x + y), dy = 0.70710678f * (x - y);
    const float rays = bell(x, 0.012f + 0.03f * (1 - r)) * bell(y, 0.5f) +
                       bell(y, 0.012f + 0.03f * (1 - r)) * bell(x, 0.5f);
    const float short_rays = bell(dx, 0.02f) * bell(dy, 0.22f) + bell(dy, 0.02f) * bell(dx, 0.22f);
    put_light(0.85f * rays + 0.5f * short_rays + 1.1f * bell(r, 0.09f) + 0.22f * bell(r, 0.3f), x,
              y, rgba);
}

static void paint_ring(float x, float y, int frame, float rgba[4])
{
    (void)frame;
    const float r = sqrtf(x * x + y * y), off = r - 0.76f;
    const float inner = off < 0 ? 0.3f * expf(off / 0.16f) : 0;
    put_light(bell(off, 0.035f) + 0.35f * bell(off, 0.1f) + inner, 0.6f * x, 0.6f * y, rgba);
    const float end = step_from(0.985f, 0.88f, r);
    for (int c = 0; c < 4; c++) rgba[c] *= end;
}

// A glow with rays of many lengths, and the ring that a lens would add.
static void paint_flare(float x, float y, int frame, float rgba[4])
{
    (void)frame;
    const float r = sqrtf(x * x + y * y), turn = atan2f(y, x) / 6.2831853f + 0.5f;
    const float fine = noise(31, 0, turn * 48, 0.5f, 48, 2),
                wide = noise(32, 0, turn * 14, 0.5f, 14, 2);
    const float ray = clampf(0.42f + 0.9f * fine + 0.6f * wide, 0, 1);
    const float rays = ray * ray * expf(-r / 0.24f);
    const float halo = 0.1f * bell(r - 0.52f, 0.07f);
    put_light(1.2f * bell(r, 0.085f) + 0.4f * bell(r, 0.26f) + 0.75f * rays + halo, x, y, rgba);
}

// ---- debris -------------------------------------------------------------------------------------

enum { SHARD_SIDES = 6 };

static float shard_unit(int frame, uint32_t draw)
{
    return rng_unit(rng_draw(rng_mix((uint32_t)frame + 77), draw));
}

// What a few planes leave of the square; each rim is broken at a slant of its own brightness.
static void paint_shard(float x, float y, int frame, float rgba[4])
{
    float deepest = 0.93f - sqrtf(x * x + y * y), shade = 0.5f;
    const float squeeze = 0.55f + 0.45f * shard_unit(frame, 90), lean = shard_unit(frame, 91);
    const float c = cosf(6.2831853f * lean), s = sinf(6.2831853f * lean);
    const float px = c * x + s * y, py = (c * y - s * x) / squeeze;
    for (uint32_t n = 0; n < SHARD_SIDES; n++) {
        const float turn = ((float)n + 0.8f * shard_unit(frame, n)) / SHARD_SIDES * 6.2831853f;
        const float inner =
            (0.38f + 0.36f * shard_unit(frame, 20 + n)) - (px * cosf(turn) + py * sinf(turn));
        if (inner < deepest) {
            deepest = inner;
            shade = 0.35f + 0.65f * shard_unit(frame, 40 + n);
        }
    }
    const float slant = 0.1f + 0.16f * shard_unit(frame, 92);
    const float grain = 0.12f * noise(41 + (uint32_t)frame, x * 6, y * 6, 0.5f, FOREVER, 2);
    const float face = deepest > slant ? 0.62f + 0.12f * px : shade;
    const float light = deepest > 0 ? clampf(face + grain, 0.1f, 1) : 0;
    for (int i = 0; i < 3; i++) rgba[i] = light;
    rgba[3] = deepest > 0;
}

// ---- the list -----------------------------------------------------------------------------------

const SheetArt sheet_arts[] = {
    { "smoke", 8, 8, 1, true, paint_smoke },   { "flame", 8, 8, 1, false, paint_flame },
    { "spark", 1, 1, 1, false, paint_spark },  { "star", 1, 1, 1, false, paint_star },
    { "ring", 1, 1, 1, false, paint_ring },    { "flare", 1, 1, 1, false, paint_flare },
    { "debris", 4, 4, 2, false, paint_shard },
};

const int sheet_art_count = COUNT_OF(sheet_arts);

const SheetArt *sheet_art_find(const char *name)
{
    for (int a = 0; a < sheet_art_count; a++)
        if (strcmp(sheet_arts[a].name, name) == 0) return &sheet_arts[a];
    return NULL;
}

// ---- drawing ------------------------------------------------------------------------------------

int sheet_frame_side(int frames)
{
    int side = SHEET_SIDE;
    while (side * frames > SHEET_SIDE) side /= 2;
    return side;
}

int sheet_level_side(int level)
{
    return SHEET_SIDE >> level;
}

uint32_t sheet_level_at(int level)
{
    uint32_t at = 0;
    for (int l = 0; l < level; l++)
        at += 4 * (uint32_t)sheet_level_side(l) * (uint32_t)sheet_level_side(l);
    return at;
}

static uint8_t root_byte(float value)
{
    return (uint8_t)(sqrtf(clampf(value, 0, 1)) * 255 + 0.5f);
}

static float light_of(uint8_t root)
{
    return (float)root * (float)root / (255.0f * 255);
}

void sheet_make_levels(uint8_t *sheet)
{
    for (int level = 1; level < SHEET_LEVELS; level++) {
        const int side = sheet_level_side(level);
        const uint8_t *fine = sheet + sheet_level_at(level - 1);
        uint8_t *coarse = sheet + sheet_level_at(level);
        for (int n = 0; n < side * side * 4; n++) {
            const int c = n % 4, x = n / 4 % side, y = n / 4 / side;
            const uint8_t *at = fine + (2 * y * 2 * side + 2 * x) * 4 + c;
            coarse[n] = root_byte(0.25f * (light_of(at[0]) + light_of(at[4]) +
                                           light_of(at[8 * side]) + light_of(at[8 * side + 4])));
        }
    }
}

// The mean over a texel's samples.
static void paint_texel(const SheetArt *art, int column, int row, int x, int y, uint8_t texel[4])
{
    const int wide = sheet_frame_side(art->columns), high = sheet_frame_side(art->rows);
    float sum[4] = { 0 };
    for (int s = 0; s < art->samples * art->samples; s++) {
        float rgba[4];
        const float dx = ((float)(s % art->samples) + 0.5f) / (float)art->samples;
        const float dy = ((float)(s / art->samples) + 0.5f) / (float)art->samples;
        art->paint(2 * ((float)x + dx) / (float)wide - 1, 1 - 2 * ((float)y + dy) / (float)high,
                   row * art->columns + column, rgba);
        for (int c = 0; c < 4; c++) sum[c] += rgba[c];
    }
    for (int c = 0; c < 4; c++) texel[c] = root_byte(sum[c] / (float)(art->samples * art->samples));
}

// Darkens what has more of itself between it and the light, which comes from above.  Reads cover alone,
// and so what is already shaded does not matter.
static void shade(uint8_t *sheet)
{
    const int left = 2, above = 4; // texels; at a frame's rim there is nothing in any frame
    for (int y = above; y < SHEET_SIDE; y++) {
        for (int x = left; x < SHEET_SIDE; x++) {
            uint8_t *texel = sheet + 4 * (y * SHEET_SIDE + x);
            const uint8_t *lit = sheet + 4 * ((y - above) * SHEET_SIDE + x - left);
            const float here = light_of(texel[3]);
            const float light = clampf(0.66f + 1.25f * (here - light_of(lit[3])), 0.3f, 1);
            texel[0] = texel[1] = texel[2] = root_byte(here * light);
        }
    }
}

void sheet_art_draw(const SheetArt *art, uint8_t *sheet)
{
    const int wide = sheet_frame_side(art->columns), high = sheet_frame_side(art->rows);
    memset(sheet, 0, SHEET_BYTES);
    for (int y = 0; y < art->rows * high; y++)
        for (int x = 0; x < art->columns * wide; x++)
            paint_texel(art, x / wide, y / high, x % wide, y % high,
                        sheet + 4 * (y * SHEET_SIDE + x));
    if (art->shaded) shade(sheet);
    sheet_make_levels(sheet);
}

// ---- sheets from elsewhere ----------------------------------------------------------------------

static float linear_of(uint8_t byte)
{
    const float value = (float)byte / 255;
    return value <= 0.04045f ? value / 12.92f : powf((value + 0.055f) / 1.055f, 2.4f);
}

// The part of a picture that becomes one texel.
typedef struct {
    int left, right, top, bottom; // right and bottom are behind it
} Part;

// At least one pixel of the n-th of `count` parts of a length.
static void take_part(int length, int count, int n, int *from, int *to)
{
    *from = (int)((int64_t)length * n / count);
    *to = (int)((int64_t)length * (n + 1) / count);
    if (*to <= *from) *to = *from + 1;
}

static void mean_of_part(const uint8_t *rgba, int width, Part part, const float *linear,
                         uint8_t texel[4])
{
    float sum[4] = { 0 };
    for (int y = part.top; y < part.bottom; y++) {
        for (int x = part.left; x < part.right; x++) {
            const uint8_t *pixel = rgba + 4 * ((size_t)y * (size_t)width + (size_t)x);
            const float cover = (float)pixel[3] / 255;
            for (int c = 0; c < 3; c++) sum[c] += cover * linear[pixel[c]];
            sum[3] += cover;
        }
    }
    const int pixels = (part.right - part.left) * (part.bottom - part.top);
    for (int c = 0; c < 4; c++)
        texel[c] = (uint8_t)(sqrtf(clampf(sum[c] / (float)pixels, 0, 1)) * 255 + 0.5f);
}

// Each frame gets its own texels: at 512 a side, frames of any size become ones of a power of two.
void sheet_of_picture(const uint8_t *rgba, int width, int height, int columns, int rows,
                      uint8_t *sheet)
{
    float linear[256];
    for (int n = 0; n < 256; n++) linear[n] = linear_of((uint8_t)n);
    const int wide = columns * sheet_frame_side(columns), high = rows * sheet_frame_side(rows);
    memset(sheet, 0, SHEET_BYTES);
    for (int y = 0; y < high; y++) {
        for (int x = 0; x < wide; x++) {
            Part part;
            take_part(width, wide, x, &part.left, &part.right);
            take_part(height, high, y, &part.top, &part.bottom);
            mean_of_part(rgba, width, part, linear, sheet + 4 * (y * SHEET_SIDE + x));
        }
    }
    sheet_make_levels(sheet);
}
