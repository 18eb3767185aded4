#include "stage.h"

#include "test.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "audio/audio.h"

extern char **environ;

enum { MOST_SERVERS = 4, ANSWER_SECONDS = 10 };

struct Stage {
    char folder[64];
    char path[256];
    pid_t servers[MOST_SERVERS]; // PulseAudio is one process, PipeWire four
    pid_t player;
};

double stage_patience(double seconds)
{
    double load = 0;
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (getloadavg(&load, 1) < 1 || cores < 1) return seconds;
    return load > (double)cores ? seconds * (1 + 2 * load / (double)cores) : seconds;
}

double stage_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void stage_sleep(double seconds)
{
    struct timespec t = { .tv_sec = (time_t)seconds };
    t.tv_nsec = (long)((seconds - (double)t.tv_sec) * 1e9);
    nanosleep(&t, NULL);
}

// Starts a program through setpriv, so that it dies with this one.
pid_t stage_run(const char *const words[])
{
    const char *all[32] = { "setpriv", "--pdeathsig", "KILL" };
    for (int n = 0; words[n]; n++) {
        assert_true(n + 4 < 32);
        all[n + 3] = words[n];
    }
    posix_spawn_file_actions_t files;
    pid_t process = 0;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
    const int error =
        posix_spawnp(&process, all[0], &files, NULL, (char *const *)(intptr_t)all, environ);
    posix_spawn_file_actions_destroy(&files);
    if (error) fail_msg("%s does not start: %s", all[0], strerror(error));
    return process;
}

void stage_end(pid_t process, int signal)
{
    if (process <= 0) return;
    kill(process, signal);
    waitpid(process, NULL, 0);
}

// Runs it to its end; true when it says that all went well.
static bool run_whole(const char *const words[])
{
    int status = 0;
    waitpid(stage_run(words), &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool installed(const char *program)
{
    const char *const words[] = { "sh", "-c", "command -v \"$0\"", program, NULL };
    return run_whole(words);
}

Stage *stage_open(void)
{
    Stage *stage = calloc(1, sizeof *stage);
    if (!stage) fail_msg("out of memory");
    snprintf(stage->folder, sizeof stage->folder, "/tmp/motes_stage_XXXXXX");
    if (!mkdtemp(stage->folder)) fail_msg("no folder for the stage");
    setenv("XDG_RUNTIME_DIR", stage->folder, 1);
    setenv("HOME", stage->folder, 1);
    unsetenv("XDG_STATE_HOME");
    unsetenv("XDG_DATA_HOME");
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("PULSE_SERVER");
    unsetenv("PULSE_SOURCE");
    unsetenv("PULSE_SINK");
    unsetenv("PULSE_RUNTIME_PATH");
    unsetenv("PIPEWIRE_REMOTE");
    unsetenv("PIPEWIRE_RUNTIME_DIR");
    return stage;
}

void stage_close(Stage *stage)
{
    if (!stage) return;
    stage_kill_sound(stage);
    const char *const words[] = { "rm", "-rf", stage->folder, NULL };
    run_whole(words);
    free(stage);
}

const char *stage_path(Stage *stage, const char *name)
{
    snprintf(stage->path, sizeof stage->path, "%s/%s", stage->folder, name);
    return stage->path;
}

static void start_pulseaudio(Stage *stage, const char *output)
{
    const char *const words[] = {
        "pulseaudio",
        "-n",
        "--daemonize=no",
        "--use-pid-file=no",
        "--exit-idle-time=-1",
        "--realtime=no", // a busy machine would end it for using too much of real time
        "-L",
        "module-native-protocol-unix auth-anonymous=1",
        "-L",
        output,
        NULL
    };
    unlink(stage_path(stage, "pulse/native")); // a killed server leaves it
    stage->servers[0] = stage_run(words);
}

static void wait_for_socket(Stage *stage, const char *name)
{
    const double end = stage_seconds() + ANSWER_SECONDS;
    while (access(stage_path(stage, name), F_OK) != 0) {
        if (stage_seconds() > end) fail_msg("PipeWire: %s does not appear", name);
        stage_sleep(0.02);
    }
}

static void write_line(Stage *stage, const char *name, const char *line)
{
    FILE *file = fopen(stage_path(stage, name), "w");
    if (!file) fail_msg("%s cannot be written", name);
    fprintf(file, "%s\n", line);
    fclose(file);
}

// Its session manager gives up where there is no login service, if it is to look for Bluetooth, and no
// message bus, if it is to look for cards: it is to look for neither, and has a bus of its own.
static void start_pipewire(Stage *stage)
{
    char bus[160], address[192];
    const char *const folders[] = {
        "mkdir", "-p", strdup(stage_path(stage, ".config/wireplumber/main.lua.d")),
        strdup(stage_path(stage, ".config/wireplumber/bluetooth.lua.d")), NULL
    };
    run_whole(folders);
    free((void *)(uintptr_t)folders[2]);
    free((void *)(uintptr_t)folders[3]);
    write_line(stage, ".config/wireplumber/main.lua.d/51-stage.lua",
               "alsa_monitor.enabled = false");
    write_line(stage, ".config/wireplumber/bluetooth.lua.d/51-stage.lua",
               "bluez_monitor.enabled = false");

    snprintf(bus, sizeof bus, "unix:path=%s", stage_path(stage, "bus"));
    snprintf(address, sizeof address, "--address=%s", bus);
    const char *const daemon[] = { "dbus-daemon", "--session", "--nofork",
                                   "--nopidfile", address,     NULL };
    const char *const pipewire[] = { "pipewire", NULL };
    const char *const manager[] = { "wireplumber", NULL };
    const char *const pulse[] = { "pipewire-pulse", NULL };
    unlink(stage_path(stage, "bus")); // killed servers leave theirs
    unlink(stage_path(stage, "pipewire-0"));
    unlink(stage_path(stage, "pulse/native"));
    setenv("DBUS_SESSION_BUS_ADDRESS", bus, 1);
    stage->servers[0] = stage_run(daemon);
    wait_for_socket(stage, "bus");
    stage->servers[1] = stage_run(pipewire);
    wait_for_socket(stage, "pipewire-0");
    stage->servers[2] = stage_run(manager);
    stage->servers[3] = stage_run(pulse);
}

static bool answers(void)
{
    const char *const words[] = { "timeout", "1", "pactl", "info", NULL };
    return run_whole(words);
}

static void start_server(Stage *stage, const char *output)
{
    const bool pulse = installed("pulseaudio");
    if (!pulse && !installed("pipewire-pulse"))
        fail_msg("neither pulseaudio nor pipewire-pulse is installed");
    if (!installed("pactl")) fail_msg("pactl is missing: install the package pulseaudio-utils");
    if (pulse)
        start_pulseaudio(stage, output);
    else
        start_pipewire(stage);
    const double end = stage_seconds() + ANSWER_SECONDS;
    while (!answers()) {
        if (stage_seconds() > end) fail_msg("the sound server does not answer");
        stage_sleep(0.02);
    }
}

void stage_start_sound(Stage *stage)
{
    start_server(stage, "module-null-sink sink_name=stage rate=48000 channels=2 format=float32le");
    if (!installed("pulseaudio")) stage_add_output(stage, "stage");
}

void stage_start_without_card(Stage *stage)
{
    start_server(stage, "module-always-sink");
}

void stage_kill_sound(Stage *stage)
{
    stage_end(stage->player, SIGKILL);
    stage->player = 0;
    for (int n = MOST_SERVERS - 1; n >= 0; n--) {
        stage_end(stage->servers[n], SIGKILL);
        stage->servers[n] = 0;
    }
}

void stage_freeze_sound(Stage *stage, bool frozen)
{
    for (int n = 0; n < MOST_SERVERS; n++)
        if (stage->servers[n]) kill(stage->servers[n], frozen ? SIGSTOP : SIGCONT);
}

void stage_play_into(Stage *stage, const char *output, const char *path)
{
    const char *const words[] = { "paplay", "--latency-msec=20", "--no-remap", "-d", output, path,
                                  NULL };
    stage_end(stage->player, SIGKILL);
    stage->player = stage_run(words);
}

void stage_play(Stage *stage, const char *path)
{
    stage_play_into(stage, "stage", path);
}

void stage_add_odd_output(Stage *stage, const char *name, const char *kind)
{
    char line[512];
    (void)stage;
    snprintf(line, sizeof line,
             "timeout 5 pactl load-module module-null-sink sink_name=%s "
             "sink_properties=device.description=%s %s",
             name, name, kind);
    const char *const words[] = { "sh", "-c", line, NULL };
    if (!run_whole(words)) fail_msg("no output named %s", name);
}

void stage_add_output(Stage *stage, const char *name)
{
    stage_add_odd_output(stage, name, "rate=48000 channels=2");
}

void stage_remove_output(Stage *stage, const char *name)
{
    char line[512];
    (void)stage;
    snprintf(line, sizeof line,
             "timeout 5 pactl list short modules | grep sink_name=%s | cut -f 1 | "
             "xargs -n 1 timeout 5 pactl unload-module",
             name);
    const char *const words[] = { "sh", "-c", line, NULL };
    if (!run_whole(words)) fail_msg("the output %s stays", name);
}

// Says one line to PulseAudio's command line, and waits until it has hung up.
static void command_pulseaudio(Stage *stage, const char *line)
{
    const char *const words[] = {
        "timeout", "5", "pactl", "load-module", "module-cli-protocol-unix", NULL
    };
    run_whole(words); // fails where it is there already
    struct sockaddr_un at = { .sun_family = AF_UNIX };
    char answer[256];
    snprintf(at.sun_path, sizeof at.sun_path, "%.100s", stage_path(stage, "pulse/cli"));
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&at, sizeof at) < 0)
        fail_msg("PulseAudio's command line does not answer");
    assert_true(write(fd, line, strlen(line)) == (ssize_t)strlen(line));
    shutdown(fd, SHUT_WR);
    while (read(fd, answer, sizeof answer) > 0) continue;
    close(fd);
}

bool stage_title_output(Stage *stage, const char *name, const char *title)
{
    char line[256];
    if (!installed("pulseaudio")) return false;
    snprintf(line, sizeof line, "update-source-proplist %s.monitor device.description=\"%s\"\n",
             name, title);
    command_pulseaudio(stage, line);
    return true;
}

void stage_set_default_output(Stage *stage, const char *name)
{
    (void)stage;
    const char *const words[] = { "timeout", "5", "pactl", "set-default-sink", name, NULL };
    if (!run_whole(words)) fail_msg("%s does not become the default output", name);
}

int stage_captures(pid_t parent, pid_t *one)
{
    int count = 0;
    DIR *proc = opendir("/proc");
    assert_non_null(proc);
    for (struct dirent *entry; (entry = readdir(proc));) {
        char path[300], words[256] = "";
        snprintf(path, sizeof path, "/proc/%s/cmdline", entry->d_name);
        const int fd = atoi(entry->d_name) > 0 ? open(path, O_RDONLY) : -1;
        if (fd < 0) continue;
        const ssize_t length = read(fd, words, sizeof words - 1);
        close(fd);
        const char *command = words + strlen(words) + 1; // behind the program's name
        if (length < 20 || strcmp(command, AUDIO_CAPTURE_COMMAND) != 0) continue;
        const char *task = command + strlen(command) + 1;
        if (atoi(task + strlen(task) + 1) != parent) continue;
        if (one) *one = atoi(entry->d_name);
        count++;
    }
    closedir(proc);
    return count;
}

int stage_shared_memories(void)
{
    int count = 0;
    DIR *shm = opendir("/dev/shm");
    while (shm && readdir(shm)) count++;
    if (shm) closedir(shm);
    return count;
}
