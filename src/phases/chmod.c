#include "phases/items.h"

static void begin(struct cursor *c)
{
    items_begin((struct items *)c, OP_CHMOD, OBJECT_FILE, 0);
}

static enum step next(struct cursor *c, struct op *op)
{
    enum step step = items_next(c, op);
    if (step == STEP_OP && op->kind == OP_CHMOD)
        op->other = 0640;
    return step;
}

const struct phase phase_chmod = {
    .name = "chmod",
    .sentence = "each rank changes the mode of its files",
    .about = OP_CHMOD,
    .needs = 1u << OP_CHMOD,
    .cursor_bytes = sizeof(struct items),
    .timed = true,
    .errors = ERRORS_COUNT,
    .begin = begin,
    .next = next,
    .completed = items_completed,
    .untold = ITEMS_UNTOLD,
    .planned = items_planned,
};
