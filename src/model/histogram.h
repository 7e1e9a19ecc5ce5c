/* Latency histogram: log-linear, 64 cells an octave, so a value is known to 1/128 when its cell's
 * middle is reported; nothing is clipped from 0 to 2^64 - 1 ns; memory is fixed; merging is
 * addition. */
#ifndef PARIO_MODEL_HISTOGRAM_H
#define PARIO_MODEL_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

#define HISTOGRAM_SUB_BITS 6
#define HISTOGRAM_CELLS ((65 - HISTOGRAM_SUB_BITS) << HISTOGRAM_SUB_BITS)

struct histogram {
    uint64_t count;
    uint64_t sum;       /* of values; saturates */
    double sum_squares; /* for the standard deviation */
    uint64_t min;       /* exact; UINT64_MAX while empty */
    uint64_t max;       /* exact */
    uint64_t cells[HISTOGRAM_CELLS];
};

void histogram_clear(struct histogram *h);

static inline size_t histogram_cell(uint64_t value)
{
    if (value < (1u << HISTOGRAM_SUB_BITS))
        return (size_t)value;
    unsigned shift = 63u - (unsigned)__builtin_clzll(value) - HISTOGRAM_SUB_BITS;
    return ((size_t)shift << HISTOGRAM_SUB_BITS) + (size_t)(value >> shift);
}

/* One value in ns. On the path around one I/O: no branch that is ever mispredicted but one. */
static inline void histogram_add(struct histogram *h, uint64_t value)
{
    h->count++;
    if (__builtin_add_overflow(h->sum, value, &h->sum))
        h->sum = UINT64_MAX;
    h->sum_squares += (double)value * (double)value;
    if (value < h->min)
        h->min = value;
    if (value > h->max)
        h->max = value;
    h->cells[histogram_cell(value)]++;
}

/* n values, as histogram_add one after the other. Returns their sum, which wraps. */
uint64_t histogram_add_all(struct histogram *h, const uint64_t *values, size_t n);

/* Smallest and largest value that falls into a cell. */
uint64_t histogram_cell_low(size_t cell);
uint64_t histogram_cell_high(size_t cell);
void histogram_merge(struct histogram *into, const struct histogram *from);
/* q in (0, 1]: the value at rank ceil(q * count) in order, as its cell's middle, never outside
 * [min, max]; the first and the last are exact. 0 when empty. */
uint64_t histogram_quantile(const struct histogram *h, double q);
/* 0 when empty. */
double histogram_mean(const struct histogram *h);
/* Sample standard deviation (n - 1); 0 below two values. */
double histogram_sd(const struct histogram *h);

#endif
