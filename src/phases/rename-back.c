#include "phases/items.h"

static void begin(struct cursor *c)
{
    struct items *t = (struct items *)c;
    items_begin(t, OP_RENAME, OBJECT_FILE_RENAMED, 0);
    items_once(t);
    t->other = OBJECT_FILE;
}

const struct phase phase_rename_back = {
    .name = "rename-back",
    .sentence = "renamed files get their names back, outside the measured time",
    .about = OP_RENAME,
    .needs = 1u << OP_RENAME,
    .cursor_bytes = sizeof(struct items),
    .timed = false,
    .errors = ERRORS_IGNORE,
    .begin = begin,
    .next = items_next,
    .completed = items_completed,
    .untold = ITEMS_UNTOLD,
    .planned = items_planned_once,
};
