// The vector code of sim once more, under other names, as the clone that CLONE and KERNEL say.
// Without CLONE: what clones there are.
#pragma once

#include "sim/engine.h"

typedef struct {
    void (*step)(Block *block, uint32_t count, const Step *step, Bounces *bounces,
                 const Ahead *ahead);
    uint32_t (*bury)(Block *block, uint32_t count, float life, float life_random);
    void (*drag)(float k, float jitter, const float *dt, uint32_t count, Drags *drags);
    void (*bear)(const Share *share, uint32_t frame, float dt, const BlockInfo *info, Block *block);
    void (*paint)(const Paint *paint, const Block *block, uint32_t living, const Sprites *sprites);
    void (*depths)(const Block *block, uint32_t count, Vec3 forward, uint32_t *depths);
} Clone;

extern const Clone clone_default, clone_avx2, clone_avx512f;

#ifdef CLONE
#define kernel_step   clone_step
#define kernel_bury   clone_bury
#define kernel_drag   clone_drag
#define kernel_clone  clone_name
#define kernel_stream clone_stream
#define newborns_put  clone_newborns
#define paint_of      clone_paint_of
#define paint_block   clone_paint
#define paint_depths  clone_depths
#define collide_begin clone_collide_begin
#define collide_end   clone_collide_end
static void clone_step(Block *block, uint32_t count, const Step *step, Bounces *bounces,
                       const Ahead *ahead);
static uint32_t clone_bury(Block *block, uint32_t count, float life, float life_random);
static const char *clone_name(void) __attribute__((unused));
static uint32_t clone_stream(Block *block, float times) __attribute__((unused));
static Paint clone_paint_of(const float *values, int emitter, SpriteKind kind, int frames)
    __attribute__((unused));
static void clone_drag(float k, float jitter, const float *dt, uint32_t count, Drags *drags);
static void clone_newborns(const Share *share, uint32_t frame, float dt, const BlockInfo *info,
                           Block *block);
static void clone_paint(const Paint *paint, const Block *block, uint32_t living,
                        const Sprites *sprites);
static void clone_depths(const Block *block, uint32_t count, Vec3 forward, uint32_t *depths);
static void clone_collide_begin(Before *before, const Block *block, uint32_t count);
static void clone_collide_end(const Before *before, Block *block, uint32_t count, uint32_t living,
                              const Step *step, Bounces *bounces);
#include "sim/collide.c"
#include "sim/kernel.c"
#include "sim/newborn.c"
#include "sim/paint.c"

const Clone CLONE = {
    clone_step, clone_bury, clone_drag, clone_newborns, clone_paint, clone_depths
};
#endif
