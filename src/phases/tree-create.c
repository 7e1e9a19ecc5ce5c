#include "phases/nodes.h"

static void begin(struct cursor *c)
{
    nodes_begin((struct nodes *)c, OP_MKDIR, false);
}

const struct phase phase_tree_create = {
    .name = "tree-create",
    .sentence = "the directories of the tree are made, by one rank or by each its own",
    .about = OP_MKDIR,
    .needs = 1u << OP_MKDIR,
    .cursor_bytes = sizeof(struct nodes),
    .timed = true,
    .errors = ERRORS_STOP,
    .whole = true,
    .begin = begin,
    .next = nodes_next,
    .planned = nodes_planned,
};
