#include "run/reduce.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const enum reduce_rule rules[COUNTERS] = {
#define COUNTER(NAME, RULE) [COUNTER_##NAME] = REDUCE_##RULE,
#include "model/sample.def"
};

/* Counters of one rule at a time: the others' places hold what changes nothing. */
static void reduce_counters(uint64_t *counters, struct comm *comm)
{
    for (int rule = REDUCE_SUM; rule <= REDUCE_MAX; rule++) {
        uint64_t part[COUNTERS];
        size_t n = 0;
        for (int i = 0; i < COUNTERS; i++)
            if ((int)rules[i] == rule)
                part[n++] = counters[i];
        comm->ops->reduce(comm, (enum reduce_rule)rule, part, n);
        n = 0;
        for (int i = 0; i < COUNTERS; i++)
            if ((int)rules[i] == rule)
                counters[i] = part[n++];
    }
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

static void reduce_histogram(struct histogram *h, struct comm *comm)
{
    uint64_t
        sums[HISTOGRAM_CELLS + 6]; /* 30 KiB of stack: what cannot fail cannot part the ranks */
    memcpy(sums, h->cells, sizeof h->cells);
    sums[HISTOGRAM_CELLS] = h->count;
    sums[HISTOGRAM_CELLS + 1] = h->sum;
    limbs_split(sums + HISTOGRAM_CELLS + 2, (unsigned __int128)h->sum_squares);
    comm->ops->reduce(comm, REDUCE_SUM, sums, HISTOGRAM_CELLS + 6);
    comm->ops->reduce(comm, REDUCE_MIN, &h->min, 1);
    comm->ops->reduce(comm, REDUCE_MAX, &h->max, 1);
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

/* Timelines begin with own starts: those of ranks that started late are moved, to lie on one axis.
 */
static int reduce_timeline(struct phase_result *result, struct sample *sample, struct comm *comm,
                           struct error *e)
{
    struct timeline *t = &sample->timeline;
    uint64_t first = sample->counters[COUNTER_START_FIRST_NS];
    comm_reduce_all(comm, REDUCE_MIN, &first, 1);
    timeline_shift(t, (int64_t)(sample->counters[COUNTER_START_FIRST_NS] - first));
    uint64_t interval = (uint64_t)t->interval_ns;
    comm_reduce_all(comm, REDUCE_MAX, &interval, 1);
    timeline_coarsen(t, (int64_t)interval);
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

/* Interval by interval, so that no rank needs more memory than for one. */
static int reduce_series(struct phase_result *result, struct series *s, struct comm *comm,
                         struct error *e)
{
    uint64_t most[2] = {(uint64_t)s->interval_ns, 0};
    comm_reduce_all(comm, REDUCE_MAX, most, 1);
    series_coarsen(s, (int64_t)most[0]);
    most[1] = s->current + 1;
    comm_reduce_all(comm, REDUCE_MAX, most + 1, 1);
    if (result) {
        result->series = calloc(most[1], sizeof *result->series);
        result->series_used = most[1];
        result->series_interval_ns = s->interval_ns;
    }
    for (size_t i = 0; i < most[1]; i++) {
        uint64_t sums[SERIES_CELLS + 1], max_ns = s->intervals[i].max_ns;
        for (size_t k = 0; k < SERIES_CELLS; k++)
            sums[k] = s->intervals[i].cells[k];
        sums[SERIES_CELLS] = s->intervals[i].sum_ns;
        comm->ops->reduce(comm, REDUCE_SUM, sums, SERIES_CELLS + 1);
        comm->ops->reduce(comm, REDUCE_MAX, &max_ns, 1);
        if (result && result->series)
            result->series[i] = series_row_of(sums, sums[SERIES_CELLS], max_ns, s->interval_ns);
    }
    return result && !result->series ? error_errno(e, ENOMEM, "memory for latencies over time") : 0;
}

/* t* is the least own elapsed time; what each rank had moved by its own t* is read off its
 * timeline. */
static void reduce_stonewall(struct phase_result *result, const struct sample *sample,
                             struct comm *comm)
{
    uint64_t least = sample->counters[COUNTER_STONEWALL_NS];
    uint64_t moved[2];
    comm_reduce_all(comm, REDUCE_MIN, &least, 1);
    timeline_until(&sample->timeline, (int64_t)least, &moved[0], &moved[1]);
    if (sample->counters[COUNTER_ELAPSED_NS] <= least) { /* this rank was done: exactly all of it */
        moved[0] = sample->counters[COUNTER_BYTES];
        moved[1] = sample->counters[COUNTER_OPERATIONS];
    }
    comm->ops->reduce(comm, REDUCE_SUM, moved, 2);
    if (!result)
        return;
    result->stonewall_ns = least;
    result->stonewall_bytes = moved[0];
    result->stonewall_operations = moved[1];
}

struct row { /* of one rank, on its way to rank 0 */
    uint64_t bytes, operations, elapsed_ns;
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

static int take_rows(struct phase_result *result, const struct row *rows, size_t n, struct error *e)
{
    uint64_t *values = malloc(n * sizeof *values);
    result->rank_rates = calloc(n, sizeof *result->rank_rates);
    if (!values || !result->rank_rates) {
        free(values);
        return error_errno(e, ENOMEM, "memory for %zu ranks' rates", n);
    }
    for (int stage = 0; stage < STAGES; stage++) {
        for (size_t i = 0; i < n; i++)
            values[i] = rows[i].stage_ns[stage];
        result->stages[stage].median_ns = median_of(values, n);
    }
    free(values);
    bool bytes = phase_counts_bytes(result);
    for (size_t i = 0; i < n; i++)
        result->rank_rates[i] = rows[i].elapsed_ns
                                    ? (double)(bytes ? rows[i].bytes : rows[i].operations) * 1e9 /
                                          (double)rows[i].elapsed_ns
                                    : NAN;
    result->rank_rates_used = n;
    return 0;
}

static int gather_rows(struct phase_result *result, const struct sample *sample, struct comm *comm,
                       struct error *e)
{
    struct row mine = {.bytes = sample->counters[COUNTER_BYTES],
                       .operations = sample->counters[COUNTER_OPERATIONS],
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

static void reduce_stages(struct phase_result *result, const struct sample *sample,
                          struct comm *comm)
{
    uint64_t max[STAGES], min[STAGES], sum[STAGES];
    memcpy(max, sample->stage_ns, sizeof max);
    memcpy(min, sample->stage_ns, sizeof min);
    memcpy(sum, sample->stage_ns, sizeof sum);
    comm->ops->reduce(comm, REDUCE_MAX, max, STAGES);
    comm->ops->reduce(comm, REDUCE_MIN, min, STAGES);
    comm->ops->reduce(comm, REDUCE_SUM, sum, STAGES);
    if (!result)
        return;
    for (int stage = 0; stage < STAGES; stage++) {
        result->stages[stage].max_ns = max[stage];
        result->stages[stage].min_ns = min[stage];
        result->stages[stage].sum_ns = sum[stage];
    }
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

/* Whose wall clock is farthest from rank 0's: the lowest such rank. */
static void find_clock(struct phase_result *result, const struct sample *sample, struct comm *comm)
{
    uint64_t most = sample->counters[COUNTER_CLOCK_APART_NS];
    comm_reduce_all(comm, REDUCE_MAX, &most, 1);
    uint64_t rank = sample->counters[COUNTER_CLOCK_APART_NS] == most ? comm->rank : UINT64_MAX;
    comm->ops->reduce(comm, REDUCE_MIN, &rank, 1);
    if (result)
        result->clock_rank = rank;
}

int reduce_sample(struct phase_result *result, struct sample *sample, struct comm *comm,
                  struct error *e)
{
    reduce_stonewall(result, sample, comm);
    reduce_stages(result, sample, comm);
    find_clock(result, sample, comm);
    uint64_t counters[COUNTERS];
    memcpy(counters, sample->counters, sizeof counters);
    reduce_counters(counters, comm);
    if (result) {
        memcpy(result->counters, counters, sizeof counters);
        result->synced = counters[COUNTER_DURABLE_NS] > 0;
        result->ranks = comm->size;
        derive(result);
    }
    /* Memory may run out on one rank: it goes on with the others all the same. */
    int failed = comm->size <= REDUCE_ROWS ? gather_rows(result, sample, comm, e) : 0;
    failed |= reduce_latencies(result, sample, comm, e);
    if (sample->series)
        failed |= reduce_series(result, sample->series, comm, e);
    failed |= reduce_timeline(result, sample, comm, e);
    return failed ? -1 : 0;
}
