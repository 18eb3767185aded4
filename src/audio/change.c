#include "audio/change.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 4096 };

// One thread a change: it opens, says so, waits to be given the old source, and closes that.
typedef enum { IDLE, OPENING, OPENED, CLOSING, ENDED } Stage;

typedef struct {
    AudioDesc desc;
    char source[WORDS], log[WORDS]; // the texts of desc
} Wish;

struct Change {
    Wish wish; // the newest, when `wished`; the frame thread's
    bool wished;

    _Atomic int stage;
    pthread_t thread;
    sem_t taken;
    Wish now;           // the thread's from OPENING on
    Source *next, *old; // what it has opened, what it shall close
    char why[192];
};

static void copy_wish(Wish *to, const AudioDesc *desc)
{
    to->desc = *desc;
    to->desc.strict = to->desc.wait = false;
    snprintf(to->source, sizeof to->source, "%s", desc->source ? desc->source : "");
    snprintf(to->log, sizeof to->log, "%s", desc->log ? desc->log : "");
    to->desc.source = to->source;
    to->desc.log = desc->log ? to->log : NULL;
}

static void *work(void *change)
{
    Change *c = change;
    c->next = source_open(&c->now.desc, c->why, sizeof c->why);
    atomic_store(&c->stage, OPENED);
    while (sem_wait(&c->taken) < 0 && errno == EINTR) continue;
    source_close(c->old);
    c->old = NULL;
    atomic_store(&c->stage, ENDED);
    return NULL;
}

// Signals are for the main thread.
static void start(Change *c)
{
    sigset_t all, before;
    copy_wish(&c->now, &c->wish.desc);
    c->wished = false;
    c->why[0] = 0;
    atomic_store(&c->stage, OPENING);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&c->thread, NULL, work, c) != 0) {
        atomic_store(&c->stage, IDLE);
        c->wished = true; // again with the next frame
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void end(Change *c)
{
    pthread_join(c->thread, NULL);
    atomic_store(&c->stage, IDLE);
}

Change *change_new(void)
{
    Change *c = calloc(1, sizeof *c);
    if (c) sem_init(&c->taken, 0, 0);
    return c;
}

void change_free(Change *c)
{
    if (!c) return;
    if (atomic_load(&c->stage) != IDLE) {
        sem_post(&c->taken); // already given, where it is CLOSING: the thread no longer waits
        end(c);
        source_close(c->next);
    }
    sem_destroy(&c->taken);
    free(c);
}

void change_ask(Change *c, const AudioDesc *desc)
{
    copy_wish(&c->wish, desc);
    c->wished = true;
}

bool change_take(Change *c, Source **source, char *why, int why_size)
{
    bool taken = false;
    if (atomic_load(&c->stage) == ENDED) end(c);
    if (atomic_load(&c->stage) == IDLE && c->wished) start(c);
    if (atomic_load(&c->stage) != OPENED) return false;
    c->old = c->next; // one that is no longer wanted
    if (!c->wished) {
        snprintf(why, (size_t)why_size, "%s", c->next ? "" : c->why);
        taken = c->next != NULL;
        if (taken) {
            c->old = *source;
            *source = c->next;
        }
    }
    c->next = NULL;
    atomic_store(&c->stage, CLOSING);
    sem_post(&c->taken);
    return taken;
}
