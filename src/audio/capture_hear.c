#include "audio/capture_shared.h"

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

static void write_doubled(Ring *ring, const float *in, uint32_t count)
{
    enum { BLOCK = 64 };
    float pairs[BLOCK][2];
    while (count > 0) {
        const uint32_t some = count < BLOCK ? count : BLOCK;
        for (uint32_t n = 0; n < some; n++) pairs[n][0] = pairs[n][1] = in[n];
        ring_write(ring, pairs, some);
        in += some;
        count -= some;
    }
}

// Only one callback runs at a time, so plain stores do for counting.
static void add(_Atomic uint64_t *counter, uint64_t more)
{
    const uint64_t so_far = atomic_load_explicit(counter, memory_order_relaxed);
    atomic_store_explicit(counter, so_far + more, memory_order_relaxed);
}

RT_SAFE void capture_hear(CaptureShared *shared, const float *in, uint32_t count, int channels)
{
    flush_to_zero();
    if (in && channels == 2) ring_write(capture_ring(shared), in, count);
    if (in && channels == 1) write_doubled(capture_ring(shared), in, count);
    add(&shared->frames, in ? count : 0);
    add(&shared->blocks, 1);
}
