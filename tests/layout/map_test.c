// The map's rules, read off the sources: who may include whom, who alone includes a library, what the
// pure rooms may not know.
#include "test.h"

#include <ctype.h>
#include <dirent.h>
#include <regex.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

typedef struct {
    const char *name;
    int floor;
    bool pure; // no clock, environment, chance or printing
} Room;

static const Room rooms[] = {
    { "base", 0, true }, { "analysis", 1, true }, { "audio", 1, false },
    { "gfx", 1, false }, { "control", 2, true },  { "sim", 3, true },
    { "osc", 3, false }, { "render", 4, true },   { "app", 5, false },
};

// Libraries that only one place knows: the header's beginning, and the file or room that may say it.
static const char *const owners[][2] = {
    { "portaudio.h", "audio/audio_portaudio.c" },
    { "pulse/", "audio/" },
    { "sndfile.h", "audio/" },
    { "kiss_fft", "analysis/fft." },
    { "jansson.h", "control/preset" },
    { "lo/", "osc/" },
    { "GLFW/", "gfx/" },
    { "EGL/", "gfx/" },
    { "X11/", "gfx/" },
    { "png.h", "gfx/" },
    { "stb", "gfx/" },
    { "cglm/", "render/" },
};

// What a pure room may not say, outside comments and strings.
static const char *const impure[] = {
    "clock_gettime(", "gettimeofday(", " time(", "getenv(", " rand(",     " random(", "srand(",
    " printf(",       " puts(",        "stderr", "stdout",  "nanosleep(", "usleep(",  "sleep(",
};

static const Room *room_of(const char *path)
{
    for (int i = 0; i < COUNT_OF(rooms); i++) {
        const size_t length = strlen(rooms[i].name);
        if (!strncmp(path, rooms[i].name, length) && path[length] == '/') return &rooms[i];
    }
    return NULL;
}

typedef void (*Visit)(const char *path, char *text); // path below src/

static void visit_folder(const char *folder, Visit visit)
{
    char full[1024], why[256];
    snprintf(full, sizeof full, "%s/src/%s", SOURCE_DIR, folder);
    DIR *dir = opendir(full);
    assert_non_null(dir);
    int seen = 0;
    for (struct dirent *entry; (entry = readdir(dir));) {
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || (strcmp(dot, ".c") && strcmp(dot, ".h"))) continue;
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        snprintf(full, sizeof full, "%s/src/%s", SOURCE_DIR, path);
        char *text = file_read(full, NULL, why, sizeof why);
        assert_non_null(text);
        visit(path, text);
        free(text);
        seen++;
    }
    closedir(dir);
    assert_true(seen > 0);
}

static void visit_all(Visit visit)
{
    for (int i = 0; i < COUNT_OF(rooms); i++) visit_folder(rooms[i].name, visit);
}

static void each_include(char *text, const char *path,
                         void (*check)(const char *path, const char *name, bool own))
{
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        char open, name[256];
        if (sscanf(line, "#include %c%255[^\">]", &open, name) == 2) check(path, name, open == '"');
    }
}

static void goes_down_through_the_door(const char *path, const char *name, bool own)
{
    const Room *from = room_of(path), *to = own ? room_of(name) : NULL;
    if (!own || from == to) return;
    if (!to) {
        if (strchr(name, '/')) fail_msg("src/%s includes %s, which is in no room", path, name);
        return; // made by the build
    }
    char door[128];
    snprintf(door, sizeof door, "%s/%s.h", to->name, to->name);
    if (to->floor >= from->floor)
        fail_msg("src/%s includes %s, which is not on a lower floor", path, name);
    if (strcmp(name, door)) fail_msg("src/%s includes %s; the door is %s", path, name, door);
}

static void check_floors(const char *path, char *text)
{
    each_include(text, path, goes_down_through_the_door);
}

static void a_room_uses_lower_rooms_through_their_doors(void **state)
{
    (void)state;
    visit_all(check_floors);
}

static void stays_with_its_owner(const char *path, const char *name, bool own)
{
    if (own) return;
    for (int i = 0; i < COUNT_OF(owners); i++) {
        if (strncmp(name, owners[i][0], strlen(owners[i][0]))) continue;
        if (strncmp(path, owners[i][1], strlen(owners[i][1])))
            fail_msg("src/%s includes <%s>; only src/%s* may", path, name, owners[i][1]);
    }
}

static void check_owners(const char *path, char *text)
{
    each_include(text, path, stays_with_its_owner);
}

static void each_library_has_one_includer(void **state)
{
    (void)state;
    visit_all(check_owners);
}

// Blanks out comments and strings, so that only code is left.
static void keep_code(char *text)
{
    enum { CODE, LINE, BLOCK, STRING } in = CODE;
    for (char *c = text; *c; c++) {
        const char now = *c, next = c[1];
        if (in == CODE && now == '/' && next == '/')
            in = LINE;
        else if (in == CODE && now == '/' && next == '*')
            in = BLOCK;
        else if (in == CODE && now == '"')
            in = STRING;
        else if (in == LINE && now == '\n')
            in = CODE;
        else if (in == BLOCK && now == '*' && next == '/')
            in = CODE;
        else if (in == STRING && now == '\\')
            *c++ = ' ';
        else if (in == STRING && now == '"')
            in = CODE;
        if (in != CODE && *c != '\n') *c = ' ';
        if (isspace((unsigned char)*c)) *c = ' ';
    }
}

static void check_pure(const char *path, char *text)
{
    const Room *room = room_of(path);
    if (!room->pure) return;
    if (strstr(path, "bake_")) return; // a program of the build
    keep_code(text);
    for (int i = 0; i < COUNT_OF(impure); i++)
        if (strstr(text, impure[i])) fail_msg("src/%s says %s", path, impure[i]);
}

static void pure_rooms_know_no_clock_no_chance_and_print_nothing(void **state)
{
    (void)state;
    visit_all(check_pure);
}

static void check_globals(const char *path, char *text)
{
    // `static` or file-scope objects that are neither const, functions, nor atomics of a trap.
    regex_t mutable_global;
    assert_int_equal(regcomp(&mutable_global,
                             "^static [a-zA-Z_0-9]+ \\*?[a-z_0-9]+(\\[[^]]*\\])*( = [^(]*)?;",
                             REG_EXTENDED | REG_NOSUB),
                     0);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        if (strncmp(line, "static const", 12) && !regexec(&mutable_global, line, 0, NULL, 0))
            fail_msg("src/%s has a mutable global: %s", path, line);
    }
    regfree(&mutable_global);
}

static void there_are_no_mutable_globals(void **state)
{
    (void)state;
    visit_all(check_globals);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_room_uses_lower_rooms_through_their_doors),
        cmocka_unit_test(each_library_has_one_includer),
        cmocka_unit_test(pure_rooms_know_no_clock_no_chance_and_print_nothing),
        cmocka_unit_test(there_are_no_mutable_globals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
