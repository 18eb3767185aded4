#include "app/bench_known.h"

#include <stdio.h>
#include <stdlib.h>

#include "gfx/gfx.h"

enum { ROW = 1024, COPIES = 2 };

enum { VELOCITY, POSITION, BIRTH, COPY, PROGRAMS };

static const ProgramDesc programs[PROGRAMS] = {
    [VELOCITY] = { "fullscreen.vert", "bench/velocity.frag" },
    [POSITION] = { "fullscreen.vert", "bench/position.frag" },
    [BIRTH] = { "fullscreen.vert", "bench/birth.frag" },
    [COPY] = { "fullscreen.vert", "bench/copy.frag" },
};

struct Known {
    Program *programs[PROGRAMS];
    Target state;                 // position and age, velocity and life
    Target velocities, positions; // half-way: one texture each
    Target copies[COPIES];        // of the bound
    int newest;                   // of those
    uint32_t frame;
};

static bool make_targets(Known *known, Size size, char *why, int why_size)
{
    Target *const pairs[] = { &known->state, &known->copies[0], &known->copies[1] };
    Target *const singles[] = { &known->velocities, &known->positions };
    for (int n = 0; n < COUNT_OF(pairs); n++)
        if (!target_init(pairs[n], size, GL_RGBA32F, 2, false, why, why_size)) return false;
    for (int n = 0; n < COUNT_OF(singles); n++)
        if (!target_init(singles[n], size, GL_RGBA32F, 1, false, why, why_size)) return false;
    return true;
}

static bool load_programs(Known *known, const char *shaders, char *why, int why_size)
{
    for (int n = 0; n < PROGRAMS; n++) {
        known->programs[n] = program_load(shaders, &programs[n], why, why_size);
        if (!known->programs[n]) return false;
    }
    return true;
}

Known *known_new(const char *shaders, uint32_t particles, char *why, int why_size)
{
    const Size size = { ROW, (int)((particles + ROW - 1) / ROW) };
    snprintf(why, (size_t)why_size, "no memory to measure %u particles", (unsigned)particles);
    Known *known = calloc(1, sizeof *known);
    if (!known) return NULL;
    if (load_programs(known, shaders, why, why_size) && make_targets(known, size, why, why_size))
        return known;
    known_free(known);
    return NULL;
}

void known_free(Known *known)
{
    if (!known) return;
    for (int n = 0; n < PROGRAMS; n++) program_free(known->programs[n]);
    target_free(&known->state);
    target_free(&known->velocities);
    target_free(&known->positions);
    for (int n = 0; n < COPIES; n++) target_free(&known->copies[n]);
    free(known);
}

static const Program *begin_pass(const Known *known, int pass, const Target *into, GLuint positions,
                                 GLuint velocities)
{
    const Program *program = known->programs[pass];
    program_use(program);
    target_bind(into);
    program_texture(program, "u_positions", 0, positions);
    program_texture(program, "u_velocities", 1, velocities);
    return program;
}

// The numbers of the benchmark's own field.
void known_step(Known *known, float dt)
{
    const GLuint *state = known->state.textures;
    const GLuint velocities = known->velocities.textures[0],
                 positions = known->positions.textures[0];
    glDisable(GL_BLEND);
    const Program *p = begin_pass(known, VELOCITY, &known->velocities, state[0], state[1]);
    program_float(p, "u_gravity", -1);
    program_float(p, "u_drag", 0.5f);
    program_float(p, "u_pull", 5);
    program_float(p, "u_jitter", 0.5f);
    program_float(p, "u_dt", dt);
    program_uint(p, "u_frame", known->frame);
    draw_fullscreen();

    p = begin_pass(known, POSITION, &known->positions, state[0], velocities);
    program_float(p, "u_dt", dt);
    draw_fullscreen();

    p = begin_pass(known, BIRTH, &known->state, positions, velocities);
    program_float(p, "u_share", 0.5f);
    program_float(p, "u_life", 4);
    program_uint(p, "u_frame", known->frame++);
    draw_fullscreen();
}

void known_copy(Known *known)
{
    const Target *from = &known->copies[known->newest], *to = &known->copies[!known->newest];
    glDisable(GL_BLEND);
    begin_pass(known, COPY, to, from->textures[0], from->textures[1]);
    draw_fullscreen();
    known->newest = !known->newest;
}
