#include "comm/patience.h"

#include <sched.h>
#include <stddef.h>
#include <time.h>

enum {
    LONGEST_PAUSE_NS = 1000 * 1000,
    SHARE_OF_WAIT = 1000,
    SLACK_NS = 50 * 1000 /* the kernel may wake a thread so much later than asked */
};

static int64_t kernel_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

struct patience patience_begin(uint32_t hops)
{
    return (struct patience){.start_ns = kernel_ns(), .hops = hops};
}

int64_t patience_pause_ns(const struct patience *p, int64_t waited_ns)
{
    int64_t pause_ns = waited_ns / SHARE_OF_WAIT;

    if (pause_ns > LONGEST_PAUSE_NS)
        pause_ns = LONGEST_PAUSE_NS;
    if (p->hops > 2) /* news passes half of the hops on average */
        pause_ns = pause_ns * 2 / p->hops;
    return pause_ns > SLACK_NS ? pause_ns - SLACK_NS : 0;
}

int64_t patience_pause(const struct patience *p)
{
    int64_t pause_ns = patience_pause_ns(p, kernel_ns() - p->start_ns);

    if (pause_ns > 0) {
        struct timespec t = {0, (long)pause_ns};

        nanosleep(&t, NULL);
    } else {
        sched_yield();
    }
    return kernel_ns() - p->start_ns;
}
