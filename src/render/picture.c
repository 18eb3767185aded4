#include "render/picture.h"

#include <string.h>

static Size with_margin(Size size)
{
    return (Size){ size.width + 2 * MARGIN, size.height + 2 * MARGIN };
}

static Size half(Size size)
{
    return (Size){ (size.width + 1) / 2, (size.height + 1) / 2 };
}

static int scaled(int length, float scale)
{
    const int all = (int)lroundf((float)length * scale);
    return all > 0 ? all : 1;
}

static Size of_scale(Size whole, float scale)
{
    return (Size){ scaled(whole.width, scale), scaled(whole.height, scale) };
}

enum { TRAIL_LEAST = 360 }; // pixels high, but for smaller pictures

// Half as fine is enough for what is smeared anyway, but not coarser than the eye would see.
static Size of_trail(Size whole, float scale)
{
    const Size size = whole.height >= 720 ? half(whole) : whole;
    const float least = fminf(1, (float)TRAIL_LEAST / (float)size.height);
    return of_scale(size, fmaxf(scale, least));
}

static Size of_height(Size picture, int height)
{
    const int width = (picture.width * height + picture.height / 2) / picture.height;
    return (Size){ width > 0 ? width : 1, height };
}

static bool add_level(Picture *picture, Size size, int rank, char *why, int why_size)
{
    BloomLevel *level = &picture->bloom[picture->bloom_count];
    if (!target_init(&level->target, size, GL_RGBA16F, 1, true, why, why_size)) return false;
    level->rank = rank;
    picture->bloom_count++;
    return true;
}

// The glow's levels have fixed heights, so that it looks the same at any size of the picture; a
// much larger picture is halved until the first of them is near.
static bool make_bloom(Picture *picture, char *why, int why_size)
{
    int rank = 0;
    while (rank < BLOOM_RANKS && BLOOM_TALLEST >> rank > picture->size.height) rank++;
    Size size = half(picture->size);
    while (size.height > BLOOM_TALLEST * 3 / 2 &&
           picture->bloom_count < BLOOM_LEVELS - BLOOM_RANKS) {
        if (!add_level(picture, size, -1, why, why_size)) return false;
        size = half(size);
    }
    picture->bloom_first = picture->bloom_count;
    for (; rank < BLOOM_RANKS; rank++)
        if (!add_level(picture, of_height(picture->size, BLOOM_TALLEST >> rank), rank, why,
                       why_size))
            return false;
    if (picture->bloom_first == picture->bloom_count) return true;
    const Size finest = picture->bloom[picture->bloom_first].target.size;
    return target_init(&picture->glow, finest, GL_RGBA16F, 1, true, why, why_size);
}

bool picture_init(Picture *picture, Size whole, float scale, char *why, int why_size)
{
    memset(picture, 0, sizeof *picture);
    picture->whole = whole;
    picture->scale = scale;
    picture->size = of_scale(whole, scale);
    picture->trail_empty = true;
    if (!target_init(&picture->light, with_margin(picture->size), GL_RGBA16F, 1, true, why,
                     why_size))
        goto fail;
    for (int t = 0; t < 2; t++) // half floats with slow fades stop halfway for ever
        if (!target_init(&picture->trail[t], of_trail(whole, scale), GL_RGBA32F, 1, true, why,
                         why_size))
            goto fail;
    if (!make_bloom(picture, why, why_size)) goto fail;
    return true;
fail:
    picture_free(picture);
    return false;
}

void picture_free(Picture *picture)
{
    target_free(&picture->light);
    target_free(&picture->trail[0]);
    target_free(&picture->trail[1]);
    target_free(&picture->glow);
    for (int l = 0; l < BLOOM_LEVELS; l++) target_free(&picture->bloom[l].target);
    memset(picture, 0, sizeof *picture);
}

void picture_resume(Picture *picture, const Picture *before)
{
    const Target *from = &before->trail[before->newer], *to = &picture->trail[picture->newer];
    picture->trail_empty = before->trail_empty;
    picture->tick = before->tick;
    if (before->trail_empty) return;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, from->framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to->framebuffer);
    glDisable(GL_SCISSOR_TEST);
    glBlitFramebuffer(0, 0, from->size.width, from->size.height, 0, 0, to->size.width,
                      to->size.height, GL_COLOR_BUFFER_BIT, GL_LINEAR);
}

void picture_begin(const Picture *picture)
{
    target_bind(&picture->light);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_DEPTH_TEST);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
}

void picture_textures(const Picture *picture, const Program *program, const float *values)
{
    const Size all = picture->light.size;
    program_texture(program, "u_light", 0, picture->light.textures[0]);
    program_texture(program, "u_trail", 1, picture->trail[picture->newer].textures[0]);
    program_vec4(program, "u_light_inner", (float)picture->size.width / (float)all.width,
                 (float)picture->size.height / (float)all.height, (float)MARGIN / (float)all.width,
                 (float)MARGIN / (float)all.height);
    program_float(program, "u_trail_amount", picture->trail_empty ? 0 : values[GLOBAL_TRAIL]);
}
