/* Memory held while a test runs, so that the node has less to cache with: -M. */
#ifndef PARIO_RUN_BALLAST_H
#define PARIO_RUN_BALLAST_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct ballast {
    void *memory;
    size_t bytes;
};

/* wanted: a size, or a share of the node's memory (80%), of a node, split among its ranks. Touches
 * every page. 0; -1 with STATUS_USAGE where it is no size or more than is available. */
int ballast_take(struct ballast *b, const char *wanted, uint64_t ranks_per_node, struct error *e);
void ballast_drop(struct ballast *b);

#endif
