#include "app/playlist.h"

#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "app/clock.h"
#include "app/where.h"

enum { NAMES_MAX = 1024, WAITING = 8, NAP_MS = 10 };

typedef struct {
    char name[WHERE_PATH]; // "": by step
    int step;
} Request;

struct Playlist {
    char folder[WHERE_PATH];
    char names[NAMES_MAX][PLAYLIST_NAME]; // without .json
    int count, at;                        // `at` is the worker's: -1 before the first
    Ring *requests, *answers, *returned;
    atomic_bool ending;
    pthread_t worker;
    bool working;
};

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void read_names(Playlist *list)
{
    DIR *folder = opendir(list->folder);
    if (!folder) return;
    for (struct dirent *entry; (entry = readdir(folder)) && list->count < NAMES_MAX;) {
        const size_t length = strlen(entry->d_name);
        if (length <= 5 || length - 5 >= PLAYLIST_NAME || entry->d_name[0] == '.') continue;
        if (strcmp(entry->d_name + length - 5, ".json")) continue;
        memcpy(list->names[list->count], entry->d_name, length - 5);
        list->names[list->count++][length - 5] = 0;
    }
    closedir(folder);
    qsort(list->names, (size_t)list->count, sizeof list->names[0], by_name);
}

static void short_name(const char *path, char name[PLAYLIST_NAME])
{
    const char *slash = strrchr(path, '/');
    snprintf(name, PLAYLIST_NAME, "%s", slash ? slash + 1 : path);
    char *dot = strrchr(name, '.');
    if (dot) *dot = 0;
}

static void stand_at(Playlist *list, const char *name)
{
    for (int i = 0; i < list->count; i++)
        if (!strcmp(list->names[i], name)) list->at = i;
}

static void load(Playlist *list, const char *name, PlaylistAnswer *answer)
{
    char path[WHERE_PATH];
    *answer = (PlaylistAnswer){ 0 };
    short_name(name, answer->name);
    if (!where_preset(name, path, answer->why, sizeof answer->why)) return;
    answer->preset = preset_load(path, answer->why, sizeof answer->why);
    if (!answer->preset) return;
    answer->why[0] = 0;
    stand_at(list, answer->name);
}

static int around(int at, int count)
{
    return ((at % count) + count) % count;
}

static void load_step(Playlist *list, int step, PlaylistAnswer *answer)
{
    *answer = (PlaylistAnswer){ .why = "there are no presets to step to" };
    const int start = list->at;
    const int stride = step < 0 ? -1 : 1;
    for (int tried = 0; tried < list->count; tried++) {
        const int at =
            around((start < 0 && step > 0 ? 0 : start + step) + tried * stride, list->count);
        char path[WHERE_PATH + PLAYLIST_NAME + 8];
        snprintf(path, sizeof path, "%s/%s.json", list->folder, list->names[at]);
        snprintf(answer->name, sizeof answer->name, "%s", list->names[at]);
        answer->preset = preset_load(path, answer->why, sizeof answer->why);
        list->at = at;
        if (answer->preset) {
            answer->why[0] = 0;
            return;
        }
    }
    list->at = start;
}

static void *work(void *argument)
{
    Playlist *list = argument;
    while (!atomic_load(&list->ending)) {
        Request request;
        PlaylistAnswer answer;
        Preset *old;
        while (ring_read(list->returned, &old, 1)) preset_free(old);
        while (ring_read(list->requests, &request, 1)) {
            if (request.name[0])
                load(list, request.name, &answer);
            else
                load_step(list, request.step, &answer);
            if (!ring_write(list->answers, &answer, 1)) preset_free(answer.preset);
        }
        clock_wait(clock_now() + NAP_MS * 1e-3);
    }
    return NULL;
}

Playlist *playlist_open(const char *folder, const char *current, char *why, int why_size)
{
    Playlist *list = calloc(1, sizeof *list);
    if (!list) goto fail;
    snprintf(list->folder, sizeof list->folder, "%s", folder);
    read_names(list);
    list->at = -1;
    stand_at(list, current);
    list->requests = ring_new(WAITING, sizeof(Request));
    list->answers = ring_new(WAITING, sizeof(PlaylistAnswer));
    list->returned = ring_new(WAITING, sizeof(Preset *));
    if (!list->requests || !list->answers || !list->returned) goto fail;
    list->working = !pthread_create(&list->worker, NULL, work, list);
    if (list->working) return list;

fail:
    snprintf(why, (size_t)why_size, "presets: out of memory or threads");
    playlist_close(list);
    return NULL;
}

void playlist_close(Playlist *list)
{
    if (!list) return;
    atomic_store(&list->ending, true);
    if (list->working) pthread_join(list->worker, NULL);
    PlaylistAnswer answer;
    Preset *old;
    while (list->answers && ring_read(list->answers, &answer, 1)) preset_free(answer.preset);
    while (list->returned && ring_read(list->returned, &old, 1)) preset_free(old);
    ring_free(list->requests);
    ring_free(list->answers);
    ring_free(list->returned);
    free(list);
}

void playlist_ask(Playlist *list, const char *name)
{
    Request request = { .step = 0 };
    snprintf(request.name, sizeof request.name, "%s", name);
    ring_write(list->requests, &request, 1);
}

void playlist_ask_step(Playlist *list, int step)
{
    ring_write(list->requests, &(Request){ .step = step }, 1);
}

bool playlist_take(Playlist *list, PlaylistAnswer *answer)
{
    return ring_read(list->answers, answer, 1) == 1;
}

void playlist_return(Playlist *list, Preset *preset)
{
    if (preset && !ring_write(list->returned, &preset, 1)) preset_free(preset);
}
