#include "app/stats.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/clock.h"

// Who frees the struct: the frame thread, once the worker has ended in time, or else the worker itself.
enum { RUNNING, ENDED, ABANDONED };

enum { WAITING_ROWS = 256, NAP_MS = 5, LAST_WAIT_MS = 500 };

struct Stats {
    Ring *rows;
    FILE *file;
    bool complete;
    atomic_bool ending;
    _Atomic int state;
    _Atomic int error;
    pthread_t worker;
};

static void nap(void)
{
    clock_wait(clock_now() + NAP_MS * 1e-3);
}

static void print_text(FILE *file, const char *name, const char *text)
{
    fprintf(file, ",\"%s\":\"", name);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(file, "\\%c", c);
        else if (c < 0x20)
            fprintf(file, "\\u%04x", c);
        else
            fputc(c, file);
    }
    fputc('"', file);
}

static void print_row(FILE *file, const StatsRow *row, uint64_t dropped_rows)
{
    const ShowStats *s = &row->show;
    const float *signal = s->features.signal;
    fprintf(file, "{\"frame\":%u,\"time\":%.6f,\"dt\":%.6f", s->frame, s->time, s->dt);
    fprintf(file, ",\"peak\":%.5g,\"level\":%.5g,\"rms\":%.5g", signal[SIGNAL_PEAK],
            signal[SIGNAL_LEVEL], signal[SIGNAL_RMS]);
    fprintf(file, ",\"bands\":[%.5g,%.5g,%.5g]", signal[SIGNAL_BASS], signal[SIGNAL_MID],
            signal[SIGNAL_TREBLE]);
    fprintf(file, ",\"onset\":%s,\"onsets\":%llu,\"beat\":false,\"bpm\":null",
            s->features.onset ? "true" : "false", (unsigned long long)s->onsets_all);
    fprintf(
        file,
        ",\"births_cpu\":%u,\"alive_cpu\":%u,\"births_gpu\":%u,\"alive_gpu\":%u,\"gpu_frame\":%u",
        s->births_cpu, s->alive_cpu, s->births_gpu, s->alive_gpu, s->gpu_frame);
    fprintf(file, ",\"frame_ms\":%.3f", row->frame_ms);
    print_text(file, "preset", row->preset);
    print_text(file, "audio", row->audio);
    fprintf(file, ",\"dropped\":{\"samples\":%llu,\"messages\":%llu,\"rows\":%llu}}\n",
            (unsigned long long)row->dropped_samples, (unsigned long long)row->dropped_messages,
            (unsigned long long)dropped_rows);
}

// From RUNNING to `state`; false when the other side was first.
static bool move_on(Stats *stats, int state)
{
    int running = RUNNING;
    return atomic_compare_exchange_strong(&stats->state, &running, state);
}

// False when not everything could be written.
static bool close_file(Stats *stats)
{
    const int error = atomic_load(&stats->error);
    const bool whole = fclose(stats->file) == 0 && !error;
    if (error) errno = error;
    ring_free(stats->rows);
    free(stats);
    return whole;
}

static void *work(void *argument)
{
    Stats *stats = argument;
    StatsRow row;
    for (;;) {
        const bool ending = atomic_load(&stats->ending);
        while (ring_read(stats->rows, &row, 1))
            print_row(stats->file, &row, atomic_load(&stats->rows->dropped));
        if (fflush(stats->file) != 0 && !atomic_load(&stats->error))
            atomic_store(&stats->error, errno);
        if (ending) break;
        nap();
    }
    if (!move_on(stats, ENDED)) close_file(stats);
    return NULL;
}

Stats *stats_open(const char *file, bool complete, char *why, int why_size)
{
    Stats *stats = calloc(1, sizeof *stats);
    if (!stats) goto fail;
    stats->complete = complete;
    stats->rows = ring_new(WAITING_ROWS, sizeof(StatsRow));
    if (!stats->rows) goto fail;
    const int fd = strcmp(file, "-") ? open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)
                                     : fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    stats->file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!stats->file) goto fail;
    if (pthread_create(&stats->worker, NULL, work, stats)) goto fail;
    return stats;

fail:
    snprintf(why, (size_t)why_size, "stats: %s: %s", file, strerror(errno));
    if (stats && stats->file) fclose(stats->file);
    if (stats) ring_free(stats->rows);
    free(stats);
    return NULL;
}

void stats_row(Stats *stats, const StatsRow *row)
{
    if (!stats) return;
    while (stats->complete && ring_waiting(stats->rows) == stats->rows->capacity) nap();
    ring_write(stats->rows, row, 1);
}

bool stats_close(Stats *stats, char *why, int why_size)
{
    if (!stats) return true;
    atomic_store(&stats->ending, true);
    for (int waited = 0;
         atomic_load(&stats->state) == RUNNING && (stats->complete || waited < LAST_WAIT_MS);
         waited += NAP_MS)
        nap();
    pthread_t worker = stats->worker;
    if (move_on(stats, ABANDONED)) { // a pipe that nobody reads
        snprintf(why, (size_t)why_size, "stats: the last rows could not be written in time");
        pthread_detach(worker);
        return false;
    }
    pthread_join(worker, NULL);
    const bool whole = close_file(stats);
    if (!whole) snprintf(why, (size_t)why_size, "stats: %s", strerror(errno));
    return whole;
}
