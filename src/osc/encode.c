#include "osc/encode.h"

#include <lo/lo.h>
#include <math.h>
#include <string.h>

static int add_number(lo_message encoded, double number)
{
    const float nearest = (float)number;
    const bool exact = isnan(number) || (double)nearest == number;
    return exact ? lo_message_add_float(encoded, nearest) : lo_message_add_double(encoded, number);
}

static bool add_arguments(lo_message encoded, const Message *message)
{
    const char *text = message->text;
    for (int i = 0; i < MESSAGE_ARGS && message->types[i]; i++) {
        if (message->types[i] == 'f') {
            if (add_number(encoded, message->number[i]) != 0) return false;
        } else {
            if (lo_message_add_string(encoded, text) != 0) return false;
            text += strlen(text) + 1;
        }
    }
    return true;
}

int encode_message(const Message *message, unsigned char packet[ENCODED_MAX])
{
    const lo_message encoded = lo_message_new();
    size_t size = 0;
    if (encoded && add_arguments(encoded, message) &&
        lo_message_length(encoded, message->path) <= ENCODED_MAX)
        lo_message_serialise(encoded, message->path, packet, &size);
    lo_message_free(encoded);
    return (int)size;
}
