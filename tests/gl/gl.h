// What every test with OpenGL includes: one offscreen context for the whole file (no context is a
// failure, not a reason to skip), and folders to write shaders into.
#pragma once

#include "test.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gfx/gfx.h"

// Drivers and Xlib keep caches until the process ends.  Only what is allocated inside of them is
// passed over: our own mallocs never run below a driver's frame.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libgallium\n"
           "leak:_dri.so\n"
           "leak:libEGL\n"
           "leak:libGLX\n"
           "leak:libLLVM\n"
           "leak:libX11\n"
           "leak:libnvidia\n";
}

// A driver that is unloaded with its context would leave the leak checker nothing but addresses,
// which no name above matches: what is loaded by now stays loaded.
static inline void keep_drivers_loaded(void)
{
    for (struct link_map *module = _r_debug.r_map; module; module = module->l_next)
        if (*module->l_name) dlopen(module->l_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

// cmocka group setup and teardown; the state is the Context.
static inline int open_context(void **state)
{
    char why[256];
    *state = context_offscreen(why, sizeof why);
    if (!*state) fprintf(stderr, "%s\n", why);
    keep_drivers_loaded();
    return *state ? 0 : -1;
}

static inline int close_context(void **state)
{
    context_free(*state);
    return 0;
}

// A new folder with a folder `common` in it; free_folder takes it away with all files in it.
static inline char *new_folder(void)
{
    char path[] = "/tmp/motes_test_XXXXXX", inner[64];
    assert_non_null(mkdtemp(path));
    snprintf(inner, sizeof inner, "%s/common", path);
    assert_int_equal(mkdir(inner, 0700), 0);
    return strdup(path);
}

static inline void write_file(const char *folder, const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static inline void free_folder(char *folder)
{
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    assert_int_equal(system(command), 0);
    free(folder);
}

// The colour of a target's pixel, y from the top.
static inline const uint8_t *pixel_at(const uint8_t *rgb, Size size, int x, int y)
{
    return rgb + 3 * ((size_t)y * (size_t)size.width + (size_t)x);
}
