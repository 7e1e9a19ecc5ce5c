#include "phases/home.h"

uint64_t home_planned(const struct plan *plan, uint64_t rank)
{
    return rank < plan->metadata.target_count ? 1 : 0;
}

void home_begin(struct cursor *c)
{
    (void)c;
}

enum step home_next(struct cursor *c, struct op *op, enum op_kind kind)
{
    struct home_cursor *h = (struct home_cursor *)c;
    if (h->done || !home_planned(c->plan, c->rank))
        return STEP_END;
    h->done = true;
    *op = (struct op){.kind = (uint8_t)kind,
                      .order = ORDER_DRAIN,
                      .flags = OP_FLAG_DIRECTORY,
                      .object = metadata_object(&c->plan->metadata, OBJECT_HOME, c->rank, 0)};
    c->issued++;
    return STEP_OP;
}
