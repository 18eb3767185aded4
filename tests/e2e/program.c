#include "program.h"

#include "test.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <jansson.h>

#include "base/base.h"
#include "stage.h"

extern char **environ;

enum { WORDS_MAX = 96 };

// Starts it with both streams into `out` (a file descriptor, -1: thrown away).
static pid_t start(const char *program, const char *line, const char *folder, int out)
{
    char text[4096];
    char *words[WORDS_MAX] = { "motes" };
    int count = 1;
    snprintf(text, sizeof text, "%s", line);
    for (char *word = strtok(text, " "); word && count < WORDS_MAX - 1; word = strtok(NULL, " "))
        words[count++] = word;

    posix_spawn_file_actions_t files;
    pid_t process = 0;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    if (out >= 0)
        posix_spawn_file_actions_adddup2(&files, out, 1);
    else
        posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    if (getenv("MOTES_TEST_LOUD") == NULL || out >= 0)
        posix_spawn_file_actions_adddup2(&files, 1, 2);
    if (folder) posix_spawn_file_actions_addchdir_np(&files, folder);
    const int error = posix_spawn(&process, program, &files, NULL, words, environ);
    posix_spawn_file_actions_destroy(&files);
    if (error) fail_msg("%s does not start: %s", program, strerror(error));
    return process;
}

int program_run(const char *line, const char *folder, char *said, int said_size)
{
    return program_run_at(MOTES_PROGRAM, line, folder, said, said_size);
}

int program_run_at(const char *program, const char *line, const char *folder, char *said,
                   int said_size)
{
    int status = 0;
    FILE *out = tmpfile();
    assert_non_null(out);
    waitpid(start(program, line, folder, fileno(out)), &status, 0);
    rewind(out);
    char rest[8192];
    char *to = said ? said : rest;
    const size_t room = said ? (size_t)said_size : sizeof rest;
    to[fread(to, 1, room - 1, out)] = 0;
    fclose(out);
    if (!WIFEXITED(status))
        fail_msg("motes %s: ended by signal %d: %s", line, WTERMSIG(status), to);
    return WEXITSTATUS(status);
}

int program_start(const char *line)
{
    return start(MOTES_PROGRAM, line, NULL, -1);
}

int program_end(int process, double seconds)
{
    int status = 0;
    const double end = stage_seconds() + seconds;
    while (waitpid(process, &status, WNOHANG) == 0) {
        if (stage_seconds() > end) {
            stage_end(process, SIGKILL);
            fail_msg("motes did not end within %.1f s", seconds);
        }
        stage_sleep(0.005);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int program_stop(int process, double seconds)
{
    kill(process, SIGTERM);
    return program_end(process, seconds);
}

static uint32_t whole(json_t *object, const char *name)
{
    return (uint32_t)json_integer_value(json_object_get(object, name));
}

static double real(json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

static StatsLine read_line(json_t *object)
{
    StatsLine line = { .frame = whole(object, "frame"),
                       .time = real(object, "time"),
                       .rms = real(object, "rms"),
                       .level = real(object, "level"),
                       .frame_ms = real(object, "frame_ms"),
                       .births_cpu = whole(object, "births_cpu"),
                       .births_gpu = whole(object, "births_gpu"),
                       .alive_cpu = whole(object, "alive_cpu"),
                       .alive_gpu = whole(object, "alive_gpu"),
                       .onset = json_is_true(json_object_get(object, "onset")) };
    snprintf(line.audio, sizeof line.audio, "%s",
             json_string_value(json_object_get(object, "audio")));
    snprintf(line.source, sizeof line.source, "%s",
             json_string_value(json_object_get(object, "source")));
    snprintf(line.preset, sizeof line.preset, "%s",
             json_string_value(json_object_get(object, "preset")));
    return line;
}

int program_stats(const char *path, StatsLine **lines)
{
    char why[256];
    char *text = file_read(path, NULL, why, sizeof why);
    int count = 0, room = 0;
    *lines = NULL;
    for (char *at = text, *end; at && (end = strchr(at, '\n')); at = end + 1) {
        json_t *object = json_loadb(at, (size_t)(end - at), 0, NULL);
        if (!object) fail_msg("%s: not JSON: %.200s", path, at);
        if (count == room)
            *lines = realloc(*lines, sizeof **lines * (size_t)(room = 2 * room + 256));
        (*lines)[count++] = read_line(object);
        json_decref(object);
    }
    free(text);
    return count;
}

void program_wait(const char *stats, double seconds, double timeout)
{
    const double end = stage_seconds() + timeout;
    for (;;) {
        StatsLine *lines;
        const int count = program_stats(stats, &lines);
        const double time = count ? lines[count - 1].time : 0;
        free(lines);
        if (time > seconds) return;
        if (stage_seconds() > end) fail_msg("motes drew nothing within %.0f s", timeout);
        stage_sleep(0.05);
    }
}
