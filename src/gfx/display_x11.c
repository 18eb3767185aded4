#include "gfx/display_x11.h"

#ifndef HAVE_XSS

DisplayX11 *display_x11_open(void)
{
    return 0;
}

void display_x11_close(DisplayX11 *display)
{
    (void)display;
}

bool display_x11_alive(const DisplayX11 *display)
{
    (void)display;
    return true;
}

#else

#include <X11/Xlib.h>
#include <X11/extensions/scrnsaver.h>
#include <stdlib.h>

struct DisplayX11 {
    Display *display; // GLFW's
    bool lost;
};

// Weak, because a GLFW built for Wayland alone has none.
__attribute__((weak)) Display *glfwGetX11Display(void);

// Returning from here is not enough: Xlib then asks the display's own exit handler.
static int on_io_error(Display *display)
{
    (void)display;
    return 0;
}

static void instead_of_exit(Display *display, void *lost)
{
    (void)display;
    *(bool *)lost = true;
}

DisplayX11 *display_x11_open(void)
{
    int event, error;
    Display *display = glfwGetX11Display ? glfwGetX11Display() : NULL;
    DisplayX11 *x11 = display ? calloc(1, sizeof *x11) : NULL;
    if (!x11) return NULL;
    x11->display = display;
    XSetIOErrorHandler(on_io_error);
    XSetIOErrorExitHandler(display, instead_of_exit, &x11->lost);
    if (XScreenSaverQueryExtension(display, &event, &error)) XScreenSaverSuspend(display, True);
    return x11;
}

void display_x11_close(DisplayX11 *x11)
{
    if (!x11) return;
    if (!x11->lost) XScreenSaverSuspend(x11->display, False);
    XSetIOErrorExitHandler(x11->display, NULL, NULL);
    XSetIOErrorHandler(NULL);
    free(x11);
}

bool display_x11_alive(const DisplayX11 *x11)
{
    return !x11 || !x11->lost;
}

#endif
