// Inside the room: what the two makers of contexts (window, offscreen) share.
#pragma once

#include <EGL/egl.h>

#include "gfx/gfx.h"

typedef struct Window Window; // context_window.c

struct Context {
    Window *window;     // NULL: offscreen
    EGLDisplay display; // offscreen only, else EGL_NO_DISPLAY
    EGLContext egl;
    GLuint vertex_array; // empty; bound unless a pass binds its own
    char renderer[256];
};

// Loads OpenGL for the current context and describes it.  False when it is older than 3.3.
bool context_load_gl(Context *context, GLADloadfunc load);

// What a key is called: `name` is what the keyboard's layout writes on it (UTF-8, NULL for none), `key`
// its place on a US keyboard.  Letters become capitals; what ASCII lacks keeps the place, so that
// keyboards of other scripts have all keys.
int context_key(int key, const char *name);

// Frees what the maker made; the OpenGL objects are gone already.  Both take the half-built.
void context_offscreen_free(Context *context);
void context_window_free(Context *context);

// False once the connection to the display is broken.
bool context_window_alive(const Context *context);
