#include "app/source_list.h"

#include <stdio.h>
#include <string.h>

// Rows: the default input, `count` inputs, then these two; behind them the current one where it is none.
static int system_row(const SourceList *list)
{
    return 1 + list->count;
}

static int demo_row(const SourceList *list)
{
    return 2 + list->count;
}

// A pair of channels may follow the word.
static bool is_word(const char *source, const char *word)
{
    const size_t length = strlen(word);
    return strncmp(source, word, length) == 0 && (!source[length] || source[length] == '#');
}

static int find(const SourceList *list, const char *current)
{
    if (!current[0] || is_word(current, "input")) return 0;
    if (is_word(current, "system")) return system_row(list);
    if (strcmp(current, "demo") == 0) return demo_row(list);
    const int input = audio_find_input(list->inputs, list->count, current);
    return input < 0 ? -1 : 1 + input;
}

void source_list_step(const SourceList *list, const char *current, int steps,
                      char words[SOURCES_WORDS])
{
    const int rows = list->count + 3, at = find(list, current);
    const int from = at < 0 && steps < 0 ? 0 : at;
    const int to = ((from + steps) % rows + rows) % rows;
    const bool named = to > 0 && to < system_row(list);
    const char *word = to == system_row(list) ? "system" : to == demo_row(list) ? "demo" : "input";
    snprintf(words, SOURCES_WORDS, "%s%s%s", word, named ? ":" : "",
             named ? list->inputs[to - 1].name : "");
}

// ---- in the HUD ----------------------------------------------------------------------------------

typedef struct {
    const SourceList *list;
    const char *current;
    int wanted, heard; // rows; -1: none
    int rows;
    bool missing; // the wanted one
} View;

// Of what stands in, by its title.
static int find_heard(const SourceList *list, const char *title)
{
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->inputs[i].title, title) == 0) return 1 + i;
    return -1;
}

static View view_of(const SourceList *list, const char *current, const AudioStatus *heard,
                    bool demo)
{
    View v = { .list = list, .current = current, .rows = list->count + 3 };
    v.wanted = find(list, current);
    v.missing = demo || heard->stands_in || heard->state == AUDIO_NO_DEVICE;
    if (v.wanted < 0) {
        v.missing = v.missing || strncmp(current, "input", 5) == 0;
        v.wanted = v.rows++;
    }
    v.heard = v.wanted;
    if (v.missing) v.heard = demo ? demo_row(list) : find_heard(list, heard->name);
    return v;
}

static void describe(const View *v, int row, char *text, int size)
{
    const SourceList *list = v->list;
    if (row == 0) {
        snprintf(text, (size_t)size, "input    the default one");
    } else if (row == system_row(list)) {
        snprintf(text, (size_t)size, "system   what this machine plays");
    } else if (row == demo_row(list)) {
        snprintf(text, (size_t)size, "demo     a loop of its own");
    } else if (row > demo_row(list)) {
        const char *colon = strchr(v->current, ':');
        const int word = colon ? (int)(colon - v->current) : (int)strlen(v->current);
        snprintf(text, (size_t)size, "%-7.*s  %s", word, v->current, colon ? colon + 1 : "");
    } else {
        const AudioInput *input = &list->inputs[row - 1];
        const bool same = strcmp(input->name, input->title) == 0;
        snprintf(text, (size_t)size, "%-7s  %s%s%s", input->monitor ? "monitor" : "input",
                 input->title, same ? "" : "  ", same ? "" : input->name);
    }
}

// Whole letters only: a UTF-8 letter goes on with bytes 10xxxxxx.
static void cut(char *text, int letters)
{
    int at = 0;
    for (; text[at] && letters > 0; letters--) do
            at++;
        while (((unsigned char)text[at] & 0xc0) == 0x80);
    if (text[at]) strcpy(text + at, "…");
}

static void put_row(const View *v, int row, Hud *hud)
{
    enum { LETTERS = 56 };
    char text[HUD_LINE - 24];
    HudRow *to = &hud->rows[hud->row_count++];
    const bool missing = row == v->wanted && v->missing;
    describe(v, row, text, (int)sizeof text - 4);
    cut(text, LETTERS);
    to->mark = missing ? HUD_MISSING : row == v->heard ? HUD_CHOSEN : HUD_PLAIN;
    snprintf(to->text, sizeof to->text, "%s%s", text, missing ? "  (not there)" : "");
}

void source_list_show(const SourceList *list, const char *current, const AudioStatus *heard,
                      bool demo, Hud *hud)
{
    const View v = view_of(list, current, heard, demo);
    const int most = HUD_ROWS - 2; // those around the wanted one, and how many there are beside
    const int shown = v.rows < most ? v.rows : most;
    const int first = clampi(v.wanted - most / 2, 0, v.rows - shown);
    hud->row_count = 0;
    HudRow *head = &hud->rows[hud->row_count++];
    head->mark = HUD_HEAD;
    snprintf(head->text, sizeof head->text, "sound from   (I the next, U the one before)");
    for (int row = first; row < first + shown; row++) put_row(&v, row, hud);
    if (shown == v.rows) return;
    HudRow *rest = &hud->rows[hud->row_count++];
    rest->mark = HUD_HEAD;
    snprintf(rest->text, sizeof rest->text, "and %d more", v.rows - shown);
}
