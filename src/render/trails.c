// Trails: a normalised exponential average of the light.  `fade x old + new` once a frame would sum
// to 22 times the light at 30 frames a second and to 104 times at 144; so the trail advances on
// ticks of the show's time, and each tick deposits what the fade takes away from a steady light.
#include "render/picture.h"

#define TICK (1.0 / 60)

enum { TICKS_MOST = 600 }; // in one frame: after a long stall nothing of the old is left anyway

// What a tick takes away besides the fade; with it the last of a fade ends in black.
static const float floor_of_tick = 2e-7f;

// Between the beats of all common frame rates, so that rounding neither skips nor doubles a tick.
static int64_t tick_of(double time)
{
    return (int64_t)floor(time / TICK + 0.3);
}

static void empty(Picture *picture)
{
    target_bind(&picture->trail[picture->newer]);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
}

static void advance(Picture *picture, const Passes *passes, const float *values, int ticks)
{
    const Program *program = pass_use(passes, PASS_TRAIL);
    target_bind(&picture->trail[!picture->newer]);
    picture_textures(picture, program, values);
    program_float(program, "u_keep", fade_over(values[GLOBAL_TRAIL_HALF], (float)(ticks * TICK)));
    program_float(program, "u_floor", (float)ticks * floor_of_tick);
    draw_fullscreen();
    picture->newer = !picture->newer;
}

void trails_step(Picture *picture, const Passes *passes, const float *values, double time)
{
    if (values[GLOBAL_TRAIL] <= 0) {
        picture->trail_empty = true;
        return;
    }
    const int64_t now = tick_of(time);
    if (picture->trail_empty) {
        empty(picture);
        picture->tick = now - 1;
        picture->trail_empty = false;
    }
    const int64_t passed = now >= picture->tick ? now - picture->tick : 1; // the show began anew
    picture->tick = now;
    if (passed == 0) return;
    glDisable(GL_BLEND);
    advance(picture, passes, values, passed < TICKS_MOST ? (int)passed : TICKS_MOST);
}
