/* Waiting for something that must be asked for again and again, without taking cores from those who
 * work. A pause is at most 0.1 % of the time waited so far and at most 1 ms, so that what one waits
 * for is noticed that early. */
#ifndef PARIO_COMM_PATIENCE_H
#define PARIO_COMM_PATIENCE_H

#include <stdint.h>

struct patience {
    int64_t start_ns; /* on CLOCK_MONOTONIC */
    uint32_t hops;
};

/* hops: how many who wait like this one pass the news on to each other, at most; the limits are for
 * all of them together, on average. */
struct patience patience_begin(uint32_t hops);

/* Pauses, then returns the time waited since patience_begin in ns. */
int64_t patience_pause(const struct patience *p);

/* The pause after waited_ns, in ns; 0: only let others have the core. */
int64_t patience_pause_ns(const struct patience *p, int64_t waited_ns);

#endif
