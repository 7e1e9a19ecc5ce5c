/* A tree of directories: every node but those of the last level has the same number of children.
 * Node 0 is the root, and the children of node k are k * branch + 1 .. k * branch + branch, so
 * nothing is stored and parents stand before their children. */
#ifndef PARIO_MODEL_TREE_H
#define PARIO_MODEL_TREE_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

#define TREE_DIRECTORIES_MOST (UINT64_C(1) << 40)

struct tree {
    uint64_t branch; /* children of a node, >= 1 */
    uint64_t depth;  /* levels below the root; 0: the root alone */
    uint64_t directories;
    uint64_t leaves; /* nodes of the last level: the highest numbers */
};

/* STATUS_USAGE where there would be more than TREE_DIRECTORIES_MOST directories. */
int tree_make(struct tree *t, uint64_t branch, uint64_t depth, struct error *e);

/* node > 0. */
static inline uint64_t tree_parent(const struct tree *t, uint64_t node)
{
    return (node - 1) / t->branch;
}

/* Appends the way from the root to a node, "/1/5" for node 5 of a tree of branch 3, to what ends at
 * to; nothing for the root. No NUL. Returns the new end, or NULL where it would not stand before
 * end. */
char *tree_way(const struct tree *t, uint64_t node, char *to, const char *end);
/* Characters of the longest way. */
uint64_t tree_longest_way(const struct tree *t);

#endif
