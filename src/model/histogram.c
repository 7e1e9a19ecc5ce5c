#include "model/histogram.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

void histogram_clear(struct histogram *h)
{
    memset(h, 0, sizeof *h);
    h->min = UINT64_MAX;
}

uint64_t histogram_add_all(struct histogram *h, const uint64_t *values, size_t n)
{
    uint64_t sum = 0, min = h->min, max = h->max;
    double sum_squares = h->sum_squares;
    bool wrapped = false;
    for (size_t i = 0; i < n; i++) {
        uint64_t value = values[i];
        wrapped |= __builtin_add_overflow(sum, value, &sum);
        sum_squares += (double)value * (double)value;
        min = value < min ? value : min;
        max = value > max ? value : max;
        h->cells[histogram_cell(value)]++;
    }
    h->count += n;
    if (__builtin_add_overflow(h->sum, sum, &h->sum) || wrapped)
        h->sum = UINT64_MAX;
    h->sum_squares = sum_squares;
    h->min = min;
    h->max = max;
    return sum;
}

uint64_t histogram_cell_low(size_t cell)
{
    const size_t sub = (size_t)1 << HISTOGRAM_SUB_BITS;
    if (cell < 2 * sub)
        return cell;
    size_t shift = (cell >> HISTOGRAM_SUB_BITS) - 1;
    return (uint64_t)(cell - (shift << HISTOGRAM_SUB_BITS)) << shift;
}

uint64_t histogram_cell_high(size_t cell)
{
    const size_t sub = (size_t)1 << HISTOGRAM_SUB_BITS;
    if (cell < 2 * sub)
        return cell;
    size_t shift = (cell >> HISTOGRAM_SUB_BITS) - 1;
    return histogram_cell_low(cell) + ((UINT64_C(1) << shift) - 1);
}

void histogram_merge(struct histogram *into, const struct histogram *from)
{
    into->count += from->count;
    if (__builtin_add_overflow(into->sum, from->sum, &into->sum))
        into->sum = UINT64_MAX;
    into->sum_squares += from->sum_squares;
    if (from->min < into->min)
        into->min = from->min;
    if (from->max > into->max)
        into->max = from->max;
    for (size_t i = 0; i < HISTOGRAM_CELLS; i++)
        into->cells[i] += from->cells[i];
}

/* Rank of the q-quantile, 1 .. count. 0.07 * 100 must be 7, although it is 7.000000000000001. */
static uint64_t quantile_rank(uint64_t count, double q)
{
    double rank = ceil(q * (double)count * (1 - 2 * DBL_EPSILON));
    if (!(rank > 1))
        return 1;
    return rank < (double)count ? (uint64_t)rank : count;
}

uint64_t histogram_quantile(const struct histogram *h, double q)
{
    if (h->count == 0)
        return 0;
    uint64_t rank = quantile_rank(h->count, q);
    if (rank == 1)
        return h->min;
    if (rank == h->count)
        return h->max;
    uint64_t below = 0;
    size_t cell = histogram_cell(h->min);
    while (cell < HISTOGRAM_CELLS - 1 && below + h->cells[cell] < rank)
        below += h->cells[cell++];
    uint64_t low = histogram_cell_low(cell);
    uint64_t middle = low + (histogram_cell_high(cell) - low) / 2;
    if (middle < h->min)
        return h->min;
    return middle > h->max ? h->max : middle;
}

double histogram_mean(const struct histogram *h)
{
    return h->count ? (double)h->sum / (double)h->count : 0;
}

double histogram_sd(const struct histogram *h)
{
    if (h->count < 2)
        return 0;
    double n = (double)h->count;
    double mean = (double)h->sum / n;
    double variance = (h->sum_squares - n * mean * mean) / (n - 1);
    /* The difference of two large sums may be off by rounding, but the range sets a limit. */
    double range = (double)(h->max - h->min);
    double most = range * range / 4 * n / (n - 1);
    return variance > 0 ? sqrt(variance < most ? variance : most) : 0;
}
