// The show: one frame, as a pure function of seed, preset and the sequence of (samples, dt, messages).
// Knows no window, no clock and no device; both hosts call show_frame.
#pragma once

#include "analysis/analysis.h"
#include "app/assets.h"
#include "control/control.h"
#include "gfx/gfx.h"
#include "render/render.h"
#include "sim/sim.h"

typedef struct {
    uint32_t seed;
    int rate;       // Hz, of the first samples; 0 is 48000
    int threads;    // of the simulation; 0: all cores
    Render *render; // NULL: a show without a picture (tests); not owned
    Assets *assets; // reads the files that looks name; NULL: they are not there; not owned
} ShowDesc;

typedef struct Show Show;

Show *show_new(const ShowDesc *desc, char *why, int why_size);
void show_free(Show *show);

// For loading presets, --set and the HUD; between frames only.
Params *show_params(Show *show);

// Loads a look, between frames: all that the one before left in the parameters and in the camera's orbit is gone.
// The preset stays the caller's.
void show_load(Show *show, const Preset *preset);

typedef struct {
    const float *samples; // interleaved pairs
    uint32_t frames;      // how many pairs; any number
    int rate;             // Hz; another than before starts the analysis over
    bool joined;          // the samples do not follow on the last ones
    double dt;            // s since the last frame
    const Message *messages;
    int message_count;
    void (*answer)(void *hand, const Message *answer); // a question's answer; may be NULL
    void (*refuse)(void *hand, const Message *message, const char *why); // may be NULL
    void *hand;
} ShowInput;

// Between frames: applies structural changes (room for particles, field capacities, picture size) and gives
// what was read of the files that looks name.  A sentence in
// `notice` when less was given than asked, else "".
void show_prepare(Show *show, Size size, char *notice, int notice_size);

// samples -> hops (analysis, routes, births) -> hands -> simulation -> picture into `target` (NULL: none).
// Neither allocates nor waits.
void show_frame(Show *show, const ShowInput *input, const Target *target);

typedef struct {
    uint32_t frame;    // number of the last frame, from 0
    double time, dt;   // s; dt as stepped
    double orbit;      // degrees that the camera has gone round, within a turn
    int hops;          // in this frame
    bool silent;       // no samples came for a while: hops of silence were made
    Features features; // of the last hop; onset and levels are maxima over the frame
    uint32_t births_cpu, alive_cpu;
    // Those by fill when they are told: up to gpu_frame, of which alive_gpu is.
    uint32_t births_gpu, alive_gpu, gpu_frame;
    bool crowded; // a field's births outrun its ring: the oldest die early
    bool
        timed; // the GPU has told what it took for a frame a few frames ago: by pass, and all of it
    float gpu_ms[TIMED_PASSES], gpu_ms_all;
    float scale, share;                                  // quality in use
    uint64_t births_cpu_all, births_gpu_all, onsets_all; // since the start
    uint64_t events_lost;                                // the same: see sim_lost_events
} ShowStats;

ShowStats show_stats(const Show *show);

// The engine, for tests that look at single particles.
const Sim *show_sim(const Show *show);
