#include "run/progress.h"

#include "base/text.h"
#include "base/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

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

void progress_open(struct progress *p)
{
    if (!p->interval_ns)
        return;
    p->before = malloc(sizeof *p->before);
    if (p->before)
        histogram_clear(p->before);
    counters_read(NULL, COUNTERS_THREAD, 0, 0, &p->cpu);
}

void progress_close(struct progress *p)
{
    free(p->before);
    p->before = NULL;
}

/* What came into the histograms since the last line. The largest is known to its cell. */
static struct histogram since(struct progress *p, const struct sample *sample)
{
    struct histogram now, new;
    histogram_clear(&now);
    histogram_clear(&new);
    for (int kind = 0; kind < OP_KINDS; kind++)
        if (sample->latency[kind] && p->kinds >> kind & 1)
            histogram_merge(&now, sample->latency[kind]);
    for (size_t i = 0; i < HISTOGRAM_CELLS; i++) {
        new.cells[i] = now.cells[i] - p->before->cells[i];
        if (new.cells[i] == 0)
            continue;
        uint64_t low = histogram_cell_low(i), high = histogram_cell_high(i);
        new.min = low < new.min ? low : new.min;
        new.max = high < now.max ? high : now.max;
    }
    new.count = now.count - p->before->count;
    new.sum = now.sum - p->before->sum;
    *p->before = now;
    return new;
}

/* "; rank 0: latency 1.2 us, p50 .., p99 .., most .., 31.9 in flight" */
static void add_latencies(struct progress *p, const struct sample *sample, double ns,
                          struct text *line)
{
    char mean[UNITS_TEXT], p50[UNITS_TEXT], p99[UNITS_TEXT], most[UNITS_TEXT];
    if (!p->before)
        return;
    struct histogram new = since(p, sample);
    if (new.count == 0)
        return;
    text_add(line, "; rank 0: latency %s, p50 %s, p99 %s, most %s, %.3g in flight",
             units_time(mean, histogram_mean(&new)),
             units_time(p50, (double)histogram_quantile(&new, 0.5)),
             units_time(p99, (double)histogram_quantile(&new, 0.99)),
             units_time(most, (double)new.max), (double)new.sum / ns);
}

static void add_cpu(struct progress *p, struct text *line)
{
    struct counters now;
    counters_read(NULL, COUNTERS_THREAD, 0, 0, &now);
    struct counters used = counters_diff(&p->cpu, &now);
    double share = counters_node_cpu(&used);
    p->cpu = now;
    if (!isnan(share))
        text_add(line, "; CPU of its node %.0f %%", share * 100);
}

/* A line that stays: what happened since the last one. */
static void say_line(struct progress *p, const struct sample *sample, int64_t elapsed_ns)
{
    char rate[UNITS_TEXT];
    struct text line = {0};
    double ns = (double)(elapsed_ns - p->line_ns);
    uint64_t n = sample->counters[COUNTER_OPERATIONS] - p->line_operations;
    uint64_t bytes = sample->counters[COUNTER_BYTES] - p->line_bytes;
    text_add(&line, "%8.1f s  %s  about ", (double)elapsed_ns / 1e9, p->phase);
    if (bytes)
        text_add(&line, "%s, ", units_rate(rate, (double)bytes * (double)p->ranks / ns * 1e9));
    text_add(&line, "%.0f/s", (double)n * (double)p->ranks / ns * 1e9);
    add_latencies(p, sample, ns, &line);
    add_cpu(p, &line);
    if (!line.failed)
        fprintf(stderr, "%s%s\n", p->on_screen ? "\r\033[K" : "", line.data);
    text_free(&line);
    p->on_screen = false;
    p->line_ns = elapsed_ns - elapsed_ns % p->interval_ns;
    p->line_operations = sample->counters[COUNTER_OPERATIONS];
    p->line_bytes = sample->counters[COUNTER_BYTES];
}

void progress_show(struct progress *p, const struct sample *sample, int64_t elapsed_ns)
{
    if (elapsed_ns < p->line_ns) { /* the ramp is over: time begins anew */
        p->line_ns = 0;
        p->line_operations = p->line_bytes = 0;
        if (p->before)
            histogram_clear(p->before);
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
