// Whom to answer, and how often.  OSC thread only.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

enum { SENDERS = 64 };

typedef struct {
    struct sockaddr_storage address;
    socklen_t size;
    uint32_t id;   // 0: free
    uint64_t used; // larger is later
} Sender;

// All zeros is an empty table.
typedef struct {
    Sender sender[SENDERS];
    uint32_t last_id;
    uint64_t uses;
} Senders;

// The number of a sender, never 0.  A new one takes the place of the one longest unheard.
uint32_t senders_id(Senders *senders, const struct sockaddr_storage *address, socklen_t size);

// NULL when that sender has lost its place.
const Sender *senders_find(const Senders *senders, uint32_t id);

enum { REFUSALS = 20 }; // a second, to all senders together

// All zeros has granted nothing yet.
typedef struct {
    int64_t until[REFUSALS]; // when each of the last grants is a second old
    int next;
} RefusalLimit;

// Whether one more may go at `now` (nanoseconds, positive and never falling).
bool refusal_granted(RefusalLimit *limit, int64_t now);
