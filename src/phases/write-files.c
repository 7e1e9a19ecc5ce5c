#include "phases/items.h"

static void begin(struct cursor *c)
{
    items_begin((struct items *)c, OP_OPEN, OBJECT_FILE, OP_FLAG_CHAINED | OP_FLAG_WRITE);
}

static enum step follow(struct cursor *c, const struct op *done, const struct outcome *outcome,
                        struct op *op)
{
    const struct items *t = (const struct items *)c;
    return items_data(t, OP_WRITE, t->m->write_bytes, OP_FLAG_FILL, t->m->fsync, done, outcome, op);
}

const struct phase phase_write_files = {
    .name = "write-files",
    .shown = "write",
    .sentence = "each rank opens, writes and closes its files",
    .about = OP_OPEN,
    .needs = 1u << OP_OPEN | 1u << OP_WRITE | 1u << OP_CLOSE,
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
