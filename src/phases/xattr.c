#include "phases/items.h"

static void begin(struct cursor *c)
{
    struct items *t = (struct items *)c;
    items_begin(t, OP_XATTR, OBJECT_FILE, 0);
}

const struct phase phase_xattr = {
    .name = "xattr",
    .sentence = "each rank sets an extended attribute of its files",
    .about = OP_XATTR,
    .needs = 1u << OP_XATTR,
    .cursor_bytes = sizeof(struct items),
    .timed = true,
    .errors = ERRORS_COUNT,
    .begin = begin,
    .next = items_next,
    .completed = items_completed,
    .untold = ITEMS_UNTOLD,
    .planned = items_planned,
};
