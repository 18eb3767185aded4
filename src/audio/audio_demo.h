// The demo: sound that is there on any machine.  Every kind is a pure function of the frame's number,
// the rate and the seed; nothing is stored, so reads of any size give the same samples.
#pragma once

#include <stdint.h>

typedef struct {
    int kind; // a row, from demo_find
    int rate; // Hz
    uint32_t seed;
} Demo;

// The row of that kind; "" is the music; -1 when there is none of that name.
int demo_find(const char *kind);

// The name of a row; NULL behind the last.
const char *demo_name(int kind);

// Writes `count` frames (pairs), the first of which is frame number `first` since the start.
void demo_fill(const Demo *demo, uint64_t first, float *samples, uint32_t count);
