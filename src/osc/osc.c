// The OSC thread, and the two queues between it and the frame.
//
// The thread takes everything that the kernel has, whatever the frame does, so that a slow frame
// loses nothing.  When the queue to the frame is full, messages wait on the thread's own shelf,
// where old values of an address give way to newer ones: what a flood leaves behind is its end, not
// its beginning.
#include "osc/osc.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "osc/check.h"
#include "osc/collapse.h"
#include "osc/decode.h"
#include "osc/encode.h"
#include "osc/senders.h"
#include "osc/socket.h"

enum {
    IN_MESSAGES = COLLAPSE_MAX,
    OUT_MESSAGES = 256,
    SHELF_MESSAGES = 256,
    PACKETS_A_TURN = 256, // then answers go out, even in a flood
    SHELF_WAIT_MS = 4,    // until a full queue is looked at again
};

// What the frame wants sent; refusals are limited, answers are not.
typedef struct {
    Message message;
    bool refusal;
} Answer;

struct Osc {
    // Set by osc_open, then only read.
    int socket, wake; // wake: an eventfd that ends the thread's wait
    SocketAllow allow;
    int port;
    char bind[64];
    pthread_t thread;
    bool running;

    Ring *in, *out; // Message to the frame, Answer from it
    atomic_bool quit;
    _Atomic uint64_t packets, malformed, strangers, dropped, overtaken;

    // The frame thread's.
    uint64_t messages, overtaken_here;
    char last[MESSAGE_PATH];

    // The OSC thread's.
    Senders senders;
    RefusalLimit limit;
    uint32_t kernel_drops;
    int shelved;
    Message shelf[SHELF_MESSAGES];
    Answer answer;
    unsigned char packet[PACKET_MAX];
};

static void count(_Atomic uint64_t *counter, uint64_t more)
{
    atomic_fetch_add_explicit(counter, more, memory_order_relaxed);
}

static uint64_t counted(const _Atomic uint64_t *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

// ---- answers, OSC thread ------------------------------------------------------------------------

static bool is_answer(const char *path)
{
    return strncmp(path, "/error", 6) == 0 || strncmp(path, "/reply", 6) == 0;
}

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static void send_answer(Osc *osc, const Answer *answer)
{
    const Sender *to = senders_find(&osc->senders, answer->message.sender);
    if (!to || (answer->refusal && !refusal_granted(&osc->limit, now()))) return;
    unsigned char packet[ENCODED_MAX];
    const int size = encode_message(&answer->message, packet);
    if (size == 0 || sendto(osc->socket, packet, (size_t)size, MSG_DONTWAIT | MSG_NOSIGNAL,
                            (const struct sockaddr *)&to->address, to->size) < 0)
        count(&osc->dropped, 1);
}

static void send_answers(Osc *osc)
{
    while (ring_read(osc->out, &osc->answer, 1) == 1) send_answer(osc, &osc->answer);
}

// The sentence is cut where it does not fit, between letters.
static Answer refusal_of(const Message *message, const char *why)
{
    Answer answer = { .refusal = true };
    Message *error = &answer.message;
    strcpy(error->path, "/error");
    strcpy(error->types, "ss");
    error->sender = message->sender;
    const int path = snprintf(error->text, sizeof error->text, "%s", message->path) + 1;
    int length = (int)strlen(why);
    if (length > MESSAGE_TEXT - path - 1) length = MESSAGE_TEXT - path - 1;
    while (length > 0 && ((unsigned char)why[length] & 0xc0) == 0x80) length--;
    memcpy(error->text + path, why, (size_t)length);
    return answer;
}

// ---- messages, OSC thread -----------------------------------------------------------------------

// What the queue to the frame has no room for stays on the shelf.
static void empty_shelf(Osc *osc)
{
    const uint32_t room = osc->in->capacity - ring_waiting(osc->in);
    const uint32_t moved = room < (uint32_t)osc->shelved ? room : (uint32_t)osc->shelved;
    if (moved == 0) return;
    ring_write(osc->in, osc->shelf, moved);
    osc->shelved -= (int)moved;
    memmove(osc->shelf, osc->shelf + moved, (size_t)osc->shelved * sizeof *osc->shelf);
}

static void make_room_on_shelf(Osc *osc)
{
    const int left = collapse(osc->shelf, osc->shelved);
    count(&osc->overtaken, (uint64_t)(osc->shelved - left));
    osc->shelved = left;
}

static void hand_over(Osc *osc, const Message *message)
{
    if (osc->shelved == 0 && ring_waiting(osc->in) < osc->in->capacity) {
        ring_write(osc->in, message, 1);
        return;
    }
    if (osc->shelved == SHELF_MESSAGES) empty_shelf(osc);
    if (osc->shelved == SHELF_MESSAGES) make_room_on_shelf(osc);
    if (osc->shelved == SHELF_MESSAGES)
        count(&osc->dropped, 1);
    else
        osc->shelf[osc->shelved++] = *message;
}

static void take_message(Osc *osc, unsigned char *data, int size, uint32_t sender)
{
    Message message;
    char why[MESSAGE_TEXT];
    const bool decoded = decode_message(data, size, &message, why, sizeof why);
    message.sender = sender;
    if (decoded) {
        hand_over(osc, &message);
        return;
    }
    count(&osc->malformed, 1);
    if (is_answer(message.path)) return;
    osc->answer = refusal_of(&message, why);
    send_answer(osc, &osc->answer);
}

static void take_packet(Osc *osc, int size, const SocketAddress *from)
{
    const uint32_t sender = senders_id(&osc->senders, &from->address, from->size);
    Walk walk = walk_packet(osc->packet, size);
    unsigned char *data = NULL;
    while (walk_next(&walk, &data, &size)) take_message(osc, data, size, sender);
    count(&osc->malformed, (uint64_t)walk.malformed);
}

// False when nothing waited.
static bool receive_packet(Osc *osc)
{
    SocketAddress from;
    uint32_t drops = osc->kernel_drops;
    const int size = socket_receive(osc->socket, osc->packet, PACKET_MAX, &from, &drops);
    if (size < 0) return false;

    count(&osc->dropped, drops - osc->kernel_drops);
    osc->kernel_drops = drops;
    if (socket_allows(&osc->allow, &from))
        take_packet(osc, size, &from);
    else
        count(&osc->strangers, 1);
    // Last, so that whoever sees this packet counted sees what became of it.
    atomic_fetch_add_explicit(&osc->packets, 1, memory_order_release);
    return true;
}

static void wait_for_work(Osc *osc)
{
    struct pollfd wait[2] = {
        { .fd = osc->socket, .events = POLLIN },
        { .fd = osc->wake, .events = POLLIN },
    };
    poll(wait, 2, osc->shelved > 0 ? SHELF_WAIT_MS : -1);
    uint64_t woken;
    if (wait[1].revents && read(osc->wake, &woken, sizeof woken) < 0)
        assert(errno == EAGAIN || errno == EINTR);
}

static void *run(void *opened)
{
    Osc *osc = opened;
    while (!atomic_load_explicit(&osc->quit, memory_order_acquire)) {
        wait_for_work(osc);
        send_answers(osc);
        empty_shelf(osc);
        for (int i = 0; i < PACKETS_A_TURN && receive_packet(osc); i++) continue;
    }
    return NULL;
}

// ---- frame thread -------------------------------------------------------------------------------

static void wake(Osc *osc)
{
    const uint64_t one = 1;
    if (write(osc->wake, &one, sizeof one) < 0) assert(errno == EAGAIN || errno == EINTR);
}

// Signals are the frame thread's: none may land here.
static bool start_thread(Osc *osc)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    osc->running = pthread_create(&osc->thread, NULL, run, osc) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return osc->running;
}

static bool open_queues(Osc *osc)
{
    osc->in = ring_new(IN_MESSAGES, sizeof(Message));
    osc->out = ring_new(OUT_MESSAGES, sizeof(Answer));
    osc->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return osc->in && osc->out && osc->wake >= 0;
}

static const char *bind_of(const OscDesc *desc)
{
    return desc->bind ? desc->bind : "127.0.0.1";
}

static int port_of(const OscDesc *desc)
{
    return desc->port == 0 ? OSC_PORT : desc->port == -1 ? 0 : desc->port;
}

bool osc_understands(const OscDesc *desc, char *why, int why_size)
{
    SocketAllow allow;
    return socket_allow(&allow, desc->allow, why, why_size) &&
           socket_understands(bind_of(desc), port_of(desc), why, why_size);
}

static bool open_socket(Osc *osc, const OscDesc *desc, char *why, int why_size)
{
    snprintf(osc->bind, sizeof osc->bind, "%s", bind_of(desc));
    osc->port = port_of(desc);
    if (!socket_allow(&osc->allow, desc->allow, why, why_size)) return false;
    osc->socket = socket_open(osc->bind, &osc->port, why, why_size);
    return osc->socket >= 0;
}

Osc *osc_open(const OscDesc *desc, char *why, int why_size)
{
    Osc *osc = calloc(1, sizeof *osc);
    if (osc) {
        osc->socket = osc->wake = -1;
        snprintf(why, (size_t)why_size, "OSC: out of memory or threads");
        if (open_queues(osc) && open_socket(osc, desc, why, why_size) && start_thread(osc)) {
            why[0] = 0;
            return osc;
        }
    }
    osc_close(osc);
    return NULL;
}

void osc_close(Osc *osc)
{
    if (!osc) return;
    if (osc->running) {
        atomic_store_explicit(&osc->quit, true, memory_order_release);
        wake(osc);
        pthread_join(osc->thread, NULL);
    }
    if (osc->socket >= 0) close(osc->socket);
    if (osc->wake >= 0) close(osc->wake);
    ring_free(osc->in);
    ring_free(osc->out);
    free(osc);
}

// How many of `waiting` are taken: no more than waited when the frame asked, so that a flood cannot
// hold it.  Collapsing stops where it no longer pays: what stays in the queue is next frame's.
int osc_receive(Osc *osc, Message *messages, int capacity)
{
    if (capacity > COLLAPSE_MAX) capacity = COLLAPSE_MAX;
    int left = (int)ring_waiting(osc->in), given = 0;
    while (left > 0 && given < capacity) {
        const int wanted = left < capacity - given ? left : capacity - given;
        left -= (int)ring_read(osc->in, messages + given, (uint32_t)wanted);
        given += wanted;
        if (left == 0) break;
        const int kept = collapse(messages, given);
        osc->overtaken_here += (uint64_t)(given - kept);
        given = kept;
        if (given > capacity - capacity / 4) break;
    }
    if (given > 0) memcpy(osc->last, messages[given - 1].path, sizeof osc->last);
    osc->messages += (uint64_t)given;
    return given;
}

static void send_soon(Osc *osc, const Answer *answer)
{
    ring_write(osc->out, answer, 1); // a full ring counts it as dropped
    wake(osc);
}

void osc_reply(Osc *osc, const Message *answer)
{
    if (answer->sender == 0 || is_answer(answer->path)) return;
    send_soon(osc, &(Answer){ .message = *answer });
}

void osc_refuse(Osc *osc, const Message *message, const char *why)
{
    if (message->sender == 0 || is_answer(message->path)) return;
    const Answer answer = refusal_of(message, why);
    send_soon(osc, &answer);
}

OscStatus osc_status(const Osc *osc)
{
    OscStatus status = {
        .port = osc->port,
        .packets = atomic_load_explicit(&osc->packets, memory_order_acquire),
        .messages = osc->messages,
        .overtaken = osc->overtaken_here + counted(&osc->overtaken),
        .malformed = counted(&osc->malformed),
        .strangers = counted(&osc->strangers),
        .dropped = counted(&osc->dropped) + counted(&osc->out->dropped),
    };
    memcpy(status.bind, osc->bind, sizeof status.bind);
    memcpy(status.last, osc->last, sizeof status.last);
    return status;
}
