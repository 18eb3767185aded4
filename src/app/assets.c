#include "app/assets.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/playlist.h"

enum {
    SWARMS = EMITTER_SLOTS + FIELD_SLOTS,
    ENTRIES = 3 * SWARMS, // as many as can be named at once
    GRACE = 1,            // s
    NAME_SIZE = 256,      // of a parameter's text
};

typedef enum { ASSET_SHAPE, ASSET_BODY, ASSET_SHEET } AssetKind;

// What one name is wanted for.
typedef struct {
    AssetKind kind;
    int area, from;    // of a shape: AREA_MESH or AREA_IMAGE, and which part of a mesh
    int columns, rows; // of a sheet, as asked; 0: its own
    char name[NAME_SIZE];
} Want;

typedef enum { FREE, ASKED, READY, FAILED } EntryState;

typedef struct {
    _Atomic EntryState state; // ASKED: the worker's; else the frame thread's
    Want want;
    uint32_t serial; // another for each file that is read
    bool used;       // named at the last look
    bool told;       // FAILED: its sentence has been said
    Shape *shape;
    Mesh *mesh;
    uint8_t *sheet;
    int columns, rows; // of the sheet
    char why[256];
} Entry;

// What a slot was last given, by serial; 0: nothing.
typedef struct {
    uint32_t shape, body, sheet;
} Given;

struct Assets {
    Entry entries[ENTRIES];
    Given given[SWARMS];
    uint32_t serials;
    const Sim *sim;  // that was given to
    uint64_t looked; // what the parameters named then
    bool pending;    // something was still being read then
    bool wait;
    sem_t asked; // posts of it: how many times the worker has to look
    atomic_bool ending;
    pthread_t worker;
    bool working;
};

// ---- reading: the worker, or who waits ----------------------------------------------------------

static Mesh *read_mesh(const char *name, char *why, int why_size)
{
    char path[WHERE_PATH];
    Mesh *mesh = mesh_built_in(name);
    if (mesh) return mesh;
    if (!playlist_asset(name, path, why, why_size)) return NULL;
    char *text = file_read(path, NULL, why, why_size);
    if (text) mesh = mesh_read(text, path, why, why_size);
    free(text);
    return mesh;
}

static uint8_t *read_image(const char *name, Size *size, char *why, int why_size)
{
    char path[WHERE_PATH];
    if (!playlist_asset(name, path, why, why_size)) return NULL;
    return image_read_png(path, size, why, why_size);
}

static void read_shape(Entry *entry)
{
    const Want *want = &entry->want;
    if (want->area == AREA_MESH) {
        Mesh *mesh = read_mesh(want->name, entry->why, sizeof entry->why);
        if (mesh)
            entry->shape =
                shape_of_mesh(mesh, want->from, want->name, entry->why, sizeof entry->why);
        mesh_free(mesh);
        return;
    }
    Size size;
    uint8_t *rgba = read_image(want->name, &size, entry->why, sizeof entry->why);
    if (rgba)
        entry->shape = shape_of_image(rgba, size.width, size.height, want->name, entry->why,
                                      sizeof entry->why);
    free(rgba);
}

// By a copy: the compiler cannot tell that name and sentence are two parts of the entry.
static void say(Entry *entry, const char *what)
{
    char name[NAME_SIZE];
    memcpy(name, entry->want.name, sizeof name);
    snprintf(entry->why, sizeof entry->why, "%.200s: %s", name, what);
}

static void read_body(Entry *entry)
{
    entry->mesh = read_mesh(entry->want.name, entry->why, sizeof entry->why);
    if (!entry->mesh || entry->mesh->face_count > 0) return;
    say(entry, "it has no faces");
    mesh_free(entry->mesh);
    entry->mesh = NULL;
}

static bool fill_sheet(Entry *entry)
{
    Size size;
    if (render_draw_sheet(entry->want.name, &entry->columns, &entry->rows, entry->sheet))
        return true;
    uint8_t *rgba = read_image(entry->want.name, &size, entry->why, sizeof entry->why);
    if (!rgba) return false;
    entry->columns = entry->want.columns > 0 ? entry->want.columns : 1;
    entry->rows = entry->want.rows > 0 ? entry->want.rows : 1;
    render_sheet_of(rgba, size, entry->columns, entry->rows, entry->sheet);
    free(rgba);
    return true;
}

static void read_sheet(Entry *entry)
{
    say(entry, "out of memory");
    entry->sheet = malloc(RENDER_SHEET_BYTES);
    if (!entry->sheet || fill_sheet(entry)) return;
    free(entry->sheet);
    entry->sheet = NULL;
}

static void read_entry(Entry *entry)
{
    entry->why[0] = 0;
    if (entry->want.kind == ASSET_SHAPE)
        read_shape(entry);
    else if (entry->want.kind == ASSET_BODY)
        read_body(entry);
    else
        read_sheet(entry);
    const bool read = entry->shape || entry->mesh || entry->sheet;
    atomic_store_explicit(&entry->state, read ? READY : FAILED, memory_order_release);
}

static EntryState state_of(Entry *entry)
{
    return atomic_load_explicit(&entry->state, memory_order_acquire);
}

static void *work(void *context)
{
    Assets *assets = context;
    while (sem_wait(&assets->asked) == 0 || !atomic_load(&assets->ending)) {
        if (atomic_load(&assets->ending)) break;
        for (int n = 0; n < ENTRIES; n++)
            if (state_of(&assets->entries[n]) == ASKED) read_entry(&assets->entries[n]);
    }
    return NULL;
}

// ---- life ---------------------------------------------------------------------------------------

Assets *assets_open(bool wait, char *why, int why_size)
{
    Assets *assets = calloc(1, sizeof *assets);
    if (!assets) {
        snprintf(why, (size_t)why_size, "out of memory");
        return NULL;
    }
    assets->wait = wait;
    sem_init(&assets->asked, 0, 0);
    assets->working = !wait && pthread_create(&assets->worker, NULL, work, assets) == 0;
    if (wait || assets->working) return assets;
    snprintf(why, (size_t)why_size, "no thread for reading files");
    assets_close(assets);
    return NULL;
}

// The worker's entries are the worker's.
static void drop(Entry *entry)
{
    shape_free(entry->shape);
    mesh_free(entry->mesh);
    free(entry->sheet);
    entry->shape = NULL;
    entry->mesh = NULL;
    entry->sheet = NULL;
    entry->told = false;
    atomic_store_explicit(&entry->state, FREE, memory_order_relaxed);
}

void assets_close(Assets *assets)
{
    if (!assets) return;
    if (assets->working) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += GRACE;
        atomic_store(&assets->ending, true);
        sem_post(&assets->asked);
        // A disk that hangs keeps the worker, and what it works on.
        if (pthread_timedjoin_np(assets->worker, NULL, &until) != 0) return;
    }
    for (int n = 0; n < ENTRIES; n++) drop(&assets->entries[n]);
    sem_destroy(&assets->asked);
    free(assets);
}

void assets_settle(Assets *assets)
{
    const struct timespec nap = { .tv_nsec = 1000000 };
    for (int n = 0; n < ENTRIES; n++)
        while (state_of(&assets->entries[n]) == ASKED) nanosleep(&nap, NULL);
}

// ---- asking -------------------------------------------------------------------------------------

static bool same_want(const Want *a, const Want *b)
{
    return a->kind == b->kind && a->area == b->area && a->from == b->from &&
           a->columns == b->columns && a->rows == b->rows && strcmp(a->name, b->name) == 0;
}

static Entry *find(Assets *assets, const Want *want)
{
    for (int n = 0; n < ENTRIES; n++) {
        Entry *entry = &assets->entries[n];
        if (state_of(entry) != FREE && same_want(&entry->want, want)) return entry;
    }
    return NULL;
}

static Entry *ask(Assets *assets, const Want *want)
{
    for (int n = 0; n < ENTRIES; n++) {
        Entry *entry = &assets->entries[n];
        if (state_of(entry) != FREE) continue;
        entry->want = *want;
        entry->serial = ++assets->serials;
        atomic_store_explicit(&entry->state, ASKED, memory_order_release);
        if (assets->wait)
            read_entry(entry);
        else
            sem_post(&assets->asked);
        return entry;
    }
    return NULL; // all are still being read: the next look asks again
}

// What is there of a file; NULL: nothing yet, or nothing at all.
static Entry *seek(Assets *assets, const Want *want)
{
    if (!want->name[0]) return NULL;
    Entry *entry = find(assets, want);
    if (!entry) entry = ask(assets, want);
    if (!entry) return NULL;
    entry->used = true;
    return state_of(entry) == READY ? entry : NULL;
}

static Want want_of(const Params *params, Owner owner, int slot, AssetKind kind, int row)
{
    const float *values = params_values(params, owner, slot);
    Want want = { .kind = kind };
    snprintf(want.name, sizeof want.name, "%s", params_text(params, params_id(owner, slot, row)));
    if (kind == ASSET_SHEET) {
        want.columns = (int)values[SWARM_SHEET_COLUMNS];
        want.rows = (int)values[SWARM_SHEET_ROWS];
    }
    if (kind != ASSET_SHAPE) return want;
    want.area = (int)values[SWARM_AREA];
    if (want.area == AREA_MESH) want.from = (int)values[SWARM_AREA_FROM];
    if (want.area != AREA_MESH && want.area != AREA_IMAGE) want.name[0] = 0;
    return want;
}

static uint32_t serial_of(const Entry *entry)
{
    return entry ? entry->serial : 0;
}

// True, once, when another than before is to be given.
static bool changes(uint32_t *given, const Entry *entry)
{
    const bool other = *given != serial_of(entry);
    *given = serial_of(entry);
    return other;
}

enum { SAID_SIZE = 256 };

// The first thing that went wrong.
typedef struct {
    char why[SAID_SIZE], first[SAID_SIZE];
} Said;

static void heed(Said *said, bool done)
{
    if (!done && !said->first[0]) memcpy(said->first, said->why, SAID_SIZE);
}

static void give_swarm(Assets *assets, const Params *params, Owner owner, int slot, Sim *sim,
                       Render *render, Said *said)
{
    Given *given = &assets->given[owner == OWNER_FIELD ? EMITTER_SLOTS + slot : slot];
    const Want area = want_of(params, owner, slot, ASSET_SHAPE, SWARM_AREA_FILE);
    const Want body = want_of(params, owner, slot, ASSET_BODY, SWARM_MESH);
    const Want picture = want_of(params, owner, slot, ASSET_SHEET, SWARM_SHEET);
    const Entry *shape = seek(assets, &area), *mesh = seek(assets, &body),
                *sheet = seek(assets, &picture);
    if (changes(&given->shape, shape)) {
        const Shape *patches = shape ? shape->shape : NULL;
        sim_set_shape(sim, owner, slot, patches);
        if (owner == OWNER_FIELD && render)
            heed(said, render_set_shape(render, params, slot, patches, said->why, SAID_SIZE));
    }
    if (changes(&given->body, mesh) && render)
        heed(said, render_set_body(render, params, owner, slot, mesh ? mesh->mesh : NULL, said->why,
                                   SAID_SIZE));
    if (changes(&given->sheet, sheet) && render && sheet)
        heed(said, render_set_sheet(render, params, picture.name, sheet->columns, sheet->rows,
                                    sheet->sheet, said->why, SAID_SIZE));
}

// ---- the look -----------------------------------------------------------------------------------

// Another number when another file, or the same for something else, is named.
static uint64_t named(const Params *params)
{
    uint64_t sum = 0;
    for (Owner owner = OWNER_EMITTER; owner <= OWNER_FIELD; owner++)
        for (int slot = 0; slot < owner_slots(owner); slot++) {
            static const int rows[] = { SWARM_AREA_FILE, SWARM_MESH, SWARM_SHEET };
            const float *values = params_values(params, owner, slot);
            sum = sum * 31 + params_generation(params, owner, slot) * 64 +
                  (uint64_t)values[SWARM_AREA] * 4 + (uint64_t)values[SWARM_AREA_FROM] +
                  (uint64_t)values[SWARM_SHEET_COLUMNS] * 4096 +
                  (uint64_t)values[SWARM_SHEET_ROWS] * 65536;
            for (int r = 0; r < COUNT_OF(rows); r++)
                sum = sum * 31 + params_text_version(params, params_id(owner, slot, rows[r]));
        }
    return sum;
}

// Nobody uses these any more.
static void sweep(Assets *assets)
{
    for (int n = 0; n < ENTRIES; n++) {
        Entry *entry = &assets->entries[n];
        const EntryState state = state_of(entry);
        if (!entry->used && (state == READY || state == FAILED)) drop(entry);
    }
}

static void tell(Assets *assets, char *notice, int notice_size)
{
    for (int n = 0; n < ENTRIES; n++) {
        Entry *entry = &assets->entries[n];
        if (state_of(entry) != FAILED || entry->told || notice[0]) continue;
        snprintf(notice, (size_t)notice_size, "%s", entry->why);
        entry->told = true;
    }
}

static bool is_pending(Assets *assets)
{
    for (int n = 0; n < ENTRIES; n++) {
        const EntryState state = state_of(&assets->entries[n]);
        if (state == ASKED || (state == FAILED && !assets->entries[n].told)) return true;
    }
    return false;
}

void assets_give(Assets *assets, const Params *params, Sim *sim, Render *render, char *notice,
                 int notice_size)
{
    const uint64_t now = named(params);
    if (now == assets->looked && sim == assets->sim && !assets->pending) return;
    // Another engine may still hold what the last one was given: each slot is told anew, of nothing too.
    for (int n = 0; sim != assets->sim && n < SWARMS; n++) assets->given[n].shape = UINT32_MAX;
    Said said = { .first = "" };
    assets->looked = now;
    assets->sim = sim;
    assets->pending = is_pending(assets); // asked before it is looked at: nothing is overlooked
    for (int n = 0; n < ENTRIES; n++) assets->entries[n].used = false;
    for (Owner owner = OWNER_EMITTER; owner <= OWNER_FIELD; owner++)
        for (int slot = 0; slot < owner_slots(owner); slot++)
            give_swarm(assets, params, owner, slot, sim, render, &said);
    assets->pending = assets->pending || is_pending(assets);
    sweep(assets);
    if (said.first[0] && !notice[0]) snprintf(notice, (size_t)notice_size, "%s", said.first);
    tell(assets, notice, notice_size);
}
