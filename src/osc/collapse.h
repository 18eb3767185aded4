// What is left of a queue under pressure: the newest value of each address.
#pragma once

#include "control/control.h"

enum { COLLAPSE_MAX = 1024 };

// Of messages (oldest first, at most COLLAPSE_MAX) that only set numbers of one address, the newest
// alone stays.  Everything else stays, in its order: triggers, texts, questions, /inc, and numbers
// that are not finite, since these are refused and overtake nothing.  Nothing is taken away across a
// message that is more than numbers.  Returns how many are left.
int collapse(Message *messages, int count);
