/* Clocks of nodes: nothing here depends on them, but other tools' numbers do. */
#include "judge/rules.h"

#include "base/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define WRONG_SHARE 0.01
#define WRONG_NS 1e6

/* By rank 0's clock: from the first own start to the last own end. */
static double truth_ns(const struct phase_result *p)
{
    return (double)(p->counters[COUNTER_END_LAST_NS] - p->counters[COUNTER_START_FIRST_NS]);
}

static double wall_ns(const struct phase_result *p)
{
    return (double)(int64_t)(p->counters[COUNTER_WALL_LAST_NS] -
                             p->counters[COUNTER_WALL_FIRST_NS]);
}

/* "345 s instead of 1.20 s", or that it is no time at all. */
static char *told_text(char *buf, size_t bytes, const struct phase_result *p)
{
    char wall[UNITS_TEXT], truth[UNITS_TEXT];
    units_time(truth, truth_ns(p));
    if (wall_ns(p) > 0)
        snprintf(buf, bytes, "%s instead of %s", units_time(wall, wall_ns(p)), truth);
    else
        snprintf(buf, bytes, "a time below zero instead of %s", truth);
    return buf;
}

void rule_clock_offset(struct phase_result *p, const struct plan *plan, const struct world *w)
{
    (void)plan, (void)w;
    double wrong = fabs(wall_ns(p) - truth_ns(p)) - (double)p->counters[COUNTER_CLOCK_ERROR_NS];
    char apart[UNITS_TEXT], error[UNITS_TEXT], told[3 * UNITS_TEXT];
    if (p->counters[COUNTER_START_LAST_NS] == 0 || wrong <= WRONG_NS ||
        wrong <= WRONG_SHARE * truth_ns(p))
        return;
    phase_warn(
        p, "clock-offset", (double)p->counters[COUNTER_CLOCK_APART_NS] / 1e9,
        "wall clocks differ by up to %s (within %s; rank %" PRIu64 "%s%s), or one was set: a tool "
        "that subtracts them would have taken %s for the phase. Nothing here uses them; have the "
        "clocks of the nodes synchronized.",
        units_time(apart, (double)p->counters[COUNTER_CLOCK_APART_NS]),
        units_time(error, (double)p->counters[COUNTER_CLOCK_ERROR_NS]), p->clock_rank,
        p->clock_host[0] ? " on " : "", p->clock_host, told_text(told, sizeof told, p));
}
