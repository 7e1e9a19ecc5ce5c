#include "phases/nodes.h"

void nodes_begin(struct nodes *n, enum op_kind kind, bool upwards)
{
    n->kind = kind;
    n->upwards = upwards;
    n->end = nodes_planned(n->base.plan, n->base.rank);
}

enum step nodes_next(struct cursor *c, struct op *op)
{
    struct nodes *n = (struct nodes *)c;
    const struct metadata_plan *m = &c->plan->metadata;
    if (c->stopping || n->next >= n->end) {
        if (n->synced || !m->sync_after || c->failed)
            return STEP_END;
        n->synced = true;
        *op = (struct op){.kind = OP_SYNC,
                          .order = ORDER_DRAIN,
                          .flags = OP_FLAG_DIRECTORY,
                          .object = metadata_object(m, OBJECT_HOME, c->rank, 0)};
        return STEP_OP;
    }
    uint64_t node = n->upwards ? n->end - 1 - n->next : n->next;
    /* One at a time: a directory must be there before what lies in it. */
    *op = (struct op){.kind = (uint8_t)n->kind,
                      .order = ORDER_DRAIN,
                      .flags = OP_FLAG_DIRECTORY,
                      .object = metadata_object(m, OBJECT_NODE, c->rank, node)};
    n->next++;
    c->issued++;
    return STEP_OP;
}

uint64_t nodes_planned(const struct plan *plan, uint64_t rank)
{
    const struct metadata_plan *m = &plan->metadata;
    return metadata_makes_trees(m, rank) ? m->dirs : 0;
}
