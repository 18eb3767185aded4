#include "audio/source.h"

#include <stdlib.h>
#include <string.h>

#include "audio/audio_demo.h"
#include "audio/audio_file.h"
#include "audio/capture.h"
#include "base/base.h"

enum { DEMO_RATE = 48000 };

// One of three, the one that is set; the demo is what is left.
struct Source {
    Capture *capture;
    AudioFile *file;
    Demo demo;
    uint64_t next; // frame of the demo
    double
        due; // frames that time has asked for and that were not yet given; -0.5..0.5 when all were
    char name[128];
};

// ---- what the words mean -------------------------------------------------------------------------

// What follows `word` and a colon in `source`, "" when nothing does; NULL when it is another word.
static const char *after(const char *source, const char *word)
{
    const size_t length = strlen(word);
    if (strncmp(source, word, length) != 0) return NULL;
    if (source[length] == 0) return "";
    return source[length] == ':' ? source + length + 1 : NULL;
}

static void list_kinds(char *text, int size)
{
    int at = 0;
    for (int k = 0; demo_name(k) && at < size; k++)
        at += snprintf(text + at, (size_t)(size - at), "%s%s", k ? ", " : "", demo_name(k));
}

static bool open_demo(Source *s, const AudioDesc *desc, const char *kind, char *why, int why_size)
{
    char kinds[128];
    s->demo.kind = demo_find(kind);
    s->demo.rate = desc->rate ? desc->rate : DEMO_RATE;
    s->demo.seed = (uint32_t)(desc->seed ^ desc->seed >> 32);
    list_kinds(kinds, sizeof kinds);
    if (s->demo.kind < 0)
        snprintf(why, (size_t)why_size, "there is no demo \"%s\": it takes %s", kind, kinds);
    else if (s->demo.rate < AUDIO_RATE_MIN || s->demo.rate > AUDIO_RATE_MAX)
        snprintf(why, (size_t)why_size, "a demo of %d Hz: it takes %d to %d", s->demo.rate,
                 AUDIO_RATE_MIN, AUDIO_RATE_MAX);
    else
        return true;
    return false;
}

void source_cut_pair(char *words, int *left, int *right)
{
    char *mark = strrchr(words, '#');
    int first = 0, second = 0, length = 0;
    *left = *right = 0;
    if (!mark) return;
    if (sscanf(mark, "#%3d-%3d%n", &first, &second, &length) < 2) {
        if (sscanf(mark, "#%3d%n", &first, &length) < 1) return;
        second = first;
    }
    if (mark[length] || first < 1 || second < 1) return;
    if (first > SOURCE_CHANNELS || second > SOURCE_CHANNELS) return;
    *mark = 0;
    *left = first;
    *right = second;
}

static bool open_device(Source *s, const AudioDesc *desc, const char *source, char *why,
                        int why_size)
{
    char words[256];
    CaptureDesc capture = { .strict = desc->strict, .log = desc->log };
    snprintf(words, sizeof words, "%s", source);
    source_cut_pair(words, &capture.left, &capture.right);
    capture.name = after(words, "input");
    if (strcmp(words, "system") == 0) capture.name = CAPTURE_SYSTEM;
    if (!capture.name) {
        snprintf(why, (size_t)why_size,
                 "\"%s\" is no source of sound: input[:NAME], system, file:PATH or demo[:KIND]",
                 source);
        return false;
    }
    s->capture = capture_open(&capture, why, why_size);
    return s->capture != NULL;
}

static bool open_words(Source *s, const AudioDesc *desc, const char *source, char *why,
                       int why_size)
{
    const char *rest;
    if ((rest = after(source, "demo"))) return open_demo(s, desc, rest, why, why_size);
    if ((rest = after(source, "file")) && rest[0]) {
        s->file = audio_file_open(rest, desc->loop, why, why_size);
        return s->file != NULL;
    }
    return open_device(s, desc, source, why, why_size);
}

// ---- the door ------------------------------------------------------------------------------------

Source *source_open(const AudioDesc *desc, char *why, int why_size)
{
    const char *source = desc->source && desc->source[0] ? desc->source : "input";
    Source *s = calloc(1, sizeof *s);
    if (!s) {
        snprintf(why, (size_t)why_size, "sound: out of memory");
        return NULL;
    }
    snprintf(s->name, sizeof s->name, "%s", source);
    if (open_words(s, desc, source, why, why_size)) return s;
    source_close(s);
    return NULL;
}

void source_close(Source *s)
{
    if (!s) return;
    capture_close(s->capture);
    audio_file_close(s->file);
    free(s);
}

bool source_is_live(const Source *s)
{
    return s->capture != NULL;
}

int source_rate(const Source *s)
{
    if (s->capture) return capture_rate(s->capture);
    return s->file ? audio_file_rate(s->file) : s->demo.rate;
}

uint64_t source_joins(const Source *s)
{
    if (s->capture) return capture_joins(s->capture);
    return s->file ? audio_file_joins(s->file) : 0;
}

bool source_seek(Source *s, double seconds)
{
    return s->file && audio_file_seek(s->file, seconds);
}

// Whole frames of the time so far, to the nearest one: a sum of many small steps lands where the one
// large step does.
static uint32_t frames_due(Source *s, double seconds, uint32_t capacity)
{
    s->due += clampd(seconds, 0, 1e6) * source_rate(s);
    const double whole = floor(s->due + 0.5);
    const uint32_t count = whole < capacity ? (uint32_t)whole : capacity;
    s->due -= count;
    return count;
}

uint32_t source_read(Source *s, double seconds, float *samples, uint32_t capacity, bool wait)
{
    if (s->capture) return capture_read(s->capture, samples, capacity);
    const uint32_t count = frames_due(s, seconds, capacity);
    if (s->file) return audio_file_read(s->file, samples, count, wait);
    demo_fill(&s->demo, s->next, samples, count);
    s->next += count;
    return count;
}

AudioStatus source_status(const Source *s)
{
    if (s->capture) return capture_status(s->capture);
    AudioStatus status = { .state = AUDIO_PLAYING, .rate = source_rate(s) };
    if (s->file && audio_file_ended(s->file)) status.state = AUDIO_ENDED;
    if (s->file) status.duration = audio_file_duration(s->file);
    if (s->file) status.position = audio_file_position(s->file);
    snprintf(status.name, sizeof status.name, "%s", s->name);
    return status;
}
