/* Which rank runs on which node, as runs of equal node: one copy a node serves any number of ranks.
 */
#ifndef PARIO_MODEL_TOPOLOGY_H
#define PARIO_MODEL_TOPOLOGY_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct topology_run {
    uint64_t first_rank; /* ranks first_rank .. first_rank of the next run - 1 */
    uint32_t node;       /* 0 .. nodes-1, numbered in the order of their first rank */
};

struct topology {
    uint64_t ranks;
    uint32_t nodes;
    uint64_t runs_used;
    struct topology_run *runs; /* owned; sorted by first_rank */
    uint64_t most_per_node;
    uint64_t fewest_per_node;
};

/* From one node number per rank (any numbers; renumbered). Caller frees with topology_free. */
int topology_from_nodes(struct topology *t, const uint32_t *node_of_rank, uint64_t ranks,
                        struct error *e);
/* Regular placement: per_node ranks on each node; block (0..per_node-1 on node 0) or cyclic. */
int topology_regular(struct topology *t, uint64_t ranks, uint64_t per_node, bool cyclic,
                     struct error *e);
/* Takes over n runs (from malloc) as another rank made them; they are freed on failure too. */
int topology_from_runs(struct topology *t, struct topology_run *runs, uint64_t n, uint64_t ranks,
                       struct error *e);
/* O(log runs). */
uint32_t topology_node(const struct topology *t, uint64_t rank);
void topology_free(struct topology *t);

#endif
