// Inside the room: what a window needs of X11 beyond GLFW.  Elsewhere, and where the libraries were
// missing at build time, it does nothing.
#pragma once

#include <stdbool.h>

typedef struct DisplayX11 DisplayX11;

// Keeps the screen saver away, and outlives the X server: Xlib's own answer to a lost server is
// exit(1).  After glfwInit; NULL where GLFW is not on X11.
DisplayX11 *display_x11_open(void);
void display_x11_close(DisplayX11 *display); // before glfwTerminate; takes NULL

// False once the server is gone; true for NULL.
bool display_x11_alive(const DisplayX11 *display);
