#include "run/progress.h"

#include "base/units.h"

#include <inttypes.h>

#define SHOW_NS 500000000

/* Time left, from the share done; by the deadline where that comes first. */
static double left_ns(const struct progress *p, double share, int64_t elapsed_ns)
{
    double left = share > 0 ? (double)elapsed_ns * (1 - share) / share : 0;
    double limit = (double)(p->deadline_ns - elapsed_ns);
    return p->deadline_ns && (limit < left || share <= 0) ? limit : left;
}

void progress_show(struct progress *p, const struct sample *sample, int64_t elapsed_ns)
{
    if (elapsed_ns - p->shown_ns < SHOW_NS)
        return;
    p->shown_ns = elapsed_ns;
    p->on_screen = true;
    char rate[UNITS_TEXT], left[UNITS_TEXT];
    double seconds = (double)elapsed_ns / 1e9;
    double done = (double)sample->counters[COUNTER_OPERATIONS];
    double share = p->planned ? done / (double)p->planned : 0;
    units_time(left, left_ns(p, share, elapsed_ns));
    if (sample->counters[COUNTER_BYTES])
        units_rate(rate, (double)(sample->counters[COUNTER_BYTES] * p->ranks) / seconds);
    else
        snprintf(rate, sizeof rate, "%.0f/s", done * (double)p->ranks / seconds);
    fprintf(p->terminal, "\r\033[K%s %" PRIu64 "/%" PRIu64 ": %3.0f %%  about %s  %s left",
            p->phase, p->repetition + 1, p->repetitions, share * 100, rate, left);
    fflush(p->terminal);
}

void progress_clear(struct progress *p)
{
    if (p->on_screen)
        fprintf(p->terminal, "\r\033[K");
    p->on_screen = false;
    p->shown_ns = 0;
}
