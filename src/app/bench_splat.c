#include "app/bench_splat.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"

// Pieces of the crowd and of the picture.  A band has one thread, which adds what touches it in the
// order of the sprites: so the sums are the same on any number of threads.
enum { CHUNK = 1024, BATCH = 32, BAND = 40, BANDS_MOST = 256, LANES = 4 };

static const float LARGEST = 16;     // pixels, the radius: so no sprite touches more than two bands
static const float SMALLEST = 1.25f; // as shaders/common/sprite.glsl has it

// A sprite on the picture, as shaders/common/disc.glsl draws it.
typedef struct {
    float x, y, radius; // pixels, from the picture's lower left corner
    float rise;         // how steep its edge is
    float light[3];
    uint16_t low, high; // bands
} Disc;

typedef struct SplatChunk {
    const SpritePlace *places;
    const SpriteLook *looks;
    int count;
    Disc discs[CHUNK];
    uint16_t order[2 * CHUNK];      // of the discs, band by band
    uint16_t begin[BANDS_MOST + 1]; // where those of each band are
} Chunk;

// What all sprites of the crowd share: the picture, the eye in front of it, and the look.
typedef struct {
    float width, height; // pixels
    float pixels;        // what 1 m is high, in pixels, 1 m away from the eye
    float distance;      // m, from the eye to the origin
    float tint[3], opacity, softness;
} Stand;

// ---- making -------------------------------------------------------------------------------------

static int bands_of(const Light *light)
{
    return (light->size.height + BAND - 1) / BAND;
}

// The lanes of the last pixels may reach beyond a row.
static bool light_init(Light *light, Size size)
{
    const int stride = (size.width + 2 * LANES - 1) / LANES * LANES;
    *light = (Light){ .size = size, .stride = stride };
    if (size.width < 1 || size.height < 1 || bands_of(light) > BANDS_MOST) return false;
    light->values = calloc((size_t)stride * 3 * (size_t)size.height, sizeof(float));
    return light->values != NULL;
}

// As motes bench --gpu has its field.
static void tune(Crowd *crowd, uint32_t particles)
{
    const struct {
        const char *path;
        double value;
    } settings[] = {
        { "emitters/crowd/rate", particles / 4.0 },
        { "emitters/crowd/life", 4 },
        { "emitters/crowd/size", 0.04 },
    };
    for (int n = 0; n < COUNT_OF(settings); n++)
        params_set(crowd->params, params_find(crowd->params, settings[n].path), settings[n].value);
}

bool splat_init(Splat *splat, uint32_t particles, Size size, int threads, char *why, int why_size)
{
    *splat = (Splat){ 0 };
    if (!crowd_init(&splat->crowd, particles, threads, why, why_size)) return false;
    tune(&splat->crowd, particles);
    splat->crowd.view.kinds[splat->crowd.emitter] = SPRITE_POINT;
    splat->crowd.view.frames[splat->crowd.emitter] = 0;
    snprintf(why, (size_t)why_size, "no memory for the light of %d x %d pixels", size.width,
             size.height);
    if (!light_init(&splat->light, size)) return false;
    splat->chunks = calloc(BATCH, sizeof(Chunk));
    splat->halves = calloc((size_t)size.width * (size_t)size.height, 4 * sizeof(uint16_t));
    splat->team = team_new(sim_threads(splat->crowd.sim));
    return splat->chunks && splat->halves && splat->team;
}

void splat_free(Splat *splat)
{
    crowd_free(&splat->crowd);
    team_free(splat->team);
    free(splat->light.values);
    free(splat->chunks);
    free(splat->halves);
    *splat = (Splat){ 0 };
}

// ---- sprites to discs -----------------------------------------------------------------------------

static Stand stand_of(const Splat *splat)
{
    const Crowd *crowd = &splat->crowd;
    const float *values = params_values(crowd->params, OWNER_GLOBAL, 0);
    const float *swarm = params_values(crowd->params, OWNER_EMITTER, crowd->emitter);
    const float intensity = swarm[SWARM_INTENSITY], height = (float)splat->light.size.height;
    const float distance = values[GLOBAL_CAMERA_DISTANCE];
    return (Stand){
        .width = (float)splat->light.size.width,
        .height = height,
        .pixels = height * distance / values[GLOBAL_CAMERA_HEIGHT],
        .distance = distance,
        .tint = { swarm[SWARM_TINT_R] * intensity, swarm[SWARM_TINT_G] * intensity,
                  swarm[SWARM_TINT_B] * intensity },
        .opacity = swarm[SWARM_OPACITY],
        .softness = swarm[SWARM_SOFTNESS],
    };
}

static float smooth_step(float low, float high, float x)
{
    const float share = clampf((x - low) / (high - low), 0, 1);
    return share * share * (3 - 2 * share);
}

static float byte_of(uint32_t word, int n)
{
    return (float)(word >> 8 * n & 255) * (1.0f / 255);
}

// False: nothing of it is to be seen.  Comparisons are such that NaN is nothing.
static bool disc_of(const Stand *stand, const SpritePlace *place, uint32_t colour, Disc *disc)
{
    const float depth = stand->distance - place->z;
    const float near = smooth_step(0.03f, 0.2f, depth / stand->distance);
    const float per_metre = stand->pixels / fmaxf(depth, 0.001f);
    const float radius = 0.5f * half_value(place->size) * per_metre;
    const float drawn = fmaxf(radius, SMALLEST), share = radius / drawn;
    const float strength = near * byte_of(colour, 3) * stand->opacity * share * share;
    const float outer = drawn + 0.5f * (1 - stand->softness);
    const float edge = fminf(fmaxf(stand->softness, 1 / outer), 1);
    disc->x = 0.5f * stand->width + place->x * per_metre;
    disc->y = 0.5f * stand->height + place->y * per_metre;
    disc->radius = fminf(outer, LARGEST);
    disc->rise = 1 / (edge * (2 - edge));
    for (int c = 0; c < 3; c++) {
        const float root = byte_of(colour, c);
        disc->light[c] = root * root * stand->tint[c] * strength;
    }
    return strength > 0 && radius > 0 && disc->x > -disc->radius && disc->y > -disc->radius &&
           disc->x < stand->width + disc->radius && disc->y < stand->height + disc->radius;
}

static uint16_t band_at(float y, int bands)
{
    return (uint16_t)clampi((int)clampf(y, 0, 1e6f) / BAND, 0, bands - 1);
}

// Counted first, so that each band's lie together, in their order.
static void sort_by_band(Chunk *chunk, int count, int bands)
{
    uint16_t place[BANDS_MOST + 1] = { 0 };
    for (int n = 0; n < count; n++) {
        Disc *disc = &chunk->discs[n];
        disc->low = band_at(disc->y - disc->radius, bands);
        disc->high = band_at(disc->y + disc->radius, bands);
        place[disc->low + 1]++;
        if (disc->high != disc->low) place[disc->high + 1]++;
    }
    for (int b = 0; b < bands; b++) place[b + 1] = (uint16_t)(place[b + 1] + place[b]);
    memcpy(chunk->begin, place, sizeof place);
    for (int n = 0; n < count; n++) {
        const Disc *disc = &chunk->discs[n];
        chunk->order[place[disc->low]++] = (uint16_t)n;
        if (disc->high != disc->low) chunk->order[place[disc->high]++] = (uint16_t)n;
    }
}

static void work_chunk(void *work, int n)
{
    const Splat *splat = work;
    const Stand stand = stand_of(splat);
    Chunk *chunk = &splat->chunks[n];
    int count = 0;
    for (int s = 0; s < chunk->count; s++)
        count += disc_of(&stand, &chunk->places[s], chunk->looks[s].colour, &chunk->discs[count]);
    sort_by_band(chunk, count, bands_of(&splat->light));
}

// ---- discs to light -------------------------------------------------------------------------------

// The compiler does not find these by itself.
typedef float Lanes __attribute__((vector_size(LANES * sizeof(float)), aligned(sizeof(float))));
typedef int32_t Masks __attribute__((vector_size(LANES * sizeof(int32_t))));

// LANES pixels of a row, of which the first has its middle at `at`; `rest` is what the disc has at its
// middle on this row, falling by `fall` times the square of the distance.
static inline void lay(float *row, int stride, float at, float rest, float fall,
                       const float light[3])
{
    const Lanes dx = at + (Lanes){ 0, 1, 2, 3 };
    const Lanes inside = rest - dx * dx * fall;
    const Lanes above = (Lanes)((inside > 0) & (Masks)inside);
    const Masks whole = above > 1;
    const Lanes held = (Lanes)((whole & (Masks)(Lanes){ 1, 1, 1, 1 }) | (~whole & (Masks)above));
    const Lanes share = held * held;
    for (int c = 0; c < 3; c++) *(Lanes *)(row + c * stride) += share * light[c];
}

static void lay_disc(const Light *light, const Disc *disc, int bottom, int top)
{
    const float reach = disc->radius - 0.5f;
    const int from = clampi((int)ceilf(disc->x - reach) - 1, 0, light->size.width - 1);
    const int to = clampi((int)floorf(disc->x + reach), 0, light->size.width - 1);
    const int low = clampi((int)ceilf(disc->y - reach) - 1, bottom, top);
    const int high = clampi((int)floorf(disc->y + reach) + 1, bottom, top);
    const float fall = disc->rise / (disc->radius * disc->radius);
    for (int y = low; y < high; y++) {
        const float dy = (float)y + 0.5f - disc->y;
        const float rest = disc->rise - dy * dy * fall;
        float *row = light->values + (size_t)y * 3 * (size_t)light->stride;
        for (int x = from; x <= to; x += LANES)
            lay(row + x, light->stride, (float)x + 0.5f - disc->x, rest, fall, disc->light);
    }
}

static void work_band(void *work, int band)
{
    const Splat *splat = work;
    const Light *light = &splat->light;
    const int bottom = band * BAND;
    const int top = bottom + BAND < light->size.height ? bottom + BAND : light->size.height;
    for (int c = 0; c < BATCH; c++) {
        const Chunk *chunk = &splat->chunks[c];
        for (int n = chunk->begin[band]; chunk->count > 0 && n < chunk->begin[band + 1]; n++)
            lay_disc(light, &chunk->discs[chunk->order[n]], bottom, top);
    }
}

void splat_sprites(Splat *splat, const Sprites *sprites, uint32_t count)
{
    for (uint32_t first = 0; first < count; first += BATCH * CHUNK) {
        for (uint32_t c = 0; c < BATCH; c++) {
            const uint32_t at = first + c * CHUNK < count ? first + c * CHUNK : count;
            const uint32_t left = count - at;
            splat->chunks[c].places = sprites->places + at;
            splat->chunks[c].looks = sprites->looks + at;
            splat->chunks[c].count = (int)(left < CHUNK ? left : CHUNK);
        }
        team_run(splat->team, work_chunk, splat, BATCH);
        team_run(splat->team, work_band, splat, bands_of(&splat->light));
    }
}

// ---- a frame --------------------------------------------------------------------------------------

static void work_dark(void *work, int band)
{
    const Light *light = &((const Splat *)work)->light;
    const size_t row = 3 * (size_t)light->stride;
    const int bottom = band * BAND, rows = clampi(light->size.height - bottom, 0, BAND);
    memset(light->values + (size_t)bottom * row, 0, row * (size_t)rows * sizeof(float));
}

static void work_halves(void *work, int band)
{
    const Splat *splat = work;
    const Light *light = &splat->light;
    const int bottom = band * BAND, rows = clampi(light->size.height - bottom, 0, BAND);
    for (int y = bottom; y < bottom + rows; y++) {
        uint16_t *to = splat->halves + (size_t)y * (size_t)light->size.width * 4;
        const float *red = light_row(light, y, 0), *green = light_row(light, y, 1),
                    *blue = light_row(light, y, 2);
        for (int x = 0; x < light->size.width; x++) {
            to[4 * x] = (uint16_t)half_of(red[x]);
            to[4 * x + 1] = (uint16_t)half_of(green[x]);
            to[4 * x + 2] = (uint16_t)half_of(blue[x]);
        }
    }
}

uint32_t splat_frame(Splat *splat, float dt)
{
    const uint32_t count = crowd_draw(&splat->crowd, dt);
    team_run(splat->team, work_dark, splat, bands_of(&splat->light));
    splat_sprites(splat, &splat->crowd.sprites, count);
    team_run(splat->team, work_halves, splat, bands_of(&splat->light));
    return count;
}
