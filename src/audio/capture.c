#include "audio/capture.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "audio/capture_shared.h"
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
static const double STRICT_LIMIT = 3;                 // how long a strict opening may take
static const double STALE = 0.25;                     // older samples are not worth hearing

enum { FIRST_RATE = 48000, NEWS = 16 };

struct Capture {
    // Set once.
    char wanted[256];
    bool strict;
    int log, memory, quit; // descriptors
    CaptureShared *shared;
    Ring *ring; // in shared: the child writes, the frame thread reads
    Ring *news; // of AudioStatus: the keeper writes, the frame thread reads
    pthread_t keeper;
    bool running;
    _Atomic int verdict; // the first ChildStep that is not OPENING, for a strict opening

    // The keeper's.
    pid_t child, probe;
    double now, started, last_heard; // seconds of the monotonic clock
    double due, probe_due;           // when to start the next child, the next probe
    double pause, patience;
    uint64_t frames; // shared->frames when last looked
    bool opened;     // this child's stream is open, its texts are read
    bool tried;      // an opening has come to something, good or bad
    bool no_device;
    uint64_t starts;
    AudioStatus state, told;

    // The frame thread's.
    AudioStatus heard;
    uint32_t openings; // shared->openings when last read
    uint64_t skipped;
    int rate;
};

// ---- the keeper thread ---------------------------------------------------------------------------

static void start_child(Capture *c)
{
    atomic_store(&c->shared->step, CHILD_OPENING);
    c->opened = false;
    c->started = c->now;
    c->child = child_start(&(ChildDesc){ .task = "capture",
                                         .name = c->wanted,
                                         .option = c->strict ? "strict" : "",
                                         .shared = c->memory,
                                         .log = c->log > 0 ? c->log : 0 });
    c->starts++;
    if (!c->child)
        c->due = c->now + LONGEST_PAUSE; // out of processes or memory: they may come back
}

static void next_child_after(Capture *c, double pause)
{
    child_end(c->child);
    child_end(c->probe);
    c->child = c->probe = 0;
    c->tried = true;
    c->due = c->now + pause;
}

static void replace_child(Capture *c)
{
    next_child_after(c, c->pause);
    c->pause = fmin(2 * c->pause, LONGEST_PAUSE);
}

static const char *wanted_words(const Capture *c)
{
    return strcmp(c->wanted, CAPTURE_SYSTEM) == 0 ? "the system's own sound" : c->wanted;
}

// What the child said before it ended.
static void child_gave_up(Capture *c)
{
    const uint32_t step = atomic_load(&c->shared->step);
    c->no_device = step == CHILD_NO_DEVICE;
    if (step == CHILD_NO_DEVICE)
        snprintf(c->state.notice, sizeof c->state.notice,
                 "there is no sound input on this machine");
    if (step == CHILD_MISSING)
        snprintf(c->state.notice, sizeof c->state.notice, "there is no input \"%.100s\"",
                 wanted_words(c));
    if (step == CHILD_FAILED)
        snprintf(c->state.notice, sizeof c->state.notice, "the sound input does not open");
    if (step >= CHILD_OPEN) atomic_store(&c->verdict, (int)step);
    replace_child(c);
}

static void child_has_opened(Capture *c)
{
    c->opened = true;
    c->no_device = false;
    c->started = c->now;
    c->probe_due = c->now + PROBE_EVERY;
    memcpy(c->state.name, c->shared->name, sizeof c->state.name);
    memcpy(c->state.notice, c->shared->notice, sizeof c->state.notice);
    c->state.name[sizeof c->state.name - 1] = c->state.notice[sizeof c->state.notice - 1] = 0;
    atomic_store(&c->verdict, CHILD_OPEN);
}

static void samples_came(Capture *c, uint64_t frames)
{
    c->frames = frames;
    c->last_heard = c->now;
    c->pause = FIRST_PAUSE;
    c->patience = PATIENCE;
    c->tried = true;
}

// While another device stands in for the wanted one: has that one come back?
static void look_for_wanted(Capture *c)
{
    int code = -1;
    if (!c->probe) {
        if (c->now < c->probe_due) return;
        c->probe = child_start(&(ChildDesc){ .task = "find", .name = c->wanted, .option = "" });
        c->probe_due = c->now + PROBE_LIMIT;
    } else if (child_ended(c->probe, &code)) {
        c->probe = 0;
        c->probe_due = c->now + PROBE_EVERY;
        if (code == 0) next_child_after(c, 0);
    } else if (c->now > c->probe_due) {
        child_end(c->probe);
        c->probe = 0;
        c->probe_due = c->now + PROBE_EVERY;
    }
}

static void watch_child(Capture *c)
{
    int code = 0;
    if (child_ended(c->child, &code)) {
        c->child = 0;
        child_gave_up(c);
        return;
    }
    const uint64_t frames = atomic_load(&c->shared->frames);
    if (!c->opened && atomic_load(&c->shared->step) == CHILD_OPEN) child_has_opened(c);
    if (c->opened && frames != c->frames) samples_came(c, frames);

    const double since = c->now - fmax(c->started, c->last_heard);
    if (!c->opened) {
        if (since > OPENING_LIMIT) replace_child(c);
    } else if (since > c->patience) {
        if (c->last_heard < c->started) c->patience = fmin(2 * c->patience, MOST_PATIENCE);
        replace_child(c);
    } else if (c->state.notice[0]) {
        look_for_wanted(c);
    }
}

static AudioState state_now(const Capture *c)
{
    if (c->now - c->last_heard < QUIET) return AUDIO_PLAYING;
    if (c->no_device) return AUDIO_NO_DEVICE;
    if (c->tried || (c->opened && c->now - c->started > QUIET)) return AUDIO_NO_SIGNAL;
    return AUDIO_OPENING;
}

// Told once, when it changes; a ring that is full is tried again with the next tick.
static void tell(Capture *c)
{
    c->state.state = state_now(c);
    c->state.reopened = c->starts > 0 ? c->starts - 1 : 0;
    if (memcmp(&c->state, &c->told, sizeof c->told) == 0) return;
    if (ring_write(c->news, &c->state, 1) == 1) memcpy(&c->told, &c->state, sizeof c->told);
}

static bool quit_within(const Capture *c, double seconds)
{
    struct pollfd quit = { .fd = c->quit, .events = POLLIN };
    return poll(&quit, 1, (int)(seconds * 1000)) > 0;
}

static void *keep(void *capture)
{
    Capture *c = capture;
    do {
        c->now = child_clock();
        if (c->child)
            watch_child(c);
        else if (c->now >= c->due)
            start_child(c);
        tell(c);
    } while (!quit_within(c, TICK));
    child_end(c->probe);
    child_end(c->child);
    return NULL;
}

// ---- the frame thread ----------------------------------------------------------------------------

static bool share_memory(Capture *c)
{
    const size_t bytes = capture_shared_bytes();
    c->memory = child_high(memfd_create("motes capture", MFD_CLOEXEC));
    if (c->memory < 0 || ftruncate(c->memory, (off_t)bytes) < 0) return false;
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, c->memory, 0);
    if (memory == MAP_FAILED) return false;
    c->shared = memory;
    c->ring = ring_init(c->shared->ring, CAPTURE_CAPACITY, 2 * sizeof(float));
    return true;
}

// Signals are for the main thread.
static bool start_keeper(Capture *c)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    c->running = pthread_create(&c->keeper, NULL, keep, c) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return c->running;
}

// For a strict opening: waits for the first child to find its device.  NULL, or what is wrong.
static const char *wait_for_device(const Capture *c)
{
    const double end = child_clock() + STRICT_LIMIT;
    while (child_clock() < end) {
        const int verdict = atomic_load(&c->verdict);
        if (verdict == CHILD_OPEN) return NULL;
        if (verdict == CHILD_NO_DEVICE) return "there is no sound input on this machine";
        if (verdict == CHILD_MISSING) return "there is no such input";
        nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
    }
    return atomic_load(&c->verdict) ? "the input does not open"
                                    : "the sound server does not answer";
}

// A program whose main() does not know AUDIO_CAPTURE_COMMAND would start itself without end.
static bool am_a_capture_process(void)
{
    char words[256] = "";
    const int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    const ssize_t length = fd >= 0 ? read(fd, words, sizeof words - 1) : -1;
    if (fd >= 0) close(fd);
    const size_t second = strlen(words) + 1;
    return (ssize_t)second < length && strcmp(words + second, AUDIO_CAPTURE_COMMAND) == 0;
}

Capture *capture_open(const CaptureDesc *desc, char *why, int why_size)
{
    const char *step = "out of memory";
    Capture *c = calloc(1, sizeof *c);
    if (!c) goto fail;
    c->memory = c->quit = c->log = -1;
    c->strict = desc->strict;
    c->rate = FIRST_RATE;
    c->pause = FIRST_PAUSE;
    c->patience = PATIENCE;
    c->last_heard = -QUIET - LONGEST_PAUSE;
    snprintf(c->wanted, sizeof c->wanted, "%s", desc->name);
    snprintf(c->state.name, sizeof c->state.name, "%.100s",
             desc->name[0] ? wanted_words(c) : "input");
    c->heard = c->state;

    c->news = ring_new(NEWS, sizeof(AudioStatus));
    if (!c->news) goto fail;
    step = "the program does not call audio_capture_main";
    if (am_a_capture_process()) goto fail;
    step = "no shared memory";
    if (!share_memory(c)) goto fail;
    step = "too many open files";
    c->quit = eventfd(0, EFD_CLOEXEC);
    if (c->quit < 0) goto fail;
    step = "the log cannot be written";
    if (desc->log) {
        c->log = child_high(open(desc->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
        if (c->log < 0) goto fail;
    }
    step = "no thread to watch it";
    if (!start_keeper(c)) goto fail;
    if (c->strict && (step = wait_for_device(c))) goto fail;
    return c;

fail:
    snprintf(why, (size_t)why_size, "sound input%s%s: %s", desc->name[0] ? " " : "",
             c && desc->name[0] ? wanted_words(c) : "", step);
    capture_close(c);
    return NULL;
}

void capture_close(Capture *c)
{
    if (!c) return;
    if (c->running) {
        const uint64_t one = 1;
        while (write(c->quit, &one, sizeof one) < 0) continue;
        pthread_join(c->keeper, NULL);
    }
    if (c->shared) munmap(c->shared, capture_shared_bytes());
    if (c->memory >= 0) close(c->memory);
    if (c->quit >= 0) close(c->quit);
    if (c->log >= 0) close(c->log);
    ring_free(c->news);
    free(c);
}

// What is left of an older stream belongs to another time, perhaps to another rate.
static uint32_t skip_to_newest_stream(Capture *c, uint32_t waiting)
{
    const uint32_t openings = atomic_load(&c->shared->openings);
    if (openings == c->openings) return waiting;
    const uint64_t old = atomic_load(&c->shared->start) - atomic_load(&c->ring->read);
    const uint32_t gone = ring_skip(c->ring, old < waiting ? (uint32_t)old : waiting);
    c->skipped += gone;
    if (gone < old) return 0; // the rest of the old came after the count: next time
    c->openings = openings;
    c->rate = (int)atomic_load(&c->shared->rate);
    return waiting - gone;
}

uint32_t capture_read(Capture *c, float *samples, uint32_t capacity)
{
    // Counted before the stream is looked at: what is counted is then of that stream or an older one.
    uint32_t waiting = skip_to_newest_stream(c, ring_waiting(c->ring));
    const uint32_t most = (uint32_t)(STALE * c->rate);
    if (waiting > most) {
        const uint32_t gone = ring_skip(c->ring, waiting - most);
        c->skipped += gone;
        waiting -= gone;
    }
    return ring_read(c->ring, samples, waiting < capacity ? waiting : capacity);
}

AudioStatus capture_status(Capture *c)
{
    while (ring_read(c->news, &c->heard, 1) == 1) continue;
    AudioStatus status = c->heard;
    status.live = true;
    status.rate = c->rate;
    status.dropped = c->skipped + atomic_load(&c->ring->dropped);
    return status;
}
