#include "osc/decode.h"

#include <lo/lo.h>
#include <stdio.h>
#include <string.h>

#include "osc/check.h"

typedef struct {
    Message *message;
    int count; // arguments so far
    int bytes; // of texts so far
} Filling;

static bool add_number(Filling *filling, double number)
{
    if (filling->count == MESSAGE_ARGS) return false;
    filling->message->types[filling->count] = 'f';
    filling->message->number[filling->count++] = number;
    return true;
}

static bool add_text(Filling *filling, const char *text)
{
    const int bytes = (int)strlen(text) + 1;
    if (filling->count == MESSAGE_ARGS || bytes > MESSAGE_TEXT - filling->bytes) return false;
    memcpy(filling->message->text + filling->bytes, text, (size_t)bytes);
    filling->message->types[filling->count++] = 's';
    filling->bytes += bytes;
    return true;
}

static bool add_colour(Filling *filling, uint32_t colour)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        if (!add_number(filling, (colour >> shift & 0xff) / 255.0)) return false;
    return true;
}

// liblo has its arguments in the machine's byte order, but at any multiple of 4, so that 8-byte
// values must be copied out.
#define VALUE(type, arg)                                                                           \
    type value;                                                                                    \
    memcpy(&value, arg, sizeof value)

static bool add_argument(Filling *filling, char type, const void *arg)
{
    switch (type) {
    case 'i':
    case 'c': {
        VALUE(int32_t, arg);
        return add_number(filling, value);
    }
    case 'f': {
        VALUE(float, arg);
        return add_number(filling, (double)value);
    }
    case 'd': {
        VALUE(double, arg);
        return add_number(filling, value);
    }
    case 'h': {
        VALUE(int64_t, arg);
        return add_number(filling, (double)value);
    }
    case 't': {
        VALUE(lo_timetag, arg);
        return add_number(filling, value.sec + value.frac / 4294967296.0);
    }
    case 'r': {
        VALUE(uint32_t, arg);
        return add_colour(filling, value);
    }
    case 'T':
    case 'F':
        return add_number(filling, type == 'T');
    case 's':
    case 'S':
        return add_text(filling, arg);
    default: // N
        return true;
    }
}

static const char *why_not(const char *types)
{
    if (strlen(types) > MESSAGE_ARGS) return "too many arguments";
    if (strchr(types, 'b')) return "a blob is no value here";
    if (strchr(types, 'm')) return "a MIDI message is no value here";
    if (strchr(types, 'I')) return "infinitum is no value here";
    return NULL;
}

static bool fill(Message *message, const char *types, lo_arg **args)
{
    Filling filling = { .message = message };
    for (int i = 0; types[i]; i++)
        if (!add_argument(&filling, types[i], args[i])) return false;
    return true;
}

// liblo knows no colours: they go through it as the ints that they are in size.
static lo_message deserialise(unsigned char *data, int size, char *types)
{
    char sent[MESSAGE_ARGS + 1];
    snprintf(sent, sizeof sent, "%s", types);
    for (char *type = types; *type; type++)
        if (*type == 'r') *type = 'i';
    int result = 0;
    const lo_message decoded = lo_message_deserialise(data, (size_t)size, &result);
    memcpy(types, sent, strlen(sent));
    return decoded;
}

bool decode_message(unsigned char *data, int size, Message *message, char *why, int why_size)
{
    memset(message, 0, sizeof *message);
    const char *path = (const char *)data;
    snprintf(message->path, sizeof message->path, "%s", path);
    if (strlen(path) >= sizeof message->path) {
        snprintf(why, (size_t)why_size, "the address is longer than %d letters", MESSAGE_PATH - 1);
        return false;
    }

    const int address = check_text(data, size);
    if (address == size) return true;
    char *types = (char *)data + address + 1;
    const char *odd = why_not(types);
    if (!odd) {
        const lo_message decoded = deserialise(data, size, types);
        odd = !decoded ? "liblo cannot read it"
              : !fill(message, types, lo_message_get_argv(decoded))
                  ? "too many or too long arguments"
                  : NULL;
        lo_message_free(decoded);
    }
    if (odd) snprintf(why, (size_t)why_size, "%s", odd);
    return !odd;
}
