#include "osc/check.h"

#include <stdint.h>
#include <string.h>

enum { BUNDLE_HEAD = 16 }; // "#bundle", its 0, and a time tag

static int padded(int size)
{
    return (size + 3) & ~3;
}

static bool zeros(const unsigned char *data, int from, int to)
{
    for (int i = from; i < to; i++)
        if (data[i]) return false;
    return true;
}

int check_text(const unsigned char *data, int room)
{
    const unsigned char *nul = room > 0 ? memchr(data, 0, (size_t)room) : NULL;
    if (!nul) return 0;
    const int length = (int)(nul - data);
    const int size = padded(length + 1);
    return size <= room && zeros(data, length, size) ? size : 0;
}

static int check_address(const unsigned char *data, int room)
{
    if (room < 4 || data[0] != '/') return 0;
    const int size = check_text(data, room);
    for (int i = 0; i < size && data[i]; i++)
        if (data[i] < 0x20 || data[i] > 0x7e) return 0;
    return size;
}

static uint32_t big_endian(const unsigned char *data)
{
    return (uint32_t)data[0] << 24 | (uint32_t)data[1] << 16 | (uint32_t)data[2] << 8 | data[3];
}

// The bytes of an argument, or -1 when there are not as many.
static int check_blob(const unsigned char *data, int room)
{
    if (room < 4) return -1;
    const uint32_t length = big_endian(data);
    if (length > (uint32_t)room - 4) return -1;
    const int size = padded(4 + (int)length);
    return size <= room && zeros(data, 4 + (int)length, size) ? size : -1;
}

static int check_argument(char type, const unsigned char *data, int room)
{
    int size = -1;
    switch (type) {
    case 'T':
    case 'F':
    case 'N':
    case 'I':
        return 0;
    case 'i':
    case 'f':
    case 'c':
    case 'r':
    case 'm':
        size = 4;
        break;
    case 'd':
    case 'h':
    case 't':
        size = 8;
        break;
    case 's':
    case 'S':
        size = check_text(data, room);
        return size > 0 ? size : -1;
    case 'b':
        return check_blob(data, room);
    default:
        break;
    }
    return size <= room ? size : -1;
}

bool check_message(const unsigned char *data, int size)
{
    if (size <= 0 || size > PACKET_MAX || size % 4 != 0) return false;
    const int address = check_address(data, size);
    if (address == 0) return false;
    if (address == size) return true;

    const int tags = check_text(data + address, size - address);
    if (tags == 0 || data[address] != ',') return false;
    int at = address + tags;
    for (const unsigned char *type = data + address + 1; *type; type++) {
        const int argument = check_argument((char)*type, data + at, size - at);
        if (argument < 0) return false;
        at += argument;
    }
    return at == size;
}

Walk walk_packet(unsigned char *data, int size)
{
    Walk walk = { .data = data, .end = { size } };
    if (size <= 0 || size > PACKET_MAX || size % 4 != 0) {
        walk.malformed = 1;
        walk.at = walk.end[0] = 0;
    }
    return walk;
}

static bool is_bundle(const unsigned char *data, int size)
{
    return size >= BUNDLE_HEAD && memcmp(data, "#bundle", 8) == 0;
}

// Leaves the innermost bundle; what is behind it belongs to the one around it.
static void leave_bundle(Walk *walk)
{
    walk->at = walk->end[walk->depth--];
}

// Finds the element at walk->at.  A bundle's elements have their sizes in front; the packet itself
// has none, and ends the walk when it is through.
static bool next_element(Walk *walk, unsigned char **element, int *size)
{
    while (walk->depth > 0 && walk->at == walk->end[walk->depth]) leave_bundle(walk);
    const int room = walk->end[walk->depth] - walk->at;
    if (room == 0) return false;
    *element = walk->data + walk->at;
    *size = room;
    if (walk->depth == 0) {
        walk->at += room;
        return true;
    }

    const uint32_t stated = big_endian(*element);
    const bool sound = stated % 4 == 0 && stated <= (uint32_t)room - 4;
    *element += 4;
    *size = sound ? (int)stated : 0;
    walk->at = sound ? walk->at + 4 + *size : walk->end[walk->depth];
    return true;
}

bool walk_next(Walk *walk, unsigned char **message, int *size)
{
    while (next_element(walk, message, size)) {
        if (walk->depth > 0 && ++walk->elements > BUNDLE_ELEMENTS) {
            walk->malformed++;
            walk->depth = 0;
            walk->at = walk->end[0];
            return false;
        }
        if (is_bundle(*message, *size) && walk->depth < BUNDLE_DEPTH) {
            walk->end[++walk->depth] = (int)(*message - walk->data) + *size;
            walk->at = (int)(*message - walk->data) + BUNDLE_HEAD;
        } else if (check_message(*message, *size)) {
            return true;
        } else {
            walk->malformed++;
        }
    }
    return false;
}
