#include "app/sources.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/clock.h"
#include "audio/audio.h"

enum { NAMES_MAX = 64, WAITING = 4, SOURCE = AUDIO_NAME + 8, NAP_MS = 10 };

// A server that hangs must not keep the program from ending within two seconds.
static const double LIST_SECONDS = 1.5;

typedef struct {
    char source[SOURCE]; // as audio/source takes it
} Choice;

struct Sources {
    Ring *asked, *found; // of Choice
    atomic_bool ending;
    pthread_t worker;
    bool working;
};

static void add(Choice *list, int *count, const char *kind, const char *name)
{
    snprintf(list[(*count)++].source, SOURCE, "%s%s", kind, name);
}

// What there is now; the first and the last two are always there.
static int list_choices(Choice *list)
{
    char names[NAMES_MAX][AUDIO_NAME];
    int count = 0;
    const int inputs = audio_names(names, NAMES_MAX, LIST_SECONDS);
    add(list, &count, "input", "");
    for (int i = 0; i < inputs; i++) add(list, &count, "input:", names[i]);
    add(list, &count, "system", "");
    add(list, &count, "demo", "");
    return count;
}

static Choice step(const Choice *current)
{
    Choice list[NAMES_MAX + 3];
    const int count = list_choices(list);
    const char *now = current->source[0] ? current->source : "input";
    int at = -1;
    for (int i = 0; i < count; i++)
        if (!strcmp(list[i].source, now)) at = i;
    return list[(at + 1) % count];
}

static void *work(void *argument)
{
    Sources *sources = argument;
    while (!atomic_load(&sources->ending)) {
        Choice choice;
        if (ring_read(sources->asked, &choice, 1)) {
            choice = step(&choice);
            ring_write(sources->found, &choice, 1);
        }
        clock_wait(clock_now() + NAP_MS * 1e-3);
    }
    return NULL;
}

Sources *sources_open(void)
{
    Sources *sources = calloc(1, sizeof *sources);
    if (!sources) return NULL;
    sources->asked = ring_new(WAITING, sizeof(Choice));
    sources->found = ring_new(WAITING, sizeof(Choice));
    if (sources->asked && sources->found)
        sources->working = !pthread_create(&sources->worker, NULL, work, sources);
    if (sources->working) return sources;
    sources_close(sources);
    return NULL;
}

void sources_close(Sources *sources)
{
    if (!sources) return;
    atomic_store(&sources->ending, true);
    if (sources->working) pthread_join(sources->worker, NULL);
    ring_free(sources->asked);
    ring_free(sources->found);
    free(sources);
}

void sources_ask(Sources *sources, const char *current)
{
    Choice choice;
    snprintf(choice.source, sizeof choice.source, "%s", current);
    // A key that is held while a list is under way asks once.
    if (ring_waiting(sources->asked) == 0) ring_write(sources->asked, &choice, 1);
}

bool sources_take(Sources *sources, Message *message)
{
    Choice choice;
    if (!ring_read(sources->found, &choice, 1)) return false;
    *message = message_text("/audio/source", choice.source);
    return true;
}
