// The gain that nobody has to turn: quiet music comes up, noise between the pieces does not.
//
// A gate says whether there is music at all; a hiss of -60 dBFS is none.  Below the gate gains are
// frozen and what is shown fades to nothing, which, once it lasts, is also the analyser's one idea
// of silence.
#pragma once

#include "analysis/analysis.h"

enum {
    GAIN_BLOCKS = 12,  // of a quarter of a second: what a gain knows of the past
    GAIN_PARTS = 3,    // of the spectrum
    GAIN_LASTING = 15, // hops that a rise must last, at most
};

// Opens where a band, as an amplitude, is louder than the hiss would be in it.
typedef struct {
    float opens;     // dB: louder than white hiss
    float level;     // dB, smoothed
    float below_for; // s
    bool open;
} Gate;

// Hears notes and hits in a part of the spectrum, which no steady noise has.
typedef struct {
    float past[GAIN_LASTING]; // dB: the mean of its bins, a ring
    int at;
    float least;       // dB: of the last moments
    float most;        // dB: since it came out of nothing
    float since;       // s since then
    float audible_for; // s
} Riser;

typedef struct {
    float gain;                 // dB
    float loudest[GAIN_BLOCKS]; // a ring of amplitudes
    int block;
    float block_age; // s
    float heard;     // s of sound since it began to look for its gain
    bool settled;    // it has found it: from here on it climbs slowly
} Leveller;

typedef struct {
    float hiss_width; // Hz over which the hiss spreads
    Gate low, wide, band_gate[ANALYSIS_BANDS];
    Riser part[GAIN_PARTS];
    float power[ANALYSIS_SPECTRUM]; // of the spectrum, smoothed
    float bass_power;               // of the bass, likewise
    float power_for;                // s since that was begun
    float alive_for;                // s for which it is still believed to be music
    Leveller all, band[ANALYSIS_BANDS];
    float shown;      // 0..1: how far the picture's end of the gate is open
    float closed_for; // s
    bool soft;        // the gate was opened by degrees, and what is shown comes up by degrees
} Gain;

// What a hop sounds like, as amplitudes before any gain.
typedef struct {
    float peak;
    float low;  // 20 Hz .. 1 kHz
    float wide; // 20 Hz .. 16 kHz
    float bass; // 20 Hz .. 200 Hz
    float spectrum[ANALYSIS_SPECTRUM];
    float band[ANALYSIS_BANDS]; // between the settings' edges
} GainHeard;

// What the hop shall be multiplied with.
typedef struct {
    float all;                  // peak to level; fades to 0 in silence
    float band[ANALYSIS_BANDS]; // `all` included
    float held;                 // `all` as it would be with the gate open
    bool silent;
} GainReport;

// Starts over at a rate.
void gain_tune(Gain *gain, int rate);

// `edges`: ANALYSIS_BANDS + 1 of them, in Hz, rising.
GainReport gain_hear(Gain *gain, const GainHeard *heard, const float *edges, float seconds);
