#include "audio/audio_pulse.h"

#ifdef HAVE_PULSE

#include <pulse/pulseaudio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

bool pulse_watch_changed(PulseWatch *w)
{
    if (!w) return false;
    while (pa_mainloop_iterate(w->loop, 0, NULL) > 0) continue;
    const bool changed = w->changed;
    w->changed = false;
    return changed;
}

#else

int pulse_sources(PulseSource *sources, int capacity)
{
    (void)sources, (void)capacity;
    return -1;
}

PulseWatch *pulse_watch_new(void)
{
    return NULL;
}

bool pulse_watch_changed(PulseWatch *watch)
{
    (void)watch;
    return false;
}

#endif
