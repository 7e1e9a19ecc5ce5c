/* Once it is empty. */
#include "phases/home.h"

static enum step next(struct cursor *c, struct op *op)
{
    return home_next(c, op, OP_RMDIR);
}

const struct phase phase_home_remove = {
    .name = "home-remove",
    .sentence = "the directory that holds the trees is removed, outside the measured time",
    .about = OP_RMDIR,
    .needs = 1u << OP_RMDIR,
    .cursor_bytes = sizeof(struct home_cursor),
    .timed = false,
    .begin = home_begin,
    .next = next,
    .planned = home_planned,
};
