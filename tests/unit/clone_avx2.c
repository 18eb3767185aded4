// The vector code of sim as this clone alone; clones_test.c holds them against each other.
#ifdef __x86_64__
#define KERNEL __attribute__((noinline, target("avx2")))
#define CLONE  clone_avx2
#include "clone.h"
#endif
