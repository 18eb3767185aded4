#include "osc/senders.h"

#include <string.h>

static bool is_from(const Sender *sender, const struct sockaddr_storage *address, socklen_t size)
{
    return sender->id && sender->size == size && memcmp(&sender->address, address, size) == 0;
}

static Sender *place_for(Senders *senders, const struct sockaddr_storage *address, socklen_t size)
{
    Sender *oldest = &senders->sender[0];
    for (int i = 0; i < SENDERS; i++) {
        Sender *sender = &senders->sender[i];
        if (is_from(sender, address, size)) return sender;
        if (sender->used < oldest->used) oldest = sender;
    }
    memset(oldest, 0, sizeof *oldest);
    return oldest;
}

uint32_t senders_id(Senders *senders, const struct sockaddr_storage *address, socklen_t size)
{
    Sender *sender = place_for(senders, address, size);
    if (sender->id == 0) {
        memcpy(&sender->address, address, size);
        sender->size = size;
        if (++senders->last_id == 0) senders->last_id = 1;
        sender->id = senders->last_id;
    }
    sender->used = ++senders->uses;
    return sender->id;
}

const Sender *senders_find(const Senders *senders, uint32_t id)
{
    for (int i = 0; i < SENDERS; i++)
        if (id && senders->sender[i].id == id) return &senders->sender[i];
    return NULL;
}

bool refusal_granted(RefusalLimit *limit, int64_t now)
{
    int64_t *until = &limit->until[limit->next];
    if (now < *until) return false;
    *until = now + 1000000000;
    limit->next = (limit->next + 1) % REFUSALS;
    return true;
}
