// Bloom: the light at seven sizes, each half as fine as the one before, summed with weights that
// add up to one.  First down, each level from the finer; then up, each blended over the next finer.
#include "render/picture.h"

// How much each size weighs: the radius tilts the weight from the finest to the coarsest.
static void weigh(float radius, float weights[BLOOM_RANKS])
{
    const float ratio = 0.3f * powf(4, clampf(radius, 0, 1));
    float sum = 0;
    for (int r = 0; r < BLOOM_RANKS; r++) sum += weights[r] = powf(ratio, (float)r);
    for (int r = 0; r < BLOOM_RANKS; r++) weights[r] /= sum;
}

float bloom_share_of_light(const Picture *picture, float radius)
{
    float weights[BLOOM_RANKS], share = 0;
    weigh(radius, weights);
    const int first = picture->bloom_count > 0 ? picture->bloom[picture->bloom_first].rank : 0;
    for (int r = 0; r < first; r++) share += weights[r];
    return share;
}

static void half_pixel(const Program *program, Size size)
{
    program_vec2(program, "u_step", 0.5f / (float)size.width, 0.5f / (float)size.height);
}

static void go_down(Picture *picture, const Passes *passes, const float *values)
{
    const Program *program = pass_use(passes, PASS_BLOOM_FIRST);
    const Target *first = &picture->bloom[0].target;
    glDisable(GL_BLEND);
    target_bind(first);
    picture_textures(picture, program, values);
    program_vec2(program, "u_pixel", 1 / (float)picture->size.width,
                 1 / (float)picture->size.height);
    program_float(program, "u_ratio", (float)picture->size.height / (float)first->size.height);
    draw_fullscreen();

    program = pass_use(passes, PASS_BLOOM_DOWN);
    for (int l = 1; l < picture->bloom_count; l++) {
        target_bind(&picture->bloom[l].target);
        program_texture(program, "u_source", 0, picture->bloom[l - 1].target.textures[0]);
        half_pixel(program, picture->bloom[l].target.size);
        draw_fullscreen();
    }
}

static void go_up(Picture *picture, const Passes *passes, const float *weights)
{
    const Program *program = pass_use(passes, PASS_BLOOM_UP);
    const int last = picture->bloom_count - 1;
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_ONE, GL_CONSTANT_COLOR);
    for (int l = last; l > picture->bloom_first; l--) {
        const BloomLevel *coarse = &picture->bloom[l], *fine = &picture->bloom[l - 1];
        const float weight = weights[fine->rank];
        target_bind(&fine->target);
        glBlendColor(weight, weight, weight, weight);
        program_texture(program, "u_source", 0, coarse->target.textures[0]);
        program_float(program, "u_gain", l == last ? weights[coarse->rank] : 1);
        half_pixel(program, coarse->target.size);
        draw_fullscreen();
    }
    glDisable(GL_BLEND);
}

// Smoothed once here instead of at each of the picture's many pixels.
static void smooth(const Picture *picture, const Passes *passes)
{
    const Target *sum = &picture->bloom[picture->bloom_first].target;
    const Program *program = pass_use(passes, PASS_BLOOM_UP);
    target_bind(&picture->glow);
    program_texture(program, "u_source", 0, sum->textures[0]);
    program_float(program, "u_gain", 1);
    half_pixel(program, sum->size);
    draw_fullscreen();
}

void bloom_draw(Picture *picture, const Passes *passes, const float *values)
{
    if (values[GLOBAL_BLOOM] <= 0 || picture->glow.size.height == 0) return;
    float weights[BLOOM_RANKS];
    weigh(values[GLOBAL_BLOOM_RADIUS], weights);
    go_down(picture, passes, values);
    go_up(picture, passes, weights);
    smooth(picture, passes);
}
