#include "app/keys.h"

#include <stdio.h>

// Keys as GLFW numbers them: letters are capital ASCII.
enum { KEY_SPACE = 32, KEY_ESCAPE = 256, KEY_TAB = 258, KEY_BACKSPACE = 259 };

static void say(KeyActions *actions, const char *path, double number)
{
    if (actions->message_count < COUNT_OF(actions->messages))
        actions->messages[actions->message_count++] = message_number(path, number);
}

static void leave(KeyActions *a, const Params *p)
{
    (void)p, a->leave_fullscreen = true;
}
static void quit(KeyActions *a, const Params *p)
{
    (void)p, a->quit = true;
}
static void fullscreen(KeyActions *a, const Params *p)
{
    (void)p, a->toggle_fullscreen = true;
}
static void hud(KeyActions *a, const Params *p)
{
    (void)p, a->toggle_hud = true;
}
static void help(KeyActions *a, const Params *p)
{
    (void)p, a->toggle_keys = true;
}
static void next_source(KeyActions *a, const Params *p)
{
    (void)p, a->source_steps++;
}
static void source_before(KeyActions *a, const Params *p)
{
    (void)p, a->source_steps--;
}

static void reload(KeyActions *a, const Params *p)
{
    (void)p, a->reload_shaders = true;
}
static void next(KeyActions *a, const Params *p)
{
    (void)p, say(a, "/show/next", 1);
}
static void previous(KeyActions *a, const Params *p)
{
    (void)p, say(a, "/show/previous", 1);
}
static void clear(KeyActions *a, const Params *p)
{
    (void)p, say(a, "/show/clear", 1);
}

static void blackout(KeyActions *a, const Params *p)
{
    say(a, "/show/blackout", params_base(p, params_id(OWNER_GLOBAL, 0, GLOBAL_BLACKOUT)) == 0);
}

static void automatic(KeyActions *a, const Params *p)
{
    say(a, "/audio/auto", params_base(p, params_id(OWNER_GLOBAL, 0, GLOBAL_AUDIO_AUTO)) == 0);
}

static void tap(KeyActions *a, const Params *p)
{
    (void)p;
    say(a, "/audio/tempo/tap", 1);
}

// A hand on the gain takes it over.
static void turn_gain(KeyActions *a, double decibels)
{
    say(a, "/audio/auto", 0);
    say(a, "/inc/audio/gain", decibels);
}

static void louder(KeyActions *a, const Params *p)
{
    (void)p, turn_gain(a, 1);
}
static void softer(KeyActions *a, const Params *p)
{
    (void)p, turn_gain(a, -1);
}
static void brighter(KeyActions *a, const Params *p)
{
    (void)p, say(a, "/inc/look/exposure", 0.25);
}
static void darker(KeyActions *a, const Params *p)
{
    (void)p, say(a, "/inc/look/exposure", -0.25);
}

typedef struct {
    int key;
    bool control;
    const char *name;
    void (*act)(KeyActions *actions, const Params *params);
    const char *help;
} Key;

static const Key keys[] = {
    { KEY_SPACE, false, "Space", next, "Next preset" },
    { KEY_BACKSPACE, false, "Backspace", previous, "Preset before" },
    { 'B', false, "B", blackout, "Blackout, and back" },
    { 'C', false, "C", clear, "All particles die" },
    { 'F', false, "F", fullscreen, "Fullscreen, and back" },
    { KEY_ESCAPE, false, "Esc", leave, "Leave fullscreen" },
    { KEY_TAB, false, "Tab", hud, "Levels and state" },
    { 'H', false, "H", help, "This page" },
    { '+', false, "+", louder, "1 dB more gain, by hand" },
    { '=', false, "=", louder, "The same, where + wants Shift" },
    { '-', false, "-", softer, "1 dB less gain, by hand" },
    { ']', false, "]", brighter, "A quarter stop brighter" },
    { '[', false, "[", darker, "A quarter stop darker" },
    { 'A', false, "A", automatic, "Automatic gain, or by hand" },
    { 'T', false, "T", tap, "Tap the beat" },
    { 'I', false, "I", next_source, "The next source of sound" },
    { 'U', false, "U", source_before, "The source before" },
    { 'R', false, "R", reload, "Load the shaders anew" },
    { 'Q', true, "Ctrl+Q", quit, "Quit" },
};

void keys_press(KeyActions *actions, const Params *params, KeyPress press)
{
    for (int i = 0; i < COUNT_OF(keys); i++)
        if (keys[i].key == press.key && keys[i].control == press.control)
            keys[i].act(actions, params);
}

void keys_help(Hud *page)
{
    page->line_count = 0;
    for (int i = 0; i < COUNT_OF(keys) && i < HUD_LINES - 2; i++)
        snprintf(page->lines[page->line_count++], HUD_LINE, "%-10s %s", keys[i].name, keys[i].help);
    snprintf(page->lines[page->line_count++], HUD_LINE, "%-10s %s", "Mouse", "Moves attractor 1");
    snprintf(page->lines[page->line_count++], HUD_LINE, "%-10s %s", "Buttons",
             "Left pulls, right pushes");
}
