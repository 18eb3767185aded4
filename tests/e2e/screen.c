#include "screen.h"

#include "test.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stage.h"

// Words of the header of an X window dump, big-endian (X11/XWDFile.h).
enum {
    HEADER_SIZE = 0,
    WIDTH = 4,
    HEIGHT = 5,
    BITS_A_PIXEL = 11,
    BYTES_A_LINE = 12,
    COLOURS = 19,
    HEADER_WORDS = 25
};
enum { COLOUR_SIZE = 12, START_SECONDS = 10 };

struct Screen {
    pid_t server;
    char folder[64];
    const unsigned char *dump, *pixels;
    size_t size;
    int width, height, line;
};

static uint32_t word(const unsigned char *dump, int number)
{
    const unsigned char *at = dump + 4 * number;
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static bool map_dump(Screen *screen)
{
    char path[128];
    struct stat is;
    snprintf(path, sizeof path, "%s/Xvfb_screen0", screen->folder);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    const bool ready = fstat(fd, &is) == 0 && is.st_size > 4 * HEADER_WORDS;
    void *map = ready ? mmap(NULL, (size_t)is.st_size, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
    close(fd);
    if (map == MAP_FAILED) return false;
    screen->dump = map;
    screen->size = (size_t)is.st_size;
    if (word(map, HEADER_SIZE) == 0) { // not written yet
        munmap(map, screen->size);
        screen->dump = NULL;
        return false;
    }
    return true;
}

Screen *screen_open(int width, int height)
{
    Screen *screen = calloc(1, sizeof *screen);
    assert_non_null(screen);
    strcpy(screen->folder, "/tmp/motes_screen_XXXXXX");
    assert_non_null(mkdtemp(screen->folder));
    char shape[32], number[16];
    snprintf(shape, sizeof shape, "%dx%dx24", width, height);
    int display = 100 + getpid() % 4000; // a number that two tests at once do not share
    for (struct stat is;
         snprintf(number, sizeof number, "/tmp/.X%d-lock", display), stat(number, &is) == 0;)
        display++;
    snprintf(number, sizeof number, ":%d", display);
    const char *const words[] = { "Xvfb",   number,         "-screen",   "0",   shape,
                                  "-fbdir", screen->folder, "-nolisten", "tcp", "-noreset",
                                  NULL };
    screen->server = stage_run(words);
    const double end = stage_seconds() + START_SECONDS;
    while (!map_dump(screen)) {
        if (stage_seconds() > end) fail_msg("Xvfb does not start");
        stage_sleep(0.02);
    }
    if (word(screen->dump, BITS_A_PIXEL) != 32) fail_msg("Xvfb has no 32-bit pixels");
    screen->width = (int)word(screen->dump, WIDTH);
    screen->height = (int)word(screen->dump, HEIGHT);
    screen->line = (int)word(screen->dump, BYTES_A_LINE);
    screen->pixels =
        screen->dump + word(screen->dump, HEADER_SIZE) + COLOUR_SIZE * word(screen->dump, COLOURS);
    setenv("DISPLAY", number, 1);
    unsetenv("WAYLAND_DISPLAY");
    return screen;
}

void screen_close(Screen *screen)
{
    char path[128];
    if (!screen) return;
    stage_end(screen->server, SIGTERM);
    munmap((void *)(uintptr_t)screen->dump, screen->size);
    snprintf(path, sizeof path, "%s/Xvfb_screen0", screen->folder);
    unlink(path);
    rmdir(screen->folder);
    unsetenv("DISPLAY");
    free(screen);
}

static int hue_of(int r, int g, int b, int high, int low)
{
    const double span = high - low;
    const double sixth = high == r   ? (g - b) / span
                         : high == g ? 2 + (b - r) / span
                                     : 4 + (r - g) / span;
    return ((int)(sixth * 2 + 12)) % 12;
}

Sight screen_look(const Screen *screen)
{
    Sight sight = { .centre_x = 0.5, .centre_y = 0.5 };
    double sum = 0, x_sum = 0, y_sum = 0, coloured = 0;
    const double pixels = (double)screen->width * screen->height;
    for (int y = 0; y < screen->height; y++) {
        const unsigned char *p = screen->pixels + (size_t)y * (size_t)screen->line;
        for (int x = 0; x < screen->width; x++, p += 4) {
            const int b = p[0], g = p[1], r = p[2];
            const int high = r > g ? (r > b ? r : b) : (g > b ? g : b);
            const int low = r < g ? (r < b ? r : b) : (g < b ? g : b);
            sum += high;
            x_sum += high * (x + 0.5);
            y_sum += high * (screen->height - y - 0.5);
            sight.clipped += low == 255;
            if (high < 40 || high - low < high / 4) continue;
            coloured++;
            sight.hues[hue_of(r, g, b, high, low)]++;
        }
    }
    if (sum > 0) {
        sight.centre_x = x_sum / sum / screen->width;
        sight.centre_y = y_sum / sum / screen->height;
    }
    for (int i = 0; i < 12 && coloured > 0; i++) sight.hues[i] /= coloured;
    sight.brightness = sum / pixels / 255;
    sight.clipped /= pixels;
    return sight;
}

double screen_glance(const Screen *screen)
{
    double sum = 0;
    int count = 0;
    for (int y = 0; y < screen->height; y += 2) {
        const unsigned char *p = screen->pixels + (size_t)y * (size_t)screen->line;
        for (int x = 0; x < screen->width; x += 4, count++) {
            const unsigned char *at = p + 4 * x;
            sum +=
                at[0] > at[1] ? (at[0] > at[2] ? at[0] : at[2]) : (at[1] > at[2] ? at[1] : at[2]);
        }
    }
    return sum / count / 255;
}
