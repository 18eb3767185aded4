// The vector code of sim once more, under other names, as the clone that CLONE and KERNEL say.
// Without CLONE: what clones there are.
#pragma once

#include "sim/pool.h"

typedef struct {
    void (*step)(Block *block, uint32_t count, const Step *step, float dt);
    uint32_t (*bury)(Block *block, uint32_t count, float life, float life_random);
} Clone;

extern const Clone clone_default, clone_avx2, clone_avx512f;

#ifdef CLONE
#define kernel_step  clone_step
#define kernel_bury  clone_bury
#define kernel_clone clone_name
static void clone_step(Block *block, uint32_t count, const Step *step, float dt);
static uint32_t clone_bury(Block *block, uint32_t count, float life, float life_random);
static const char *clone_name(void) __attribute__((unused));
#include "sim/kernel.c"

const Clone CLONE = { clone_step, clone_bury };
#endif
