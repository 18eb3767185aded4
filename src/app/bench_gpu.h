// `motes bench --gpu`: the GPU fields against the known scheme and against the copying of their state
// (bench_known.h), all in this process and by turns, so that whatever else the machine does falls on
// all of them alike.
#pragma once

#include <stdio.h>

#include "app/options.h"

// Medians, in ms a frame.  The workload: gravity, drag, one attractor, jitter, ageing, steady births
// and deaths; nearly all of the ring alive.
typedef struct {
    uint32_t particles;
    double step;       // births, motion and deaths
    double turbulence; // as step, with turbulence
    double attractors; // as step, with all attractors
    double colliders;  // as step, with a plane and a sphere
    double quarter;    // as step, with a quarter of the ring alive
    double fill;       // as step, half of the ring alive, born by fill
    double three_pass; // the known scheme
    double copy;       // the bound
    double draw;       // all of them as points of about 3 pixels
    double splat;      // as step and draw together, by the processor alone (bench_splat.h)
} GpuRow;

enum { GPU_ROWS = 4, GPU_RENDERER = 256 };

typedef struct {
    GpuRow rows[GPU_ROWS];
    int row_count;
    char renderer[GPU_RENDERER];
} GpuFigures;

// Each of `sizes`, medians of `runs`, in a context of its own and pictures of that size.  False and
// one sentence in `why`.
bool bench_gpu_measure(GpuFigures *figures, const uint32_t *sizes, int size_count, int width,
                       int height, int runs, char *why, int why_size);
void bench_gpu_json(const GpuFigures *figures, FILE *out);
void bench_gpu_table(const GpuFigures *figures, FILE *out);

int bench_gpu(const Options *options); // the exit code
