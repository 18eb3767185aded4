// A field that is born by fill, in C, a slot at a time.
#pragma once

#include "gl/stage.h"

typedef struct {
    Particle p; // life 0: dead
    bool past;  // the slot has one
    float wait, since;
    uint32_t generation; // of who lives in it, or is next
} FillSlot;

static inline void model_dies(FillSlot *slot, uint32_t seed, uint32_t number, float since)
{
    slot->p.life = 0;
    slot->since = since;
    slot->generation++;
    slot->wait = fill_wait(fill_key(seed, number, slot->generation));
}

static inline void model_bear(FillSlot *slot, const Stage *stage, const Births *births,
                              uint32_t number, const FillBirth *birth, float dt)
{
    const uint32_t key = fill_key(births->seed, number, slot->generation);
    slot->p = law_birth(stage_field(stage), &births->place, key);
    slot->p.position.x += birth->away.x;
    slot->p.position.y += birth->away.y;
    slot->p.position.z += birth->away.z;
    slot->p.life = fill_life(slot->p.life, slot->generation);
    model_move(&slot->p, stage, key, dt, birth->age);
}

// The frame that the stage has just played.  Was there a birth?
static inline bool model_fill(FillSlot *slot, const Stage *stage, uint32_t number,
                              uint32_t capacity, float dt)
{
    const Births *births = sim_field_births(stage->sim, 0);
    FillBirth birth;
    if (!slot->past) {
        *slot = (FillSlot){ .past = true, .generation = births->generation - 1 };
        model_dies(slot, births->seed, number, 1);
    } else if (slot->p.life == 0) {
        slot->since += dt;
    } else if (slot->p.age + dt >= slot->p.life) {
        model_dies(slot, births->seed, number, fminf(slot->p.age + dt - slot->p.life, dt));
    } else {
        model_move(&slot->p, stage, fill_key(births->seed, number, slot->generation), dt, dt);
    }
    const bool bears =
        slot->p.life == 0 && fill_is_due(births, capacity, slot->since, &slot->wait, &birth);
    if (bears) model_bear(slot, stage, births, number, &birth, dt);
    if (slot->p.life > 0 && !is_alive(&slot->p)) model_dies(slot, births->seed, number, 0);
    return bears;
}
