#include "base/team.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    THREADS_MAX = 64,
    LOOKS = 500, // some 20 us, which is less than going to sleep and being woken
};

typedef struct Member {
    _Alignas(64) atomic_int next; // the first of its own jobs that nobody has taken
    Team *team;
    pthread_t thread; // of a helper
} Member;

struct Team {
    Member members[THREADS_MAX]; // the first is the caller of team_run
    pthread_mutex_t mutex;
    pthread_cond_t begin, done;
    // Written under the mutex, looked at without it too:
    atomic_uint round; // counts the calls of team_run
    atomic_int inside; // helpers that joined this round and have not finished
    // Under the mutex:
    bool open; // helpers may still join this round
    bool end;
    // Set before a round begins, read in it:
    void (*job)(void *work, int n);
    void *work;
    int count;
    int helpers;
};

// Jobs that are a member's own: the same in every round of as many jobs, so that what it works on
// stays in its core's caches.
static int own_first(const Team *team, int member)
{
    return (int)((int64_t)team->count * member / (team->helpers + 1));
}

static void take_jobs_of(Team *team, int member)
{
    const int end = own_first(team, member + 1);
    for (;;) {
        const int n =
            atomic_fetch_add_explicit(&team->members[member].next, 1, memory_order_relaxed);
        if (n >= end) return;
        team->job(team->work, n);
    }
}

// Its own, and then what others have not come to.
static void take_jobs(Team *team, int member)
{
    const int all = team->helpers + 1;
    for (int n = 0; n < all; n++) take_jobs_of(team, (member + n) % all);
}

static void look_again_soon(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("isb"); // `yield` does nothing on most, this waits about as long as x86's pause
#endif
}

// Whoever has nothing to do looks for a moment whether there is news, and then sleeps.
static void await_round(Team *team, unsigned seen)
{
    for (int n = 0; n < LOOKS && atomic_load(&team->round) == seen; n++) look_again_soon();
}

static void await_helpers(Team *team)
{
    for (int n = 0; n < LOOKS && atomic_load(&team->inside) > 0; n++) look_again_soon();
}

static void *help(void *arg)
{
    Member *member = arg;
    Team *team = member->team;
    const int number = (int)(member - team->members);
    unsigned seen = 0;
    for (;;) {
        await_round(team, seen);
        pthread_mutex_lock(&team->mutex);
        while ((!team->open || team->round == seen) && !team->end)
            pthread_cond_wait(&team->begin, &team->mutex);
        const bool end = team->end;
        seen = team->round;
        team->inside += !end;
        pthread_mutex_unlock(&team->mutex);
        if (end) return NULL;
        take_jobs(team, number);
        pthread_mutex_lock(&team->mutex);
        if (--team->inside == 0) pthread_cond_signal(&team->done);
        pthread_mutex_unlock(&team->mutex);
    }
}

Team *team_new(int threads)
{
    Team *team = aligned_alloc(64, sizeof *team);
    if (!team) return NULL;
    memset(team, 0, sizeof *team);
    pthread_mutex_init(&team->mutex, NULL);
    pthread_cond_init(&team->begin, NULL);
    pthread_cond_init(&team->done, NULL);
    while (team->helpers + 1 < threads && team->helpers + 1 < THREADS_MAX) {
        Member *member = &team->members[team->helpers + 1];
        member->team = team;
        if (pthread_create(&member->thread, NULL, help, member) != 0) break;
        team->helpers++;
    }
    return team;
}

void team_free(Team *team)
{
    if (!team) return;
    pthread_mutex_lock(&team->mutex);
    team->end = true;
    pthread_cond_broadcast(&team->begin);
    pthread_mutex_unlock(&team->mutex);
    for (int n = 0; n < team->helpers; n++) pthread_join(team->members[n + 1].thread, NULL);
    pthread_cond_destroy(&team->done);
    pthread_cond_destroy(&team->begin);
    pthread_mutex_destroy(&team->mutex);
    free(team);
}

int team_threads(const Team *team)
{
    return team->helpers + 1;
}

void team_run(Team *team, void (*job)(void *work, int n), void *work, int count)
{
    // Waking costs more than one job.
    if (team->helpers == 0 || count < 2) {
        for (int n = 0; n < count; n++) job(work, n);
        return;
    }
    pthread_mutex_lock(&team->mutex);
    team->job = job;
    team->work = work;
    team->count = count;
    for (int n = 0; n <= team->helpers; n++)
        atomic_store_explicit(&team->members[n].next, own_first(team, n), memory_order_relaxed);
    team->open = true;
    team->round++;
    pthread_cond_broadcast(&team->begin);
    pthread_mutex_unlock(&team->mutex);

    take_jobs(team, 0);

    pthread_mutex_lock(&team->mutex);
    team->open = false; // who has not woken by now need not
    pthread_mutex_unlock(&team->mutex);
    await_helpers(team);
    pthread_mutex_lock(&team->mutex);
    while (team->inside > 0) pthread_cond_wait(&team->done, &team->mutex);
    pthread_mutex_unlock(&team->mutex);
}
