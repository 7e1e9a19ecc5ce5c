#include "phases/items.h"

static void begin(struct cursor *c)
{
    struct items *t = (struct items *)c;
    items_begin(t, OP_MKDIR, OBJECT_DIRECTORY, OP_FLAG_DIRECTORY);
    items_make(t);
}

const struct phase phase_mkdir = {
    .name = "mkdir",
    .sentence = "each rank makes its directories",
    .about = OP_MKDIR,
    .needs = 1u << OP_MKDIR,
    .cursor_bytes = sizeof(struct items),
    .timed = true,
    .errors = ERRORS_COUNT,
    .begin = begin,
    .next = items_next,
    .completed = items_completed,
    .untold = ITEMS_UNTOLD,
    .planned = items_planned_made,
};
