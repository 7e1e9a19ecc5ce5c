/* Latencies of a rank's own operations over time: a coarse histogram for each interval, in a fixed
 * number of intervals: when they are used up, pairs are merged and the interval doubles. 0.5 MiB.
 */
#ifndef PARIO_MODEL_SERIES_H
#define PARIO_MODEL_SERIES_H

#include <stddef.h>
#include <stdint.h>

#define SERIES_INTERVALS 128
#define SERIES_SUB_BITS 4 /* 16 cells an octave: a value is known to 1/32 */
#define SERIES_CELLS ((65 - SERIES_SUB_BITS) << SERIES_SUB_BITS)

struct series_interval {
    uint64_t sum_ns;              /* of latencies; saturates */
    uint64_t max_ns;              /* exact */
    uint32_t cells[SERIES_CELLS]; /* saturate */
};

struct series {
    int64_t interval_ns;
    int64_t end_ns; /* of the current interval, from the start */
    size_t current;
    struct series_interval intervals[SERIES_INTERVALS];
};

/* interval_ns > 0: the width to begin with. */
void series_start(struct series *s, int64_t interval_ns);
/* Moves to the interval that holds at_ns, merging as often as needed. */
void series_advance(struct series *s, int64_t at_ns);
/* Merges until the interval is interval_ns, a power of two times today's. */
void series_coarsen(struct series *s, int64_t interval_ns);

static inline size_t series_cell(uint64_t value)
{
    if (value < (1u << SERIES_SUB_BITS))
        return (size_t)value;
    unsigned shift = 63u - (unsigned)__builtin_clzll(value) - SERIES_SUB_BITS;
    return ((size_t)shift << SERIES_SUB_BITS) + (size_t)(value >> shift);
}

/* at_ns: of the completion, from the start; never smaller than in an earlier call. */
static inline void series_add(struct series *s, int64_t at_ns, uint64_t latency_ns)
{
    if (__builtin_expect(at_ns >= s->end_ns, 0))
        series_advance(s, at_ns);
    struct series_interval *i = &s->intervals[s->current];
    i->sum_ns += latency_ns;
    if (latency_ns > i->max_ns)
        i->max_ns = latency_ns;
    i->cells[series_cell(latency_ns)]++;
}

/* n latencies of completions that all belong to the current interval. */
void series_add_all(struct series *s, const uint64_t *latencies_ns, size_t n);

/* Smallest value of a cell, and the middle that stands for it. */
uint64_t series_cell_low(size_t cell);
uint64_t series_cell_middle(size_t cell);

/* What is reported of an interval, over all ranks. */
struct series_row {
    uint64_t operations;
    uint64_t p50_ns, p99_ns; /* cell middles, at most max_ns */
    uint64_t max_ns;
    double mean_ns;
    double depth; /* operations in flight on the average: their latencies / the interval */
};
/* From summed cells. No operations: zeros. */
struct series_row series_row_of(const uint64_t *cells, uint64_t sum_ns, uint64_t max_ns,
                                int64_t interval_ns);

#endif
