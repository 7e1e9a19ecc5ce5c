#include "phases/items.h"

static void begin(struct cursor *c)
{
    struct items *t = (struct items *)c;
    items_begin(t, OP_RENAME, OBJECT_DIRECTORY_RENAMED, 0);
    t->other = OBJECT_DIRECTORY;
}

const struct phase phase_dir_rename_back = {
    .name = "dir-rename-back",
    .sentence = "renamed directories get their names back, outside the measured time",
    .about = OP_RENAME,
    .needs = 1u << OP_RENAME,
    .cursor_bytes = sizeof(struct items),
    .timed = false,
    .errors = ERRORS_IGNORE,
    .begin = begin,
    .next = items_next,
    .completed = items_completed,
    .untold = ITEMS_UNTOLD,
    .planned = items_planned,
};
