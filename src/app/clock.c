#include "app/clock.h"

#include <poll.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void clock_wait(double until)
{
    const double left = until - clock_now();
    if (left <= 0) return;
    const time_t whole = (time_t)left;
    nanosleep(
        &(struct timespec){ .tv_sec = whole, .tv_nsec = (long)((left - (double)whole) * 1e9) },
        NULL);
}

int complain(const char *why, int code)
{
    struct pollfd ready = { .fd = STDERR_FILENO, .events = POLLOUT };
    if (poll(&ready, 1, 0) > 0) fprintf(stderr, "motes: %s\n", why);
    return code;
}
