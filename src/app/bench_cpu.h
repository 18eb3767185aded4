// `motes bench --cpu`: the particle engine against a naive one (bench_naive.h) and against reading and
// writing its memory (sim_stream: the same memory, as other pages may be twice as slow), all in this
// process and by turns, so that whatever else the machine does falls on all of them alike.
#pragma once

#include <stdio.h>

#include "app/options.h"
#include "sim/sim.h"

// The workload: one additive emitter, which keeps 98 % of `particles` alive, under gravity, drag,
// one attractor and jitter.
typedef struct {
    Params *params;
    Sim *sim;
    Sprites sprites;
    uint32_t capacity; // of sprites
    SpriteView view;
    int emitter; // slot
    uint32_t frame;
} Crowd;

// `threads`: 0 is all.  False and one sentence in `why`; free it either way.
bool crowd_init(Crowd *crowd, uint32_t particles, int threads, char *why, int why_size);
void crowd_free(Crowd *crowd);
void crowd_step(Crowd *crowd, float dt);     // a frame: births and motion
uint32_t crowd_draw(Crowd *crowd, float dt); // the same, and its sprites: how many
void crowd_settle(Crowd *crowd);             // until as many die as are born

// Medians, in ns a living particle and frame.
typedef struct {
    uint32_t particles;
    int threads;
    double state;      // births, motion, deaths
    double drawn;      // with the sprites
    double turbulence; // as state, with turbulence
    double naive;      // the naive engine, with its sprites; on one thread
    double bound;      // memory
} CpuRow;

enum { CPU_ROWS = 16 };

typedef struct {
    CpuRow rows[CPU_ROWS];
    int row_count;
    const char *clone; // of the engine's vector code
    // Many particles with all that the engine can do switched on, all threads.
    uint32_t full_particles;
    int full_threads;
    double full_ms; // a frame, simulated
} CpuFigures;

// Each of `sizes` on one thread and on all; medians of `runs`.  False and one sentence in `why`.
bool bench_cpu_measure(CpuFigures *figures, const uint32_t *sizes, int size_count,
                       uint32_t full_particles, int runs, char *why, int why_size);
void bench_cpu_json(const CpuFigures *figures, FILE *out);
void bench_cpu_table(const CpuFigures *figures, FILE *out);

int bench_cpu(const Options *options); // the exit code
