#include "app/stats.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/clock.h"

enum { WAITING_ROWS = 256, NAP_MS = 5 };
enum { CHUNK = 4096 }; // bytes: what a pipe that polls as writable takes at once (PIPE_BUF)
static const double LAST_WAIT = 0.5; // s

struct Stats {
    Ring *rows;
    int fd;
    bool complete;
    FILE *page; // rows as text, in memory, not written yet
    char *text;
    size_t length;
    atomic_bool ending;
    int error; // errno of the first failure; the worker's until it is joined
    pthread_t worker;
};

static void nap(void)
{
    clock_wait(clock_now() + NAP_MS * 1e-3);
}

static const char *truth(bool value)
{
    return value ? "true" : "false";
}

static void print_music(FILE *file, const Features *f)
{
    fprintf(file, ",\"loudness\":%.2f,\"build\":%.4g,\"break\":%.4g,\"drop\":%.4g",
            f->signal[SIGNAL_LOUDNESS], f->signal[SIGNAL_BUILD], f->signal[SIGNAL_BREAK],
            f->signal[SIGNAL_DROP]);
    fprintf(file, ",\"gain\":%.2f,\"automatic\":%s,\"silent\":%s",
            20 * log10f(fmaxf(f->gain, 1e-6f)), truth(f->automatic), truth(f->silent));
}

static void print_times(FILE *file, const ShowStats *s)
{
    if (!s->timed) {
        fprintf(file, ",\"gpu_ms\":null");
        return;
    }
    fprintf(file, ",\"gpu_ms\":%.3f,\"gpu_pass_ms\":{", s->gpu_ms_all);
    for (int p = 0; p < TIMED_PASSES; p++)
        fprintf(file, "%s\"%s\":%.3f", p == 0 ? "" : ",", timed_names[p], s->gpu_ms[p]);
    fputc('}', file);
}

static void print_row(FILE *file, const StatsRow *row, uint64_t dropped_rows)
{
    const ShowStats *s = &row->show;
    const float *signal = s->features.signal;
    fprintf(file, "{\"frame\":%u,\"time\":%.6f,\"dt\":%.6f", s->frame, s->time, s->dt);
    fprintf(file, ",\"peak\":%.5g,\"level\":%.5g,\"rms\":%.5g", signal[SIGNAL_PEAK],
            signal[SIGNAL_LEVEL], signal[SIGNAL_RMS]);
    for (int i = 0; i < ANALYSIS_BANDS; i++)
        fprintf(file, "%s%.5g", i == 0 ? ",\"bands\":[" : ",", signal[analysis_bands[i]]);
    fputc(']', file);
    fprintf(file, ",\"onset\":%s,\"onsets\":%llu,\"beat\":%s", truth(s->features.onset),
            (unsigned long long)s->onsets_all, truth(s->features.beat));
    if (signal[SIGNAL_BPM] > 0)
        fprintf(file, ",\"bpm\":%.3f,\"confidence\":%.5g", signal[SIGNAL_BPM],
                signal[SIGNAL_CONFIDENCE]);
    else
        fprintf(file, ",\"bpm\":null,\"confidence\":0");
    print_music(file, &s->features);
    fprintf(
        file,
        ",\"births_cpu\":%u,\"alive_cpu\":%u,\"births_gpu\":%u,\"alive_gpu\":%u,\"gpu_frame\":%u",
        s->births_cpu, s->alive_cpu, s->births_gpu, s->alive_gpu, s->gpu_frame);
    fprintf(file, ",\"frame_ms\":%.3f", row->frame_ms);
    print_times(file, s);
    fprintf(file, ",\"quality\":{\"scale\":%.4g,\"share\":%.4g}", s->scale, s->share);
    fprintf(file, ",\"preset\":");
    json_text(file, row->preset);
    fprintf(file, ",\"audio\":");
    json_text(file, row->audio);
    fprintf(file, ",\"source\":");
    json_text(file, row->source);
    fprintf(file, ",\"age_ms\":%.1f,\"callback_ms\":%.3f,\"gaps\":%llu", row->age_ms,
            row->callback_ms, (unsigned long long)row->gaps);
    fprintf(file,
            ",\"dropped\":{\"samples\":%llu,\"messages\":%llu,\"events\":%llu,\"rows\":%llu}}\n",
            (unsigned long long)row->dropped_samples, (unsigned long long)row->dropped_messages,
            (unsigned long long)s->events_lost, (unsigned long long)dropped_rows);
}

// Writes without ever being stuck in a write: a pipe that nobody reads is given up LAST_WAIT after the
// end was asked for, unless the stats shall be complete.
static bool write_text(Stats *stats, const char *text, size_t length)
{
    double give_up = 0;
    while (length > 0) {
        struct pollfd ready = { .fd = stats->fd, .events = POLLOUT };
        if (poll(&ready, 1, NAP_MS) > 0) {
            const ssize_t sent = write(stats->fd, text, length < CHUNK ? length : CHUNK);
            if (sent < 0 && errno != EINTR && errno != EAGAIN) return false;
            text += sent > 0 ? sent : 0;
            length -= sent > 0 ? (size_t)sent : 0;
        } else if (atomic_load(&stats->ending) && !stats->complete) {
            if (give_up == 0) give_up = clock_now() + LAST_WAIT;
            errno = ETIMEDOUT;
            if (clock_now() > give_up) return false;
        }
    }
    return true;
}

// Takes the rows that wait and writes them; after a failure rows are taken and thrown away.
static void write_rows(Stats *stats)
{
    StatsRow row;
    rewind(stats->page);
    for (int i = 0; i < WAITING_ROWS && ring_read(stats->rows, &row, 1); i++)
        print_row(stats->page, &row, atomic_load(&stats->rows->dropped));
    const long length = ftell(stats->page); // a rewound stream keeps the size it once had
    fflush(stats->page);
    if (!stats->error && !write_text(stats, stats->text, (size_t)length)) stats->error = errno;
}

static void *work(void *argument)
{
    Stats *stats = argument;
    for (bool ending = false; !ending;) {
        ending = atomic_load(&stats->ending);
        write_rows(stats);
        if (!ending) nap();
    }
    return NULL;
}

static void stats_free(Stats *stats)
{
    if (!stats) return;
    if (stats->page) fclose(stats->page);
    if (stats->fd >= 0) close(stats->fd);
    free(stats->text);
    ring_free(stats->rows);
    free(stats);
}

// A pipe without a reader is refused at once instead of waited for.
static int open_file(const char *file)
{
    if (!strcmp(file, "-")) return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    const int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0644);
    if (fd >= 0) fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    return fd;
}

Stats *stats_open(const char *file, bool complete, char *why, int why_size)
{
    Stats *stats = calloc(1, sizeof *stats);
    if (!stats) goto fail;
    stats->complete = complete;
    stats->fd = open_file(file);
    stats->rows = ring_new(WAITING_ROWS, sizeof(StatsRow));
    stats->page = open_memstream(&stats->text, &stats->length);
    if (stats->fd < 0 || !stats->rows || !stats->page) goto fail;
    if (pthread_create(&stats->worker, NULL, work, stats)) goto fail;
    return stats;

fail:
    snprintf(why, (size_t)why_size, "stats: %s: %s", file, strerror(errno));
    stats_free(stats);
    return NULL;
}

void stats_hear(StatsRow *row, const AudioStatus *audio)
{
    snprintf(row->audio, sizeof row->audio, "%s", audio_state_name(audio->state));
    snprintf(row->source, sizeof row->source, "%s", audio->name);
    row->age_ms = audio->age * 1000;
    row->callback_ms = audio->callback_worst * 1000;
    row->gaps = audio->gaps;
    row->dropped_samples = audio->dropped;
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
    pthread_join(stats->worker, NULL);
    const int error = stats->error;
    if (error == ETIMEDOUT)
        snprintf(why, (size_t)why_size, "stats: nobody read the last rows");
    else if (error)
        snprintf(why, (size_t)why_size, "stats: %s", strerror(error));
    stats_free(stats);
    return error == 0;
}
