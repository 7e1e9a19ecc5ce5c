#include "phases/items.h"

static void begin(struct cursor *c)
{
    struct items *t = (struct items *)c;
    items_begin(t, OP_OPEN, OBJECT_FILE, OP_FLAG_CHAINED | OP_FLAG_READ);
    if (t->m->random)
        items_shuffle(t, OP_READ);
}

static enum step follow(struct cursor *c, const struct op *done, const struct outcome *outcome,
                        struct op *op)
{
    const struct items *t = (const struct items *)c;
    uint16_t flags = t->m->verify ? OP_FLAG_CHECK : 0;
    return items_data(t, OP_READ, t->m->read_bytes, flags, false, done, outcome, op);
}

const struct phase phase_read_files = {
    .name = "read-files",
    .shown = "read",
    .sentence = "each rank opens, reads and closes its files",
    .about = OP_OPEN,
    .needs = 1u << OP_OPEN | 1u << OP_READ | 1u << OP_CLOSE,
    .cursor_bytes = sizeof(struct items),
    .timed = true,
    .errors = ERRORS_COUNT,
    .own_handles = true,
    .begin = begin,
    .next = items_next,
    .follow = follow,
    .completed = items_completed,
    .planned = items_planned,
};
