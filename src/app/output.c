#include "app/output.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "audio/audio.h"

struct Output {
    OutputDesc desc;
    bool video;
    uint32_t frame;
    int pipe; // into ffmpeg, -1 none
    pid_t encoder;
};

static const char *const video_names[] = {
    "mp4", "m4v", "mkv", "mov", "webm", "avi", "ogv", "gif"
};

static const char *extension(const char *out)
{
    const char *dot = strrchr(out, '.');
    return dot && !strchr(dot, '/') ? dot + 1 : "";
}

bool output_is_video(const char *out)
{
    for (int i = 0; i < COUNT_OF(video_names); i++)
        if (!strcasecmp(extension(out), video_names[i])) return true;
    return false;
}

bool output_has_encoder(void)
{
    const char *path = getenv("PATH");
    char place[1024];
    for (const char *at = path ? path : "/usr/bin"; *at;) {
        const int length = (int)strcspn(at, ":");
        snprintf(place, sizeof place, "%.*s/ffmpeg", length, at);
        if (access(place, X_OK) == 0) return true;
        at += length + (at[length] == ':');
    }
    return false;
}

// The synthesised sound as a file without a name, for the encoder's second input.
static int sound_of(const OutputDesc *desc, int *rate, char *why, int why_size)
{
    enum { CHUNK = 4096 };
    float pairs[CHUNK * AUDIO_CHANNELS];
    Audio *audio =
        audio_open(&(AudioDesc){ .source = desc->sound_source, .seed = desc->seed, .wait = true },
                   why, why_size);
    if (!audio) return -1;
    FILE *file = tmpfile();
    *rate = audio_status(audio).rate;
    for (uint64_t left = (uint64_t)(desc->sound_seconds * *rate); file && left > 0;) {
        const uint32_t asked = left < CHUNK ? (uint32_t)left : CHUNK;
        const uint32_t got = audio_read(audio, (asked + 0.25) / *rate, pairs, asked);
        if (got == 0 || fwrite(pairs, sizeof *pairs * AUDIO_CHANNELS, got, file) != got) break;
        left -= got;
    }
    audio_close(audio);
    if (!file || fflush(file)) {
        snprintf(why, (size_t)why_size, "the sound for the video: %s", strerror(errno));
        if (file) fclose(file);
        return -1;
    }
    const int fd = fcntl(fileno(file), F_DUPFD_CLOEXEC, 3);
    fclose(file);
    lseek(fd, 0, SEEK_SET);
    return fd;
}

enum { SOUND_FD = 3, ARGUMENTS = 64 };

typedef struct {
    const char *words[ARGUMENTS];
    int count;
} Arguments;

static void add(Arguments *list, const char *word)
{
    if (list->count < ARGUMENTS - 1) list->words[list->count++] = word;
}

static void add_all(Arguments *list, const char *const *words, int count)
{
    for (int i = 0; i < count; i++) add(list, words[i]);
}

#define ADD(list, ...)                                                                             \
    add_all(list, (const char *const[]){ __VA_ARGS__ },                                            \
            COUNT_OF(((const char *const[]){ __VA_ARGS__ })))

static pid_t spawn_encoder(const OutputDesc *desc, int frames_fd, int sound_fd, int rate)
{
    char size[32], fps[32], rate_text[16];
    snprintf(size, sizeof size, "%dx%d", desc->size.width, desc->size.height);
    snprintf(fps, sizeof fps, "%.10g", desc->fps);
    snprintf(rate_text, sizeof rate_text, "%d", rate);
    const char *kind = extension(desc->out);
    const bool gif = !strcasecmp(kind, "gif");
    const bool sound = !gif && (desc->sound || sound_fd >= 0);

    Arguments list = { 0 };
    ADD(&list, "ffmpeg", "-y", "-nostdin", "-loglevel", "error", "-f", "rawvideo", "-pixel_format",
        "rgb24", "-video_size", size, "-framerate", fps, "-i", "pipe:0");
    // "file:" in front, so that no name looks like an option or a protocol
    char sound_name[4096], name[4096];
    snprintf(sound_name, sizeof sound_name, "file:%s", desc->sound ? desc->sound : "");
    snprintf(name, sizeof name, "file:%s", desc->out);
    if (sound && desc->sound)
        ADD(&list, "-i", sound_name);
    else if (sound)
        ADD(&list, "-f", "f32le", "-ar", rate_text, "-ac", "2", "-i", "pipe:3");
    ADD(&list, "-map", "0:v");
    // The pictures say how long the video is: the sound is padded, then cut.
    if (sound) ADD(&list, "-map", "1:a", "-af", "apad", "-shortest", "-b:a", "256k");
    if (!gif)
        ADD(&list, "-vf", "scale=out_color_matrix=bt709:out_range=tv,pad=ceil(iw/2)*2:ceil(ih/2)*2",
            "-pix_fmt", "yuv420p", "-colorspace", "bt709", "-color_primaries", "bt709",
            "-color_trc", "bt709");
    if (!strcasecmp(kind, "mp4") || !strcasecmp(kind, "mkv") || !strcasecmp(kind, "mov"))
        ADD(&list, "-c:v", "libx264", "-preset", "fast", "-crf", "18");
    add(&list, name);
    list.words[list.count] = NULL;

    pid_t child = -1;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, frames_fd, STDIN_FILENO);
    if (sound_fd >= 0) posix_spawn_file_actions_adddup2(&actions, sound_fd, SOUND_FD);
    const int error =
        posix_spawnp(&child, "ffmpeg", &actions, NULL, (char *const *)list.words, environ);
    posix_spawn_file_actions_destroy(&actions);
    errno = error;
    return error ? -1 : child;
}

static bool open_video(Output *output, char *why, int why_size)
{
    int ends[2], rate = 0, sound_fd = -1;
    if (output->desc.sound_source && !output->desc.sound) {
        sound_fd = sound_of(&output->desc, &rate, why, why_size);
        if (sound_fd < 0) return false;
        if (sound_fd == SOUND_FD) { // adddup2 to itself would keep CLOEXEC
            const int other = fcntl(sound_fd, F_DUPFD_CLOEXEC, SOUND_FD + 1);
            close(sound_fd);
            sound_fd = other;
        }
    }
    if (pipe2(ends, O_CLOEXEC) == 0) {
        output->encoder = spawn_encoder(&output->desc, ends[0], sound_fd, rate);
        output->pipe = ends[1];
        close(ends[0]);
    }
    if (sound_fd >= 0) close(sound_fd);
    if (output->encoder > 0) return true;
    snprintf(why, (size_t)why_size, "ffmpeg, which makes the video, cannot be started: %s",
             strerror(errno));
    return false;
}

static bool make_folder(const char *out, char *why, int why_size)
{
    struct stat is;
    if (mkdir(out, 0755) == 0 || (errno == EEXIST && stat(out, &is) == 0 && S_ISDIR(is.st_mode)))
        return true;
    snprintf(why, (size_t)why_size, "%s: %s", out,
             errno == EEXIST ? "is a file, not a folder" : strerror(errno));
    return false;
}

Output *output_open(const OutputDesc *desc, char *why, int why_size)
{
    Output *output = calloc(1, sizeof *output);
    if (!output) {
        snprintf(why, (size_t)why_size, "out of memory");
        return NULL;
    }
    output->desc = *desc;
    output->pipe = -1;
    output->video = output_is_video(desc->out);
    if (output->video ? open_video(output, why, why_size) : make_folder(desc->out, why, why_size))
        return output;
    char ignored[256];
    output_close(output, ignored, sizeof ignored);
    return NULL;
}

bool output_frame(Output *output, const uint8_t *rgb, char *why, int why_size)
{
    if (!output->video) {
        char name[4096];
        snprintf(name, sizeof name, "%s/%06u.png", output->desc.out, output->frame++);
        return image_write_png(name, output->desc.size, rgb, why, why_size);
    }
    output->frame++;
    for (size_t left = (size_t)output->desc.size.width * (size_t)output->desc.size.height * 3;
         left > 0;) {
        const ssize_t sent = write(output->pipe, rgb, left);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) {
            snprintf(why, (size_t)why_size, "%s: ffmpeg stopped taking frames", output->desc.out);
            return false;
        }
        rgb += sent;
        left -= (size_t)sent;
    }
    return true;
}

bool output_close(Output *output, char *why, int why_size)
{
    if (!output) return true;
    int status = 0;
    if (output->pipe >= 0) close(output->pipe);
    if (output->encoder > 0)
        while (waitpid(output->encoder, &status, 0) < 0 && errno == EINTR) continue;
    const bool whole = status == 0;
    if (!whole) snprintf(why, (size_t)why_size, "%s: ffmpeg ended with an error", output->desc.out);
    free(output);
    return whole;
}
