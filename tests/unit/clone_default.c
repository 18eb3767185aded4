// The vector code of sim as this clone alone; clones_test.c holds them against each other.
#define KERNEL __attribute__((noinline))
#define CLONE  clone_default
#include "clone.h"
