/* --histogram: latencies of the phase's own operations in rows of a quarter octave, with shares and
 * bars. */
#include "formats/text_parts.h"

#include <inttypes.h>
#include <string.h>

#define ROWS_PER_OCTAVE 4
#define BAR 40

/* First cell of a row, and of the next: four rows an octave, fewer where there are fewer cells. */
static size_t row_first(size_t row)
{
    return row * ((1u << HISTOGRAM_SUB_BITS) / ROWS_PER_OCTAVE);
}

static uint64_t row_count(const struct histogram *h, size_t row)
{
    uint64_t sum = 0;
    for (size_t i = row_first(row); i < row_first(row + 1) && i < HISTOGRAM_CELLS; i++)
        sum += h->cells[i];
    return sum;
}

static void bar(struct text *out, uint64_t count, uint64_t most)
{
    char stars[BAR + 1];
    size_t n = (size_t)((double)count / (double)most * BAR + 0.5);
    n = n > BAR ? BAR : n;
    memset(stars, '#', n);
    stars[n] = '\0';
    text_add(out, "  %s\n", n ? stars : ".");
}

static void one_histogram(struct text *out, const struct phase_result *p, const char *operation,
                          const struct histogram *h)
{
    size_t rows = HISTOGRAM_CELLS / row_first(1), first = rows, last = 0;
    uint64_t most = 1, below = 0;
    char from[TEXT_VALUE], to[TEXT_VALUE];
    for (size_t row = 0; row < rows; row++) {
        uint64_t count = row_count(h, row);
        most = count > most ? count : most;
        if (count == 0)
            continue;
        first = row < first ? row : first;
        last = row;
    }
    text_add(out, "\nLatency of %s in %s %" PRIu64 ": %" PRIu64 " operations of all ranks\n",
             operation, p->phase, p->repetition, h->count);
    text_add(out, "%10s %10s %12s %9s %11s\n", "from", "to", "count", "share", "cumulative");
    for (size_t row = first; row <= last; row++) {
        uint64_t count = row_count(h, row);
        below += count;
        text_value(from, METRIC_NS, (double)histogram_cell_low(row_first(row)));
        text_value(to, METRIC_NS, (double)histogram_cell_high(row_first(row + 1) - 1));
        text_add(out, "%10s %10s %12" PRIu64 " %8.3f%% %10.4f%%", from, to, count,
                 100.0 * (double)count / (double)h->count,
                 100.0 * (double)below / (double)h->count);
        bar(out, count, most);
    }
}

void text_histograms(struct text *out, const struct test_result *t)
{
    for (size_t i = 0; i < t->phases_used; i++) {
        const struct phase_result *p = &t->phases[i];
        enum op_kind kinds[] = {p->about, p->also};
        for (size_t k = 0; k < (p->also ? 2 : 1); k++)
            if (p->latency[kinds[k]] && p->latency[kinds[k]]->count > 0)
                one_histogram(out, p, op_name(kinds[k]), p->latency[kinds[k]]);
        if (p->intended && p->intended->count > 0)
            one_histogram(out, p, "operations, from the time due,", p->intended);
    }
}
