#include "comm/comm.h"

#include "comm/patience.h"

void comm_wait(struct comm *c, struct comm_message *m)
{
    if (c->ops->done(c, m))
        return;
    struct patience patience = patience_begin(1);

    while (!c->ops->done(c, m))
        patience_pause(&patience);
}

void comm_reduce_all(struct comm *c, enum reduce_rule rule, uint64_t *values, size_t n)
{
    c->ops->reduce(c, rule, values, n);
    c->ops->broadcast(c, 0, values, n * sizeof *values);
}
