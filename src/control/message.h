// What the files of messages share: one message on its way.
#pragma once

#include "control/state.h"

typedef enum { MODE_PLAIN, MODE_NORM, MODE_INC } Mode;

typedef struct {
    Params *params;
    const Message *message;
    Message *answer;
    Mode mode;
    const char *path;                // without slash, /norm and /inc
    int count;                       // of arguments
    const char *texts[MESSAGE_ARGS]; // by argument; NULL for a number
    char *why;
    int why_size;
} Order;

// Writes the sentence; MESSAGE_REFUSED.
__attribute__((format(printf, 2, 3))) MessageResult refuse(const Order *order, const char *format,
                                                           ...);

// Argument `index` as a number for a row; false, and refused, when it is none.
bool take_number(const Order *order, const ParamRow *row, int index, double *value);

// ---- message_instances.c ----
MessageResult say_add(const Order *order, Owner owner);            // /emitters/add NAME
MessageResult say_name(const Order *order, Owner owner, int slot); // /emitters/NAME/name NEW
MessageResult say_hit(const Order *order, int system);             // /systems/NAME/hit ...
