// Loudness after EBU R 128: what a listener would call loud, of both channels together.
#pragma once

enum { LOUDNESS_HOPS = 75 }; // the momentary loudness's 400 ms

typedef struct {
    double b[3], a[2]; // y = b0 x + b1 x' + b2 x'' - a1 y' - a2 y''
    double state[2][2];
} Biquad;

typedef struct {
    Biquad shelf, high_pass;     // the standard's K-weighting
    double power[LOUDNESS_HOPS]; // a ring: mean square of each hop, the channels summed
    int next;
} Loudness;

// Starts over at a rate.
void loudness_tune(Loudness *loudness, int rate);

// Hears `count` new samples of each channel; the momentary loudness in LUFS, -70 of less than that.
float loudness_hear(Loudness *loudness, const float *left, const float *right, int count);
