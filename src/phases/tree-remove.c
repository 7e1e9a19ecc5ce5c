#include "phases/nodes.h"

static void begin(struct cursor *c)
{
    nodes_begin((struct nodes *)c, OP_RMDIR, true);
}

const struct phase phase_tree_remove = {
    .name = "tree-remove",
    .sentence = "the directories of the tree are removed",
    .about = OP_RMDIR,
    .needs = 1u << OP_RMDIR,
    .cursor_bytes = sizeof(struct nodes),
    .timed = true,
    .errors = ERRORS_COUNT,
    .whole = true,
    .begin = begin,
    .next = nodes_next,
    .planned = nodes_planned,
};
