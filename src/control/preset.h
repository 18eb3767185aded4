// What the files of presets share: a preset is a list of steps, each of them tried when it was loaded.
#pragma once

#include "control/state.h"

enum { PRESET_VERSION = 1, PRESET_NAME_LONGEST = 63 };

typedef enum { STEP_ADD, STEP_REMOVE, STEP_NUMBER, STEP_TEXT, STEP_STOPS } StepKind;

// Instances are named, not numbered: slots are given anew each time.
typedef struct {
    StepKind kind;
    Owner owner;
    int row;
    char name[ROUTE_NAME_LONGEST + 1];
    union {
        double number;
        char text[TEXT_SIZE];
        Stops stops;
    };
} Step;

struct Preset {
    char title[TEXT_SIZE];
    Step *steps;
    int count, room;
};

// False and one sentence in `why` when it cannot be done.
bool do_step(Params *params, const Step *step, char *why, int why_size);
