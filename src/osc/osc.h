// osc: hands at a distance.  A thread of its own receives on its own UDP socket, checks each packet
// strictly before liblo decodes it, and hands fixed-size messages over; it also sends the answers.
//
// All calls from the frame thread; none but osc_open and osc_close waits or allocates.  The thread
// reads the monotonic clock, and only to limit how many refusals leave.
//
// A bundle is its messages, one after another: a broken element costs only itself, and a time tag
// in the future is not waited for, since waiting bundles would be a queue without limit.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "control/control.h"

enum { OSC_PORT = 7700 };

typedef struct {
    int port;          // 0: OSC_PORT; -1: whatever is free (tests)
    const char *bind;  // address to listen on, IPv4 or IPv6; NULL: 127.0.0.1
    const char *allow; // who is heard: a CIDR, "192.168.1.0/24"; NULL: all that reach us
} OscDesc;

typedef struct Osc Osc;

// False and one sentence when the words are wrong: a mistake on the command line, where a busy port
// is none.
bool osc_understands(const OscDesc *desc, char *why, int why_size);

// Starts listening.  NULL and one sentence in `why` when the port is busy (naming the next free one)
// or the words are wrong.
Osc *osc_open(const OscDesc *desc, char *why, int why_size);
void osc_close(Osc *osc); // within 0.2 s; NULL is fine

// The messages received since the last call, oldest first, at most `capacity`.  When more wait, of
// several messages that only set the numbers of one address the newest alone is given, so that a
// flood leaves no trail of stale motion; triggers, texts, questions and /inc stay, in their order.
int osc_receive(Osc *osc, Message *messages, int capacity);

// Sends an answer to the sender of the message it answers (answer->sender).
void osc_reply(Osc *osc, const Message *answer);

// Tells a sender why its message was refused: "/error" with the address and the sentence, at most 20
// a second in all.  Messages to /error and /reply... are never answered, so two programs cannot
// bounce them for ever.
void osc_refuse(Osc *osc, const Message *message, const char *why);

typedef struct {
    int port;
    char bind[64];
    uint64_t packets;        // datagrams received
    uint64_t messages;       // handed over
    uint64_t overtaken;      // not handed over, since a newer value for their address had come
    uint64_t malformed;      // packets, or messages of a bundle, refused by the check
    uint64_t strangers;      // packets from senders that are not allowed
    uint64_t dropped;        // lost to full queues, here or in the kernel
    char last[MESSAGE_PATH]; // address of the last message
} OscStatus;

OscStatus osc_status(const Osc *osc);
