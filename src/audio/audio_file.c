// Decoding all of a file at the opening was tried on paper and rejected: ten minutes of MP3 keep a
// start waiting for seconds, and an hour does not fit.  So every file streams, also a short one.
#include "audio/audio_file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "audio/audio.h"
#include "base/base.h"

enum { BLOCK = 2048, SECONDS_AHEAD = 2 };

struct AudioFile {
    SNDFILE *sound; // the thread's, once it runs
    SF_INFO info;
    bool loop;
    float *decoded;          // BLOCK frames of the file's channels; the thread's
    float pairs[BLOCK][2];   // the thread's
    Ring *ring;              // the thread writes pairs, the frame thread reads them
    sem_t filled, emptied;   // wake the one who waits for the other
    _Atomic bool over, quit; // nothing more will be written; the thread shall end
    pthread_t thread;
    bool running;

    // A seek: the frame thread asks, the thread goes there and says from where in the ring that holds.
    _Atomic int64_t target;         // frame of the file
    _Atomic uint32_t asked, landed; // how often
    _Atomic uint64_t start;         // ring->written when the newest seek landed

    // The frame thread's.
    uint32_t taken;   // seeks whose old frames are thrown away
    int64_t position; // frame of the file that comes next
};

// A bell and not a count: one waiting ring of it is enough.
static void ring_bell(sem_t *bell)
{
    int rung = 0;
    if (sem_getvalue(bell, &rung) == 0 && rung == 0) sem_post(bell);
}

static void wait_for(sem_t *bell)
{
    while (sem_wait(bell) < 0 && errno == EINTR) continue;
}

// The next frames as they lie in the file; at its end from the start again, if it loops.
static sf_count_t decode(AudioFile *f)
{
    const sf_count_t got = sf_readf_float(f->sound, f->decoded, BLOCK);
    if (got > 0 || !f->loop) return got;
    if (sf_seek(f->sound, 0, SEEK_SET) != 0) return 0;
    return sf_readf_float(f->sound, f->decoded, BLOCK);
}

// One more block into the ring, which has room for it.  False when the file is over.
static bool fill(AudioFile *f)
{
    const int channels = f->info.channels, right = channels > 1;
    const sf_count_t count = decode(f);
    if (count <= 0) return false;
    for (sf_count_t n = 0; n < count; n++) {
        f->pairs[n][0] = f->decoded[n * channels];
        f->pairs[n][1] = f->decoded[n * channels + right];
    }
    ring_write(f->ring, f->pairs, (uint32_t)count);
    return true;
}

static bool has_room(const AudioFile *f)
{
    return f->ring->capacity - ring_waiting(f->ring) >= BLOCK;
}

// To the newest target, when there is one.
static void go_where_asked(AudioFile *f)
{
    const uint32_t asked = atomic_load(&f->asked);
    if (asked == atomic_load(&f->landed)) return;
    const bool there = sf_seek(f->sound, atomic_load(&f->target), SEEK_SET) >= 0;
    atomic_store(&f->over, !there);
    atomic_store(&f->start, atomic_load(&f->ring->written));
    atomic_store(&f->landed, asked);
    ring_bell(&f->filled);
}

static void *read_ahead(void *file)
{
    AudioFile *f = file;
    while (!atomic_load(&f->quit)) {
        go_where_asked(f);
        if (atomic_load(&f->over) || !has_room(f)) {
            wait_for(&f->emptied);
            continue;
        }
        if (!fill(f)) atomic_store(&f->over, true);
        ring_bell(&f->filled);
    }
    return NULL;
}

// Signals are for the main thread.
static bool start_thread(AudioFile *f)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    f->running = pthread_create(&f->thread, NULL, read_ahead, f) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return f->running;
}

// A plain file, opened; never waits, as a named pipe would.
static int open_plain(const char *path, const char **step)
{
    struct stat about;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) {
        *step = strerror(errno);
        return -1;
    }
    if (fstat(fd, &about) == 0 && S_ISREG(about.st_mode)) return fd;
    *step = "it is not a file";
    close(fd);
    return -1;
}

AudioFile *audio_file_open(const char *path, bool loop, char *why, int why_size)
{
    const char *step = "out of memory";
    AudioFile *f = calloc(1, sizeof *f);
    if (!f) goto fail;
    sem_init(&f->filled, 0, 0);
    sem_init(&f->emptied, 0, 0);
    f->loop = loop;

    const int fd = open_plain(path, &step);
    if (fd < 0) goto fail;
    step = "not a sound file of a known format";
    f->sound = sf_open_fd(fd, SFM_READ, &f->info, SF_TRUE);
    if (!f->sound) goto fail;
    step = "its sample rate is not between 8 and 192 kHz";
    if (f->info.samplerate < AUDIO_RATE_MIN || f->info.samplerate > AUDIO_RATE_MAX) goto fail;
    step = "it has no channels";
    if (f->info.channels < 1) goto fail;

    step = "out of memory";
    f->decoded = calloc((size_t)BLOCK * (size_t)f->info.channels, sizeof *f->decoded);
    f->ring = ring_new((uint32_t)(SECONDS_AHEAD * f->info.samplerate) + BLOCK, sizeof f->pairs[0]);
    if (!f->decoded || !f->ring) goto fail;
    while (has_room(f) && !f->over) f->over = !fill(f);
    step = "there is no sound in it";
    if (ring_waiting(f->ring) == 0) goto fail;
    step = "no thread to read it";
    if (!start_thread(f)) goto fail;
    return f;

fail:
    snprintf(why, (size_t)why_size, "%s: %s", path, step);
    audio_file_close(f);
    return NULL;
}

void audio_file_close(AudioFile *f)
{
    if (!f) return;
    atomic_store(&f->quit, true);
    sem_post(&f->emptied);
    if (f->running) pthread_join(f->thread, NULL);
    if (f->sound) sf_close(f->sound);
    sem_destroy(&f->filled);
    sem_destroy(&f->emptied);
    ring_free(f->ring);
    free(f->decoded);
    free(f);
}

// False while a seek is on its way; throws away what is from before it.
static bool has_landed(AudioFile *f)
{
    const uint32_t landed = atomic_load(&f->landed);
    if (landed == atomic_load(&f->asked) && landed == f->taken) return true;
    if (landed != atomic_load(&f->asked)) {
        ring_skip(f->ring, UINT32_MAX);
        return false;
    }
    ring_skip(f->ring, (uint32_t)(atomic_load(&f->start) - atomic_load(&f->ring->read)));
    f->taken = landed;
    f->position = atomic_load(&f->target);
    return true;
}

static void move_on(AudioFile *f, uint32_t count)
{
    const bool known = f->info.frames > 0 && f->info.frames < SF_COUNT_MAX;
    f->position += count;
    if (f->loop && known) f->position %= f->info.frames;
}

uint32_t audio_file_read(AudioFile *f, float *samples, uint32_t count, bool wait)
{
    uint32_t given = 0;
    for (;;) {
        if (has_landed(f)) {
            const bool last = atomic_load(&f->over); // asked first: what is read below is then all
            given += ring_read(f->ring, samples + 2 * (size_t)given, count - given);
            if (given == count || last) wait = false;
        }
        ring_bell(&f->emptied);
        if (!wait) break;
        wait_for(&f->filled);
    }
    move_on(f, given);
    return given;
}

bool audio_file_seek(AudioFile *f, double seconds)
{
    if (!f->info.seekable) return false;
    f->position = (int64_t)clampd(seconds * f->info.samplerate, 0, (double)f->info.frames);
    atomic_store(&f->target, f->position);
    atomic_fetch_add(&f->asked, 1);
    ring_bell(&f->emptied);
    return true;
}

uint32_t audio_file_joins(const AudioFile *f)
{
    return f->taken;
}

int audio_file_rate(const AudioFile *f)
{
    return f->info.samplerate;
}

double audio_file_duration(const AudioFile *f)
{
    const bool known = f->info.frames > 0 && f->info.frames < SF_COUNT_MAX;
    return known && !f->loop ? (double)f->info.frames / f->info.samplerate : 0;
}

double audio_file_position(const AudioFile *f)
{
    return (double)f->position / f->info.samplerate;
}

bool audio_file_ended(const AudioFile *f)
{
    return f->taken == atomic_load(&f->asked) && atomic_load(&f->over) &&
           ring_waiting(f->ring) == 0;
}
