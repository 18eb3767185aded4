// Which of all possible beats the music moves to.  Every tempo at every phase is kept up all the time as
// a hypothesis with a score; the best of them leads, and another must be better for a while to take over.
// Runs in the steps of tempo.h.
#pragma once

#include <stdint.h>

#include "analysis/tempo.h"

enum {
    PULSE_TEMPOS = 208, // hypotheses of tempo, evenly spaced in the logarithm
    PULSE_PLACES = 192, // hypotheses of phase at the slowest: one a step
    PULSE_PARTS = 48,   // of a beat, in which its shape is told
};

static const float PULSE_SLOWEST = 30, PULSE_FASTEST = 400; // BPM

typedef struct {
    float low, high; // BPM
    float centre;    // BPM that is likeliest before anything is heard
    float width;     // octaves to both sides of it: the prior's standard deviation
} TempoRange;

// All beats of about one tempo.  The one that began n steps ago stands in score[(head + n) % places].
typedef struct {
    float period; // steps
    int places;   // the same, rounded
    int head;
    float turn;  // places by which the ring has still to turn; below 1
    int turned;  // places, in this step
    float worth; // the tempo's own: logarithm
    uint8_t part[PULSE_PLACES];
    float score[PULSE_PLACES];
} PulseRing;

typedef struct {
    double step; // s
    PulseRing ring[PULSE_TEMPOS];
    int first, end; // those in the range
    float mean[TEMPO_PARTS], power[TEMPO_PARTS];
    float shape[TEMPO_PARTS][PULSE_PARTS];

    int leader;   // the ring of the beat that leads
    float period; // steps: its beats' length; 0: none leads yet
    float phase;  // 0..1: how much of the beat is over
    double rival; // s for which another was better
    bool jumped;  // another took over in this step
} Pulse;

void pulse_tune(Pulse *pulse, double step);

// Hears a step's novelty, which `tempo` has heard.  Does not allocate.
void pulse_hear(Pulse *pulse, const float novelty[TEMPO_PARTS], const Tempo *tempo,
                const TempoRange *range);

// A step of a break: the beats are counted through, and nothing is learned.
void pulse_pass(Pulse *pulse);

// From now on that period leads, at the phase where it stands, for as long as it is in the range and the
// music does not contradict it.
void pulse_set(Pulse *pulse, float period);

// The leader is at that phase, and all that spoke for another is forgotten.
void pulse_place(Pulse *pulse, float phase);
