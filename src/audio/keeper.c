#include "audio/keeper.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "audio/capture.h"
#include "audio/child.h"

// All in seconds.
static const double TICK = 0.025;
static const double QUIET = 0.5;        // without samples: no signal
static const double OPENING_LIMIT = 5;  // an opening that takes longer hangs
static const double PATIENCE = 4;       // without samples: opened again; an idle source needs 2
static const double MOST_PATIENCE = 16; // with a source that has never given any, each time twice
static const double FIRST_PAUSE = 0.25; // before the next opening, each time twice
static const double LONGEST_PAUSE = 2;
static const double PROBE_EVERY = 2, PROBE_LIMIT = 3; // looking whether the wanted device is back
static const double SILENCE = 5; // of samples that are exactly 0: something is muted

enum { NEWS = 16, LOGGED = 8 }; // so many openings in a row that come to nothing go into the log

struct Keeper {
    // Set once.
    char wanted[256], pair[16];
    bool strict;
    int log, memory, quit; // descriptors
    CaptureShared *shared;
    Ring *news; // of AudioStatus: the keeper writes, the frame thread reads
    pthread_t thread;
    bool running;
    double born;
    _Atomic int verdict; // the first ChildStep that is not OPENING

    // The thread's.
    pid_t child, probe;
    double now, started, last_heard; // seconds of the monotonic clock
    double due, probe_due;           // when to start the next child, the next probe
    double pause, patience;
    uint64_t frames, sounding; // of shared, when last looked
    bool opened;               // this child's stream is open, its text is read
    uint32_t read;             // of shared->told
    bool tried;                // an opening has come to something, good or bad
    bool no_device;
    bool silent;    // for SILENCE seconds nothing but exact zeros
    bool retried;   // reopened because of that
    char said[192]; // by the child, or about it: why what is heard is not what was asked for
    uint64_t starts;
    int attempts; // of them since samples came
    AudioStatus state, told;
};

const char *keeper_words(const char *name)
{
    return strcmp(name, CAPTURE_SYSTEM) == 0 ? "the system's own sound" : name;
}

// The descriptor of the log, -1: none.  What goes on for days may not fill a disk.
static int log_now(const Keeper *k)
{
    return k->attempts <= LOGGED ? k->log : -1;
}

// Into the log, where one was asked for: what happened, and when (s since the source was chosen).
static void note(const Keeper *k, const char *what, const char *about)
{
    if (log_now(k) >= 0)
        dprintf(k->log, "motes: %.3f s: %s%s%s\n", k->now - k->born, what, about[0] ? " " : "",
                about);
}

static void say(Keeper *k, const char *text)
{
    if (strcmp(k->said, text) != 0) note(k, text, "");
    snprintf(k->said, sizeof k->said, "%s", text);
}

// ---- starting and ending children ----------------------------------------------------------------

static void start_child(Keeper *k)
{
    atomic_store(&k->shared->step, CHILD_OPENING);
    k->opened = false;
    k->started = k->now;
    k->attempts += k->attempts <= LOGGED;
    k->child = child_start(&(ChildDesc){ .task = "capture",
                                         .name = k->wanted,
                                         .option = k->strict ? "strict" : "",
                                         .pair = k->pair,
                                         .shared = k->memory,
                                         .log = log_now(k) > 0 ? k->log : 0 });
    k->starts++;
    if (!k->child)
        k->due = k->now + LONGEST_PAUSE; // out of processes or memory: they may come back
}

static void next_child_after(Keeper *k, double pause)
{
    child_end(k->child);
    child_end(k->probe);
    k->child = k->probe = 0;
    k->tried = true;
    k->due = k->now + pause;
}

static void replace_child(Keeper *k)
{
    next_child_after(k, k->pause);
    k->pause = fmin(2 * k->pause, LONGEST_PAUSE);
}

// What the child said before it ended.
static void child_gave_up(Keeper *k)
{
    const uint32_t step = atomic_load(&k->shared->step);
    char text[192];
    if (step != CHILD_OPENING)
        k->no_device = step == CHILD_NO_DEVICE; // it may just have been killed
    if (step == CHILD_NO_DEVICE) say(k, "there is no sound input on this machine");
    if (step == CHILD_FAILED) say(k, "the sound input does not open");
    if (step == CHILD_MISSING) {
        snprintf(text, sizeof text, "there is no input \"%.100s\"", keeper_words(k->wanted));
        say(k, text);
    }
    if (step >= CHILD_OPEN) atomic_store(&k->verdict, (int)step);
    note(k,
         step == CHILD_MOVED ? "another input is the right one now" : "the capture process ended",
         "");
    // One that moves on is replaced at once, unless it does nothing else.
    if (step == CHILD_MOVED && k->now - k->started > FIRST_PAUSE)
        next_child_after(k, 0);
    else
        replace_child(k);
}

// What is heard, in words: at the opening, and when only the words have changed.
static void read_text(Keeper *k)
{
    const uint32_t told = atomic_load(&k->shared->told);
    if (told == k->read) return;
    CaptureText text = k->shared->text[told % 2];
    text.name[sizeof text.name - 1] = text.notice[sizeof text.notice - 1] = 0;
    k->read = told;
    memcpy(k->state.name, text.name, sizeof k->state.name);
    note(k, "hearing", text.name);
    if (text.notice[0])
        say(k, text.notice);
    else
        k->said[0] = 0;
}

static void child_has_opened(Keeper *k)
{
    k->opened = true;
    k->no_device = false;
    k->started = k->now;
    k->probe_due = k->now + PROBE_EVERY;
    k->sounding = atomic_load(&k->shared->sounding);
    read_text(k);
    atomic_store(&k->verdict, CHILD_OPEN);
}

// ---- watching them -------------------------------------------------------------------------------

// Five seconds of exact zeros are no music: something is muted, or a permission is missing.  Opening
// once more helps where the device came up deaf.
static void watch_silence(Keeper *k)
{
    const uint64_t sounding = atomic_load(&k->shared->sounding);
    const double rate = fmax(atomic_load(&k->shared->rate), 1);
    if (sounding != k->sounding) {
        if (k->silent) note(k, "sound again", "");
        k->sounding = sounding;
        k->silent = k->retried = false;
    }
    if (k->frames < sounding || (double)(k->frames - sounding) / rate < SILENCE) return;
    if (!k->silent) note(k, AUDIO_DIGITAL_SILENCE, "");
    k->silent = true;
    if (k->retried) return;
    k->retried = true;
    note(k, "opening it once more", "");
    next_child_after(k, 0);
}

static void samples_came(Keeper *k, uint64_t frames)
{
    k->frames = frames;
    k->last_heard = k->now;
    k->pause = FIRST_PAUSE;
    k->patience = PATIENCE;
    k->tried = true;
    k->attempts = 0;
    watch_silence(k);
}

// While another device stands in for the wanted one: has that one come back?
static void look_for_wanted(Keeper *k)
{
    int code = -1;
    if (!k->probe) {
        if (k->now < k->probe_due) return;
        k->probe = child_start(&(ChildDesc){ .task = "find", .name = k->wanted, .option = "" });
        k->probe_due = k->now + PROBE_LIMIT;
    } else if (child_ended(k->probe, &code)) {
        k->probe = 0;
        k->probe_due = k->now + PROBE_EVERY;
        if (code == 0) next_child_after(k, 0);
    } else if (k->now > k->probe_due) {
        child_end(k->probe);
        k->probe = 0;
        k->probe_due = k->now + PROBE_EVERY;
    }
}

static void watch_opening(Keeper *k)
{
    if (atomic_load(&k->shared->step) == CHILD_OPEN) child_has_opened(k);
    if (k->opened || k->now - k->started <= OPENING_LIMIT) return;
    note(k, "the opening hangs", "");
    replace_child(k);
}

static void watch_stream(Keeper *k)
{
    const uint64_t frames = atomic_load(&k->shared->frames);
    read_text(k);
    if (frames != k->frames) samples_came(k, frames);
    if (!k->child) return; // it was ended
    if (k->now - fmax(k->started, k->last_heard) > k->patience) {
        if (k->last_heard < k->started) k->patience = fmin(2 * k->patience, MOST_PATIENCE);
        note(k, "no samples come", "");
        replace_child(k);
    } else if (atomic_load(&k->shared->stands_in)) {
        look_for_wanted(k);
    }
}

static void watch_child(Keeper *k)
{
    int code = 0;
    if (child_ended(k->child, &code)) {
        k->child = 0;
        child_gave_up(k);
        return;
    }
    if (!k->opened) watch_opening(k);
    if (k->opened && k->child) watch_stream(k);
}

// ---- telling -------------------------------------------------------------------------------------

static AudioState state_now(const Keeper *k)
{
    if (k->now - k->last_heard < QUIET) return AUDIO_PLAYING;
    if (k->no_device) return AUDIO_NO_DEVICE;
    if (k->tried || (k->opened && k->now - k->started > QUIET)) return AUDIO_NO_SIGNAL;
    return AUDIO_OPENING;
}

// Told once, when it changes; a ring that is full is tried again with the next tick.
static void tell(Keeper *k)
{
    const char *silence = k->silent ? AUDIO_DIGITAL_SILENCE : "";
    memset(k->state.notice, 0, sizeof k->state.notice);
    snprintf(k->state.notice, sizeof k->state.notice, "%s", k->said[0] ? k->said : silence);
    k->state.state = state_now(k);
    k->state.stands_in = k->opened && atomic_load(&k->shared->stands_in);
    k->state.reopened = k->starts > 0 ? k->starts - 1 : 0;
    if (memcmp(&k->state, &k->told, sizeof k->told) == 0) return;
    if (ring_write(k->news, &k->state, 1) == 1) memcpy(&k->told, &k->state, sizeof k->told);
}

static bool quit_within(const Keeper *k, double seconds)
{
    struct pollfd quit = { .fd = k->quit, .events = POLLIN };
    return poll(&quit, 1, (int)(seconds * 1000)) > 0;
}

static void *keep(void *keeper)
{
    Keeper *k = keeper;
    do {
        k->now = child_clock();
        if (k->child)
            watch_child(k);
        else if (k->now >= k->due)
            start_child(k);
        tell(k);
    } while (!quit_within(k, TICK));
    child_end(k->probe);
    child_end(k->child);
    return NULL;
}

// ---- the other threads ---------------------------------------------------------------------------

bool keeper_news(Keeper *k, AudioStatus *status)
{
    bool any = false;
    while (ring_read(k->news, status, 1) == 1) any = true;
    return any;
}

ChildStep keeper_verdict(const Keeper *k)
{
    return (ChildStep)atomic_load(&k->verdict);
}

// Signals are for the main thread.
static bool start_thread(Keeper *k)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    k->running = pthread_create(&k->thread, NULL, keep, k) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return k->running;
}

Keeper *keeper_new(const KeeperDesc *desc, const char **why)
{
    *why = "out of memory";
    Keeper *k = calloc(1, sizeof *k);
    if (!k) return NULL;
    k->quit = k->log = -1;
    k->strict = desc->strict;
    k->memory = desc->memory;
    k->shared = desc->shared;
    k->pause = FIRST_PAUSE;
    k->patience = PATIENCE;
    k->last_heard = -QUIET - LONGEST_PAUSE;
    k->born = child_clock();
    snprintf(k->wanted, sizeof k->wanted, "%s", desc->name);
    snprintf(k->pair, sizeof k->pair, "%s", desc->pair);
    snprintf(k->state.name, sizeof k->state.name, "%.100s",
             desc->name[0] ? keeper_words(desc->name) : "input");

    k->news = ring_new(NEWS, sizeof(AudioStatus));
    if (!k->news) goto fail;
    *why = "too many open files";
    k->quit = eventfd(0, EFD_CLOEXEC);
    if (k->quit < 0) goto fail;
    *why = "the log cannot be written";
    if (desc->log) {
        k->log = child_high(open(desc->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
        if (k->log < 0) goto fail;
    }
    *why = "no thread to watch it";
    if (!start_thread(k)) goto fail;
    return k;

fail:
    keeper_free(k);
    return NULL;
}

void keeper_free(Keeper *k)
{
    if (!k) return;
    if (k->running) {
        const uint64_t one = 1;
        while (write(k->quit, &one, sizeof one) < 0) continue;
        pthread_join(k->thread, NULL);
    }
    if (k->quit >= 0) close(k->quit);
    if (k->log >= 0) close(k->log);
    ring_free(k->news);
    free(k);
}
