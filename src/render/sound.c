#include "render/sound.h"

#include <math.h>
#include <string.h>

enum { FALL_HOPS = 64 };                // that the falling spectrum looks back
static const float FALL_HALF_LIFE = 12; // hops

static GLuint values_texture(int width, int height, const float *zeros)
{
    return texture_new(&(TextureDesc){ .size = { width, height },
                                       .format = GL_R32F,
                                       .layout = GL_RED,
                                       .type = GL_FLOAT,
                                       .pixels = zeros });
}

void sound_init(Sound *s)
{
    static const float silence[PAST_HOPS * ANALYSIS_SPECTRUM];
    *s = (Sound){ .spectrum = values_texture(ANALYSIS_SPECTRUM, 2, silence),
                  .wave = values_texture(ANALYSIS_WAVEFORM, 1, silence),
                  .spectrogram = values_texture(ANALYSIS_SPECTRUM, PAST_HOPS, silence) };
}

void sound_free(Sound *s)
{
    glDeleteTextures(3, (GLuint[]){ s->spectrum, s->wave, s->spectrogram });
    memset(s, 0, sizeof *s);
}

static void put_rows(GLuint texture, int width, int first, int count, const float *values)
{
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, first, width, count, GL_RED, GL_FLOAT, values);
}

// Rises at once and falls by hops, and so alike at any frame rate.
static void find_falling(const Past *past, float *falling)
{
    const float keep = exp2f(-1 / FALL_HALF_LIFE);
    const uint64_t known = past->hops < FALL_HOPS ? past->hops : FALL_HOPS;
    memset(falling, 0, ANALYSIS_SPECTRUM * sizeof *falling);
    for (uint64_t hop = past->hops - known; hop < past->hops; hop++)
        for (int i = 0; i < ANALYSIS_SPECTRUM; i++)
            falling[i] = fmaxf(falling[i] * keep, past->spectrum[hop % PAST_HOPS][i]);
}

static void take_past(Sound *s, const Past *past)
{
    float falling[ANALYSIS_SPECTRUM];
    find_falling(past, falling);
    put_rows(s->spectrum, ANALYSIS_SPECTRUM, 1, 1, falling);
    const uint64_t oldest = past->hops > PAST_HOPS ? past->hops - PAST_HOPS : 0;
    if (s->hops > past->hops || s->hops < oldest) s->hops = oldest;
    while (s->hops < past->hops) { // two stretches where the ring's end lies between
        const int first = (int)(s->hops % PAST_HOPS);
        const uint64_t left = past->hops - s->hops;
        const int count = left < (uint64_t)(PAST_HOPS - first) ? (int)left : PAST_HOPS - first;
        put_rows(s->spectrogram, ANALYSIS_SPECTRUM, first, count, past->spectrum[first]);
        s->hops += (uint64_t)count;
    }
}

void sound_update(Sound *s, const Features *heard, const Past *past)
{
    glActiveTexture(GL_TEXTURE0);
    if (heard) {
        put_rows(s->spectrum, ANALYSIS_SPECTRUM, 0, 1, heard->spectrum);
        put_rows(s->wave, ANALYSIS_WAVEFORM, 0, 1, heard->waveform);
    }
    if (past) take_past(s, past);
}

void sound_textures(const Sound *s, const Program *program)
{
    program_texture(program, "u_spectrum", 3, s->spectrum);
    program_texture(program, "u_wave", 4, s->wave);
    program_texture(program, "u_spectrogram", 5, s->spectrogram);
    program_int(program, "u_newest", (int)((s->hops + PAST_HOPS - 1) % PAST_HOPS));
}
