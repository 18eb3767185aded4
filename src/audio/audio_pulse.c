#include "audio/audio_pulse.h"

#ifdef HAVE_PULSE

#include <pulse/pulseaudio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// What the callbacks fill.  It is done when both answers are there.
typedef struct {
    PulseSource *sources;
    int count, capacity;
    char chosen[128], output[128];
    bool listed, asked;
} Listing;

static void on_source(pa_context *context, const pa_source_info *info, int end, void *listing)
{
    Listing *l = listing;
    (void)context;
    if (end) {
        l->listed = true;
        return;
    }
    if (l->count == l->capacity) return;
    PulseSource *s = &l->sources[l->count++];
    *s = (PulseSource){ .monitor = info->monitor_of_sink != PA_INVALID_INDEX,
                        .dummy = strncmp(info->name, "auto_null", 9) == 0,
                        .channels = info->sample_spec.channels,
                        .rate = (int)info->sample_spec.rate };
    snprintf(s->name, sizeof s->name, "%s", info->name);
    snprintf(s->title, sizeof s->title, "%s", info->description ? info->description : info->name);
}

static void on_server(pa_context *context, const pa_server_info *info, void *listing)
{
    Listing *l = listing;
    (void)context;
    l->asked = true;
    if (!info) return;
    if (info->default_source_name)
        snprintf(l->chosen, sizeof l->chosen, "%s", info->default_source_name);
    if (info->default_sink_name)
        snprintf(l->output, sizeof l->output, "%.100s.monitor", info->default_sink_name);
}

static void ask(pa_context *context, pa_mainloop *loop, Listing *l)
{
    pa_context_state_t state;
    while ((state = pa_context_get_state(context)) != PA_CONTEXT_READY) {
        if (!PA_CONTEXT_IS_GOOD(state)) return;
        if (pa_mainloop_iterate(loop, 1, NULL) < 0) return;
    }
    pa_operation *sources = pa_context_get_source_info_list(context, on_source, l);
    pa_operation *server = pa_context_get_server_info(context, on_server, l);
    while (sources && server && !(l->listed && l->asked) &&
           PA_CONTEXT_IS_GOOD(pa_context_get_state(context)))
        if (pa_mainloop_iterate(loop, 1, NULL) < 0) break;
    if (sources) pa_operation_unref(sources);
    if (server) pa_operation_unref(server);
}

int pulse_sources(PulseSource *sources, int capacity)
{
    Listing l = { .sources = sources, .capacity = capacity };
    pa_mainloop *loop = pa_mainloop_new();
    if (!loop) return -1;
    pa_context *context = pa_context_new(pa_mainloop_get_api(loop), "motes");
    if (context && pa_context_connect(context, NULL, PA_CONTEXT_NOAUTOSPAWN, NULL) >= 0)
        ask(context, loop, &l);
    if (context) {
        pa_context_disconnect(context);
        pa_context_unref(context);
    }
    pa_mainloop_free(loop);
    if (!l.listed || !l.asked) return -1;
    for (int n = 0; n < l.count; n++) {
        sources[n].chosen = strcmp(sources[n].name, l.chosen) == 0;
        sources[n].system = strcmp(sources[n].name, l.output) == 0;
    }
    return l.count;
}

struct PulseWatch {
    pa_mainloop *loop;
    pa_context *context;
    bool changed;

    // Of what is heard, if anything.
    PulseHeard heard;
    void *hearing;
    size_t frame; // bytes
    bool ended;
};

static void on_change(pa_context *context, pa_subscription_event_type_t type, uint32_t index,
                      void *watch)
{
    (void)context, (void)type, (void)index;
    ((PulseWatch *)watch)->changed = true;
}

// What changed before the subscription was not told: once it stands, all is looked at again.
static void on_subscribed(pa_context *context, int success, void *watch)
{
    (void)context;
    ((PulseWatch *)watch)->changed = success;
}

static void on_state(pa_context *context, void *watch)
{
    if (pa_context_get_state(context) != PA_CONTEXT_READY) return;
    const pa_subscription_mask_t mask = PA_SUBSCRIPTION_MASK_SERVER | PA_SUBSCRIPTION_MASK_SOURCE;
    pa_operation *subscribe = pa_context_subscribe(context, mask, on_subscribed, watch);
    if (subscribe) pa_operation_unref(subscribe);
}

PulseWatch *pulse_watch_new(void)
{
    PulseWatch *w = calloc(1, sizeof *w);
    if (!w || !(w->loop = pa_mainloop_new())) return NULL;
    w->context = pa_context_new(pa_mainloop_get_api(w->loop), "motes");
    if (!w->context) return NULL;
    pa_context_set_state_callback(w->context, on_state, w);
    pa_context_set_subscribe_callback(w->context, on_change, w);
    if (pa_context_connect(w->context, NULL, PA_CONTEXT_NOAUTOSPAWN, NULL) < 0) return NULL;
    return w;
}

static double seconds_now(void)
{
    return 1e-6 * (double)pa_rtclock_now();
}

bool pulse_watch_changed(PulseWatch *w, double seconds)
{
    const double end = seconds_now() + seconds;
    for (double left = seconds; left > 0; left = end - seconds_now()) {
        if (w && !w->ended && pa_mainloop_prepare(w->loop, (int)(1e6 * left)) >= 0 &&
            pa_mainloop_poll(w->loop) >= 0)
            pa_mainloop_dispatch(w->loop);
        else
            usleep((useconds_t)(1e6 * left));
    }
    const bool changed = w && w->changed;
    if (w) w->changed = false;
    return changed;
}

static void on_samples(pa_stream *stream, size_t bytes, void *watch)
{
    const PulseWatch *w = watch;
    const void *samples;
    while (pa_stream_peek(stream, &samples, &bytes) >= 0 && bytes > 0) {
        if (samples) w->heard(w->hearing, samples, (uint32_t)(bytes / w->frame));
        pa_stream_drop(stream);
    }
}

static void on_stream_state(pa_stream *stream, void *watch)
{
    PulseWatch *w = watch;
    w->ended = w->ended || !PA_STREAM_IS_GOOD(pa_stream_get_state(stream));
}

static bool wait_until_ready(const PulseWatch *w)
{
    pa_context_state_t state;
    while ((state = pa_context_get_state(w->context)) != PA_CONTEXT_READY)
        if (!PA_CONTEXT_IS_GOOD(state) || pa_mainloop_iterate(w->loop, 1, NULL) < 0) return false;
    return true;
}

bool pulse_watch_hear(PulseWatch *w, const char *source, int channels, int rate, PulseHeard heard,
                      void *hearing)
{
    const pa_sample_spec spec = { PA_SAMPLE_FLOAT32NE, (uint32_t)rate, (uint8_t)channels };
    pa_channel_map map;
    if (!w || !pa_sample_spec_valid(&spec) || !wait_until_ready(w)) return false;
    pa_channel_map_init_extend(&map, spec.channels, PA_CHANNEL_MAP_DEFAULT);
    pa_stream *stream = pa_stream_new(w->context, "listening", &spec, &map);
    if (!stream) return false;

    w->heard = heard;
    w->hearing = hearing;
    w->frame = pa_frame_size(&spec);
    pa_stream_set_read_callback(stream, on_samples, w);
    pa_stream_set_state_callback(stream, on_stream_state, w);
    const uint32_t all = (uint32_t)-1; // as the server likes it
    const pa_buffer_attr sizes = { all, all, all, all, (uint32_t)pa_usec_to_bytes(5000, &spec) };
    const pa_stream_flags_t how = PA_STREAM_ADJUST_LATENCY | PA_STREAM_NO_REMAP_CHANNELS;
    return pa_stream_connect_record(stream, source, &sizes, how) >= 0;
}

bool pulse_watch_ended(const PulseWatch *w)
{
    return w && w->ended;
}

#else

#include <unistd.h>

int pulse_sources(PulseSource *sources, int capacity)
{
    (void)sources, (void)capacity;
    return -1;
}

PulseWatch *pulse_watch_new(void)
{
    return NULL;
}

bool pulse_watch_changed(PulseWatch *watch, double seconds)
{
    (void)watch;
    usleep((useconds_t)(1e6 * seconds));
    return false;
}

bool pulse_watch_hear(PulseWatch *watch, const char *source, int channels, int rate,
                      PulseHeard heard, void *hearing)
{
    (void)watch, (void)source, (void)channels, (void)rate, (void)heard, (void)hearing;
    return false;
}

bool pulse_watch_ended(const PulseWatch *watch)
{
    (void)watch;
    return false;
}

#endif
