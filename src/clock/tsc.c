/* The processor's time stamp counter: one instruction a reading, no system call.
 *
 * It is a clock only where it runs at one rate in every power state (CPUID says "invariant") and at
 * the same value on all cores. The latter is for the kernel to know: it keeps the TSC as its own
 * clock source only as long as its watchdog finds nothing wrong. The rate is measured against
 * CLOCK_MONOTONIC_RAW, which is not slewed, over 4.5 ms asleep; an end point is the closest of
 * several readings enclosed by two of the TSC (20 to 40 ns apart, so below 10 ppm). Two spans that
 * share their start must agree, else a longer one is tried, else the TSC is refused. */
#include "clock/clock.h"
#include "clock/sleep.h"

#include <stdint.h>

#if defined(__x86_64__)

#include <cpuid.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <x86intrin.h>

#define CLOCKSOURCE "/sys/devices/system/clocksource/clocksource0/current_clocksource"

enum {
    CPUID_INVARIANT_TSC = 1 << 8, /* in EDX of CPUID_POWER */
    READINGS = 12,                /* at each end of a span */
    FIRST_SPAN_NS = 1500000,
    WHOLE_SPAN_NS = 4500000,
    LONGEST_SPAN_NS = 4 * WHOLE_SPAN_NS, /* where spans disagreed, twice as long each time */
    AGREE_PPM = 40
};
#define CPUID_POWER 0x80000007U

struct reading {
    uint64_t ticks;
    int64_t ns;
};

static int64_t tsc_now(const struct clock *clock)
{
    return clock_now(clock);
}

static bool tsc_is_invariant(void)
{
    unsigned a = 0, b = 0, c = 0, d = 0;

    return __get_cpuid(CPUID_POWER, &a, &b, &c, &d) != 0 && (d & CPUID_INVARIANT_TSC) != 0;
}

/* The kernel's own clock source, or "" where it cannot be read (a container without /sys). */
static void kernel_clocksource(char *name, int bytes)
{
    FILE *f = fopen(CLOCKSOURCE, "re");

    name[0] = '\0';
    if (f == NULL)
        return;
    if (fgets(name, bytes, f) == NULL)
        name[0] = '\0';
    name[strcspn(name, "\n")] = '\0';
    fclose(f);
}

/* The kernel's time and the ticks at that instant: of several readings the one with the least room
 * for error, which an interrupt or a lost core cannot have hit. */
static struct reading read_both(void)
{
    struct reading best = {0, 0};
    uint64_t best_width = UINT64_MAX;

    for (int i = 0; i < READINGS; i++) {
        struct timespec t;
        uint64_t before = __rdtsc();

        clock_gettime(CLOCK_MONOTONIC_RAW, &t);
        uint64_t width = __rdtsc() - before;

        if (width < best_width) {
            best_width = width;
            best.ticks = before + width / 2;
            best.ns = (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
        }
    }
    return best;
}

/* A reading at least span_ns after start; the core is left to others until then. */
static struct reading read_after(struct reading start, int64_t span_ns)
{
    struct reading now = read_both();

    while (now.ns - start.ns < span_ns) {
        struct timespec pause = {0, (long)(span_ns - (now.ns - start.ns))};

        (void)clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
        now = read_both();
    }
    return now;
}

/* ns = (ticks * multiplier) >> 32; 0 where the ticks stood still or ran back. */
static uint64_t multiplier_between(struct reading from, struct reading to)
{
    if (to.ticks <= from.ticks)
        return 0;
    return (uint64_t)(((unsigned __int128)(to.ns - from.ns) << 32) / (to.ticks - from.ticks));
}

static bool rates_agree(uint64_t a, uint64_t b)
{
    uint64_t apart = a > b ? a - b : b - a;

    return a > 0 && b > 0 && (unsigned __int128)apart * 1000000 <= (unsigned __int128)a * AGREE_PPM;
}

/* 0 where no two spans agreed. */
static uint64_t measure_multiplier(struct reading start)
{
    uint64_t earlier = multiplier_between(start, read_after(start, FIRST_SPAN_NS));

    for (int64_t span_ns = WHOLE_SPAN_NS; span_ns <= LONGEST_SPAN_NS; span_ns *= 2) {
        uint64_t later = multiplier_between(start, read_after(start, span_ns));

        if (rates_agree(earlier, later))
            return later;
        earlier = later;
    }
    return 0;
}

int clock_tsc(struct clock *clock, struct error *e)
{
    char source[64];

    if (!tsc_is_invariant())
        return error_set(e, STATUS_FAILED, "clock",
                         "the time stamp counter of this processor is not invariant");
    kernel_clocksource(source, sizeof source);
    if (source[0] != '\0' && strcmp(source, "tsc") != 0)
        return error_set(e, STATUS_FAILED, "clock",
                         "the kernel does not use the time stamp counter: %s says %s", CLOCKSOURCE,
                         source);
    struct reading start = read_both();
    uint64_t multiplier = measure_multiplier(start);

    if (multiplier == 0)
        return error_set(e, STATUS_FAILED, "clock",
                         "the rate of the time stamp counter is not steady: spans of up to %d ms "
                         "differ by more than %d ppm from the kernel's clock",
                         LONGEST_SPAN_NS / 1000000, AGREE_PPM);
    *clock = (struct clock){
        .name = "tsc",
        .now_ns = tsc_now,
        .sleep_until = clock_sleep_until,
        .multiplier = multiplier,
        .origin = start.ticks,
    };
    return 0;
}

#else

int clock_tsc(struct clock *clock, struct error *e)
{
    (void)clock;
    return error_set(e, STATUS_FAILED, "clock", "no time stamp counter on this processor");
}

#endif
