#include "phases/items.h"

static void begin(struct cursor *c)
{
    struct items *t = (struct items *)c;
    items_begin(t, OP_RENAME, OBJECT_DIRECTORY, 0);
    t->other = OBJECT_DIRECTORY_RENAMED;
}

const struct phase phase_dir_rename = {
    .name = "dir-rename",
    .sentence = "each rank renames its directories",
    .about = OP_RENAME,
    .needs = 1u << OP_RENAME,
    .cursor_bytes = sizeof(struct items),
    .timed = true,
    .errors = ERRORS_COUNT,
    .begin = begin,
    .next = items_next,
    .completed = items_completed,
    .untold = ITEMS_UNTOLD,
    .planned = items_planned,
};
