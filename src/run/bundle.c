#include "run/bundle.h"

#include <assert.h>

enum { SUMS, EXTREMES };

static int call_of(enum reduce_rule rule)
{
    return rule == REDUCE_SUM ? SUMS : EXTREMES;
}

void bundle_add(struct bundle *b, enum reduce_rule rule, uint64_t *values, size_t n)
{
    size_t *together = &b->values[call_of(rule)];
    assert(b->used < BUNDLE_PARTS && n <= BUNDLE_VALUES - *together);
    *together += n;
    b->parts[b->used].rule = rule;
    b->parts[b->used].values = values;
    b->parts[b->used].n = n;
    b->used++;
}

void bundle_reduce(struct bundle *b, struct comm *comm, bool all)
{
    for (int call = SUMS; call <= EXTREMES; call++) {
        uint64_t together[BUNDLE_VALUES];
        size_t n = 0;
        for (size_t i = 0; i < b->used; i++)
            for (size_t k = 0; call_of(b->parts[i].rule) == call && k < b->parts[i].n; k++)
                together[n++] =
                    b->parts[i].rule == REDUCE_MIN ? ~b->parts[i].values[k] : b->parts[i].values[k];
        enum reduce_rule rule = call == SUMS ? REDUCE_SUM : REDUCE_MAX;
        if (n == 0)
            continue;
        if (all)
            comm_reduce_all(comm, rule, together, n);
        else
            comm->ops->reduce(comm, rule, together, n);
        n = 0;
        for (size_t i = 0; i < b->used; i++)
            for (size_t k = 0; call_of(b->parts[i].rule) == call && k < b->parts[i].n; k++, n++)
                b->parts[i].values[k] = b->parts[i].rule == REDUCE_MIN ? ~together[n] : together[n];
    }
    *b = (struct bundle){0};
}
