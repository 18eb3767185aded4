// The vector code of sim as this clone alone; clones_test.c holds them against each other.
#ifdef __x86_64__
#define KERNEL __attribute__((noinline, target("avx512f")))
#define CLONE  clone_avx512f
#include "clone.h"
#endif
