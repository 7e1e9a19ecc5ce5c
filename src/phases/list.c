/* Each directory that holds items is read once: of a common tree a part by each rank. */
#include "phases/items.h"

/* Ranks that share the trees of this one, and its place among them. */
static uint64_t sharers(const struct metadata_plan *m, uint64_t rank)
{
    return (m->ranks - rank % m->target_count + m->target_count - 1) / m->target_count;
}

static uint64_t planned(const struct plan *plan, uint64_t rank)
{
    const struct metadata_plan *m = &plan->metadata;
    if (m->unique)
        return m->item_dirs;
    uint64_t ranks = sharers(m, rank), place = rank / m->target_count;
    return m->item_dirs / ranks + (place < m->item_dirs % ranks);
}

static void begin(struct cursor *c)
{
    struct items *t = (struct items *)c;
    items_begin(t, OP_LIST, OBJECT_NODE, OP_FLAG_DIRECTORY);
    t->rank = c->rank;
    t->end = planned(c->plan, c->rank);
}

static enum step next(struct cursor *c, struct op *op)
{
    const struct metadata_plan *m = &c->plan->metadata;
    struct items *t = (struct items *)c;
    uint64_t i = t->next;
    enum step step = items_next(c, op);
    if (step != STEP_OP || op->kind != OP_LIST)
        return step;
    uint64_t dir = m->unique ? i : i * sharers(m, t->rank) + t->rank / m->target_count;
    op->object = metadata_object(m, OBJECT_NODE, t->rank, metadata_node_of(m, dir));
    return step;
}

const struct phase phase_list = {
    .name = "list",
    .sentence = "the directories are read, each by one rank",
    .about = OP_LIST,
    .needs = 1u << OP_LIST,
    .cursor_bytes = sizeof(struct items),
    .timed = true,
    .errors = ERRORS_COUNT,
    .begin = begin,
    .next = next,
    .completed = items_completed,
    .planned = planned,
};
