// The body of the audio callback, with traps on everything that it must not call: in this program
// malloc, locks, files and sleep are ours, and abort while `trapped` is set.
#include "test.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "audio/capture_shared.h"

static volatile bool trapped;
static volatile int caught; // what a trap that shall not abort has seen

static void trap(void)
{
    if (!trapped) return;
    if (caught < 0) { // the test of the traps themselves
        caught = -caught;
        return;
    }
    trapped = false;
    abort();
}

// TRAP(result, name, (parameters), (arguments)): the real one, found behind ours.
#define TRAP(result, name, parameters, arguments)                                                  \
    result name parameters                                                                         \
    {                                                                                              \
        static result(*real) parameters;                                                           \
        trap();                                                                                    \
        if (!real) *(void **)&real = dlsym(RTLD_NEXT, #name);                                      \
        return real arguments;                                                                     \
    }

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
// The sanitizers own malloc and the locks; the other traps stay.
#else
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void __libc_free(void *memory);

// Through libc's own names, because dlsym allocates.
void *malloc(size_t size)
{
    trap();
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    trap();
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    trap();
    return __libc_realloc(memory, size);
}

void free(void *memory)
{
    trap();
    __libc_free(memory);
}

TRAP(int, pthread_mutex_lock, (pthread_mutex_t * mutex), (mutex))
TRAP(int, pthread_mutex_trylock, (pthread_mutex_t * mutex), (mutex))
TRAP(int, pthread_cond_signal, (pthread_cond_t * cond), (cond))
#endif

TRAP(ssize_t, write, (int fd, const void *from, size_t size), (fd, from, size))
TRAP(ssize_t, read, (int fd, void *to, size_t size), (fd, to, size))
TRAP(size_t, fwrite, (const void *from, size_t size, size_t count, FILE *file),
     (from, size, count, file))
TRAP(int, puts, (const char *text), (text))
TRAP(int, nanosleep, (const struct timespec *time, struct timespec *left), (time, left))
TRAP(int, usleep, (useconds_t microseconds), (microseconds))

static CaptureShared *shared_new(void)
{
    CaptureShared *shared = aligned_alloc(64, (capture_shared_bytes() + 63) / 64 * 64);
    assert_non_null(shared);
    memset(shared, 0, sizeof *shared);
    ring_init(shared->ring, CAPTURE_CAPACITY, 2 * sizeof(float));
    return shared;
}

static void hear_layout(CaptureShared *shared, const float *in, uint32_t count,
                        const CaptureLayout *layout)
{
    trapped = true;
    capture_hear(shared, in, count, layout, false);
    trapped = false;
}

static void hear(CaptureShared *shared, const float *in, uint32_t count, int channels)
{
    hear_layout(shared, in, count, &(CaptureLayout){ channels, 0, channels - 1 });
}

static void the_traps_do_catch(void **state)
{
    (void)state;
    caught = -1;
    trapped = true;
    const ssize_t sent = write(-1, "", 0);
    trapped = false;
    assert_int_equal(sent, -1);
    assert_int_equal(caught, 1);
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
    caught = -2;
    trapped = true;
    void *volatile memory = malloc(1);
    trapped = false;
    assert_int_equal(caught, 2);
    free(memory);
#endif
    caught = 0;
}

static void blocks_of_any_size_arrive_whole(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {
        0, 1, 2, 3, 63, 64, 65, 104, 127, 128, 129, 1000, 1023, 4096
    };
    static float in[2 * 4096], got[2 * 4096];
    CaptureShared *shared = shared_new();
    uint64_t frames = 0, blocks = 0;
    for (int n = 0; n < 2 * 4096; n++) in[n] = (float)n;
    for (int round = 0; round < 40; round++)
        for (int s = 0; s < COUNT_OF(sizes); s++)
            for (int channels = 1; channels <= 2; channels++) {
                hear(shared, in, sizes[s], channels);
                assert_int_equal(ring_read(capture_ring(shared), got, 4096), sizes[s]);
                for (uint32_t n = 0; n < sizes[s]; n++) {
                    assert_true(got[2 * n] == in[channels == 2 ? 2 * n : n]);
                    assert_true(got[2 * n + 1] == in[channels == 2 ? 2 * n + 1 : n]);
                }
                frames += sizes[s];
                blocks++;
            }
    assert_int_equal(shared->frames, frames);
    assert_int_equal(shared->blocks, blocks);
    assert_int_equal(capture_ring(shared)->dropped, 0);
    free(shared);
}

static void any_pair_of_many_channels_is_picked(void **state)
{
    (void)state;
    static float in[130 * 16], got[2 * 130];
    CaptureShared *shared = shared_new();
    for (int n = 0; n < COUNT_OF(in); n++) in[n] = (float)n;
    for (int channels = 1; channels <= 16; channels++)
        for (int left = 0; left < channels; left++)
            for (int right = 0; right < channels; right++) {
                hear_layout(shared, in, 130, &(CaptureLayout){ channels, left, right });
                assert_int_equal(ring_read(capture_ring(shared), got, 130), 130);
                for (int n = 0; n < 130; n++) {
                    assert_true(got[2 * n] == in[n * channels + left]);
                    assert_true(got[2 * n + 1] == in[n * channels + right]);
                }
            }
    free(shared);
}

// Silence is what follows on the last block with anything in it.
static void only_exact_zeros_are_silence(void **state)
{
    (void)state;
    static float in[2 * 100];
    CaptureShared *shared = shared_new();
    uint64_t frames = 0;
    for (int at = 0; at < 2 * 100; at += 7) {
        static const float faint[] = { 1e-30f, -1e-9f, NAN, INFINITY, 0.5f };
        in[at] = faint[at % COUNT_OF(faint)];
        hear(shared, in, 100, 2);
        assert_int_equal(shared->sounding, frames += 100);
        in[at] = at % 2 ? -0.0f : 0;
        hear(shared, in, 100, 2);
        assert_int_equal(shared->sounding, frames);
        frames += 100;
    }
    assert_int_equal(shared->frames, frames);
    free(shared);
}

static void pauses_and_told_losses_are_gaps(void **state)
{
    (void)state;
    const float in[2 * 8] = { 0.5f };
    const CaptureLayout stereo = { 2, 0, 1 };
    CaptureShared *shared = shared_new();
    hear(shared, in, 8, 2);
    hear(shared, in, 8, 2);
    assert_int_equal(shared->gaps, 0); // the first block follows on nothing, and the next one soon
    shared->heard_at -= (CAPTURE_GAP_MS + 1) * 1000000ULL;
    hear(shared, in, 0, 2); // a block without samples ends no pause
    assert_int_equal(shared->gaps, 0);
    hear(shared, in, 8, 2);
    assert_int_equal(shared->gaps, 1);
    capture_hear(shared, in, 8, &stereo, true);
    assert_int_equal(shared->gaps, 2);
    assert_true(shared->worst > 0);
    free(shared);
}

static void no_input_is_a_block_without_samples(void **state)
{
    (void)state;
    CaptureShared *shared = shared_new();
    hear(shared, NULL, 512, 2);
    hear(shared, NULL, 512, 1);
    assert_int_equal(ring_waiting(capture_ring(shared)), 0);
    assert_int_equal(shared->frames, 0);
    assert_int_equal(shared->blocks, 2);
    free(shared);
}

static void odd_samples_pass_unchanged(void **state)
{
    (void)state;
    const float odd[6] = { NAN, -NAN, INFINITY, -INFINITY, 4.2f, 1e-42f };
    float got[12];
    CaptureShared *shared = shared_new();
    hear(shared, odd, 3, 2);
    assert_int_equal(ring_read(capture_ring(shared), got, 6), 3);
    assert_memory_equal(got, odd, sizeof odd);
    hear(shared, odd, 6, 1);
    assert_int_equal(ring_read(capture_ring(shared), got, 6), 6);
    for (int n = 0; n < 6; n++) {
        assert_memory_equal(&got[2 * n], &odd[n], sizeof odd[n]);
        assert_memory_equal(&got[2 * n + 1], &odd[n], sizeof odd[n]);
    }
    free(shared);
}

static void a_full_ring_keeps_the_oldest_and_counts_the_rest(void **state)
{
    (void)state;
    static float in[2 * 5000];
    CaptureShared *shared = shared_new();
    const uint32_t rounds = CAPTURE_CAPACITY / 5000 + 2;
    for (uint32_t round = 0; round < rounds; round++) hear(shared, in, 5000, 1 + round % 2);
    assert_int_equal(ring_waiting(capture_ring(shared)), CAPTURE_CAPACITY);
    assert_int_equal(capture_ring(shared)->dropped, rounds * 5000 - CAPTURE_CAPACITY);
    assert_int_equal(shared->frames, rounds * 5000); // health counts what came, not what fitted
    free(shared);
}

static void denormals_are_flushed_afterwards(void **state)
{
    (void)state;
#if defined __SSE__ || defined __aarch64__
    CaptureShared *shared = shared_new();
    const float in[2] = { 0, 0 };
    hear(shared, in, 1, 2);
    volatile float tiny = 1e-30f;
    assert_true(tiny * 1e-12f == 0);
    free(shared);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_traps_do_catch),
        cmocka_unit_test(blocks_of_any_size_arrive_whole),
        cmocka_unit_test(any_pair_of_many_channels_is_picked),
        cmocka_unit_test(only_exact_zeros_are_silence),
        cmocka_unit_test(pauses_and_told_losses_are_gaps),
        cmocka_unit_test(no_input_is_a_block_without_samples),
        cmocka_unit_test(odd_samples_pass_unchanged),
        cmocka_unit_test(a_full_ring_keeps_the_oldest_and_counts_the_rest),
        cmocka_unit_test(denormals_are_flushed_afterwards), // last: it stays set in this thread
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
