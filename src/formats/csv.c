/* A row per phase and repetition. Columns are never moved or taken away: what names the row first,
 * then metric_table in its order, so that a new column stands at the end. A row is always one line:
 * control characters become '?'. */
#include "formats/format.h"

#include "formats/words.h"
#include "model/metrics.h"

#include <inttypes.h>

/* What identifies a row; row() fills them in this order. */
static const char identity[] =
    "schema,test,workload,backend,phase,repetition,step,ranks,nodes,cache,warnings";

static void begin(struct text *out, const struct report *r)
{
    (void)r;
    text_add(out, "%s", identity);
    for (const struct metric *m = metric_table; m->key; m++)
        text_add(out, ",%s", m->key);
    text_add(out, "\n");
}

static void test(struct text *out, const struct report *r, const struct test_result *t)
{
    (void)out, (void)r, (void)t;
}

static void codes(struct text *out, const struct phase_result *p)
{
    struct text list = {0};
    for (size_t i = 0; i < p->warnings_used; i++)
        text_add(&list, "%s%s", i > 0 ? " " : "", p->warnings[i].code);
    words_csv(out, list.data ? list.data : "");
    out->failed |= list.failed;
    text_free(&list);
}

static void one_row(struct text *out, const struct test_result *t, const struct phase_result *p)
{
    text_add(out, "pario/1,");
    words_csv(out, t->name);
    text_add(out, ",");
    words_csv(out, t->workload);
    text_add(out, ",");
    words_csv(out, t->backend);
    text_add(out, ",");
    words_csv(out, p->phase);
    text_add(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu32 ",", p->repetition, p->step,
             p->ranks, t->nodes);
    words_csv(out, p->cache_label);
    text_add(out, ",");
    codes(out, p);
    for (const struct metric *m = metric_table; m->key; m++) {
        text_add(out, ",");
        if (m->whole)
            text_add(out, "%" PRIu64, m->whole(p));
        else
            words_csv_number(out, metric_value(m, p));
    }
    text_add(out, "\n");
}

static void row(struct text *out, const struct report *r, const struct test_result *t,
                const struct phase_result *p)
{
    struct phase_result part;
    (void)r;
    one_row(out, t, p);
    for (size_t i = 0; phase_result_part(p, i, &part); i++)
        one_row(out, t, &part);
}

static void end(struct text *out, const struct report *r)
{
    (void)out, (void)r;
}

const struct format format_csv = {
    .name = "csv",
    .sentence = "a row per phase and repetition, columns that never move",
    .begin = begin,
    .test = test,
    .row = row,
    .end = end,
};
