#include "model/series.h"

#include <string.h>

void series_start(struct series *s, int64_t interval_ns)
{
    memset(s, 0, sizeof *s);
    s->interval_ns = interval_ns;
    s->end_ns = interval_ns;
}

static uint32_t capped(uint64_t n)
{
    return n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

static void merge(struct series_interval *into, const struct series_interval *from)
{
    if (__builtin_add_overflow(into->sum_ns, from->sum_ns, &into->sum_ns))
        into->sum_ns = UINT64_MAX;
    into->max_ns = from->max_ns > into->max_ns ? from->max_ns : into->max_ns;
    for (size_t i = 0; i < SERIES_CELLS; i++)
        into->cells[i] = capped((uint64_t)into->cells[i] + from->cells[i]);
}

static void fold(struct series *s)
{
    for (size_t i = 0; i < SERIES_INTERVALS / 2; i++) {
        merge(&s->intervals[2 * i], &s->intervals[2 * i + 1]);
        if (i)
            s->intervals[i] = s->intervals[2 * i];
    }
    memset(&s->intervals[SERIES_INTERVALS / 2], 0, SERIES_INTERVALS / 2 * sizeof *s->intervals);
    s->interval_ns *= 2;
    s->current /= 2;
}

void series_advance(struct series *s, int64_t at_ns)
{
    while (at_ns / s->interval_ns >= SERIES_INTERVALS)
        fold(s);
    s->current = (size_t)(at_ns / s->interval_ns);
    s->end_ns = (int64_t)(s->current + 1) * s->interval_ns;
}

void series_coarsen(struct series *s, int64_t interval_ns)
{
    while (s->interval_ns < interval_ns)
        fold(s);
}

void series_add_all(struct series *s, const uint64_t *latencies_ns, size_t n)
{
    struct series_interval *interval = &s->intervals[s->current];
    uint64_t sum_ns = 0, max_ns = interval->max_ns;
    for (size_t i = 0; i < n; i++) {
        uint64_t latency_ns = latencies_ns[i];
        sum_ns += latency_ns;
        max_ns = latency_ns > max_ns ? latency_ns : max_ns;
        interval->cells[series_cell(latency_ns)]++;
    }
    interval->sum_ns += sum_ns;
    interval->max_ns = max_ns;
}

uint64_t series_cell_low(size_t cell)
{
    if (cell < (2u << SERIES_SUB_BITS))
        return cell;
    size_t shift = (cell >> SERIES_SUB_BITS) - 1;
    return (uint64_t)((cell & ((1u << SERIES_SUB_BITS) - 1)) | 1u << SERIES_SUB_BITS) << shift;
}

uint64_t series_cell_middle(size_t cell)
{
    if (cell < (2u << SERIES_SUB_BITS))
        return cell;
    return series_cell_low(cell) + (UINT64_C(1) << ((cell >> SERIES_SUB_BITS) - 1)) / 2;
}

static uint64_t quantile(const uint64_t *cells, uint64_t n, double q, uint64_t max_ns)
{
    uint64_t rank = (uint64_t)(q * (double)n), below = 0;
    rank = rank < (uint64_t)n && (double)rank < q * (double)n ? rank + 1 : rank;
    rank = rank < 1 ? 1 : rank;
    for (size_t i = 0; i < SERIES_CELLS; i++) {
        below += cells[i];
        if (below >= rank) {
            uint64_t middle = series_cell_middle(i);
            return middle < max_ns ? middle : max_ns;
        }
    }
    return max_ns;
}

struct series_row series_row_of(const uint64_t *cells, uint64_t sum_ns, uint64_t max_ns,
                                int64_t interval_ns)
{
    struct series_row row = {.max_ns = max_ns};
    for (size_t i = 0; i < SERIES_CELLS; i++)
        row.operations += cells[i];
    if (row.operations == 0)
        return (struct series_row){0};
    row.p50_ns = quantile(cells, row.operations, 0.5, max_ns);
    row.p99_ns = quantile(cells, row.operations, 0.99, max_ns);
    row.mean_ns = (double)sum_ns / (double)row.operations;
    row.depth = (double)sum_ns / (double)interval_ns;
    return row;
}
