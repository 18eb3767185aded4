// A UDP socket that only programs meant to can reach.  Not liblo's: that one ends on 0.0.0.0 whatever
// it is told, and child processes inherit it.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

typedef struct {
    struct sockaddr_storage address;
    socklen_t size;
} SocketAddress;

// An address range; senders outside are not heard.
typedef struct {
    unsigned char prefix[16]; // an IPv6 address; IPv4 as ::ffff:a.b.c.d
    int bits;                 // of it that count; 0 allows all
} SocketAllow;

// "192.168.1.0/24", "10.0.0.7", "fd00::/8"; NULL allows all.  False and a sentence otherwise.
bool socket_allow(SocketAllow *allow, const char *cidr, char *why, int why_size);
bool socket_allows(const SocketAllow *allow, const SocketAddress *sender);

// False and a sentence when the words are wrong, whether or not the port is free.
bool socket_understands(const char *bind, int port, char *why, int why_size);

// Opens and binds: non-blocking, closed on exec, counting what the kernel drops.  `port` 0 is any
// free one, and `port` then holds it.  The descriptor, or -1 and one sentence, which names the next
// free port when this one is busy.
int socket_open(const char *bind, int *port, char *why, int why_size);

// One datagram; its size, or -1 when none waits.  `kernel_drops`, the socket's count of lost
// datagrams modulo 2^32, is changed only when the kernel tells it.
int socket_receive(int fd, void *data, int capacity, SocketAddress *from, uint32_t *kernel_drops);
