// A screen for whole-program tests: an X display of its own (Xvfb) whose pixels lie in a file that this
// process maps, so that a test sees what a person before the screen would see, as soon as it is there.
//
// Every call that can fail ends the test with the reason.
#pragma once

#include <stdint.h>

typedef struct Screen Screen;

// Starts a display of that size in pixels, and points DISPLAY of this process at it.
Screen *screen_open(int width, int height);
void screen_close(Screen *screen); // NULL is fine

typedef struct {
    double brightness;         // mean of the pixels' largest channel, 0..1
    double clipped;            // share of pixels with all three channels at 255
    double centre_x, centre_y; // of brightness, 0..1 from left and bottom; 0.5 where all is black
    double hues[12];           // share of the coloured pixels in each twelfth of the colour circle
} Sight;

// What is on the screen now.
Sight screen_look(const Screen *screen);

// The brightness alone, quickly: of every eighth pixel.
double screen_glance(const Screen *screen);
