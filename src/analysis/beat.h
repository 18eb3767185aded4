// Where the beats lie: predicted from what was heard, so that a beat is flagged in the hop in which it
// sounds (or so much before as settings->early asks), and goes on through a break.  Where nothing is new
// for long, all of it stands still.
#pragma once

#include "analysis/analysis.h"
#include "analysis/pulse.h"
#include "analysis/tempo.h"

enum {
    BEAT_BAR = 4, // beats in a bar
};

typedef struct {
    bool beat;
    float bpm;        // 0: unknown
    float confidence; // 0..1
    float phase;      // 0..1 from this beat to the next
    float bar_phase;  // 0..1 over the bar's beats; where it begins is a guess
} BeatReport;

typedef struct {
    Tempo tempo;
    Pulse pulse;
    double hop; // s
    long long hops, steps;
    float before[3][TEMPO_PARTS]; // novelty: of this step's hops so far, of the two steps before

    double last, next; // hops: the beat before and the one to come; 0 is unknown
    bool aimed;        // the next one was decided on

    double still;     // s without anything new
    float regularity; // the tempo's, smoothed

    float accent, accents[BEAT_BAR]; // of the beat that sounds; of the bar's
    long long begun, told;           // beats: that have sounded; the last that was flagged
    int first;                       // the place of the bar's first beat

    float hand;    // BPM set by hand; 0: none
    double tap;    // hops: the last tap
    int taps;      // in a row
    double tapped; // hops: the first of them
    float seen[BEAT_HANDS];
    bool has_seen;
} Beat;

void beat_tune(Beat *beat, double hop);

// Hears a hop's novelty, 0..1 in each part of the spectrum.  Does not allocate.
BeatReport beat_hear(Beat *beat, const float novelty[TEMPO_PARTS], const HearingSettings *settings);
