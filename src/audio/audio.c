#include "audio/audio.h"

#include <stdlib.h>
#include <string.h>

#include "audio/audio_demo.h"
#include "audio/audio_file.h"
#include "audio/capture.h"
#include "base/base.h"

enum { DEMO_RATE = 48000 }; // Hz

// One of three, the one that is set; the demo is what is left.
struct Audio {
    Capture *capture;
    AudioFile *file;
    Demo demo;
    uint64_t next; // frame of the demo
    bool wait;
    double
        due; // frames that time has asked for and that were not yet given; -0.5..0.5 when all were
    char name[128];
};

const char *audio_state_name(AudioState state)
{
    static const char *const names[] = { "OPENING", "PLAYING", "NO_SIGNAL", "NO_DEVICE", "ENDED" };
    return state >= 0 && (int)state < COUNT_OF(names) ? names[state] : "?";
}

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

static bool open_demo(Audio *a, const AudioDesc *desc, const char *kind, char *why, int why_size)
{
    char kinds[128];
    a->demo.kind = demo_find(kind);
    a->demo.rate = desc->rate ? desc->rate : DEMO_RATE;
    a->demo.seed = (uint32_t)(desc->seed ^ desc->seed >> 32);
    list_kinds(kinds, sizeof kinds);
    if (a->demo.kind < 0)
        snprintf(why, (size_t)why_size, "there is no demo \"%s\": it takes %s", kind, kinds);
    else if (a->demo.rate < AUDIO_RATE_MIN || a->demo.rate > AUDIO_RATE_MAX)
        snprintf(why, (size_t)why_size, "a demo of %d Hz: it takes %d to %d", a->demo.rate,
                 AUDIO_RATE_MIN, AUDIO_RATE_MAX);
    else
        return true;
    return false;
}

static bool open_source(Audio *a, const AudioDesc *desc, const char *source, char *why,
                        int why_size)
{
    const char *rest;
    CaptureDesc capture = { .strict = desc->strict, .log = desc->log };
    if ((rest = after(source, "demo"))) return open_demo(a, desc, rest, why, why_size);
    if ((rest = after(source, "file")) && rest[0]) {
        a->file = audio_file_open(rest, desc->loop, why, why_size);
        return a->file != NULL;
    }
    if ((rest = after(source, "input"))) {
        capture.name = rest;
    } else if (strcmp(source, "system") == 0) {
        capture.name = CAPTURE_SYSTEM;
    } else {
        snprintf(why, (size_t)why_size,
                 "\"%s\" is no source of sound: input[:NAME], system, file:PATH or demo[:KIND]",
                 source);
        return false;
    }
    a->capture = capture_open(&capture, why, why_size);
    return a->capture != NULL;
}

Audio *audio_open(const AudioDesc *desc, char *why, int why_size)
{
    const char *source = desc->source && desc->source[0] ? desc->source : "input";
    Audio *a = calloc(1, sizeof *a);
    if (!a) {
        snprintf(why, (size_t)why_size, "sound: out of memory");
        return NULL;
    }
    a->wait = desc->wait;
    snprintf(a->name, sizeof a->name, "%s", source);
    if (open_source(a, desc, source, why, why_size)) return a;
    audio_close(a);
    return NULL;
}

void audio_close(Audio *a)
{
    if (!a) return;
    capture_close(a->capture);
    audio_file_close(a->file);
    free(a);
}

static int rate_of(const Audio *a)
{
    return a->file ? audio_file_rate(a->file) : a->demo.rate;
}

// Whole frames of the time so far, to the nearest one: a sum of many small steps lands where the one
// large step does.
static uint32_t frames_due(Audio *a, double seconds, uint32_t capacity)
{
    a->due += clampd(seconds, 0, 1e6) * rate_of(a);
    const double whole = floor(a->due + 0.5);
    const uint32_t count = whole < capacity ? (uint32_t)whole : capacity;
    a->due -= count;
    return count;
}

uint32_t audio_read(Audio *a, double seconds, float *samples, uint32_t capacity)
{
    if (a->capture) return capture_read(a->capture, samples, capacity);
    const uint32_t count = frames_due(a, seconds, capacity);
    if (a->file) return audio_file_read(a->file, samples, count, a->wait);
    demo_fill(&a->demo, a->next, samples, count);
    a->next += count;
    return count;
}

AudioStatus audio_status(const Audio *a)
{
    if (a->capture) return capture_status(a->capture);
    AudioStatus status = { .state = AUDIO_PLAYING, .rate = rate_of(a) };
    if (a->file && audio_file_ended(a->file)) status.state = AUDIO_ENDED;
    if (a->file) status.duration = audio_file_duration(a->file);
    snprintf(status.name, sizeof status.name, "%s", a->name);
    return status;
}
