// A Message into a packet.
#pragma once

#include "control/control.h"

enum { ENCODED_MAX = 4096 }; // bytes; no Message becomes larger

// Numbers go as f, or as d where a float is not exactly them; texts as s.  The packet's size, or 0
// when out of memory.
int encode_message(const Message *message, unsigned char packet[ENCODED_MAX]);
