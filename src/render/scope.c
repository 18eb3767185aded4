// All lengths are shares of the picture's height, so that it looks the same at any size of the picture.
#include <math.h>

#include "render/sound.h"

enum { OFF, WAVE, RING, SPECTRUM, SPECTROGRAM }; // look/scope/kind

typedef struct {
    float x, y;
} Reach;

// How far from its middle the scope draws.
static Reach reach_of(const float *values)
{
    const bool ring = (int)values[GLOBAL_SCOPE] == RING;
    const float half = values[GLOBAL_SCOPE_SIZE] / (ring ? 4 : 2), side = values[GLOBAL_SCOPE_REACH];
    const float line = values[GLOBAL_SCOPE_LINE] + 0.01f;
    const float x = half + line + (ring ? side : 0), y = (ring ? half : 0) + side + line;
    const float angle = values[GLOBAL_SCOPE_ANGLE] * (float)M_PI / 180;
    const float along = fabsf(cosf(angle)), across = fabsf(sinf(angle));
    return (Reach){ x * along + y * across, x * across + y * along };
}

// Only the pixels around it are drawn.
static void cut(const Picture *picture, const float *values)
{
    const Reach reach = reach_of(values);
    const float height = (float)picture->size.height;
    const float x = MARGIN + 0.5f * (float)picture->size.width + values[GLOBAL_SCOPE_X] * height;
    const float y = MARGIN + 0.5f * height + values[GLOBAL_SCOPE_Y] * height;
    glEnable(GL_SCISSOR_TEST);
    glScissor((int)floorf(x - reach.x * height), (int)floorf(y - reach.y * height),
              (int)ceilf(2 * reach.x * height) + 1, (int)ceilf(2 * reach.y * height) + 1);
}

static void set_scope(const Program *program, const Picture *picture, const float *values)
{
    const float angle = values[GLOBAL_SCOPE_ANGLE] * (float)M_PI / 180;
    program_int(program, "u_kind", (int)values[GLOBAL_SCOPE]);
    program_int(program, "u_offset", MARGIN);
    program_vec2(program, "u_picture", (float)picture->size.width, (float)picture->size.height);
    program_vec2(program, "u_middle", values[GLOBAL_SCOPE_X], values[GLOBAL_SCOPE_Y]);
    program_vec2(program, "u_turn", cosf(angle), sinf(angle));
    program_float(program, "u_size", values[GLOBAL_SCOPE_SIZE]);
    program_float(program, "u_reach", values[GLOBAL_SCOPE_REACH]);
    program_float(program, "u_line", values[GLOBAL_SCOPE_LINE]);
    program_float(program, "u_amount", values[GLOBAL_SCOPE_AMOUNT]);
    program_vec3(program, "u_soft",
                 (Vec3){ values[GLOBAL_SCOPE_R], values[GLOBAL_SCOPE_G], values[GLOBAL_SCOPE_B] });
    program_vec3(program, "u_loud",
                 (Vec3){ values[GLOBAL_SCOPE_ACCENT_R], values[GLOBAL_SCOPE_ACCENT_G],
                         values[GLOBAL_SCOPE_ACCENT_B] });
}

void scope_draw(const Picture *picture, const Passes *passes, const Sound *sound,
                const float *values)
{
    if ((int)values[GLOBAL_SCOPE] == OFF || values[GLOBAL_SCOPE_AMOUNT] <= 0) return;
    if (values[GLOBAL_SCOPE_SIZE] <= 0) return;
    const Program *program = pass_use(passes, PASS_SCOPE);
    target_bind(&picture->light);
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_ONE, GL_ONE);
    sound_textures(sound, program);
    set_scope(program, picture, values);
    cut(picture, values);
    draw_fullscreen();
    glDisable(GL_SCISSOR_TEST);
}
