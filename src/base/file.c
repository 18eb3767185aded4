#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LARGEST = 64 << 20 }; // bytes

int file_open(const char *path, char *why, int why_size)
{
    struct stat about;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) {
        snprintf(why, (size_t)why_size, "%s: %s", path, strerror(errno));
        return -1;
    }
    if (fstat(fd, &about) == 0 && S_ISREG(about.st_mode)) return fd;
    snprintf(why, (size_t)why_size, "%s: it is not a file", path);
    close(fd);
    return -1;
}

char *file_read(const char *path, size_t *length, char *why, int why_size)
{
    size_t size = 0, room = 4096;
    char *content = NULL;
    const int fd = file_open(path, why, why_size);
    if (fd < 0) return NULL;
    FILE *file = fdopen(fd, "rb");
    if (!file) goto fail;

    content = malloc(room + 1);
    while (content && size <= LARGEST) {
        const size_t got = fread(content + size, 1, room - size, file);
        size += got;
        if (size < room) break;
        char *larger = realloc(content, (room *= 2) + 1);
        if (!larger) free(content);
        content = larger;
    }
    if (!content) goto fail;
    if (ferror(file)) goto fail;
    if (size > LARGEST) {
        errno = EFBIG;
        goto fail;
    }
    fclose(file);
    content[size] = 0;
    if (length) *length = size;
    return content;

fail:
    snprintf(why, (size_t)why_size, "%s: %s", path, strerror(errno));
    free(content);
    if (file)
        fclose(file);
    else
        close(fd);
    return NULL;
}

static bool write_whole(int fd, const char *content, size_t length)
{
    while (length > 0) {
        const ssize_t sent = write(fd, content, length);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) return false;
        content += sent;
        length -= (size_t)sent;
    }
    return fsync(fd) == 0;
}

bool file_write(const char *path, const char *content, size_t length, char *why, int why_size)
{
    char aside[4096];
    int fd = -1, error = 0;
    const int needed = snprintf(aside, sizeof aside, "%s.XXXXXX", path);
    errno = ENAMETOOLONG;
    if (needed >= (int)sizeof aside) goto fail;
    fd = mkstemp(aside);
    if (fd < 0) goto fail;
    fchmod(fd, 0644);
    if (!write_whole(fd, content, length)) goto undo;
    if (close(fd) < 0) {
        fd = -1;
        goto undo;
    }
    fd = -1;
    if (rename(aside, path) == 0) return true;

undo:
    error = errno;
    unlink(aside);
fail:
    snprintf(why, (size_t)why_size, "%s: %s", path, strerror(error ? error : errno));
    if (fd >= 0) close(fd);
    return false;
}

bool file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}
