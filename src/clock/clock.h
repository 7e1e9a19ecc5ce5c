/* Port: one clock for all durations of a rank. Stamps of different ranks are never subtracted.
 * Fillings: tsc (where the TSC is invariant), monotonic, virtual (advances only by sleep_until). */
#ifndef PARIO_CLOCK_CLOCK_H
#define PARIO_CLOCK_CLOCK_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct clock {
    const char *name; /* "tsc", "monotonic", "virtual" */
    /* Nanoseconds since an origin of its own; never goes back. No system call for tsc. */
    int64_t (*now_ns)(const struct clock *clock);
    /* Returns when now_ns() >= until_ns. Virtual: advances to it and returns at once. */
    void (*sleep_until)(const struct clock *clock, int64_t until_ns);
    bool is_virtual;
    uint64_t multiplier; /* tsc: ns = (ticks * multiplier) >> 32 */
    uint64_t origin;     /* tsc: first tick; monotonic: first ns */
    int64_t *virtual_ns; /* virtual: the rank's own time; owned by whoever made the clock */
};

/* now_ns(), without a call where the clock is the processor's. */
static inline int64_t clock_now(const struct clock *clock)
{
#if defined(__x86_64__)
    if (__builtin_expect(clock->multiplier != 0, 1)) {
        uint64_t ticks = __builtin_ia32_rdtsc() - clock->origin;
        return (int64_t)(((unsigned __int128)ticks * clock->multiplier) >> 32);
    }
#endif
    return clock->now_ns(clock);
}

/* The best real clock: tsc where invariant and calibrated, else monotonic. force_monotonic: as
 * said. */
struct clock clock_real(bool force_monotonic);

/* 0, or -1 where the TSC of this machine is not usable as a clock (the reason in e). */
int clock_tsc(struct clock *clock, struct error *e);
struct clock clock_monotonic(void);
/* A clock that stands still except for sleep_until; *now_ns is its time. */
struct clock clock_virtual(int64_t *now_ns);

#endif
