// One frame, in order: samples -> hops (analysis, routes, births) -> hands -> simulation -> picture.
//
// Whatever a frame needs comes in through ShowInput; a show that is given the same inputs again does
// the same again, particle by particle.  That is why hands are messages, and why the clock's place is
// taken by dt.
#include "app/show.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// No samples for this long (a device's largest blocks are shorter), and the clock makes hops of silence.
static const double STARVED_AFTER = 0.15; // s

struct Show {
    ShowDesc desc;
    Params *params;
    Analyser *analyser;
    Sim *sim;

    float hop[ANALYSIS_HOP_MAX * 2]; // the hop that is being filled
    int filled;                      // pairs in it
    int rate;                        // Hz, of the last samples
    double starved;                  // s without samples
    double silence_debt;             // pairs of silence owed, below 1

    int64_t time;      // ns, the show's
    double flow_phase; // 0..FLOW_PERIOD
    double orbit;      // degrees, within a turn: summed, so that another speed is no jump
    float cleared;     // the clear trigger's counter as last seen
    uint64_t by_fill;  // births so far, as last told
    ShowStats stats;
    Past past;
};

static float global(const Show *show, GlobalRow row)
{
    return params_values(show->params, OWNER_GLOBAL, 0)[row];
}

static Sim *new_sim(const Show *show, uint32_t capacity, char *why, int why_size)
{
    return sim_new(
        &(SimDesc){ .capacity = capacity, .threads = show->desc.threads, .seed = show->desc.seed },
        why, why_size);
}

Show *show_new(const ShowDesc *desc, char *why, int why_size)
{
    snprintf(why, (size_t)why_size, "out of memory");
    Show *show = calloc(1, sizeof *show);
    if (!show) return NULL;
    show->desc = *desc;
    show->rate = desc->rate ? desc->rate : 48000;
    show->params = params_new();
    show->analyser = analyser_new(show->rate);
    if (!show->params || !show->analyser) goto fail;
    show->sim = new_sim(show, (uint32_t)global(show, GLOBAL_SIM_CAPACITY), why, why_size);
    if (!show->sim) goto fail;
    show->stats.frame = UINT32_MAX; // the first frame is 0
    show->by_fill = desc->render ? render_status(desc->render).born : 0;
    return show;

fail:
    show_free(show);
    return NULL;
}

void show_free(Show *show)
{
    if (!show) return;
    sim_free(show->sim);
    analyser_free(show->analyser);
    params_free(show->params);
    free(show);
}

Params *show_params(Show *show)
{
    return show->params;
}

void show_load(Show *show, const Preset *preset)
{
    preset_apply(preset, show->params);
    show->orbit = 0;
}

void show_prepare(Show *show, Size size, char *notice, int notice_size)
{
    notice[0] = 0;
    params_prepare(show->params);
    const uint32_t asked = (uint32_t)global(show, GLOBAL_SIM_CAPACITY);
    if (asked != sim_capacity(show->sim) && asked != 0) {
        Sim *other = new_sim(show, asked, notice, notice_size);
        if (other) {
            sim_resume(other, show->sim);
            sim_free(show->sim);
            show->sim = other;
        }
        // What there is; so nothing is tried again each frame.
        params_set(show->params, params_id(OWNER_GLOBAL, 0, GLOBAL_SIM_CAPACITY),
                   sim_capacity(show->sim));
        params_prepare(show->params);
    }
    if (show->desc.assets)
        assets_give(show->desc.assets, show->params, show->sim, show->desc.render, notice,
                    notice_size);
    if (show->desc.render)
        render_prepare(show->desc.render, show->params, size, notice, notice_size);
}

// The frame's features are the last hop's, but nothing short may be missed between two frames.
static void remember(Features *frame, const Features *hop)
{
    const Features before = *frame;
    *frame = *hop;
    for (int i = 0; i < SIGNAL_COUNT; i++)
        if (signal_rows[i].frame != FRAME_LAST)
            frame->signal[i] = fmaxf(before.signal[i], hop->signal[i]);
    for (int i = 0; i < ANALYSIS_SPECTRUM; i++)
        frame->spectrum[i] = fmaxf(before.spectrum[i], hop->spectrum[i]);
    frame->onset = before.onset || hop->onset;
    frame->beat = before.beat || hop->beat;
    if (!hop->onset) frame->onset_time = before.onset_time;
}

static void forget_flashes(Features *features)
{
    features->onset = features->beat = false;
    for (int i = 0; i < SIGNAL_COUNT; i++)
        if (signal_rows[i].frame == FRAME_FLASH) features->signal[i] = 0;
}

// `age`: seconds from the hop's start to the frame's end.
static void one_hop(Show *show, float age)
{
    const int frames = analyser_hop_frames(show->analyser);
    const float seconds = (float)frames / (float)analyser_rate(show->analyser);
    const HearingSettings settings = hearing_of(show->params);
    const Features features = analyser_hop(show->analyser, show->hop, &settings);

    routes_hop(show->params, &features, seconds);
    sim_hop(show->sim, show->params, &features, age, seconds);

    if (show->stats.hops == 0)
        show->stats.features = features;
    else
        remember(&show->stats.features, &features);
    past_hop(&show->past, &features);
    show->stats.onsets_all += features.onset;
    show->stats.hops++;
}

// Cuts the samples (NULL: silence) into hops; the newest sample is heard at the frame's end.
static void hear(Show *show, const float *pairs, uint32_t count)
{
    const uint32_t hop = (uint32_t)analyser_hop_frames(show->analyser);
    const double rate = analyser_rate(show->analyser);
    while (count > 0) {
        const uint32_t room = hop - (uint32_t)show->filled;
        const uint32_t taken = count < room ? count : room;
        float *to = show->hop + 2 * show->filled;
        if (pairs) {
            memcpy(to, pairs, taken * 2 * sizeof *pairs);
            pairs += 2 * taken;
        } else {
            memset(to, 0, taken * 2 * sizeof *to);
        }
        show->filled += (int)taken;
        count -= taken;
        if (show->filled < (int)hop) return;
        show->filled = 0;
        one_hop(show, (float)((count + hop) / rate));
    }
}

static void hear_silence(Show *show, double seconds)
{
    show->silence_debt += seconds * analyser_rate(show->analyser);
    const double whole = floor(show->silence_debt);
    show->silence_debt -= whole;
    hear(show, NULL, (uint32_t)whole);
}

static void take_samples(Show *show, const ShowInput *input, double dt)
{
    ShowStats *stats = &show->stats;
    const bool was_silent = stats->silent, first = stats->frame == 0;
    bool joined = input->joined;
    show->starved = input->frames > 0 ? 0 : show->starved + dt;
    stats->silent = show->starved > STARVED_AFTER;
    if (input->frames > 0 && input->rate != show->rate) {
        show->rate = input->rate;
        analyser_retune(show->analyser, input->rate);
        show->filled = 0;
        joined = joined || !first;
    }
    // Where silence begins or ends in the middle of a sound, the cut would be an onset.
    if (joined || stats->silent != was_silent) analyser_join(show->analyser);
    if (input->frames > 0)
        hear(show, input->samples, input->frames);
    else if (stats->silent)
        hear_silence(show, dt);
}

static void take_hands(Show *show, const ShowInput *input)
{
    for (int i = 0; i < input->message_count; i++) {
        const Message *message = &input->messages[i];
        Message answer;
        char why[256];
        switch (params_message(show->params, message, &answer, why, sizeof why)) {
        case MESSAGE_ANSWERED:
            if (input->answer) input->answer(input->hand, &answer);
            break;
        case MESSAGE_REFUSED:
            if (input->refuse) input->refuse(input->hand, message, why);
            break;
        case MESSAGE_DONE:
            break;
        }
    }
}

// Whoever lives once only, and is done, goes.
static void remove_the_done(Show *show)
{
    int slots[EMITTER_SLOTS];
    const int count = sim_over(show->sim, show->params, slots);
    for (int n = 0; n < count; n++) params_remove(show->params, OWNER_EMITTER, slots[n]);
}

static void tell_alive(Show *show, Owner owner, int slot, uint32_t alive,
                       uint32_t systems[SYSTEM_SLOTS])
{
    if (!params_exists(show->params, owner, slot)) return;
    params_tell(show->params, params_id(owner, slot, SWARM_ALIVE), (float)alive);
    const int system = params_system(show->params, owner, slot);
    if (system >= 0) systems[system] += alive;
}

// How many live, for who asks; a field's count is that of stats.gpu_frame.
static void tell_readings(Show *show)
{
    uint32_t systems[SYSTEM_SLOTS] = { 0 };
    for (int n = 0; n < EMITTER_SLOTS; n++)
        tell_alive(show, OWNER_EMITTER, n, sim_emitter_alive(show->sim, n), systems);
    const RenderStatus status =
        show->desc.render ? render_status(show->desc.render) : (RenderStatus){ 0 };
    for (int n = 0; n < FIELD_SLOTS; n++)
        tell_alive(show, OWNER_FIELD, n, status.field_alive[n], systems);
    for (int n = 0; n < SYSTEM_SLOTS; n++)
        if (params_exists(show->params, OWNER_SYSTEM, n))
            params_tell(show->params, params_id(OWNER_SYSTEM, n, SYSTEM_ALIVE), (float)systems[n]);
}

static void take_times(ShowStats *stats, const RenderStatus *status)
{
    stats->timed = status->timed;
    stats->gpu_ms_all = 0;
    for (int p = 0; p < TIMED_PASSES; p++)
        stats->gpu_ms_all += stats->gpu_ms[p] = status->gpu_ms[p];
}

// What the GPU has told since it was asked last.
static uint32_t take_by_fill(Show *show, const RenderStatus *status)
{
    const uint64_t before = show->by_fill;
    show->by_fill = status->born;
    return (uint32_t)(status->born - before);
}

static void count(Show *show)
{
    ShowStats *stats = &show->stats;
    stats->scale = global(show, GLOBAL_QUALITY_SCALE_NOW);
    stats->share = global(show, GLOBAL_QUALITY_SHARE_NOW);
    stats->births_cpu = sim_births(show->sim);
    stats->births_gpu = sim_field_births_all(show->sim);
    stats->births_cpu_all += stats->births_cpu;
    stats->alive_cpu = sim_alive(show->sim);
    stats->events_lost = sim_lost_events(show->sim);
    if (show->desc.render) {
        const RenderStatus status = render_status(show->desc.render);
        stats->births_gpu += take_by_fill(show, &status);
        stats->alive_gpu = status.alive;
        stats->gpu_frame = status.frame;
        take_times(stats, &status);
        stats->crowded = false;
        for (int f = 0; f < FIELD_SLOTS; f++) stats->crowded |= status.crowded[f];
    }
    stats->births_gpu_all += stats->births_gpu;
}

void show_frame(Show *show, const ShowInput *input, const Target *target)
{
    const double dt = clampd(input->dt, 0, STALL_LONGEST);
    ShowStats *stats = &show->stats;
    stats->frame++;
    stats->dt = dt;
    stats->hops = 0;
    forget_flashes(&stats->features);

    sim_begin(show->sim, show->params);
    take_samples(show, input, dt);
    take_hands(show, input);

    const float clear = global(show, GLOBAL_CLEAR);
    const bool clearing = clear != show->cleared;
    show->cleared = clear;
    if (clearing) sim_clear(show->sim);

    Hit hits[HITS_MAX];
    sim_hits(show->sim, hits, params_take_hits(show->params, hits));

    Motion motion = motion_of(show->params, (float)show->flow_phase);
    motion_hear(&motion, show->params, sim_heard(show->sim));
    show->flow_phase = fmod(show->flow_phase + motion.turbulence_speed * dt, FLOW_PERIOD);
    show->orbit = fmod(show->orbit + global(show, GLOBAL_CAMERA_ORBIT) * dt, 360);
    if (target && show->desc.render)
        render_begin(show->desc.render, show->params, show->sim, show->orbit);
    sim_step(show->sim, show->params, &motion, stats->frame, (float)dt);
    show->time += llround(dt * 1e9);
    stats->time = (double)show->time * 1e-9;
    stats->orbit = show->orbit;

    if (target && show->desc.render) {
        const Scene scene = {
            .params = show->params,
            .sim = show->sim,
            .motion = motion,
            .frame = stats->frame,
            .time = stats->time,
            .orbit = stats->orbit,
            .dt = (float)dt,
            .clear = clearing,
            .heard = &stats->features,
            .past = &show->past,
        };
        render_frame(show->desc.render, &scene, target);
    }
    remove_the_done(show);
    count(show);
    tell_readings(show);
}

ShowStats show_stats(const Show *show)
{
    return show->stats;
}

const Sim *show_sim(const Show *show)
{
    return show->sim;
}
