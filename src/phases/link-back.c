#include "phases/items.h"

static void begin(struct cursor *c)
{
    struct items *t = (struct items *)c;
    items_begin(t, OP_UNLINK, OBJECT_LINK, 0);
    items_once(t);
}

const struct phase phase_link_back = {
    .name = "link-back",
    .sentence = "second names of files are removed, outside the measured time",
    .about = OP_UNLINK,
    .needs = 1u << OP_UNLINK,
    .cursor_bytes = sizeof(struct items),
    .timed = false,
    .errors = ERRORS_IGNORE,
    .begin = begin,
    .next = items_next,
    .completed = items_completed,
    .untold = ITEMS_UNTOLD,
    .planned = items_planned_once,
};
