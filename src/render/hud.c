#include "render/hud.h"

#include <string.h>

// Of the font, which is as wide everywhere, in heights.
static const float letter_width = 0.52f;

static const float panel[4] = { 0.02f, 0.02f, 0.03f, 0.72f };
static const float ink[4] = { 0.93f, 0.95f, 0.97f, 1 };
static const float faint[4] = { 1, 1, 1, 0.10f };
static const float warning[4] = { 1, 0.72f, 0.25f, 1 };

// The levels shown as bars, and their colours.
static const struct {
    SignalId signal;
    const char *name;
    float colour[4];
} bars[] = {
    { SIGNAL_PEAK, "peak", { 0.85f, 0.88f, 0.92f, 1 } },
    { SIGNAL_BASS, "bass", { 1.00f, 0.42f, 0.36f, 1 } },
    { SIGNAL_MID, "mid", { 0.46f, 0.85f, 0.50f, 1 } },
    { SIGNAL_TREBLE, "treble", { 0.42f, 0.66f, 1.00f, 1 } },
};

// What everything is measured in: the height of a letter, 1/45 of the picture's, never too small to
// be read, but less where many lines would not fit.
static float usual_letter(Size size)
{
    return fmaxf((float)size.height / 45, 10);
}

static float letter_of(const Hud *hud, Size size)
{
    return fminf(usual_letter(size), (float)size.height / (1.25f * (float)hud->line_count + 14));
}

// Of UTF-8: its letters go on with bytes 10xxxxxx.
static size_t letters_in(const char *line)
{
    size_t letters = 0;
    for (int i = 0; i < HUD_LINE && line[i]; i++)
        letters += ((unsigned char)line[i] & 0xc0) != 0x80;
    return letters;
}

static float longest_line(const Hud *hud)
{
    size_t longest = 24;
    for (int l = 0; l < hud->line_count; l++) {
        const size_t length = letters_in(hud->lines[l]);
        if (length > longest) longest = length;
    }
    return (float)longest;
}

static float width_of(const Hud *hud, float letter)
{
    return longest_line(hud) * letter * letter_width;
}

static void put_lines(Text *text, const Hud *hud, float x, float y, float letter)
{
    for (int l = 0; l < hud->line_count; l++)
        text_put(text, x, y + (float)l * letter * 1.25f, letter, ink, hud->lines[l]);
}

static float share_of(SignalId signal, const Features *features)
{
    const SignalRow *row = &signal_rows[signal];
    return clampf((features->signal[signal] - row->low) / (row->high - row->low), 0, 1);
}

static void put_bars(Text *text, const Features *features, float x, float y, float width,
                     float letter)
{
    const float label = 5 * letter;
    for (int b = 0; b < COUNT_OF(bars); b++) {
        const float top = y + (float)b * letter * 1.25f;
        text_put(text, x, top, letter, ink, bars[b].name);
        text_rect(text, x + label, top + 0.2f * letter, width - label, 0.7f * letter, faint);
        text_rect(text, x + label, top + 0.2f * letter,
                  (width - label) * share_of(bars[b].signal, features), 0.7f * letter,
                  bars[b].colour);
    }
}

static void put_spectrum(Text *text, const Features *features, float x, float y, float width,
                         float height)
{
    const float step = width / ANALYSIS_SPECTRUM;
    text_rect(text, x, y + height, width, 1, faint);
    for (int b = 0; b < ANALYSIS_SPECTRUM; b++) {
        const float tall = height * clampf(features->spectrum[b], 0, 1);
        const float along = (float)b / (ANALYSIS_SPECTRUM - 1);
        const float colour[4] = { 1 - 0.6f * along, 0.45f + 0.2f * along, 0.36f + 0.64f * along,
                                  0.95f };
        text_rect(text, x + (float)b * step, y + height - tall, step * 0.8f, tall, colour);
    }
}

static float status_bottom(const Hud *hud, Size size)
{
    const float letter = letter_of(hud, size);
    const float meters = hud->features ? letter * (1.25f * COUNT_OF(bars) + 4.5f) : 0;
    return (float)hud->line_count * letter * 1.25f + meters + 3 * letter;
}

static void put_status(Text *text, const Hud *hud, Size size)
{
    const float letter = letter_of(hud, size), pad = letter;
    const float width = width_of(hud, letter), lines = (float)hud->line_count * letter * 1.25f;
    text_rect(text, pad, pad, width + 2 * pad, status_bottom(hud, size) - pad, panel);
    put_lines(text, hud, 2 * pad, 2 * pad, letter);
    if (!hud->features) return;
    const float y = 2 * pad + lines + 0.5f * letter;
    put_bars(text, hud->features, 2 * pad, y, width, letter);
    put_spectrum(text, hud->features, 2 * pad, y + letter * 1.25f * COUNT_OF(bars), width,
                 3 * letter);
}

// At the right edge; beside the status lines, or where those are too long, below them.
static void put_rows(Text *text, const Hud *hud, Size size)
{
    static const struct {
        const char *sign; // before the row
        float ink[4];
    } marks[] = {
        [HUD_PLAIN] = { " ", { 0.74f, 0.77f, 0.80f, 1 } },
        [HUD_HEAD] = { "", { 0.55f, 0.58f, 0.62f, 1 } },
        [HUD_CHOSEN] = { "▶", { 0.46f, 0.95f, 0.55f, 1 } },
        [HUD_MISSING] = { "✗", { 1, 0.72f, 0.25f, 1 } },
    };
    const float letter = usual_letter(size), pad = letter, line = 1.25f * letter;
    size_t longest = 0;
    for (int r = 0; r < hud->row_count; r++) {
        const size_t length = letters_in(hud->rows[r].text) + 2;
        if (length > longest) longest = length;
    }
    const float width = (float)longest * letter * letter_width;
    const float height = (float)hud->row_count * line;
    const float left = (float)size.width - width - 3 * pad;
    const float status = hud->visible ? width_of(hud, letter_of(hud, size)) + 4 * pad : 0;
    const float below =
        fminf(status_bottom(hud, size) + pad, (float)size.height - height - 3 * pad);
    const float top = left > status ? pad : below;
    text_rect(text, left, top, width + 2 * pad, height + 2 * pad, panel);
    for (int r = 0; r < hud->row_count; r++) {
        const HudRow *row = &hud->rows[r];
        const float y = top + pad + (float)r * line;
        const float indent = row->mark == HUD_HEAD ? 0 : 2 * letter * letter_width;
        text_put(text, left + pad, y, letter, marks[row->mark].ink, marks[row->mark].sign);
        text_put(text, left + pad + indent, y, letter, marks[row->mark].ink, row->text);
    }
}

static void put_keys(Text *text, const Hud *hud, Size size)
{
    const float letter = letter_of(hud, size), pad = 2 * letter;
    const float width = width_of(hud, letter), height = (float)hud->line_count * letter * 1.25f;
    const float x = 0.5f * ((float)size.width - width), y = 0.5f * ((float)size.height - height);
    text_rect(text, x - pad, y - pad, width + 2 * pad, height + 2 * pad, panel);
    put_lines(text, hud, x, y, letter);
}

// As large as the picture's width allows.
static void put_banner(Text *text, const char *banner, Size size)
{
    const float letters = (float)(strlen(banner) > 0 ? strlen(banner) : 1);
    const float fits = 0.9f * (float)size.width / (letters * letter_width);
    const float letter = fminf((float)size.height / 16, fits);
    const float width = letters * letter * letter_width, x = 0.5f * ((float)size.width - width);
    const float y = 0.78f * (float)size.height;
    text_rect(text, x - letter, y - 0.5f * letter, width + 2 * letter, 2.1f * letter, panel);
    text_put(text, x, y, letter, warning, banner);
}

void hud_draw(Text *text, const Hud *hud, const Target *target)
{
    if (hud->keys)
        put_keys(text, hud, target->size);
    else if (hud->visible)
        put_status(text, hud, target->size);
    if (hud->row_count > 0 && !hud->keys) put_rows(text, hud, target->size);
    if (hud->banner) put_banner(text, hud->banner, target->size);
    text_draw(text, target);
}
