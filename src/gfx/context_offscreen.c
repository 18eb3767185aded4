// OpenGL without a window: EGL's surfaceless platform, or a device asked by its own platform, which
// is all that some drivers of servers have.  A graphics card is preferred to the processor: where a
// card's driver lacks the surfaceless platform, that one may end at llvmpipe.
#include "gfx/context.h"

#include <EGL/eglext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICES_MOST = 16 };

static bool has_word(const char *words, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = words; at && (at = strstr(at, word)); at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || !at[length])) return true;
    return false;
}

// A context of which loss is told; where the driver has none of that kind, a plain one.
static EGLContext new_context(EGLDisplay display)
{
    const EGLint robust[] = { EGL_CONTEXT_MAJOR_VERSION,
                              3,
                              EGL_CONTEXT_MINOR_VERSION,
                              3,
                              EGL_CONTEXT_OPENGL_PROFILE_MASK,
                              EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                              EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY,
                              EGL_LOSE_CONTEXT_ON_RESET,
                              EGL_NONE };
    const EGLint plain[] = { EGL_CONTEXT_MAJOR_VERSION,
                             3,
                             EGL_CONTEXT_MINOR_VERSION,
                             3,
                             EGL_CONTEXT_OPENGL_PROFILE_MASK,
                             EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                             EGL_NONE };
    const EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, robust);
    if (context != EGL_NO_CONTEXT) return context;
    return eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, plain);
}

static Context *open_display(EGLDisplay display, const char **step)
{
    Context *c = calloc(1, sizeof *c);
    *step = "out of memory";
    if (!c) return NULL;

    *step = "EGL has no such display";
    if (display == EGL_NO_DISPLAY) goto fail;

    *step = "EGL does not start";
    if (!eglInitialize(display, NULL, NULL)) goto fail;
    c->display = display;

    *step = "EGL has no desktop OpenGL";
    if (!eglBindAPI(EGL_OPENGL_API)) goto fail;

    *step = "no OpenGL 3.3 core context";
    c->egl = new_context(display);
    if (c->egl == EGL_NO_CONTEXT) goto fail;

    *step = "EGL cannot draw without a surface";
    if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, c->egl)) goto fail;

    *step = "OpenGL is older than 3.3";
    if (!context_load_gl(c, (GLADloadfunc)eglGetProcAddress)) goto fail;
    return c;

fail:
    context_free(c);
    return NULL;
}

static Context *open_surfaceless(const char **step)
{
    *step = "EGL has no surfaceless platform";
    const char *words = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    if (!has_word(words, "EGL_MESA_platform_surfaceless")) return NULL;
    return open_display(
        eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL), step);
}

typedef struct {
    EGLDeviceEXT list[DEVICES_MOST];
    EGLint count;
} Devices;

// The devices that EGL knows; with `cards`, without the processor.
static Devices find_devices(bool cards)
{
    Devices all = { .count = 0 }, kept = { .count = 0 };
    const PFNEGLQUERYDEVICESEXTPROC query =
        (PFNEGLQUERYDEVICESEXTPROC)eglGetProcAddress("eglQueryDevicesEXT");
    const PFNEGLQUERYDEVICESTRINGEXTPROC describe =
        (PFNEGLQUERYDEVICESTRINGEXTPROC)eglGetProcAddress("eglQueryDeviceStringEXT");
    if (!query || !describe || !query(DEVICES_MOST, all.list, &all.count)) return kept;

    for (int i = 0; i < all.count; i++) {
        const char *words = describe(all.list[i], EGL_EXTENSIONS);
        if (cards && has_word(words, "EGL_MESA_device_software")) continue;
        kept.list[kept.count++] = all.list[i];
    }
    return kept;
}

static Context *open_device(const Devices *devices, const char **step)
{
    Context *context = NULL;
    for (int i = 0; i < devices->count && !context; i++)
        context = open_display(
            eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, devices->list[i], NULL), step);
    return context;
}

Context *context_offscreen(char *why, int why_size)
{
    const char *step, *ignored;
    Context *context = open_surfaceless(&step);
    const bool software = context && context_is_software();
    const Devices devices = find_devices(software);
    if (!context) context = open_device(&devices, &step);
    if (software && devices.count > 0) {
        context_free(context); // one display at a time: freeing one could end the other's
        context = open_device(&devices, &ignored);
        if (!context) context = open_surfaceless(&step);
    }
    if (!context) snprintf(why, (size_t)why_size, "offscreen OpenGL: %s", step);
    return context;
}

void context_offscreen_free(Context *context)
{
    if (context->display == EGL_NO_DISPLAY) return;
    eglMakeCurrent(context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context->egl != EGL_NO_CONTEXT) eglDestroyContext(context->display, context->egl);
    eglTerminate(context->display);
    eglReleaseThread();
}
