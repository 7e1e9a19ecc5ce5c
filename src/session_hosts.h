/* Names of the nodes a run is on, for rank 0 to name slow ones by. */
#ifndef PARIO_SESSION_HOSTS_H
#define PARIO_SESSION_HOSTS_H

#include "comm/comm.h"
#include "model/result.h"

/* Collective. One name for each node of the comm's topology, on rank 0; also recorded in the report
 * as "hosts", and where each rank is as "rank_map". NULL elsewhere, where there are too many ranks
 * to gather from, or where memory runs out: names are left out then, and nothing else. Freed with
 * free(). */
const char **hosts_gather(struct comm *comm, struct report *report);

#endif
