/* What a deadline let each rank do, told to whoever goes on with it. */
#ifndef PARIO_RUN_COUNTS_H
#define PARIO_RUN_COUNTS_H

#include "comm/comm.h"

/* Collective: the number that rank source gave as mine. Memory: 8 bytes a rank on rank 0, for the
 * time of the call. -1 with an error on all ranks where that is not to be had. */
int counts_of(struct comm *comm, uint64_t mine, uint64_t source, uint64_t *theirs, struct error *e);

#endif
