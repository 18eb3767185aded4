#include "audio/capture.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "audio/capture_shared.h"
#include "audio/child.h"
#include "audio/keeper.h"

// All in seconds.
static const double STRICT_LIMIT = 3; // how long a strict opening may take
static const double STALE = 0.25;     // older samples are not worth hearing

enum { FIRST_RATE = 48000 };

// The frame thread's, all of it.
struct Capture {
    int memory; // a descriptor
    CaptureShared *shared;
    Ring *ring; // in shared: the child writes
    Keeper *keeper;
    AudioStatus heard; // the keeper's newest
    uint32_t openings; // shared->openings when last read
    uint64_t gaps;     // shared->gaps when last read
    uint64_t skipped;
    uint64_t joins;
    int rate;
};

// ---- opening and closing -------------------------------------------------------------------------

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

// For a strict opening: waits for the first child to find its device.  NULL, or what is wrong.
static const char *wait_for_device(const Capture *c)
{
    const double end = child_clock() + STRICT_LIMIT;
    while (child_clock() < end) {
        const ChildStep verdict = keeper_verdict(c->keeper);
        if (verdict == CHILD_OPEN) return NULL;
        if (verdict == CHILD_NO_DEVICE) return "there is no sound input on this machine";
        if (verdict == CHILD_MISSING) return "there is no such input";
        nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
    }
    return keeper_verdict(c->keeper) ? "the input does not open"
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
    char pair[16] = "";
    Capture *c = calloc(1, sizeof *c);
    if (!c) goto fail;
    c->memory = -1;
    c->rate = FIRST_RATE;
    snprintf(c->heard.name, sizeof c->heard.name, "%.100s",
             desc->name[0] ? keeper_words(desc->name) : "input");
    if (desc->left > 0) snprintf(pair, sizeof pair, "%d-%d", desc->left, desc->right);

    step = "the program does not call audio_capture_main";
    if (am_a_capture_process()) goto fail;
    step = "no shared memory";
    if (!share_memory(c)) goto fail;
    c->keeper = keeper_new(&(KeeperDesc){ .name = desc->name,
                                          .pair = pair,
                                          .strict = desc->strict,
                                          .memory = c->memory,
                                          .shared = c->shared,
                                          .log = desc->log },
                           &step);
    if (!c->keeper) goto fail;
    if (desc->strict && (step = wait_for_device(c))) goto fail;
    return c;

fail:
    snprintf(why, (size_t)why_size, "sound input%s%s: %s", desc->name[0] ? " " : "",
             keeper_words(desc->name), step);
    capture_close(c);
    return NULL;
}

void capture_close(Capture *c)
{
    if (!c) return;
    keeper_free(c->keeper);
    if (c->shared) munmap(c->shared, capture_shared_bytes());
    if (c->memory >= 0) close(c->memory);
    free(c);
}

// ---- reading -------------------------------------------------------------------------------------

static uint32_t skip(Capture *c, uint32_t count)
{
    const uint32_t gone = ring_skip(c->ring, count);
    c->skipped += gone;
    return gone;
}

// What is left of an older stream belongs to another time, perhaps to another rate.
static uint32_t skip_to_newest_stream(Capture *c, uint32_t waiting)
{
    const uint32_t openings = atomic_load(&c->shared->openings);
    if (openings == c->openings) return waiting;
    const uint64_t old = atomic_load(&c->shared->start) - atomic_load(&c->ring->read);
    const uint32_t gone = skip(c, old < waiting ? (uint32_t)old : waiting);
    if (gone < old) return 0; // the rest of the old came after the count: next time
    c->joins++;
    c->openings = openings;
    c->rate = (int)atomic_load(&c->shared->rate);
    return waiting - gone;
}

static uint32_t skip_what_is_stale(Capture *c, uint32_t waiting)
{
    const uint32_t most = (uint32_t)(STALE * c->rate);
    if (waiting <= most) return waiting;
    c->joins++;
    return waiting - skip(c, waiting - most);
}

uint32_t capture_read(Capture *c, float *samples, uint32_t capacity)
{
    // Counted before the stream is looked at: what is counted is then of that stream or an older one.
    uint32_t waiting = ring_waiting(c->ring);
    waiting = skip_to_newest_stream(c, waiting);
    waiting = skip_what_is_stale(c, waiting);
    const uint64_t gaps = atomic_load(&c->shared->gaps);
    if (waiting > 0 && gaps != c->gaps) {
        c->joins++;
        c->gaps = gaps;
    }
    return ring_read(c->ring, samples, waiting < capacity ? waiting : capacity);
}

int capture_rate(const Capture *c)
{
    return c->rate;
}

uint64_t capture_joins(const Capture *c)
{
    return c->joins;
}

AudioStatus capture_status(Capture *c)
{
    keeper_news(c->keeper, &c->heard);
    const uint64_t heard_at = atomic_load(&c->shared->heard_at);
    AudioStatus status = c->heard;
    status.live = true;
    status.rate = c->rate;
    status.dropped = c->skipped + atomic_load(&c->ring->dropped);
    status.gaps = atomic_load(&c->shared->gaps);
    status.callback_worst = 1e-9 * (double)atomic_load(&c->shared->worst);
    status.age = heard_at ? fmax(0, child_clock() - 1e-9 * (double)heard_at) : 0;
    return status;
}
