#include "phases/items.h"

static void begin(struct cursor *c)
{
    struct items *t = (struct items *)c;
    items_begin(t, OP_LINK, OBJECT_FILE, 0);
    items_once(t);
    t->other = OBJECT_LINK;
}

const struct phase phase_link = {
    .name = "link",
    .sentence = "each rank gives its files a second name",
    .about = OP_LINK,
    .needs = 1u << OP_LINK,
    .cursor_bytes = sizeof(struct items),
    .timed = true,
    .errors = ERRORS_COUNT,
    .begin = begin,
    .next = items_next,
    .completed = items_completed,
    .untold = ITEMS_UNTOLD,
    .planned = items_planned_once,
};
