/* Latency histograms as CSV: a row per cell that holds anything, with what lies below it. */
#include "formats/words.h"

#include "formats/format.h"

#include <inttypes.h>

static void begin(struct text *out, const struct report *r)
{
    (void)r;
    text_add(out, "schema,test,phase,repetition,operation,from_ns,to_ns,count,share,cumulative\n");
}

static void cells(struct text *out, const struct test_result *t, const struct phase_result *p,
                  const char *operation, const struct histogram *h)
{
    uint64_t below = 0;
    for (size_t i = 0; i < HISTOGRAM_CELLS; i++) {
        if (h->cells[i] == 0)
            continue;
        below += h->cells[i];
        text_add(out, "pario/1,");
        words_csv(out, t->name);
        text_add(out, ",");
        words_csv(out, p->phase);
        text_add(out, ",%" PRIu64 ",%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",", p->repetition,
                 operation, histogram_cell_low(i), histogram_cell_high(i), h->cells[i]);
        words_csv_number(out, (double)h->cells[i] / (double)h->count);
        text_add(out, ",");
        words_csv_number(out, (double)below / (double)h->count);
        text_add(out, "\n");
    }
}

static void test(struct text *out, const struct report *r, const struct test_result *t)
{
    (void)out, (void)r, (void)t;
}

static void row(struct text *out, const struct report *r, const struct test_result *t,
                const struct phase_result *p)
{
    (void)r;
    for (size_t k = 0; k < OP_KINDS; k++)
        if (p->latency[k])
            cells(out, t, p, op_name((enum op_kind)k), p->latency[k]);
    if (p->intended)
        cells(out, t, p, "due", p->intended);
}

static void end(struct text *out, const struct report *r)
{
    (void)out, (void)r;
}

const struct format format_histogram = {
    .name = "histogram",
    .sentence = "CSV of the latency histograms, a row per cell that holds anything",
    .begin = begin,
    .test = test,
    .row = row,
    .end = end,
};
