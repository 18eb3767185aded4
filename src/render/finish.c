// The last pass: light becomes picture.
#include "render/picture.h"

static void black(const Target *target)
{
    target_bind(target);
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

static void set_bloom(const Picture *picture, const Program *program, const float *values)
{
    const bool any = picture->glow.size.height > 0;
    const Target *glow = any ? &picture->glow : &picture->light;
    const float amount = any ? values[GLOBAL_BLOOM] : 0;
    const float own = bloom_share_of_light(picture, values[GLOBAL_BLOOM_RADIUS]);
    program_texture(program, "u_bloom", 2, glow->textures[0]);
    program_float(program, "u_bloom_amount", amount);
    program_float(program, "u_light_gain", 1 + amount * own);
}

static void set_tone(const Picture *picture, const Program *program, const float *values,
                     uint32_t frame)
{
    const Vec3 background = { values[GLOBAL_BACKGROUND_R], values[GLOBAL_BACKGROUND_G],
                              values[GLOBAL_BACKGROUND_B] };
    program_vec3(program, "u_background", background);
    program_float(program, "u_exposure", exp2f(values[GLOBAL_EXPOSURE]));
    program_float(program, "u_saturation", values[GLOBAL_SATURATION]);
    program_float(program, "u_vignette", values[GLOBAL_VIGNETTE]);
    program_float(program, "u_aspect", (float)picture->size.width / (float)picture->size.height);
    program_float(program, "u_master", values[GLOBAL_MASTER]);
    program_int(program, "u_offset", MARGIN);
    program_int(program, "u_frame", (int)(frame & 63));
}

// What was read here is drawn into in the next frame: no texture is ever bound for both.
static void unbind(void)
{
    for (GLenum unit = 0; unit < 3; unit++) {
        glActiveTexture(GL_TEXTURE0 + unit);
        glBindTexture(GL_TEXTURE_2D, 0);
    }
}

void finish_draw(const Picture *picture, const Passes *passes, const float *values, uint32_t frame,
                 const Target *target)
{
    glDisable(GL_BLEND);
    if (values[GLOBAL_BLACKOUT] > 0) {
        black(target);
        unbind();
        return;
    }
    const Program *program =
        pass_use(passes, picture->scale == 1 ? PASS_FINISH : PASS_FINISH_SCALED);
    target_bind(target);
    picture_textures(picture, program, values);
    set_bloom(picture, program, values);
    set_tone(picture, program, values, frame);
    draw_fullscreen();
    unbind();
}
