// A window by GLFW: fullscreen and back, monitors that come and go, hands, the cursor, the saver.
#include "gfx/context.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gfx/display_x11.h"

enum { NAME = 128 };

static const double CURSOR_STAYS = 2; // seconds without a move

typedef struct {
    int x, y, width, height; // in screen coordinates
} Place;

struct Window {
    GLFWwindow *handle;
    DisplayX11 *x11; // NULL where there is none
    Size window;     // in screen coordinates
    Size framebuffer;
    Place windowed;     // where the window goes back to
    char asked[NAME];   // monitor named at the start, "" for none
    char monitor[NAME]; // name of the one that fullscreen is on, or was when it vanished
    bool fullscreen;    // is
    bool wanted;        // should be, as soon as its monitor is there
    bool iconified;
    bool cursor_hidden;
    bool timed; // `moved_at` is set
    double moved_at;
    WindowInput input; // since the last poll
    char notice[2 * NAME + 64];
};

// ---- monitors ----

static const char *name_of(GLFWmonitor *monitor)
{
    const char *name = glfwGetMonitorName(monitor);
    return name ? name : "";
}

// By number (from 1), else by a part of the name; NULL when it is not there.
static GLFWmonitor *find_monitor(const char *asked)
{
    int count = 0;
    GLFWmonitor **monitors = glfwGetMonitors(&count);
    char *end;
    const long number = strtol(asked, &end, 10);
    if (*asked && !*end) return number >= 1 && number <= count ? monitors[number - 1] : NULL;
    for (int i = 0; i < count; i++)
        if (strstr(name_of(monitors[i]), asked)) return monitors[i];
    return NULL;
}

static Place place_of_monitor(GLFWmonitor *monitor)
{
    Place place = { 0 };
    const GLFWvidmode *mode = glfwGetVideoMode(monitor);
    glfwGetMonitorPos(monitor, &place.x, &place.y);
    if (mode) {
        place.width = mode->width;
        place.height = mode->height;
    }
    return place;
}

static Place place_of_window(const Window *w)
{
    Place place = { 0 };
    glfwGetWindowPos(w->handle, &place.x, &place.y);
    glfwGetWindowSize(w->handle, &place.width, &place.height);
    return place;
}

static int overlap(int a, int a_length, int b, int b_length)
{
    const int from = a > b ? a : b;
    const int to = a + a_length < b + b_length ? a + a_length : b + b_length;
    return to > from ? to - from : 0;
}

// The monitor that shows most of the window, else the primary one; NULL where there is no monitor.
static GLFWmonitor *monitor_below(const Window *w)
{
    int count = 0;
    long most = 0;
    GLFWmonitor **monitors = glfwGetMonitors(&count);
    GLFWmonitor *best = glfwGetPrimaryMonitor();
    const Place window = place_of_window(w);
    for (int i = 0; i < count; i++) {
        const Place m = place_of_monitor(monitors[i]);
        const long shared = (long)overlap(window.x, window.width, m.x, m.width) *
                            overlap(window.y, window.height, m.y, m.height);
        if (shared > most) {
            most = shared;
            best = monitors[i];
        }
    }
    return best;
}

// ---- fullscreen and back ----

static void take_sizes(Window *w)
{
    glfwGetWindowSize(w->handle, &w->window.width, &w->window.height);
    glfwGetFramebufferSize(w->handle, &w->framebuffer.width, &w->framebuffer.height);
}

static bool enter(Window *w, GLFWmonitor *monitor)
{
    const GLFWvidmode *mode = monitor ? glfwGetVideoMode(monitor) : NULL;
    if (!mode) return false;
    // The mode that is on already: nothing switches, nothing flickers.  Xvfb has no refresh rate.
    const int rate = mode->refreshRate > 0 ? mode->refreshRate : GLFW_DONT_CARE;
    glfwSetWindowMonitor(w->handle, monitor, 0, 0, mode->width, mode->height, rate);
    snprintf(w->monitor, sizeof w->monitor, "%s", name_of(monitor));
    w->fullscreen = glfwGetWindowMonitor(w->handle) != NULL;
    w->wanted = w->fullscreen;
    take_sizes(w);
    return w->fullscreen;
}

static void leave(Window *w)
{
    const Place p = w->windowed;
    glfwSetWindowMonitor(w->handle, NULL, p.x, p.y, p.width, p.height, GLFW_DONT_CARE);
    w->fullscreen = false;
    take_sizes(w);
}

// At the start: the asked monitor, or the primary one.  The window's later place is its middle.
static void start_fullscreen(Window *w)
{
    GLFWmonitor *monitor = *w->asked ? find_monitor(w->asked) : glfwGetPrimaryMonitor();
    w->wanted = true;
    if (monitor) {
        const Place m = place_of_monitor(monitor);
        w->windowed =
            (Place){ m.x + (m.width - w->window.width) / 2, m.y + (m.height - w->window.height) / 2,
                     w->window.width, w->window.height };
    }
    if (enter(w, monitor)) return;
    if (*w->asked)
        snprintf(w->notice, sizeof w->notice, "monitor %s is not there: window instead", w->asked);
    else
        snprintf(w->notice, sizeof w->notice, "there is no monitor: window instead");
}

// GLFW makes a plain window of a fullscreen one whose monitor goes.  It is remembered, and taken
// again when it comes back.
static void follow_monitor(Window *w)
{
    if (w->fullscreen && !glfwGetWindowMonitor(w->handle)) {
        leave(w);
        snprintf(w->notice, sizeof w->notice, "monitor %s is gone: window instead", w->monitor);
    }
    if (!w->wanted || w->fullscreen) return;
    GLFWmonitor *monitor = *w->monitor ? find_monitor(w->monitor)
                           : *w->asked ? find_monitor(w->asked)
                                       : glfwGetPrimaryMonitor();
    if (!monitor) return;
    w->windowed = place_of_window(w);
    if (enter(w, monitor)) w->notice[0] = 0;
}

// ---- hands ----

static Window *window_of(GLFWwindow *handle)
{
    return glfwGetWindowUserPointer(handle);
}

static void on_key(GLFWwindow *handle, int key, int scancode, int action, int mods)
{
    WindowInput *input = &window_of(handle)->input;
    if (action != GLFW_PRESS || key == GLFW_KEY_UNKNOWN) return;
    if (input->key_count == COUNT_OF(input->keys)) return;
    input->keys[input->key_count++] =
        (KeyPress){ .key = context_key(key, glfwGetKeyName(key, scancode)),
                    .control = mods & GLFW_MOD_CONTROL };
}

static void on_move(GLFWwindow *handle, double x, double y)
{
    Window *w = window_of(handle);
    if (w->window.width < 1 || w->window.height < 1) return;
    w->input.mouse_moved = true;
    w->input.mouse_x = (float)(2 * x / w->window.width - 1);
    w->input.mouse_y = (float)(1 - 2 * y / w->window.height);
}

static void on_size(GLFWwindow *handle, int width, int height)
{
    window_of(handle)->window = (Size){ width, height };
}

static void on_framebuffer(GLFWwindow *handle, int width, int height)
{
    window_of(handle)->framebuffer = (Size){ width, height };
}

static void on_iconify(GLFWwindow *handle, int iconified)
{
    window_of(handle)->iconified = iconified;
}

static void listen_to(Window *w)
{
    glfwSetWindowUserPointer(w->handle, w);
    glfwSetKeyCallback(w->handle, on_key);
    glfwSetCursorPosCallback(w->handle, on_move);
    glfwSetWindowSizeCallback(w->handle, on_size);
    glfwSetFramebufferSizeCallback(w->handle, on_framebuffer);
    glfwSetWindowIconifyCallback(w->handle, on_iconify);
    glfwSetInputMode(w->handle, GLFW_STICKY_MOUSE_BUTTONS, GLFW_TRUE); // short clicks count
}

static void mind_cursor(Window *w, double seconds)
{
    if (w->input.mouse_moved || !w->timed) w->moved_at = seconds;
    w->timed = true;
    const bool hide = seconds - w->moved_at >= CURSOR_STAYS;
    if (hide == w->cursor_hidden) return;
    w->cursor_hidden = hide;
    glfwSetInputMode(w->handle, GLFW_CURSOR, hide ? GLFW_CURSOR_HIDDEN : GLFW_CURSOR_NORMAL);
}

WindowInput context_poll(Context *context, double seconds)
{
    Window *w = context->window;
    glfwPollEvents();
    follow_monitor(w);
    mind_cursor(w, seconds);

    WindowInput input = w->input;
    input.left = glfwGetMouseButton(w->handle, GLFW_MOUSE_BUTTON_LEFT) == GLFW_PRESS;
    input.right = glfwGetMouseButton(w->handle, GLFW_MOUSE_BUTTON_RIGHT) == GLFW_PRESS;
    input.close = glfwWindowShouldClose(w->handle);
    w->input.key_count = 0;
    w->input.mouse_moved = false;
    return input;
}

// ---- opening ----

static GLFWwindow *new_window(const WindowDesc *desc, Size size, int robustness)
{
    glfwDefaultWindowHints();
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_CONTEXT_ROBUSTNESS, robustness);
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);      // not before its place is known
    glfwWindowHint(GLFW_AUTO_ICONIFY, GLFW_FALSE); // a click elsewhere must not black the projector
    return glfwCreateWindow(size.width, size.height, desc->title ? desc->title : "motes", NULL,
                            NULL);
}

// What failed, and what GLFW says to it.
static void explain(const char *what, char *why, int why_size)
{
    const char *text = NULL;
    glfwGetError(&text);
    snprintf(why, (size_t)why_size, "window: %s%s%s%s", what, text ? " (" : "", text ? text : "",
             text ? ")" : "");
}

static bool open_window(Context *context, const WindowDesc *desc, char *why, int why_size)
{
    Window *w = context->window;
    const bool sized = desc->size.width > 0 && desc->size.height > 0;
    const Size size = sized ? desc->size : (Size){ 1280, 720 };

    glfwInitHint(GLFW_COCOA_CHDIR_RESOURCES, GLFW_FALSE);
    if (!glfwInit()) {
        explain("no display", why, why_size);
        return false;
    }
    w->handle = new_window(desc, size, GLFW_LOSE_CONTEXT_ON_RESET);
    if (!w->handle) w->handle = new_window(desc, size, GLFW_NO_ROBUSTNESS);
    if (!w->handle) {
        explain("no OpenGL 3.3 core context", why, why_size);
        return false;
    }
    glfwMakeContextCurrent(w->handle);
    if (!context_load_gl(context, glfwGetProcAddress)) {
        snprintf(why, (size_t)why_size, "window: OpenGL is older than 3.3");
        return false;
    }
    w->x11 = display_x11_open();
    glfwSwapInterval(desc->no_vsync ? 0 : 1);
    listen_to(w);
    take_sizes(w);
    snprintf(w->asked, sizeof w->asked, "%s", desc->monitor ? desc->monitor : "");
    if (desc->fullscreen) start_fullscreen(w);
    if (!w->fullscreen) glfwShowWindow(w->handle);
    return true;
}

Context *context_window(const WindowDesc *desc, char *why, int why_size)
{
    snprintf(why, (size_t)why_size, "window: out of memory");
    Context *context = calloc(1, sizeof *context);
    if (!context) return NULL;
    context->window = calloc(1, sizeof *context->window);
    if (context->window && open_window(context, desc, why, why_size)) return context;
    context_free(context);
    return NULL;
}

void context_window_free(Context *context)
{
    Window *w = context->window;
    display_x11_close(w->x11);
    if (w->handle) glfwDestroyWindow(w->handle);
    glfwTerminate();
    free(w);
}

// ---- while it is open ----

bool context_window_alive(const Context *context)
{
    return display_x11_alive(context->window->x11);
}

const char *context_notice(const Context *context)
{
    return context->window ? context->window->notice : "";
}

Size context_size(const Context *context)
{
    if (!context->window || context->window->iconified) return (Size){ 0, 0 };
    return context->window->framebuffer;
}

double context_refresh(const Context *context)
{
    GLFWmonitor *monitor = monitor_below(context->window);
    const GLFWvidmode *mode = monitor ? glfwGetVideoMode(monitor) : NULL;
    return mode && mode->refreshRate > 0 ? mode->refreshRate : 60;
}

void context_present(Context *context)
{
    glfwSwapBuffers(context->window->handle);
}

bool context_is_fullscreen(const Context *context)
{
    return context->window && context->window->fullscreen;
}

void context_set_fullscreen(Context *context, bool fullscreen)
{
    Window *w = context->window;
    w->notice[0] = 0;
    w->wanted = fullscreen;
    if (fullscreen == w->fullscreen) return;
    if (!fullscreen) {
        leave(w);
        return;
    }
    w->windowed = place_of_window(w);
    GLFWmonitor *monitor = *w->asked ? find_monitor(w->asked) : monitor_below(w);
    if (!monitor) monitor = monitor_below(w);
    if (enter(w, monitor)) return;
    w->wanted = false;
    snprintf(w->notice, sizeof w->notice, "there is no monitor: window instead");
}
