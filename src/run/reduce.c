#include "run/reduce.h"

#include "run/bundle.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const enum reduce_rule rules[COUNTERS] = {
#define COUNTER(NAME, RULE) [COUNTER_##NAME] = REDUCE_##RULE,
#include "model/sample.def"
};

static void add_counters(struct bundle *b, uint64_t *counters)
{
    for (int i = 0; i < COUNTERS; i++)
        bundle_add(b, rules[i], &counters[i], 1);
}

/* Sums of 128 bits travel as 32-bit limbs, whose own sums cannot overflow below 2^32 ranks. */
static void limbs_split(uint64_t *limbs, unsigned __int128 value)
{
    for (int i = 0; i < 4; i++)
        limbs[i] = (uint64_t)(value >> (32 * i)) & UINT32_MAX;
}

static double limbs_join(const uint64_t *limbs)
{
    double value = 0;
    for (int i = 3; i >= 0; i--)
        value = value * 4294967296.0 + (double)limbs[i];
    return value;
}

static void add_extremes(struct bundle *b, struct histogram *h)
{
    if (!h)
        return;
    bundle_add(b, REDUCE_MIN, &h->min, 1);
    bundle_add(b, REDUCE_MAX, &h->max, 1);
}

static void add_all_extremes(struct bundle *b, struct sample *sample)
{
    for (int kind = 0; kind < OP_KINDS; kind++)
        add_extremes(b, sample->latency[kind]);
    for (size_t i = 0; i < sample->sized_used; i++)
        add_extremes(b, &sample->sized[i].latency);
    add_extremes(b, sample->intended);
}

/* All but its extremes, which came with other numbers. */
static void reduce_histogram(struct histogram *h, struct comm *comm)
{
    uint64_t
        sums[HISTOGRAM_CELLS + 6]; /* 30 KiB of stack: what cannot fail cannot part the ranks */
    memcpy(sums, h->cells, sizeof h->cells);
    sums[HISTOGRAM_CELLS] = h->count;
    sums[HISTOGRAM_CELLS + 1] = h->sum;
    limbs_split(sums + HISTOGRAM_CELLS + 2, (unsigned __int128)h->sum_squares);
    comm->ops->reduce(comm, REDUCE_SUM, sums, HISTOGRAM_CELLS + 6);
    memcpy(h->cells, sums, sizeof h->cells);
    h->count = sums[HISTOGRAM_CELLS];
    h->sum = sums[HISTOGRAM_CELLS + 1];
    h->sum_squares = limbs_join(sums + HISTOGRAM_CELLS + 2);
}

/* Over ranks; what is not empty goes to rank 0's result. */
static int take_histogram(struct histogram **into, struct histogram *h, struct comm *comm,
                          struct error *e)
{
    if (!h)
        return 0;
    reduce_histogram(h, comm);
    if (!into || h->count == 0)
        return 0;
    *into = malloc(sizeof *h);
    if (!*into)
        return error_errno(e, ENOMEM, "memory for a latency histogram");
    **into = *h;
    return 0;
}

static int reduce_latencies(struct phase_result *result, struct sample *sample, struct comm *comm,
                            struct error *e)
{
    int failed = 0;
    for (int kind = 0; kind < OP_KINDS; kind++)
        failed |=
            take_histogram(result ? &result->latency[kind] : NULL, sample->latency[kind], comm, e);
    for (size_t i = 0; i < sample->sized_used; i++)
        reduce_histogram(&sample->sized[i].latency, comm);
    if (result && sample->sized_used) { /* rank 0's are those of all now */
        result->sized = sample->sized;
        result->sized_used = sample->sized_used;
        sample->sized = NULL;
        sample->sized_used = 0;
    }
    return failed | take_histogram(result ? &result->intended : NULL, sample->intended, comm, e);
}

/* Times of a rank, one for each stage and behind them what it did for files of its own. */
#define TIMES (STAGES + 1)

static void times_of(const uint64_t stage_ns[STAGES], uint64_t times[TIMES])
{
    static const uint32_t others = 1u << STAGE_BARRIER | 1u << STAGE_MARKER | 1u << STAGE_MKDIR |
                                   1u << STAGE_RMDIR | 1u << STAGE_UNLINK;
    memcpy(times, stage_ns, STAGES * sizeof *times);
    times[STAGES] = 0;
    for (int stage = 0; stage < STAGES; stage++)
        times[STAGES] += others >> stage & 1 ? 0 : stage_ns[stage];
}

static struct stage_spread *spread_at(struct phase_result *result, int i)
{
    return i < STAGES ? &result->stages[i] : &result->own;
}

/* What all ranks must know before the rest is reduced. */
struct common {
    uint64_t stonewall_ns;   /* the least own elapsed time, at a stonewall */
    uint64_t start_first_ns; /* on the axis */
    uint64_t timeline_ns;    /* widest cell */
    uint64_t series_ns;      /* widest interval; 0: no series */
    uint64_t most_clock_apart_ns;
    uint64_t most_ns[TIMES]; /* the slowest rank's time in each stage */
};

static struct common find_common(struct sample *sample, struct comm *comm)
{
    struct common c = {.stonewall_ns = sample->counters[COUNTER_STONEWALL_NS],
                       .start_first_ns = sample->counters[COUNTER_START_FIRST_NS],
                       .timeline_ns = (uint64_t)sample->timeline.interval_ns,
                       .most_clock_apart_ns = sample->counters[COUNTER_CLOCK_APART_NS]};
    if (sample->series)
        c.series_ns = (uint64_t)sample->series->interval_ns;
    times_of(sample->stage_ns, c.most_ns);
    struct bundle b = {0};
    bundle_add(&b, REDUCE_MIN, &c.stonewall_ns, 1);
    bundle_add(&b, REDUCE_MIN, &c.start_first_ns, 1);
    bundle_add(&b, REDUCE_MAX, &c.timeline_ns, 1);
    bundle_add(&b, REDUCE_MAX, &c.series_ns, 1);
    bundle_add(&b, REDUCE_MAX, &c.most_clock_apart_ns, 1);
    bundle_add(&b, REDUCE_MAX, c.most_ns, TIMES);
    bundle_reduce(&b, comm, true);
    return c;
}

/* Timelines begin with own starts: those of ranks that started late are moved, to lie on one axis.
 */
static int reduce_timeline(struct phase_result *result, struct sample *sample,
                           const struct common *common, struct comm *comm, struct error *e)
{
    struct timeline *t = &sample->timeline;
    timeline_shift(t, (int64_t)(sample->counters[COUNTER_START_FIRST_NS] - common->start_first_ns));
    timeline_coarsen(t, (int64_t)common->timeline_ns);
    _Static_assert(sizeof(struct timeline_cell) == 2 * sizeof(uint64_t), "cells are pairs of sums");
    comm->ops->reduce(comm, REDUCE_SUM, &t->cells[0].bytes, 2 * TIMELINE_CELLS);
    uint64_t end[2] = {t->current, (uint64_t)t->last_ns};
    comm->ops->reduce(comm, REDUCE_MAX, end, 2);
    if (!result)
        return 0;
    result->timeline = malloc(sizeof *t);
    if (!result->timeline)
        return error_errno(e, ENOMEM, "memory for a timeline");
    *result->timeline = *t;
    result->timeline->current = (size_t)end[0];
    result->timeline->last_ns = (int64_t)end[1];
    return 0;
}

#define TOGETHER 8 /* intervals that travel in one call: 61 KiB of stack */

/* Some intervals at a time, so that no rank needs more memory than for those. */
static int reduce_series(struct phase_result *result, struct series *s, uint64_t interval_ns,
                         struct comm *comm, struct error *e)
{
    series_coarsen(s, (int64_t)interval_ns);
    uint64_t used = s->current + 1;
    uint64_t most[SERIES_INTERVALS];
    comm_reduce_all(comm, REDUCE_MAX, &used, 1);
    for (size_t i = 0; i < used; i++)
        most[i] = s->intervals[i].max_ns;
    comm->ops->reduce(comm, REDUCE_MAX, most, used);
    if (result) {
        result->series = calloc(used, sizeof *result->series);
        result->series_used = used;
        result->series_interval_ns = s->interval_ns;
    }
    for (size_t first = 0; first < used; first += TOGETHER) {
        uint64_t sums[TOGETHER][SERIES_CELLS + 1];
        size_t n = used - first < TOGETHER ? used - first : TOGETHER;
        for (size_t i = 0; i < n; i++) {
            for (size_t k = 0; k < SERIES_CELLS; k++)
                sums[i][k] = s->intervals[first + i].cells[k];
            sums[i][SERIES_CELLS] = s->intervals[first + i].sum_ns;
        }
        comm->ops->reduce(comm, REDUCE_SUM, sums[0], n * (SERIES_CELLS + 1));
        for (size_t i = 0; i < n && result && result->series; i++)
            result->series[first + i] =
                series_row_of(sums[i], sums[i][SERIES_CELLS], most[first + i], s->interval_ns);
    }
    return result && !result->series ? error_errno(e, ENOMEM, "memory for latencies over time") : 0;
}

/* What this rank had moved by t*, the least own elapsed time, read off its timeline. */
static void stonewall(const struct sample *sample, uint64_t least_ns, uint64_t moved[2])
{
    timeline_until(&sample->timeline, (int64_t)least_ns, &moved[0], &moved[1]);
    if (sample->counters[COUNTER_ELAPSED_NS] <= least_ns) { /* it was done: exactly all of it */
        moved[0] = sample->counters[COUNTER_BYTES];
        moved[1] = sample->counters[COUNTER_OPERATIONS];
    }
}

struct row { /* of one rank, on its way to rank 0 */
    uint64_t bytes, operations, planned, elapsed_ns;
    uint64_t stage_ns[STAGES];
};

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t median_of(uint64_t *values, size_t n)
{
    qsort(values, n, sizeof *values, by_value);
    return n % 2 ? values[n / 2]
                 : values[n / 2 - 1] / 2 + values[n / 2] / 2 +
                       (values[n / 2 - 1] % 2 + values[n / 2] % 2) / 2;
}

/* Ranks that save a checkpoint end together, when it is whole: what tells them apart is the time
 * that each spent on files of its own. */
static uint64_t rate_ns(const struct phase_result *result, const struct row *row)
{
    uint64_t times[TIMES];
    if (!result->counters[COUNTER_BLOCKED_NS])
        return row->elapsed_ns;
    times_of(row->stage_ns, times);
    return times[STAGES];
}

/* NAN for a rank that nothing was planned for. */
static double rate_of(const struct phase_result *result, const struct row *row)
{
    double amount = (double)(phase_counts_bytes(result) ? row->bytes : row->operations);
    uint64_t ns = rate_ns(result, row);
    return ns && (row->planned || row->operations) ? amount * 1e9 / (double)ns : NAN;
}

static int take_rows(struct phase_result *result, const struct row *rows, size_t n, struct error *e)
{
    uint64_t *values = malloc(n * sizeof *values), times[TIMES];
    result->rank_rates = calloc(n, sizeof *result->rank_rates);
    if (!values || !result->rank_rates) {
        free(values);
        return error_errno(e, ENOMEM, "memory for %zu ranks' rates", n);
    }
    for (int t = 0; t < TIMES; t++) {
        for (size_t i = 0; i < n; i++) {
            times_of(rows[i].stage_ns, times);
            values[i] = times[t];
        }
        spread_at(result, t)->median_ns = median_of(values, n);
    }
    free(values);
    for (size_t i = 0; i < n; i++)
        result->rank_rates[i] = rate_of(result, &rows[i]);
    result->rank_rates_used = n;
    return 0;
}

static int gather_rows(struct phase_result *result, const struct sample *sample, struct comm *comm,
                       struct error *e)
{
    struct row mine = {.bytes = sample->counters[COUNTER_BYTES],
                       .operations = sample->counters[COUNTER_OPERATIONS],
                       .planned = sample->counters[COUNTER_PLANNED],
                       .elapsed_ns = sample->counters[COUNTER_ELAPSED_NS]};
    memcpy(mine.stage_ns, sample->stage_ns, sizeof mine.stage_ns);
    struct row *rows = NULL;
    uint64_t ready = 1;
    if (result && !(rows = malloc(comm->size * sizeof *rows)))
        ready = 0;
    comm->ops->broadcast(comm, 0, &ready, sizeof ready);
    if (!ready)
        return error_errno(e, ENOMEM, "memory for a row of each of %" PRIu64 " ranks", comm->size);
    comm->ops->gather(comm, &mine, sizeof mine, rows);
    int failed = result ? take_rows(result, rows, comm->size, e) : 0;
    free(rows);
    return failed;
}

/* Shares and the like, which exist only over all ranks. */
static void derive(struct phase_result *result)
{
    const uint64_t *c = result->counters;
    if (c[COUNTER_CACHE_PAGES])
        result->cached_fraction = (double)c[COUNTER_CACHED_PAGES] / (double)c[COUNTER_CACHE_PAGES];
    if (c[COUNTER_NODE_CPU_PERMILLE])
        result->node_cpu = (double)c[COUNTER_NODE_CPU_PERMILLE] / 1000;
    if (result->about == OP_READ)
        result->device_bytes = (double)c[COUNTER_DEVICE_READ_BYTES];
}

/* All that is a sum or an extreme of single numbers, in two calls. */
static void reduce_numbers(struct phase_result *result, struct sample *sample,
                           const struct common *common, struct comm *comm)
{
    uint64_t counters[COUNTERS], min[TIMES], sum[TIMES], slowest[TIMES], moved[2];
    memcpy(counters, sample->counters, sizeof counters);
    times_of(sample->stage_ns, min);
    memcpy(sum, min, sizeof sum);
    for (int t = 0; t < TIMES; t++)
        slowest[t] = min[t] == common->most_ns[t] ? comm->rank : UINT64_MAX;
    stonewall(sample, common->stonewall_ns, moved);
    /* Whose wall clock is farthest from rank 0's: the lowest such rank. */
    bool apart = counters[COUNTER_CLOCK_APART_NS] == common->most_clock_apart_ns;
    uint64_t clock_rank = apart ? comm->rank : UINT64_MAX;
    struct bundle b = {0};
    add_counters(&b, counters);
    add_all_extremes(&b, sample);
    bundle_add(&b, REDUCE_MIN, slowest, TIMES);
    bundle_add(&b, REDUCE_MIN, min, TIMES);
    bundle_add(&b, REDUCE_SUM, sum, TIMES);
    bundle_add(&b, REDUCE_SUM, moved, 2);
    bundle_add(&b, REDUCE_MIN, &clock_rank, 1);
    bundle_reduce(&b, comm, false);
    if (!result)
        return;
    memcpy(result->counters, counters, sizeof counters);
    for (int t = 0; t < TIMES; t++)
        *spread_at(result, t) = (struct stage_spread){.max_ns = common->most_ns[t],
                                                      .min_ns = min[t],
                                                      .sum_ns = sum[t],
                                                      .slowest_rank = slowest[t]};
    result->stonewall_ns = common->stonewall_ns;
    result->stonewall_bytes = moved[0];
    result->stonewall_operations = moved[1];
    result->clock_rank = clock_rank;
    result->synced = counters[COUNTER_DURABLE_NS] > 0;
    result->ranks = comm->size;
    derive(result);
}

int reduce_sample(struct phase_result *result, struct sample *sample, struct comm *comm,
                  struct error *e)
{
    struct common common = find_common(sample, comm);
    reduce_numbers(result, sample, &common, comm);
    /* Memory may run out on one rank: it goes on with the others all the same. */
    int failed = comm->size <= REDUCE_ROWS ? gather_rows(result, sample, comm, e) : 0;
    failed |= reduce_latencies(result, sample, comm, e);
    if (sample->series)
        failed |= reduce_series(result, sample->series, common.series_ns, comm, e);
    failed |= reduce_timeline(result, sample, &common, comm, e);
    return failed ? -1 : 0;
}
