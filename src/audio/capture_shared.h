// What the capture process and its parent share: one mapping of a memfd.  The parent starts a new
// child only when the last one is dead and reaped, so each field has one writer at a time.
#pragma once

#include <stdatomic.h>
#include <stdint.h>

#include "base/base.h"

enum { CAPTURE_FD = 3 };             // the memfd in the child
enum { CAPTURE_CAPACITY = 1 << 17 }; // frames in the ring: 2.7 s at 48 kHz

typedef enum {
    CHILD_OPENING,
    CHILD_OPEN,      // the stream runs (whether samples come is another matter)
    CHILD_NO_DEVICE, // no input on this machine
    CHILD_MISSING,   // strict, and the one asked for is not there
    CHILD_FAILED,    // there is one and it does not open
} ChildStep;

typedef struct {
    _Atomic uint32_t step;     // ChildStep; the parent sets OPENING before it starts a child
    _Atomic uint32_t rate;     // Hz, of the newest opening
    _Atomic uint32_t openings; // streams opened so far by all children
    _Atomic uint64_t start;    // ring->written when the newest stream was opened
    _Atomic uint64_t frames;   // heard by the callback so far; what health is measured by
    _Atomic uint64_t blocks;   // callbacks so far
    char name[128];            // what is heard; both texts are the child's until CHILD_OPEN
    char notice[192];          // why it is not what was asked for
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

// The whole of what the audio callback does: `count` frames of one or two channels into the ring,
// denormals to zero, two counters.  `in` may be NULL.
RT_SAFE void capture_hear(CaptureShared *shared, const float *in, uint32_t count, int channels);
