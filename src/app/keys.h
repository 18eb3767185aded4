// What each key does: one table, which the help page is printed from.
#pragma once

#include "control/control.h"
#include "gfx/gfx.h"
#include "render/render.h"

// What keys ask of the host; messages go the way of all hands.
typedef struct {
    Message messages[8];
    int message_count;
    bool quit, toggle_fullscreen, leave_fullscreen, toggle_hud, toggle_keys, reload_shaders;
    int source_steps; // forward, or back
} KeyActions;

// Adds what one press asks for.
void keys_press(KeyActions *actions, const Params *params, KeyPress press);

// Fills the lines of the help page.
void keys_help(Hud *hud);
