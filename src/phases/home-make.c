/* That it does not exist yet is part of it. */
#include "phases/home.h"

static enum step next(struct cursor *c, struct op *op)
{
    return home_next(c, op, OP_MKDIR);
}

const struct phase phase_home_make = {
    .name = "home-make",
    .sentence = "the directory that holds the trees is made, outside the measured time",
    .about = OP_MKDIR,
    .needs = 1u << OP_MKDIR,
    .cursor_bytes = sizeof(struct home_cursor),
    .timed = false,
    .begin = home_begin,
    .next = next,
    .planned = home_planned,
};
