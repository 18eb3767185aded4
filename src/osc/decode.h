// A checked message into the Message that the other rooms know.
#pragma once

#include <stdbool.h>

#include "control/control.h"

// `data` has passed check_message; it may be changed.  i f d h c t T F are one number each (t in
// seconds since 1900), a colour r is four from 0 to 1, s and S are texts, N is no argument.  False
// and a sentence when it is more than a Message holds, or a blob, MIDI or infinitum; message->path is
// filled even then, as far as it fits.  message->sender is 0.
bool decode_message(unsigned char *data, int size, Message *message, char *why, int why_size);
