#include "judge/spread.h"

#include "base/text.h"
#include "judge/modes.h"
#include "model/stats.h"

#include <math.h>
#include <stdlib.h>

static int slower_first(const void *a, const void *b)
{
    const struct rank_rate *x = a;
    const struct rank_rate *y = b;
    if (x->per_s < y->per_s || x->per_s > y->per_s)
        return x->per_s < y->per_s ? -1 : 1;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static void take_slowest(struct spread *s, const struct rank_rate *sorted, size_t n,
                         const struct spread_ranks *ranks)
{
    s->slowest_used = n < SPREAD_SLOWEST ? n : SPREAD_SLOWEST;
    for (size_t i = 0; i < s->slowest_used; i++) {
        struct slow_rank *slow = &s->slowest[i];
        slow->rank = sorted[i].rank;
        slow->per_s = sorted[i].per_s;
        if (ranks->topology && ranks->hosts)
            text_copy(slow->host, sizeof slow->host,
                      ranks->hosts[topology_node(ranks->topology, slow->rank)]);
    }
}

static void take_stats(struct spread *s, const struct rank_rate *sorted, size_t n, double *values)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        values[i] = sorted[i].per_s;
        sum += values[i];
    }
    struct stats stats = stats_of(values, n);
    s->ranks = n;
    s->min_per_s = stats.min;
    s->median_per_s = stats.median;
    s->max_per_s = stats.max;
    s->sum_per_s = sum;
    s->cv = stats.cv;
}

int spread_of(struct spread *s, const struct spread_ranks *ranks, struct error *e)
{
    *s = (struct spread){.bytes = ranks->bytes, .cv = NAN, .modes.coefficient = NAN};
    struct rank_rate *sorted = calloc(ranks->n + 1, sizeof *sorted);
    double *values = calloc(ranks->n + 1, sizeof *values);
    int failed = 0;
    size_t n = 0;
    if (!sorted || !values) {
        failed = error_set(e, STATUS_FAILED, "ENOMEM",
                           "out of memory for comparing the rates of %zu ranks", ranks->n);
    } else {
        for (size_t i = 0; i < ranks->n; i++)
            if (!isnan(ranks->per_s[i]))
                sorted[n++] = (struct rank_rate){.rank = i, .per_s = ranks->per_s[i]};
        qsort(sorted, n, sizeof *sorted, slower_first);
    }
    if (!failed && n > 0) {
        take_stats(s, sorted, n, values);
        take_slowest(s, sorted, n, ranks);
        failed = modes_of(&s->modes, sorted, n, ranks, e);
    }
    free(sorted);
    free(values);
    return failed;
}
