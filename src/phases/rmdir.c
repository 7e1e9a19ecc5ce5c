#include "phases/items.h"

static void begin(struct cursor *c)
{
    struct items *t = (struct items *)c;
    items_begin(t, OP_RMDIR, OBJECT_DIRECTORY, OP_FLAG_DIRECTORY);
}

const struct phase phase_rmdir = {
    .name = "rmdir",
    .sentence = "each rank removes its directories",
    .about = OP_RMDIR,
    .needs = 1u << OP_RMDIR,
    .cursor_bytes = sizeof(struct items),
    .timed = true,
    .errors = ERRORS_COUNT,
    .begin = begin,
    .next = items_next,
    .completed = items_completed,
    .untold = ITEMS_UNTOLD,
    .planned = items_planned,
};
