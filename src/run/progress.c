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

int64_t progress_next(const struct progress *p)
{
    return p->interval_ns ? p->line_ns + p->interval_ns : INT64_MAX;
}

static double transfer_latency(const struct sample *sample)
{
    double sum = 0;
    for (int kind = 0; kind < OP_KINDS; kind++)
        if (sample->latency[kind] && op_is_transfer((enum op_kind)kind))
            sum += (double)sample->latency[kind]->sum;
    return sum;
}

/* A line that stays: what happened since the last one. */
static void say_line(struct progress *p, const struct sample *sample, int64_t elapsed_ns)
{
    char rate[UNITS_TEXT], mean[UNITS_TEXT] = "-", most[UNITS_TEXT] = "-";
    double seconds = (double)(elapsed_ns - p->line_ns) / 1e9;
    uint64_t n = sample->counters[COUNTER_OPERATIONS] - p->line_operations;
    uint64_t bytes = sample->counters[COUNTER_BYTES] - p->line_bytes;
    double latency = transfer_latency(sample);
    units_rate(rate, (double)bytes * (double)p->ranks / seconds);
    if (n > 0 && latency > p->line_latency_ns)
        units_time(mean, (latency - p->line_latency_ns) / (double)n);
    const struct series *s = sample->series;
    size_t i = s && s->interval_ns == p->interval_ns ? (size_t)(p->line_ns / p->interval_ns) : 0;
    if (s && s->interval_ns == p->interval_ns && i < SERIES_INTERVALS)
        units_time(most, (double)s->intervals[i].max_ns);
    fprintf(stderr, "%s%8.1f s  %s  about %s, %.0f/s; rank 0: mean latency %s, most %s\n",
            p->on_screen ? "\r\033[K" : "", (double)elapsed_ns / 1e9, p->phase, rate,
            (double)n * (double)p->ranks / seconds, mean, most);
    p->on_screen = false;
    p->line_ns = elapsed_ns - elapsed_ns % p->interval_ns;
    p->line_operations = sample->counters[COUNTER_OPERATIONS];
    p->line_bytes = sample->counters[COUNTER_BYTES];
    p->line_latency_ns = latency;
}

void progress_show(struct progress *p, const struct sample *sample, int64_t elapsed_ns)
{
    if (elapsed_ns < p->line_ns) { /* the ramp is over: time begins anew */
        p->line_ns = 0;
        p->line_operations = p->line_bytes = 0;
        p->line_latency_ns = 0;
    }
    if (elapsed_ns >= progress_next(p))
        say_line(p, sample, elapsed_ns);
    if (!p->terminal || elapsed_ns - p->shown_ns < SHOW_NS)
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
