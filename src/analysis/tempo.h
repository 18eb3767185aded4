// How fast the music could be: its novelty (how much new sound a moment brings) held against itself some
// time later.  Knows nothing of where the beats lie, and takes no decision; pulse.c does both.
//
// Everything here runs in steps, a fixed number of hops; a period is a beat's length in steps.
#pragma once

#include <stdbool.h>

enum {
    TEMPO_LAGS = 768, // steps back that the music is held against: 8 s
    TEMPO_PARTS = 4,  // of the spectrum, from low to high
};

typedef struct {
    double step;                         // s
    float past[TEMPO_LAGS][TEMPO_PARTS]; // novelty without its mean, a ring, newest at `now`
    float likeness[TEMPO_LAGS];          // with itself, by lag; a running sum that forgets
    float mean[TEMPO_PARTS];             // of the novelty
    int now;
    long long steps;
} Tempo;

void tempo_tune(Tempo *tempo, double step);

// Hears one step's novelty (0 or more).  Does not allocate.
void tempo_hear(Tempo *tempo, const float novelty[TEMPO_PARTS]);

// How much speaks for beats of about that period, within a hundredth; 0 or more, and only the ratio of
// two says something.
float tempo_worth(const Tempo *tempo, float period);

// The period near that one, within a fiftieth, at which the music goes round best.
float tempo_refined(const Tempo *tempo, float period);

// 0..1: how much the music some of those periods later is like now.
float tempo_regularity(const Tempo *tempo, float period);

// Beats a minute to a period in steps, and back; 0 stays 0.
float tempo_convert(const Tempo *tempo, float bpm_or_period);
