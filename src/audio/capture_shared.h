// What the capture process and its parent share: one mapping of a memfd.  The parent starts a new
// child only when the last one is dead and reaped, so each field has one writer at a time.
#pragma once

#include <stdatomic.h>
#include <stdint.h>

#include "base/base.h"

enum { CAPTURE_FD = 3 };             // the memfd in the child
enum { CAPTURE_CAPACITY = 1 << 17 }; // frames in the ring: 2.7 s at 48 kHz
enum { CAPTURE_GAP_MS = 150 };       // a longer pause between two blocks is a gap

typedef enum {
    CHILD_OPENING,
    CHILD_OPEN, // the stream runs (whether samples come is another matter)
    CHILD_MOVED, // another input is the right one now: the default has moved, a name has come or gone
    CHILD_NO_DEVICE, // no input on this machine
    CHILD_MISSING,   // strict, and the one asked for is not there
    CHILD_FAILED,    // there is one and it does not open
} ChildStep;

typedef struct {
    char name[128];   // what is heard
    char notice[192]; // why it is not what was asked for
} CaptureText;

typedef struct {
    _Atomic uint32_t step;      // ChildStep; the parent sets OPENING before it starts a child
    _Atomic uint32_t stands_in; // not 0: what is heard stands in for the one asked for
    _Atomic uint32_t rate;      // Hz, of the newest opening
    _Atomic uint32_t openings;  // streams opened so far by all children
    _Atomic uint64_t start;     // ring->written when the newest stream was opened
    _Atomic uint64_t frames;    // heard by the callback so far; what health is measured by
    _Atomic uint64_t blocks;    // callbacks so far
    _Atomic uint64_t sounding;  // `frames` at the end of the last block that was not exactly zero
    _Atomic uint64_t
        heard_at;           // ns of the monotonic clock: the last block with samples; 0: none yet
    _Atomic uint64_t worst; // ns: the longest callback
    _Atomic uint64_t gaps;  // pauses between blocks, and blocks that the driver says are missing
    _Atomic uint32_t
        told; // times that the child has told what it hears; the newest is in text[told % 2]
    CaptureText text[2]; // the other one is the child's
    _Alignas(64) unsigned char ring[];
} CaptureShared;

static inline size_t capture_shared_bytes(void)
{
    return sizeof(CaptureShared) + ring_bytes(CAPTURE_CAPACITY, 2 * sizeof(float));
}

static inline Ring *capture_ring(CaptureShared *shared)
{
    return (Ring *)(void *)shared->ring;
}

// How the samples of a block lie, and which two channels of it are wanted (from 0).
typedef struct {
    int channels, left, right;
} CaptureLayout;

// The whole of what the audio callback does: `count` frames of that layout into the ring as pairs,
// denormals to zero, a few counters.  `in` may be NULL; `lost`: the driver says that samples before
// these are missing.
RT_SAFE void capture_hear(CaptureShared *shared, const float *in, uint32_t count,
                          const CaptureLayout *layout, bool lost);
