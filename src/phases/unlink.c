#include "phases/items.h"

static void begin(struct cursor *c)
{
    struct items *t = (struct items *)c;
    items_begin(t, OP_UNLINK, OBJECT_FILE, 0);
    items_once(t);
}

const struct phase phase_unlink = {
    .name = "unlink",
    .sentence = "each rank removes its files",
    .about = OP_UNLINK,
    .needs = 1u << OP_UNLINK,
    .cursor_bytes = sizeof(struct items),
    .timed = true,
    .errors = ERRORS_COUNT,
    .begin = begin,
    .next = items_next,
    .completed = items_completed,
    .untold = ITEMS_UNTOLD,
    .planned = items_planned_once,
};
