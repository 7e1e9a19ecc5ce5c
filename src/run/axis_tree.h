/* A tree over all ranks that crosses between nodes once for each node: the first ranks of the nodes
 * make a binomial tree, and below each stand the ranks of its node in another. */
#ifndef PARIO_RUN_AXIS_TREE_H
#define PARIO_RUN_AXIS_TREE_H

#include "model/topology.h"

#include <stdint.h>

enum { AXIS_TREE_CHILDREN = 2 * 64 };

struct axis_tree { /* as one rank sees it */
    bool is_root;
    uint64_t parent; /* rank */
    uint32_t children_used;
    uint64_t children[AXIS_TREE_CHILDREN]; /* ranks, those with the most below them first */
};

/* O(runs) time, no memory. */
struct axis_tree axis_tree_of(const struct topology *t, uint64_t rank);

#endif
