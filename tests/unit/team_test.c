#include "test.h"

#include <sched.h>
#include <stdatomic.h>

#include "base/base.h"

enum { MOST = 300 };

typedef struct {
    atomic_int times[MOST];
    int sums[MOST]; // plain: written by whoever takes n, read when all are done
    int round;
} Work;

static void job(void *subject, int n)
{
    Work *work = subject;
    atomic_fetch_add(&work->times[n], 1);
    work->sums[n] += work->round + n;
}

static void every_job_is_done_once_and_before_the_run_is_over(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 5; threads++) {
        Team *team = team_new(threads);
        assert_non_null(team);
        assert_int_equal(team_threads(team), threads);
        for (int round = 0; round < 3000; round++) {
            Work work = { .round = round };
            const int count = (int)(rng_mix((uint32_t)round) % MOST);
            team_run(team, job, &work, count);
            for (int n = 0; n < MOST; n++) {
                assert_int_equal(atomic_load(&work.times[n]), n < count);
                assert_int_equal(work.sums[n], n < count ? round + n : 0);
            }
        }
        team_free(team);
    }
}

// More threads than cores, and than jobs: most have not woken when all is done, or when all is over.
static void a_team_that_nobody_needs_is_in_nobodys_way(void **state)
{
    (void)state;
    for (int threads = 20; threads <= 100; threads += 80)
        for (int runs = 0; runs < 3; runs++) {
            Team *team = team_new(threads);
            assert_non_null(team);
            assert_int_equal(team_threads(team), threads < 64 ? threads : 64);
            for (int round = 0; round < runs; round++) {
                Work work = { .round = round };
                team_run(team, job, &work, 2 + round);
                for (int n = 0; n < MOST; n++)
                    assert_int_equal(work.sums[n], n < 2 + round ? round + n : 0);
            }
            team_free(team);
        }
}

typedef struct {
    atomic_int begun;
    int threads;
} Meeting;

static void meet(void *subject, int n)
{
    (void)n;
    Meeting *meeting = subject;
    atomic_fetch_add(&meeting->begun, 1);
    while (atomic_load(&meeting->begun) < meeting->threads) sched_yield();
}

static void all_threads_work_at_once(void **state)
{
    (void)state;
    for (int threads = 2; threads <= 5; threads++) {
        Team *team = team_new(threads);
        for (int round = 0; round < 20; round++) {
            Meeting meeting = { .threads = threads };
            team_run(team, meet, &meeting, threads);
            assert_int_equal(atomic_load(&meeting.begun), threads);
        }
        team_free(team);
    }
}

static void nothing_to_free_is_freed(void **state)
{
    (void)state;
    team_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_job_is_done_once_and_before_the_run_is_over),
        cmocka_unit_test(a_team_that_nobody_needs_is_in_nobodys_way),
        cmocka_unit_test(all_threads_work_at_once),
        cmocka_unit_test(nothing_to_free_is_freed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
