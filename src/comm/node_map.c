/* Rank 0 alone sees something of each rank, for a moment; the others are given the runs. A failure
 * of rank 0 is one of all: no run is the sign of it. */
#include "comm/node_map.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

static int no_memory(const struct comm *c, struct error *e)
{
    return error_errno(e, ENOMEM, "map of nodes of %" PRIu64 " ranks", c->size);
}

/* On rank 0: what there is of each rank, in rank order; NULL where memory is short, on all ranks.
 */
static void *gather_all(struct comm *c, const void *mine, size_t bytes)
{
    void *all = c->rank == 0 ? malloc(c->size * bytes) : NULL;
    uint64_t ready = all != NULL;

    c->ops->broadcast(c, 0, &ready, sizeof ready);
    if (ready)
        c->ops->gather(c, mine, bytes, all);
    return all;
}

/* t is rank 0's, and empty elsewhere. */
static int share_runs(struct comm *c, struct topology *t, struct error *e)
{
    uint64_t used = t->runs != NULL ? t->runs_used : 0;

    c->ops->broadcast(c, 0, &used, sizeof used);
    if (used == 0)
        return c->rank == 0 ? -1 : no_memory(c, e);
    if (c->rank == 0) {
        c->ops->broadcast(c, 0, t->runs, used * sizeof *t->runs);
        return 0;
    }
    struct topology_run *runs = malloc(used * sizeof *runs);

    if (runs == NULL)
        return no_memory(c, e);
    c->ops->broadcast(c, 0, runs, used * sizeof *runs);
    return topology_from_runs(t, runs, used, c->size, e);
}

int node_map_share(struct comm *c, uint32_t node, struct topology *t, struct error *e)
{
    uint32_t *nodes = gather_all(c, &node, sizeof node);

    *t = (struct topology){0};
    if (c->rank == 0 && nodes == NULL)
        no_memory(c, e);
    if (nodes != NULL)
        topology_from_nodes(t, nodes, c->size, e);
    free(nodes);
    return share_runs(c, t, e);
}

int node_map_join(struct comm *c, const struct node_sign *sign, struct topology *t, struct error *e)
{
    struct node_sign *signs = gather_all(c, sign, sizeof *sign);
    uint32_t *nodes = signs != NULL ? malloc(c->size * sizeof *nodes) : NULL;

    *t = (struct topology){0};
    if (c->rank == 0 && nodes == NULL)
        no_memory(c, e);
    if (nodes != NULL && node_join(signs, c->size, nodes, e) == 0)
        topology_from_nodes(t, nodes, c->size, e);
    free(nodes);
    free(signs);
    return share_runs(c, t, e);
}
