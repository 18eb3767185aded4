// How fast the music is: its novelty (how much new sound a moment brings) held against itself some
// time later.  Knows nothing of where the beats lie; beat.c does.
//
// Everything here runs in steps, a fixed number of hops; a period is a beat's length in steps.
#pragma once

#include <stdbool.h>

enum {
    TEMPO_LAGS = 768,    // steps back that the music is held against: 8 s
    TEMPO_PARTS = 4,     // of the spectrum, from low to high
    TEMPO_GUESSES = 240, // candidates, evenly spaced in the logarithm
};

typedef struct {
    float low, high; // BPM
    float centre;    // BPM that is likeliest before anything is heard
    float width;     // octaves to both sides of it: the prior's standard deviation
} TempoRange;

typedef struct {
    double step;                         // s
    float past[TEMPO_LAGS][TEMPO_PARTS]; // novelty without its mean, a ring, newest at `now`
    float likeness[TEMPO_LAGS];          // with itself, by lag; a running sum that forgets
    float mean[TEMPO_PARTS];             // of the novelty
    int now;
    long long steps;
    float score[TEMPO_GUESSES];
    float period;     // steps; 0: nothing known
    float regularity; // 0..1: how much a period later is like now
    int rival;        // steps for which another tempo was better
} Tempo;

void tempo_tune(Tempo *tempo, double step);

// Hears one step's novelty (0 or more).  Does not allocate.
void tempo_hear(Tempo *tempo, const float novelty[TEMPO_PARTS], const TempoRange *range);

// Takes this period from now on, as long as the music does not contradict it.
void tempo_set(Tempo *tempo, float period);

// Beats a minute to a period in steps, and back; 0 stays 0.
float tempo_convert(const Tempo *tempo, float bpm_or_period);
