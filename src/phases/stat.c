#include "phases/items.h"

static void begin(struct cursor *c)
{
    struct items *t = (struct items *)c;
    items_begin(t, OP_STAT, OBJECT_FILE, 0);
    if (t->m->random)
        items_shuffle(t, OP_STAT);
}

const struct phase phase_stat = {
    .name = "stat",
    .sentence = "each rank looks up the attributes of its files",
    .about = OP_STAT,
    .needs = 1u << OP_STAT,
    .cursor_bytes = sizeof(struct items),
    .timed = true,
    .errors = ERRORS_COUNT,
    .begin = begin,
    .next = items_next,
    .completed = items_completed,
    .untold = ITEMS_UNTOLD,
    .planned = items_planned,
};
