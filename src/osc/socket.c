#include "osc/socket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    RECEIVE_BUFFER = 1 << 20, // bytes; a stock kernel gives a fifth of it
    PORTS_TRIED = 64,         // behind a busy one
    PORT_MAX = 65535,
};

// ---- who may speak ------------------------------------------------------------------------------

static const unsigned char ipv4_prefix[12] = { [10] = 0xff, [11] = 0xff };

static void map_ipv4(unsigned char mapped[16], const void *ipv4)
{
    memcpy(mapped, ipv4_prefix, 12);
    memcpy(mapped + 12, ipv4, 4);
}

// Reads the number behind the slash; -1 when it is none, or larger than `most`.
static int prefix_bits(const char *slash, int most)
{
    if (!slash) return most;
    char *end = NULL;
    const long bits = strtol(slash + 1, &end, 10);
    const bool digit = slash[1] >= '0' && slash[1] <= '9';
    return digit && !*end && bits <= most ? (int)bits : -1;
}

bool socket_allow(SocketAllow *allow, const char *cidr, char *why, int why_size)
{
    memset(allow, 0, sizeof *allow);
    if (!cidr) return true;

    char host[64];
    const char *slash = strchr(cidr, '/');
    snprintf(host, sizeof host, "%.*s", slash ? (int)(slash - cidr) : (int)strlen(cidr), cidr);
    struct in_addr ipv4;
    int bits = -1;
    if (inet_pton(AF_INET, host, &ipv4) == 1) {
        map_ipv4(allow->prefix, &ipv4);
        bits = prefix_bits(slash, 32);
        if (bits >= 0) bits += 96;
    } else if (inet_pton(AF_INET6, host, allow->prefix) == 1) {
        bits = prefix_bits(slash, 128);
    }
    allow->bits = bits < 0 ? 0 : bits;
    if (bits < 0)
        snprintf(why, (size_t)why_size,
                 "OSC: \"%s\" is no range of addresses; 192.168.1.0/24 would be one", cidr);
    return bits >= 0;
}

bool socket_allows(const SocketAllow *allow, const SocketAddress *sender)
{
    if (allow->bits == 0) return true;
    unsigned char from[16];
    if (sender->address.ss_family == AF_INET)
        map_ipv4(from, &((const struct sockaddr_in *)&sender->address)->sin_addr);
    else
        memcpy(from, &((const struct sockaddr_in6 *)&sender->address)->sin6_addr, 16);

    const int whole = allow->bits / 8, rest = allow->bits % 8;
    if (memcmp(from, allow->prefix, (size_t)whole) != 0) return false;
    return rest == 0 || (from[whole] ^ allow->prefix[whole]) >> (8 - rest) == 0;
}

// ---- listening ----------------------------------------------------------------------------------

// Numbers only: a name would have to be looked up, and the wait for it is somebody else's choice.
static bool find_address(const char *bind_to, SocketAddress *found)
{
    const struct addrinfo hints = {
        .ai_flags = AI_NUMERICHOST,
        .ai_socktype = SOCK_DGRAM,
    };
    struct addrinfo *list = NULL;
    const char *host = strcmp(bind_to, "localhost") == 0 ? "127.0.0.1" : bind_to;
    if (getaddrinfo(host, NULL, &hints, &list) != 0) return false;
    memcpy(&found->address, list->ai_addr, list->ai_addrlen);
    found->size = list->ai_addrlen;
    freeaddrinfo(list);
    return true;
}

// The port is at the same place in both families.
static void set_port(SocketAddress *address, int port)
{
    ((struct sockaddr_in *)&address->address)->sin_port = htons((uint16_t)port);
}

static int bound_port(int fd)
{
    SocketAddress own = { .size = sizeof own.address };
    if (getsockname(fd, (struct sockaddr *)&own.address, &own.size) != 0) return 0;
    return ntohs(((struct sockaddr_in *)&own.address)->sin_port);
}

// No SO_REUSEADDR: with UDP it would let two programs share the port, and each hear half.
static int bind_socket(const SocketAddress *address)
{
    const int fd = socket(address->address.ss_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return -1;
    const int on = 1, off = 0, buffer = RECEIVE_BUFFER;
    if (address->address.ss_family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer);
    setsockopt(fd, SOL_SOCKET, SO_RXQ_OVFL, &on, sizeof on);
    if (bind(fd, (const struct sockaddr *)&address->address, address->size) == 0) return fd;

    const int error = errno;
    close(fd);
    errno = error;
    return -1;
}

static int next_free_port(SocketAddress address, int busy)
{
    for (int port = busy + 1; port <= PORT_MAX && port <= busy + PORTS_TRIED; port++) {
        set_port(&address, port);
        const int fd = bind_socket(&address);
        if (fd < 0) continue;
        close(fd);
        return port;
    }
    return 0;
}

static void explain(const SocketAddress *address, const char *bind_to, int port, int error,
                    char *why, int why_size)
{
    const size_t size = (size_t)why_size;
    const int next = error == EADDRINUSE ? next_free_port(*address, port) : 0;
    if (next)
        snprintf(why, size, "OSC: port %d is busy (another motes?); %d is free: --osc-port %d",
                 port, next, next);
    else if (error == EADDRINUSE)
        snprintf(why, size, "OSC: port %d is busy (another motes?); choose one with --osc-port",
                 port);
    else if (error == EADDRNOTAVAIL)
        snprintf(why, size, "OSC: %s is no address of this machine", bind_to);
    else
        snprintf(why, size, "OSC: cannot listen on %s, port %d: %s", bind_to, port,
                 strerror(error));
}

// `found` gets the address of the words, which may be wrong.
static bool read_words(const char *bind_to, int port, SocketAddress *found, char *why, int why_size)
{
    const bool is_port = port >= 0 && port <= PORT_MAX;
    if (is_port && find_address(bind_to, found)) return true;
    if (is_port)
        snprintf(why, (size_t)why_size, "OSC: \"%s\" is no address; 127.0.0.1 would be one",
                 bind_to);
    else
        snprintf(why, (size_t)why_size, "OSC: %d is no port; they are 1 to %d", port, PORT_MAX);
    return false;
}

bool socket_understands(const char *bind_to, int port, char *why, int why_size)
{
    SocketAddress address = { .size = 0 };
    return read_words(bind_to, port, &address, why, why_size);
}

int socket_open(const char *bind_to, int *port, char *why, int why_size)
{
    SocketAddress address = { .size = 0 };
    if (!read_words(bind_to, *port, &address, why, why_size)) return -1;
    set_port(&address, *port);
    const int fd = bind_socket(&address);
    if (fd < 0)
        explain(&address, bind_to, *port, errno, why, why_size);
    else
        *port = bound_port(fd);
    return fd;
}

int socket_receive(int fd, void *data, int capacity, SocketAddress *from, uint32_t *kernel_drops)
{
    _Alignas(struct cmsghdr) char control[128];
    struct iovec into = { .iov_base = data, .iov_len = (size_t)capacity };
    memset(from, 0, sizeof *from);
    struct msghdr head = {
        .msg_name = &from->address,
        .msg_namelen = sizeof from->address,
        .msg_iov = &into,
        .msg_iovlen = 1,
        .msg_control = control,
        .msg_controllen = sizeof control,
    };
    ssize_t size;
    do size = recvmsg(fd, &head, 0);
    while (size < 0 && errno == EINTR);
    if (size < 0) return -1;

    from->size = head.msg_namelen;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&head); c; c = CMSG_NXTHDR(&head, c))
        if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SO_RXQ_OVFL)
            memcpy(kernel_drops, CMSG_DATA(c), sizeof *kernel_drops);
    return (int)size;
}
