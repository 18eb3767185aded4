#include "audio/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "audio/audio.h"
#include "audio/capture_shared.h"

extern char **environ;

static void set_files(posix_spawn_file_actions_t *files, const ChildDesc *desc)
{
    posix_spawn_file_actions_addopen(files, 0, "/dev/null", O_RDONLY, 0);
    if (desc->out)
        posix_spawn_file_actions_adddup2(files, desc->out, 1);
    else
        posix_spawn_file_actions_addopen(files, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(files, desc->log ? desc->log : 1, 2);
    if (!desc->log && desc->out)
        posix_spawn_file_actions_addopen(files, 2, "/dev/null", O_WRONLY, 0);
    if (desc->shared) posix_spawn_file_actions_adddup2(files, desc->shared, CAPTURE_FD);
    posix_spawn_file_actions_addclosefrom_np(files, desc->shared ? CAPTURE_FD + 1 : CAPTURE_FD);
}

// The keeper blocks all signals and the host may ignore some: neither is for the child.
static void set_signals(posix_spawnattr_t *how)
{
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(how, &none);
    posix_spawnattr_setsigdefault(how, &all);
    posix_spawnattr_setflags(how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

pid_t child_start(const ChildDesc *desc)
{
    char parent[16];
    snprintf(parent, sizeof parent, "%d", (int)getpid());
    const char *const words[] = {
        "motes",      AUDIO_CAPTURE_COMMAND,        desc->task, parent, desc->name,
        desc->option, desc->pair ? desc->pair : "", NULL
    };
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    pid_t child = 0;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&how);
    set_files(&files, desc);
    set_signals(&how);
    const int error = posix_spawn(&child, "/proc/self/exe", &files, &how,
                                  (char *const *)(intptr_t)words, environ);
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&files);
    return error ? 0 : child;
}

bool child_ended(pid_t child, int *code)
{
    int status = 0;
    const pid_t got = waitpid(child, &status, WNOHANG);
    if (got == 0 || (got < 0 && errno == EINTR)) return false;
    *code = got == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return true;
}

void child_end(pid_t child)
{
    if (child <= 0) return;
    int code;
    kill(child, SIGKILL);
    // A busy machine takes its time; what hangs in a driver may never end, and is left.
    for (int tries = 0; tries < 2000 && !child_ended(child, &code); tries++)
        nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
}

double child_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int child_high(int fd)
{
    if (fd < 0) return -1;
    const int high = fcntl(fd, F_DUPFD_CLOEXEC, CAPTURE_FD + 1);
    close(fd);
    return high;
}
