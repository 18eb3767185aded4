#include "app/playlist.h"

#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/clock.h"

enum { NAMES_MAX = 1024, WAITING = 8, NAP_MS = 10 };
static const double GRACE = 3; // s

typedef enum { ASK, STEP, SAVE } RequestKind;

typedef struct {
    RequestKind kind;
    int step;
    char name[WHERE_PATH];
} Request;

typedef struct {
    char name[PLAYLIST_NAME]; // without .json
    bool own;                 // loaded from the own folder
} Entry;

// Who frees the list: whoever comes second of the worker that ends and the close that waits no more.
typedef enum { WORKING, ENDED, LEFT } Life;

struct Playlist {
    char folder[WHERE_PATH], own[WHERE_PATH]; // "": none
    Entry entries[NAMES_MAX];
    int count, shipped; // the first `shipped` stand in `folder`
    int at;             // -1 before the first; the worker's, as the entries are
    Params *look;       // to be saved; the worker's while `saving`
    atomic_bool saving, ending;
    Ring *requests, *answers, *returned;
    pthread_t worker;
    bool working;
    atomic_int life;
};

// ---- places ----

bool playlist_own(char path[WHERE_PATH])
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    int needed = WHERE_PATH;
    path[0] = 0;
    if (data && data[0] == '/') // a relative one shall be ignored
        needed = snprintf(path, WHERE_PATH, "%s/motes/presets", data);
    else if (home && home[0] == '/')
        needed = snprintf(path, WHERE_PATH, "%s/.local/share/motes/presets", home);
    if (needed >= WHERE_PATH) path[0] = 0;
    return path[0] != 0;
}

// The file of a plain name, if it is there.
static bool in_folder(const char *folder, const char *name, char path[WHERE_PATH])
{
    if (!folder[0] || strchr(name, '/')) return false;
    const int needed = snprintf(path, WHERE_PATH, "%s/%s.json", folder, name);
    return needed < WHERE_PATH && file_exists(path);
}

bool playlist_find(const char *name, char path[WHERE_PATH], char *why, int why_size)
{
    char own[WHERE_PATH];
    return (playlist_own(own) && in_folder(own, name, path)) ||
           where_preset(name, path, why, why_size);
}

bool playlist_asset(const char *name, char path[WHERE_PATH], char *why, int why_size)
{
    char folders[2][WHERE_PATH] = { "", "" };
    if (!strchr(name, '/')) {
        playlist_own(folders[0]);
        if (!where_folder("presets", folders[1], why, why_size)) folders[1][0] = 0;
    }
    for (int n = 0; n < COUNT_OF(folders); n++) {
        if (!folders[n][0]) continue;
        const int needed = snprintf(path, WHERE_PATH, "%s/%s", folders[n], name);
        if (needed < WHERE_PATH && file_exists(path)) return true;
    }
    snprintf(path, WHERE_PATH, "%s", name);
    if (file_exists(path)) return true;
    snprintf(why, (size_t)why_size, "%s: there is no such file, nor one beside the presets", name);
    return false;
}

static bool find(const Playlist *list, const char *name, char path[WHERE_PATH], char *why,
                 int why_size)
{
    return in_folder(list->own, name, path) || in_folder(list->folder, name, path) ||
           where_preset(name, path, why, why_size);
}

// The folder, and those above it that are missing.
static void make_folder(const char *folder)
{
    char path[WHERE_PATH];
    snprintf(path, sizeof path, "%s", folder);
    for (char *slash = path; (slash = strchr(slash + 1, '/')); *slash = '/') {
        *slash = 0;
        mkdir(path, 0700);
    }
    mkdir(path, 0700);
}

// Where the name is loaded from, if that can be written, else to the user's own.
static bool goes_to_own(const Playlist *list, const char *name)
{
    char path[WHERE_PATH];
    if (in_folder(list->own, name, path)) return true;
    return !list->folder[0] || eaccess(list->folder, W_OK) != 0;
}

// ---- the list ----

static int entry_find(const Playlist *list, const char *name)
{
    for (int i = 0; i < list->count; i++)
        if (!strcmp(list->entries[i].name, name)) return i;
    return -1;
}

static void stand_at(Playlist *list, const char *name)
{
    const int at = entry_find(list, name);
    if (at >= 0) list->at = at;
}

// Each of the two parts is sorted; a name of both stands in the first.
static void enter(Playlist *list, const char *name, bool own)
{
    const int standing = entry_find(list, name);
    if (standing >= 0) {
        list->entries[standing].own = own;
        return;
    }
    if (list->count == NAMES_MAX) return;
    const int last = own ? list->count : list->shipped;
    int at = own ? list->shipped : 0;
    while (at < last && strcmp(list->entries[at].name, name) < 0) at++;
    memmove(&list->entries[at + 1], &list->entries[at],
            (size_t)(list->count - at) * sizeof list->entries[0]);
    list->entries[at] = (Entry){ .own = own };
    snprintf(list->entries[at].name, PLAYLIST_NAME, "%s", name);
    list->count++;
    list->shipped += !own;
    if (list->at >= at) list->at++;
}

static void read_names(Playlist *list, const char *path, bool own)
{
    DIR *folder = opendir(path);
    if (!folder) return;
    for (const struct dirent *entry; (entry = readdir(folder));) {
        char name[PLAYLIST_NAME];
        const size_t length = strlen(entry->d_name);
        if (length <= 5 || length - 5 >= PLAYLIST_NAME || entry->d_name[0] == '.') continue;
        if (strcmp(entry->d_name + length - 5, ".json")) continue;
        snprintf(name, sizeof name, "%.*s", (int)length - 5, entry->d_name);
        enter(list, name, own);
    }
    closedir(folder);
}

static void short_name(const char *path, char name[PLAYLIST_NAME])
{
    const char *slash = strrchr(path, '/');
    snprintf(name, PLAYLIST_NAME, "%s", slash ? slash + 1 : path);
    char *dot = strrchr(name, '.');
    if (dot && !strcmp(dot, ".json")) *dot = 0;
}

// ---- what the worker does ----

static void load(Playlist *list, const char *name, PlaylistAnswer *answer)
{
    char path[WHERE_PATH];
    short_name(name, answer->name);
    if (!find(list, name, path, answer->why, sizeof answer->why)) return;
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
    snprintf(answer->why, sizeof answer->why, "there are no presets to step to");
    const int start = list->at;
    const int stride = step < 0 ? -1 : 1;
    for (int tried = 0; tried < list->count; tried++) {
        const int at =
            around((start < 0 && step > 0 ? 0 : start + step) + tried * stride, list->count);
        const Entry *entry = &list->entries[at];
        char path[WHERE_PATH + PLAYLIST_NAME + 8];
        snprintf(path, sizeof path, "%s/%s.json", entry->own ? list->own : list->folder,
                 entry->name);
        snprintf(answer->name, sizeof answer->name, "%s", entry->name);
        answer->preset = preset_load(path, answer->why, sizeof answer->why);
        list->at = at;
        if (answer->preset) {
            answer->why[0] = 0;
            return;
        }
    }
    list->at = start;
}

static bool save_look(Playlist *list, const char *name, char *why, int why_size)
{
    char path[WHERE_PATH + PLAYLIST_NAME + 8];
    const bool own = goes_to_own(list, name);
    const char *folder = own ? list->own : list->folder;
    if (!folder[0]) {
        snprintf(why, (size_t)why_size, "%s is not saved: there is no folder to save in", name);
        return false;
    }
    if (own) make_folder(folder);
    snprintf(path, sizeof path, "%s/%s.json", folder, name);
    if (!preset_save(list->look, name, path, why, why_size)) return false;
    why[0] = 0;
    enter(list, name, own);
    stand_at(list, name);
    return true;
}

static void save(Playlist *list, const char *name, PlaylistAnswer *answer)
{
    short_name(name, answer->name);
    answer->saved = save_look(list, name, answer->why, sizeof answer->why);
    atomic_store(&list->saving, false);
}

// At the end only what is to be saved.
static void serve(Playlist *list)
{
    Request request;
    while (ring_read(list->requests, &request, 1)) {
        PlaylistAnswer answer = { 0 };
        if (request.kind == SAVE)
            save(list, request.name, &answer);
        else if (atomic_load(&list->ending))
            continue;
        else if (request.kind == ASK)
            load(list, request.name, &answer);
        else
            load_step(list, request.step, &answer);
        if (!ring_write(list->answers, &answer, 1)) preset_free(answer.preset);
    }
}

static void free_all(Playlist *list)
{
    PlaylistAnswer answer;
    Preset *old;
    while (list->answers && ring_read(list->answers, &answer, 1)) preset_free(answer.preset);
    while (list->returned && ring_read(list->returned, &old, 1)) preset_free(old);
    params_free(list->look);
    ring_free(list->requests);
    ring_free(list->answers);
    ring_free(list->returned);
    free(list);
}

static void *work(void *argument)
{
    Playlist *list = argument;
    while (!atomic_load(&list->ending)) {
        Preset *old;
        while (ring_read(list->returned, &old, 1)) preset_free(old);
        serve(list);
        clock_wait(clock_now() + NAP_MS * 1e-3);
    }
    serve(list);
    if (atomic_exchange(&list->life, ENDED) == LEFT) free_all(list);
    return NULL;
}

// ---- opening and closing ----

Playlist *playlist_open(const char *folder, const char *own, const char *current, char *why,
                        int why_size)
{
    Playlist *list = calloc(1, sizeof *list);
    if (!list) goto fail;
    snprintf(list->folder, sizeof list->folder, "%s", folder ? folder : "");
    snprintf(list->own, sizeof list->own, "%s", own ? own : "");
    list->at = -1;
    read_names(list, list->folder, false);
    read_names(list, list->own, true);
    stand_at(list, current);
    list->look = params_new();
    list->requests = ring_new(WAITING, sizeof(Request));
    list->answers = ring_new(WAITING, sizeof(PlaylistAnswer));
    list->returned = ring_new(WAITING, sizeof(Preset *));
    if (!list->look || !list->requests || !list->answers || !list->returned) goto fail;
    list->working = !pthread_create(&list->worker, NULL, work, list);
    if (list->working) return list;

fail:
    snprintf(why, (size_t)why_size, "presets: out of memory or threads");
    playlist_close(list);
    return NULL;
}

// The worker has ended, or it is left to itself: in a disk that does not answer it cannot be stopped.
void playlist_close(Playlist *list)
{
    if (!list) return;
    if (list->working) {
        const pthread_t worker = list->worker;
        const double until = clock_now() + GRACE;
        atomic_store(&list->ending, true);
        while (atomic_load(&list->life) == WORKING && clock_now() < until)
            clock_wait(clock_now() + NAP_MS * 1e-3);
        if (atomic_exchange(&list->life, LEFT) == WORKING) {
            pthread_detach(worker);
            return;
        }
        pthread_join(worker, NULL);
    }
    free_all(list);
}

// ---- asking ----

void playlist_ask(Playlist *list, const char *name)
{
    Request request = { .kind = ASK };
    snprintf(request.name, sizeof request.name, "%s", name);
    ring_write(list->requests, &request, 1);
}

void playlist_ask_step(Playlist *list, int step)
{
    ring_write(list->requests, &(Request){ .kind = STEP, .step = step }, 1);
}

bool playlist_save(Playlist *list, const Params *params, const char *name, char *why, int why_size)
{
    Request request = { .kind = SAVE };
    if (!preset_name_fits(name, why, why_size)) return false;
    snprintf(request.name, sizeof request.name, "%s", name);
    snprintf(why, (size_t)why_size, "%s is not saved: the disk is still busy with the last preset",
             name);
    if (atomic_load(&list->saving)) return false;
    params_copy(list->look, params);
    atomic_store(&list->saving, true);
    if (ring_write(list->requests, &request, 1)) return true;
    atomic_store(&list->saving, false);
    return false;
}

bool playlist_take(Playlist *list, PlaylistAnswer *answer)
{
    return ring_read(list->answers, answer, 1) == 1;
}

void playlist_return(Playlist *list, Preset *preset)
{
    if (preset && !ring_write(list->returned, &preset, 1)) preset_free(preset);
}
