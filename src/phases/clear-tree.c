#include "phases/nodes.h"

static void begin(struct cursor *c)
{
    nodes_begin((struct nodes *)c, OP_RMDIR, true);
}

const struct phase phase_clear_tree = {
    .name = "clear-tree",
    .sentence = "what is left of the trees of a run is removed, outside the measured time",
    .about = OP_RMDIR,
    .needs = 1u << OP_RMDIR,
    .cursor_bytes = sizeof(struct nodes),
    .timed = false,
    .errors = ERRORS_IGNORE,
    .whole = true,
    .begin = begin,
    .next = nodes_next,
    .planned = nodes_planned,
};
