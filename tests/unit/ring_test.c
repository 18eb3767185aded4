#include "test.h"

#include <pthread.h>
#include <string.h>

#include "base/base.h"

static void gives_back_what_was_written_in_order(void **state)
{
    (void)state;
    Ring *ring = ring_new(8, sizeof(int));
    int got[8];
    for (int round = 0; round < 100; round++) {
        const int sent[5] = { round, round + 1, round + 2, round + 3, round + 4 };
        assert_int_equal(ring_write(ring, sent, 5), 5);
        assert_int_equal(ring_waiting(ring), 5);
        assert_int_equal(ring_read(ring, got, 8), 5);
        assert_memory_equal(sent, got, sizeof sent);
    }
    ring_free(ring);
}

static void drops_the_newest_when_full_and_counts(void **state)
{
    (void)state;
    Ring *ring = ring_new(4, sizeof(int));
    const int sent[6] = { 1, 2, 3, 4, 5, 6 };
    int got[4];
    assert_int_equal(ring_write(ring, sent, 6), 4);
    assert_int_equal(ring->dropped, 2);
    assert_int_equal(ring_skip(ring, 1), 1);
    assert_int_equal(ring_read(ring, got, 4), 3);
    assert_int_equal(got[0], 2);
    assert_int_equal(got[2], 4);
    ring_free(ring);
}

static void a_free_takes_nothing(void **state)
{
    (void)state;
    ring_free(NULL);
}

enum { SENT = 200000 };

static void *writer(void *ring)
{
    for (uint32_t n = 0; n < SENT;) n += ring_write(ring, &n, 1);
    return NULL;
}

static void two_threads_lose_and_double_nothing(void **state)
{
    (void)state;
    Ring *ring = ring_new(64, sizeof(uint32_t));
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, writer, ring), 0);
    for (uint32_t want = 0, got[16]; want < SENT;) {
        const uint32_t count = ring_read(ring, got, 16);
        for (uint32_t i = 0; i < count; i++) assert_int_equal(got[i], want++);
    }
    pthread_join(thread, NULL);
    assert_int_equal(ring_waiting(ring), 0);
    ring_free(ring);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_back_what_was_written_in_order),
        cmocka_unit_test(drops_the_newest_when_full_and_counts),
        cmocka_unit_test(a_free_takes_nothing),
        cmocka_unit_test(two_threads_lose_and_double_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
