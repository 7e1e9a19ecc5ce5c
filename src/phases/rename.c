#include "phases/items.h"

static void begin(struct cursor *c)
{
    struct items *t = (struct items *)c;
    items_begin(t, OP_RENAME, OBJECT_FILE, 0);
    items_once(t);
    t->other = OBJECT_FILE_RENAMED;
}

const struct phase phase_rename = {
    .name = "rename",
    .sentence = "each rank renames its files",
    .about = OP_RENAME,
    .needs = 1u << OP_RENAME,
    .cursor_bytes = sizeof(struct items),
    .timed = true,
    .errors = ERRORS_COUNT,
    .begin = begin,
    .next = items_next,
    .completed = items_completed,
    .untold = ITEMS_UNTOLD,
    .planned = items_planned_once,
};
