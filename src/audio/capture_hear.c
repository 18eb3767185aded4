#include "audio/capture_shared.h"

#include <time.h>

#if defined __SSE__
#include <xmmintrin.h>
#endif

static void flush_to_zero(void)
{
#if defined __SSE__
    _mm_setcsr(_mm_getcsr() | 0x8040); // results and arguments
#elif defined __aarch64__
    uint64_t fpcr;
    __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
    __asm__ volatile("msr fpcr, %0" ::"r"(fpcr | 1U << 24));
#endif
}

// No system call on the machines that matter (vDSO), and never a wait.
static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void write_picked(Ring *ring, const float *in, uint32_t count, const CaptureLayout *layout)
{
    enum { BLOCK = 64 };
    float pairs[BLOCK][2];
    while (count > 0) {
        const uint32_t some = count < BLOCK ? count : BLOCK;
        for (uint32_t n = 0; n < some; n++, in += layout->channels) {
            pairs[n][0] = in[layout->left];
            pairs[n][1] = in[layout->right];
        }
        ring_write(ring, pairs, some);
        count -= some;
    }
}

// From the end, because the last sample of a block with any sound in it is hardly ever zero.
static bool is_silent(const float *in, size_t count)
{
    while (count > 0)
        if (in[--count] != 0) return false;
    return true;
}

// Only one callback runs at a time, so plain loads and stores do.
static uint64_t get(_Atomic uint64_t *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

static void put(_Atomic uint64_t *counter, uint64_t value)
{
    atomic_store_explicit(counter, value, memory_order_relaxed);
}

static void count_samples(CaptureShared *shared, const float *in, uint32_t count, int channels,
                          uint64_t begun)
{
    const uint64_t last = get(&shared->heard_at);
    const uint64_t frames = get(&shared->frames) + count;
    if (last && begun - last > CAPTURE_GAP_MS * 1000000ULL)
        put(&shared->gaps, get(&shared->gaps) + 1);
    if (!is_silent(in, (size_t)count * (size_t)channels)) put(&shared->sounding, frames);
    put(&shared->heard_at, begun);
    put(&shared->frames, frames);
}

RT_SAFE void capture_hear(CaptureShared *shared, const float *in, uint32_t count,
                          const CaptureLayout *layout, bool lost)
{
    const uint64_t begun = now();
    const bool plain = layout->channels == 2 && layout->left == 0 && layout->right == 1;
    flush_to_zero();
    // Counted first: who reads these samples can then know that they follow on a gap.
    if (lost) put(&shared->gaps, get(&shared->gaps) + 1);
    if (in && count > 0) count_samples(shared, in, count, layout->channels, begun);
    if (in && plain) ring_write(capture_ring(shared), in, count);
    if (in && !plain) write_picked(capture_ring(shared), in, count, layout);
    put(&shared->blocks, get(&shared->blocks) + 1);
    const uint64_t took = now() - begun;
    if (took > get(&shared->worst)) put(&shared->worst, took);
}
