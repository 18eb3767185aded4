// `motes bench`: how fast this machine is.
#pragma once

#include "app/options.h"

// Measures hearing, CPU particles and the picture, each in its own unit, and prints a table or JSON.
// Returns the exit code.
int bench(const Options *options);

// bench_hearing.c: what a hop costs, part by part, at 48 kHz.
int bench_hearing(const Options *options);
