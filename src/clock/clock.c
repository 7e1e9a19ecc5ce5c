/* The choice of a real clock, and the waiting that real clocks share. */
#include "clock/clock.h"
#include "clock/sleep.h"

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* The kernel may wake a thread 50 us late to save timer interrupts (its default timer slack), and a
 * halted virtual core takes as long again, so the last stretch is spun. */
enum { SPIN_NS = 120 * 1000 };

static void sleep_monotonic(struct timespec start, int64_t ns)
{
    int64_t nsec = start.tv_nsec + ns % 1000000000;

    start.tv_sec += (time_t)(ns / 1000000000 + nsec / 1000000000);
    start.tv_nsec = (long)(nsec % 1000000000);
    (void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &start, NULL);
}

void clock_sleep_until(const struct clock *clock, int64_t until_ns)
{
    for (;;) {
        struct timespec start;

        /* The kernel's clock is read first: when this thread loses its core between the two
         * readings, it wakes too early and goes round again, never too late. */
        clock_gettime(CLOCK_MONOTONIC, &start);
        int64_t rest_ns = until_ns - clock->now_ns(clock);

        if (rest_ns <= 0)
            return;
        /* The two clocks may differ by up to 500 ppm while the kernel's is being slewed. */
        int64_t asleep_ns = rest_ns - SPIN_NS - rest_ns / 1024;

        if (asleep_ns > 0)
            sleep_monotonic(start, asleep_ns);
#if defined(__x86_64__)
        else
            __builtin_ia32_pause();
#endif
    }
}

struct clock clock_real(bool force_monotonic)
{
    struct clock clock;

    if (!force_monotonic && clock_tsc(&clock, NULL) == 0)
        return clock;
    return clock_monotonic();
}
