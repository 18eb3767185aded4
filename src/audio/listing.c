// Listing inputs, in a child process that is killed when the sound server does not answer.
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "audio/audio.h"
#include "audio/child.h"

enum { LIST_SECONDS = 3, LARGEST = 64 << 10 };

// Reads to the end, at most until `end`; returns the length, or -1 when that time came first.
static int read_until(int fd, char *text, int size, double end)
{
    int length = 0;
    for (;;) {
        const double left = end - child_clock();
        struct pollfd one = { .fd = fd, .events = POLLIN };
        if (left <= 0 || poll(&one, 1, (int)(left * 1000) + 1) == 0) return -1;
        const ssize_t got = read(fd, text + length, (size_t)(size - length));
        if (got == 0 || length + got == size) return length + (int)got;
        if (got > 0) length += (int)got;
    }
}

// The exit code of that task, and what it printed; -1 when it did not end in time.
static int run(const char *task, const char *option, double seconds, char *text, int *length)
{
    const double end = child_clock() + seconds;
    int ends[2], code = -1;
    *length = 0;
    if (pipe2(ends, O_CLOEXEC) < 0) return -1;
    const int from = child_high(ends[0]), to = child_high(ends[1]);
    const pid_t child =
        from >= 0 && to >= 0
            ? child_start(&(ChildDesc){ .task = task, .name = "", .option = option, .out = to })
            : 0;
    if (to >= 0) close(to);
    if (child) *length = read_until(from, text, LARGEST, end);
    if (from >= 0) close(from);
    if (!child) return -1;
    while (*length >= 0 && child_clock() < end) {
        if (child_ended(child, &code)) return code;
        nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
    }
    child_end(child);
    return -1;
}

bool audio_list(FILE *out, bool json)
{
    char text[LARGEST];
    int length;
    const int code = run("list", json ? "json" : "text", LIST_SECONDS, text, &length);
    if (code < 0)
        fprintf(out, json ? "[]\n" : "the sound server did not answer within 3 s\n");
    else
        fwrite(text, 1, (size_t)length, out);
    return code == 0;
}

int audio_names(char names[][AUDIO_NAME], int most, double seconds)
{
    char text[LARGEST];
    int length, count = 0;
    if (run("list", "names", seconds, text, &length) != 0) return 0;
    for (int at = 0; at < length && count < most;) {
        const char *end = memchr(text + at, '\n', (size_t)(length - at));
        const int size = end ? (int)(end - text) - at : length - at;
        if (size > 0 && size < AUDIO_NAME)
            snprintf(names[count++], AUDIO_NAME, "%.*s", size, text + at);
        at += size + 1;
    }
    return count;
}
