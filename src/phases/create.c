/* Create, write where data was asked for, sync where asked for, close: a chain for each file. */
#include "phases/items.h"

static void begin(struct cursor *c)
{
    struct items *t = (struct items *)c;
    uint16_t flags = OP_FLAG_CHAINED | OP_FLAG_CREATE | OP_FLAG_WRITE;
    /* Of several ranks that open the same file one makes it. */
    if (!c->plan->metadata.shared)
        flags |= OP_FLAG_EXCLUSIVE;
    items_begin(t, OP_CREATE, OBJECT_FILE, flags);
    items_make(t);
}

static enum step follow(struct cursor *c, const struct op *done, const struct outcome *outcome,
                        struct op *op)
{
    const struct items *t = (const struct items *)c;
    return items_data(t, OP_WRITE, t->m->create_bytes, OP_FLAG_FILL, t->m->fsync, done, outcome,
                      op);
}

const struct phase phase_create = {
    .name = "create",
    .sentence = "each rank creates its files, with data if asked for, and closes them",
    .about = OP_CREATE,
    .needs = 1u << OP_CREATE | 1u << OP_WRITE | 1u << OP_CLOSE,
    .cursor_bytes = sizeof(struct items),
    .timed = true,
    .errors = ERRORS_COUNT,
    .own_handles = true,
    .begin = begin,
    .next = items_next,
    .follow = follow,
    .completed = items_completed,
    .planned = items_planned_made,
};
