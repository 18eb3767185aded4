#include "app/ears.h"

#include <stddef.h>

static ParamId source_id(void)
{
    return params_id(OWNER_GLOBAL, 0, GLOBAL_AUDIO_SOURCE);
}

bool ears_open(Ears *ears, const Options *options, const Params *params, char *why, int why_size)
{
    const char *named = params_text(params, source_id()); // by --set, or remembered
    *ears = (Ears){ .asked = options->audio || named[0],
                    .source = params_text_version(params, source_id()) };
    ears->desc = (AudioDesc){ .source = options->audio ? options->audio : named,
                              .strict = options->strict,
                              .seed = options->seed,
                              .loop = true,
                              .log = options->audio_log };
    ears->chosen = audio_open(&ears->desc, why, why_size);
    return ears->chosen;
}

void ears_close(Ears *ears)
{
    audio_close(ears->chosen);
    audio_close(ears->demo);
}

static void follow_controls(Ears *ears, const Params *params)
{
    const float *v = params_values(params, OWNER_GLOBAL, 0);
    const uint32_t source = params_text_version(params, source_id());
    if (source != ears->source) {
        ears->source = source;
        ears->asked = params_text(params, source_id())[0];
        ears->desc.source = params_text(params, source_id());
        audio_change(ears->chosen, &ears->desc);
    }
    if (v[GLOBAL_AUDIO_SEEK] != ears->seek) audio_seek(ears->chosen, v[GLOBAL_AUDIO_SEEK]);
    if (v[GLOBAL_AUDIO_RESTART] != ears->restart) audio_seek(ears->chosen, 0);
    ears->seek = v[GLOBAL_AUDIO_SEEK];
    ears->restart = v[GLOBAL_AUDIO_RESTART];
    audio_pause(ears->chosen, v[GLOBAL_AUDIO_PAUSE] != 0);
}

// The source to hear now.
static Audio *choose(Ears *ears)
{
    if (ears->asked || audio_status(ears->chosen).state != AUDIO_NO_DEVICE) return ears->chosen;
    if (!ears->demo) {
        char why[256];
        ears->demo =
            audio_open(&(AudioDesc){ .source = "demo", .seed = ears->desc.seed }, why, sizeof why);
    }
    return ears->demo ? ears->demo : ears->chosen;
}

Heard ears_read(Ears *ears, const Params *params, double seconds, float *pairs, uint32_t capacity)
{
    const float *v = params_values(params, OWNER_GLOBAL, 0);
    follow_controls(ears, params);
    Audio *audio = choose(ears);
    audio_tune(audio, (AudioChannels)v[GLOBAL_AUDIO_CHANNELS], v[GLOBAL_AUDIO_OFFSET] / 1000);
    Heard heard = { .demo = audio != ears->chosen };
    if (heard.demo)
        audio_read(ears->chosen, seconds, pairs, capacity); // so that it sees an input come
    heard.frames = audio_read(audio, seconds, pairs, capacity);
    heard.status = audio_status(audio);
    heard.joined = audio != ears->last || heard.status.joins != ears->joins;
    ears->last = audio;
    ears->joins = heard.status.joins;
    return heard;
}
