#include "app/sources.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "audio/audio.h"

// All in seconds.
static const double LIST_LIMIT = 3;
static const double YOUNG = 3; // a list that is older is asked for again

struct Sources {
    pthread_t worker;
    bool working;
    sem_t asked;
    _Atomic bool ending;
    Ring *found; // of SourceList

    // The frame thread's.
    SourceList list;
    bool known, waiting;
    double listed_at; // when it came
    int steps;        // that wait for a list
};

// A server that hangs leaves the list as it was.
static void *work(void *argument)
{
    Sources *sources = argument;
    SourceList list = { 0 };
    for (;;) {
        while (sem_wait(&sources->asked) < 0) continue; // interrupted
        if (atomic_load(&sources->ending)) return NULL;
        AudioInput inputs[SOURCES_INPUTS];
        const int count = audio_inputs(inputs, SOURCES_INPUTS, LIST_LIMIT, &sources->ending);
        if (count >= 0) {
            memcpy(list.inputs, inputs, (size_t)count * sizeof *inputs);
            list.count = count;
        }
        ring_write(sources->found, &list, 1);
    }
}

Sources *sources_open(void)
{
    Sources *sources = calloc(1, sizeof *sources);
    if (!sources) return NULL;
    sem_init(&sources->asked, 0, 0);
    sources->found = ring_new(1, sizeof(SourceList));
    if (sources->found) sources->working = !pthread_create(&sources->worker, NULL, work, sources);
    if (sources->working) return sources;
    sources_close(sources);
    return NULL;
}

void sources_close(Sources *sources)
{
    if (!sources) return;
    atomic_store(&sources->ending, true);
    sem_post(&sources->asked);
    if (sources->working) pthread_join(sources->worker, NULL);
    sem_destroy(&sources->asked);
    ring_free(sources->found);
    free(sources);
}

void sources_step(Sources *sources, int steps)
{
    sources->steps += steps;
}

static void take_list(Sources *sources, double now)
{
    if (!sources->waiting || !ring_read(sources->found, &sources->list, 1)) return;
    sources->waiting = false;
    sources->known = true;
    sources->listed_at = now;
}

bool sources_take(Sources *sources, double now, bool shown, const char *current, Message *message)
{
    char words[SOURCES_WORDS];
    take_list(sources, now);
    const bool young = sources->known && now - sources->listed_at < YOUNG;
    if (!young && !sources->waiting && (shown || sources->steps)) {
        sources->waiting = true;
        sem_post(&sources->asked);
    }
    if (!young || !sources->steps) return false;
    source_list_step(&sources->list, current, sources->steps, words);
    sources->steps = 0;
    *message = message_text("/audio/source", words);
    return true;
}

const SourceList *sources_list(const Sources *sources)
{
    return sources->known ? &sources->list : NULL;
}
