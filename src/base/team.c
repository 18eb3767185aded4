#include "base/team.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

enum { THREADS_MAX = 64 };

struct Team {
    pthread_mutex_t mutex;
    pthread_cond_t begin, done;
    // Under the mutex:
    unsigned round; // counts the calls of team_run
    bool open;      // helpers may still join this round
    int inside;     // those that did and have not finished
    bool end;
    // Set before a round begins, read in it:
    void (*job)(void *work, int n);
    void *work;
    int count;
    atomic_int next; // the first n that nobody has taken
    int helpers;
    pthread_t threads[THREADS_MAX];
};

static void take_jobs(Team *team)
{
    for (;;) {
        const int n = atomic_fetch_add_explicit(&team->next, 1, memory_order_relaxed);
        if (n >= team->count) return;
        team->job(team->work, n);
    }
}

static void *help(void *arg)
{
    Team *team = arg;
    unsigned seen = 0;
    pthread_mutex_lock(&team->mutex);
    for (;;) {
        while ((!team->open || team->round == seen) && !team->end)
            pthread_cond_wait(&team->begin, &team->mutex);
        if (team->end) break;
        seen = team->round;
        team->inside++;
        pthread_mutex_unlock(&team->mutex);
        take_jobs(team);
        pthread_mutex_lock(&team->mutex);
        if (--team->inside == 0) pthread_cond_signal(&team->done);
    }
    pthread_mutex_unlock(&team->mutex);
    return NULL;
}

Team *team_new(int threads)
{
    Team *team = calloc(1, sizeof *team);
    if (!team) return NULL;
    pthread_mutex_init(&team->mutex, NULL);
    pthread_cond_init(&team->begin, NULL);
    pthread_cond_init(&team->done, NULL);
    while (team->helpers + 1 < threads && team->helpers < THREADS_MAX) {
        if (pthread_create(&team->threads[team->helpers], NULL, help, team) != 0) break;
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
    for (int n = 0; n < team->helpers; n++) pthread_join(team->threads[n], NULL);
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
    atomic_store_explicit(&team->next, 0, memory_order_relaxed);
    team->open = true;
    team->round++;
    pthread_cond_broadcast(&team->begin);
    pthread_mutex_unlock(&team->mutex);

    take_jobs(team);

    pthread_mutex_lock(&team->mutex);
    team->open = false; // who has not woken by now need not
    while (team->inside > 0) pthread_cond_wait(&team->done, &team->mutex);
    pthread_mutex_unlock(&team->mutex);
}
