// A queue of fixed-size elements between exactly two threads, or two processes that share memory:
// one writes, one reads.  No locks; neither side ever waits.  It holds no pointers, so it may lie in
// memory that is mapped at different addresses.
#pragma once

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    _Alignas(64) _Atomic uint64_t written; // elements ever written; the writer's
    _Atomic uint64_t dropped;              // elements that did not fit; the writer's
    _Alignas(64) _Atomic uint64_t read;    // elements ever read; the reader's
    _Alignas(64) uint32_t capacity;        // in elements, a power of two
    uint32_t stride;                       // bytes an element
    _Alignas(64) unsigned char elements[];
} Ring;

// Bytes that a ring of at least `capacity` elements of `stride` bytes needs.
size_t ring_bytes(uint32_t capacity, uint32_t stride);

// Makes a ring in `memory` (ring_bytes() large, 64-byte aligned), before either side uses it.
Ring *ring_init(void *memory, uint32_t capacity, uint32_t stride);

// The same on the heap; NULL when out of memory.  ring_free takes NULL.
Ring *ring_new(uint32_t capacity, uint32_t stride);
void ring_free(Ring *ring);

// Writer only; real-time safe.  Copies what fits, drops and counts the newest rest, and returns the
// number of elements kept.
uint32_t ring_write(Ring *ring, const void *elements, uint32_t count);

// Reader only.  Takes up to `count` elements, oldest first, and returns how many.
uint32_t ring_read(Ring *ring, void *elements, uint32_t count);

// Reader only.  Throws away up to `count` elements, oldest first, and returns how many.
uint32_t ring_skip(Ring *ring, uint32_t count);

// Reader only.  Elements that can be read now.
uint32_t ring_waiting(const Ring *ring);
