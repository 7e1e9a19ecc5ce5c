/* Memory that a checkpoint is copied into, so that the program can go on while it is written:
 * --staging. */
#ifndef PARIO_RUN_STAGING_H
#define PARIO_RUN_STAGING_H

#include "base/error.h"

#include <stdint.h>

struct staging {
    char *memory; /* NULL: none */
    uint64_t bytes;
};

/* bytes 0: none. Touches every page. 0; -1 with STATUS_USAGE where that many for each rank of the
 * node are more than is available, or no memory is left. */
int staging_take(struct staging *s, uint64_t bytes, uint64_t ranks_per_node, struct error *e);
void staging_drop(struct staging *s);

/* Copies as many bytes as a program would from its own memory to offset (modulo the size). Its own
 * are those that lie half of the area away: not in the processor's caches where the area is larger
 * than they. */
void staging_copy(const struct staging *s, uint64_t offset, uint64_t bytes);

#endif
