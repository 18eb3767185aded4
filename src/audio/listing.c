// Listing inputs, in a child process that is killed when the sound server does not answer.
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "audio/audio.h"
#include "audio/child.h"
#include "audio/source.h"

enum { LIST_SECONDS = 3, LARGEST = 64 << 10, LOOK_MS = 20 };

// Reads to the end, at most until `end` or `ending` (may be NULL); returns the length, or -1 when that came
// first.
static int read_until(int fd, char *text, int size, double end, const _Atomic bool *ending)
{
    int length = 0;
    while (child_clock() < end && !(ending && atomic_load(ending))) {
        struct pollfd one = { .fd = fd, .events = POLLIN };
        if (poll(&one, 1, LOOK_MS) <= 0) continue;
        const ssize_t got = read(fd, text + length, (size_t)(size - length));
        if (got == 0 || length + got == size) return length + (int)got;
        if (got > 0) length += (int)got;
    }
    return -1;
}

// The exit code of that task, and what it printed; -1 when it did not end in time.
static int run(const char *task, const char *option, double seconds, const _Atomic bool *ending,
               char *text, int *length)
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
    if (child) *length = read_until(from, text, LARGEST, end, ending);
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
    const int code = run("list", json ? "json" : "text", LIST_SECONDS, NULL, text, &length);
    if (code < 0)
        fprintf(out, json ? "[]\n" : "the sound server did not answer within 3 s\n");
    else
        fwrite(text, 1, (size_t)length, out);
    return code == 0;
}

// A line of the form "lines": what it is, its name, its title, a tab between.
static bool read_line(char *line, AudioInput *input)
{
    char *rest = NULL;
    const char *kind = strtok_r(line, "\t", &rest), *name = strtok_r(NULL, "\t", &rest);
    const char *title = strtok_r(NULL, "", &rest);
    if (!kind || !name || strlen(name) >= AUDIO_NAME) return false;
    input->monitor = strcmp(kind, "monitor") == 0;
    snprintf(input->name, AUDIO_NAME, "%s", name);
    snprintf(input->title, AUDIO_NAME, "%.*s", AUDIO_NAME - 1, title ? title : name);
    return true;
}

int audio_inputs(AudioInput *inputs, int most, double seconds, const _Atomic bool *ending)
{
    char text[LARGEST + 1], *rest = NULL;
    int length, count = 0;
    if (run("list", "lines", seconds, ending, text, &length) < 0) return -1;
    text[length] = 0;
    for (char *line = strtok_r(text, "\n", &rest); line && count < most;
         line = strtok_r(NULL, "\n", &rest))
        count += read_line(line, &inputs[count]);
    return count;
}

int audio_find_input(const AudioInput *inputs, int count, const char *source)
{
    char words[256];
    int left, right;
    snprintf(words, sizeof words, "%s", source);
    source_cut_pair(words, &left, &right);
    if (strncmp(words, "input:", 6) != 0 || !words[6]) return -1;
    for (int i = 0; i < count; i++)
        if (strcmp(inputs[i].name, words + 6) == 0) return i;
    for (int i = 0; i < count; i++)
        if (strcasestr(inputs[i].title, words + 6) || strcasestr(inputs[i].name, words + 6))
            return i;
    return -1;
}
