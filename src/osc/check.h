// A packet is checked to the last byte before liblo sees any of it: liblo 0.31 reads behind the end
// of a blob without data and of a last bundle element of length 0, and drops all elements behind a
// broken one.  Patterns pass: they are only text here, and nothing matches them.
#pragma once

#include <stdbool.h>

enum {
    PACKET_MAX = 65536,    // bytes; no datagram is larger
    BUNDLE_DEPTH = 4,      // bundles within bundles, the outermost counted
    BUNDLE_ELEMENTS = 512, // in one packet, all its bundles together
};

// The length of a text with its 0, padded to 4, when it ends with zeros within `room` bytes; else 0.
int check_text(const unsigned char *data, int room);

// Whether these bytes are exactly one message: an address from '/' on in printable ASCII, known type
// tags, and as much data as they say.  An address alone, without tags, is a message too.
bool check_message(const unsigned char *data, int size);

// Walks the messages of a packet in their order.
typedef struct {
    unsigned char *data;
    int at;                    // of the next element
    int depth;                 // bundles we are in
    int end[BUNDLE_DEPTH + 1]; // of the packet, and of each bundle that we are in
    int elements;              // walked so far
    int malformed;             // elements refused so far
} Walk;

Walk walk_packet(unsigned char *data, int size);

// The next well-formed message, until false.
bool walk_next(Walk *walk, unsigned char **message, int *size);
