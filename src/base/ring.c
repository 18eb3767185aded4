#include "base/ring.h"

#include <stdlib.h>
#include <string.h>

static uint32_t power_of_two(uint32_t at_least)
{
    uint32_t power = 1;
    while (power < at_least && power < 1U << 31) power <<= 1;
    return power;
}

size_t ring_bytes(uint32_t capacity, uint32_t stride)
{
    const size_t bytes = sizeof(Ring) + (size_t)power_of_two(capacity) * stride;
    return (bytes + 63) / 64 * 64;
}

Ring *ring_init(void *memory, uint32_t capacity, uint32_t stride)
{
    Ring *ring = memory;
    atomic_init(&ring->written, 0);
    atomic_init(&ring->dropped, 0);
    atomic_init(&ring->read, 0);
    ring->capacity = power_of_two(capacity);
    ring->stride = stride;
    return ring;
}

Ring *ring_new(uint32_t capacity, uint32_t stride)
{
    void *memory = aligned_alloc(64, ring_bytes(capacity, stride));
    return memory ? ring_init(memory, capacity, stride) : NULL;
}

void ring_free(Ring *ring)
{
    free(ring);
}

uint32_t ring_write(Ring *ring, const void *elements, uint32_t count)
{
    const uint64_t written = atomic_load_explicit(&ring->written, memory_order_relaxed);
    const uint64_t read = atomic_load_explicit(&ring->read, memory_order_acquire);
    const uint64_t space = ring->capacity - (written - read);
    const uint32_t kept = count < space ? count : (uint32_t)space;
    const uint32_t at = (uint32_t)written & (ring->capacity - 1);
    const uint32_t first = kept < ring->capacity - at ? kept : ring->capacity - at;
    const size_t stride = ring->stride;
    const unsigned char *from = elements;

    memcpy(ring->elements + at * stride, from, first * stride);
    memcpy(ring->elements, from + first * stride, (kept - first) * stride);
    atomic_store_explicit(&ring->written, written + kept, memory_order_release);
    if (kept < count)
        atomic_fetch_add_explicit(&ring->dropped, count - kept, memory_order_relaxed);
    return kept;
}

uint32_t ring_waiting(const Ring *ring)
{
    return (uint32_t)(atomic_load_explicit(&ring->written, memory_order_acquire) -
                      atomic_load_explicit(&ring->read, memory_order_relaxed));
}

uint32_t ring_read(Ring *ring, void *elements, uint32_t count)
{
    const uint32_t waiting = ring_waiting(ring);
    const uint64_t read = atomic_load_explicit(&ring->read, memory_order_relaxed);
    const uint32_t taken = count < waiting ? count : waiting;
    const uint32_t at = (uint32_t)read & (ring->capacity - 1);
    const uint32_t first = taken < ring->capacity - at ? taken : ring->capacity - at;
    const size_t stride = ring->stride;
    unsigned char *to = elements;

    memcpy(to, ring->elements + at * stride, first * stride);
    memcpy(to + first * stride, ring->elements, (taken - first) * stride);
    atomic_store_explicit(&ring->read, read + taken, memory_order_release);
    return taken;
}

uint32_t ring_skip(Ring *ring, uint32_t count)
{
    const uint32_t waiting = ring_waiting(ring);
    const uint32_t taken = count < waiting ? count : waiting;
    const uint64_t read = atomic_load_explicit(&ring->read, memory_order_relaxed);
    atomic_store_explicit(&ring->read, read + taken, memory_order_release);
    return taken;
}
