#include "audio/audio.h"

#include <stdlib.h>
#include <string.h>

#include "audio/audio_demo.h"
#include "audio/audio_file.h"
#include "audio/capture.h"
#include "audio/change.h"
#include "audio/pairs.h"
#include "audio/source.h"
#include "base/base.h"

struct Audio {
    Source *source;
    Change *change; // to another one; NULL until the first
    bool wait, held;
    AudioChannels channels;
    double offset; // s
    Delay delay;
    uint32_t late;         // pairs: the delay that was run last
    uint64_t source_joins; // of the source, when last read
    uint64_t joins;
    char notice[192]; // why a change came to nothing
};

const char *audio_state_name(AudioState state)
{
    static const char *const names[] = { "OPENING",   "PLAYING", "NO_SIGNAL",
                                         "NO_DEVICE", "ENDED",   "PAUSED" };
    return (unsigned)state < (unsigned)COUNT_OF(names) ? names[state] : "?";
}

Audio *audio_open(const AudioDesc *desc, char *why, int why_size)
{
    Audio *a = calloc(1, sizeof *a);
    if (!a || !delay_init(&a->delay, (uint32_t)(AUDIO_OFFSET_MAX * AUDIO_RATE_MAX))) {
        snprintf(why, (size_t)why_size, "sound: out of memory");
        goto fail;
    }
    a->wait = desc->wait;
    a->source = source_open(desc, why, why_size);
    if (!a->source) goto fail;
    return a;

fail:
    audio_close(a);
    return NULL;
}

void audio_close(Audio *a)
{
    if (!a) return;
    change_free(a->change);
    source_close(a->source);
    delay_free(&a->delay);
    free(a);
}

void audio_tune(Audio *a, AudioChannels channels, double offset)
{
    a->channels = channels;
    a->offset = clampd(offset, 0, AUDIO_OFFSET_MAX);
}

void audio_change(Audio *a, const AudioDesc *desc)
{
    if (!a->change) a->change = change_new();
    if (a->change)
        change_ask(a->change, desc);
    else
        snprintf(a->notice, sizeof a->notice, "sound: out of memory");
}

// The next samples follow on nothing.
static void join(Audio *a)
{
    a->source_joins = source_joins(a->source);
    delay_join(&a->delay);
}

// The source that was asked for, once it is open.
static void take_change(Audio *a)
{
    if (!a->change || !change_take(a->change, &a->source, a->notice, sizeof a->notice)) return;
    a->held = false;
    join(a);
}

bool audio_seek(Audio *a, double seconds)
{
    return source_seek(a->source, seconds);
}

bool audio_pause(Audio *a, bool held)
{
    if (source_is_live(a->source)) return false;
    if (a->held && !held) join(a);
    a->held = held;
    return true;
}

uint32_t audio_read(Audio *a, double seconds, float *samples, uint32_t capacity)
{
    take_change(a);
    if (a->held) return 0;
    const uint32_t count = source_read(a->source, seconds, samples, capacity, a->wait);
    if (source_joins(a->source) != a->source_joins) join(a);
    const uint32_t late = (uint32_t)(a->offset * source_rate(a->source) + 0.5);
    a->joins += delay_run(&a->delay, late, samples, count) || late != a->late;
    a->late = late;
    pairs_map(a->channels, samples, count);
    return count;
}

AudioStatus audio_status(const Audio *a)
{
    AudioStatus status = source_status(a->source);
    status.joins = a->joins;
    if (a->held) status.state = AUDIO_PAUSED;
    if (a->notice[0]) snprintf(status.notice, sizeof status.notice, "%s", a->notice);
    return status;
}
