/* Rank 0 alone sees a number per rank, for a moment; the others are given the runs. */
#include "comm/node_map.h"

#include <errno.h>
#include <stdlib.h>

static int make_runs(struct comm *c, uint32_t node, struct topology *t, struct error *e)
{
    uint32_t *nodes = malloc(c->size * sizeof *nodes);

    if (nodes == NULL)
        return error_errno(e, errno, "map of nodes of %llu ranks", (unsigned long long)c->size);
    c->ops->gather(c, &node, sizeof node, nodes);
    int failed = topology_from_nodes(t, nodes, c->size, e);

    free(nodes);
    if (failed)
        return -1;
    c->ops->broadcast(c, 0, &t->runs_used, sizeof t->runs_used);
    c->ops->broadcast(c, 0, t->runs, t->runs_used * sizeof *t->runs);
    return 0;
}

static int take_runs(struct comm *c, uint32_t node, struct topology *t, struct error *e)
{
    uint64_t used = 0;

    c->ops->gather(c, &node, sizeof node, NULL);
    c->ops->broadcast(c, 0, &used, sizeof used);
    struct topology_run *runs = malloc(used * sizeof *runs);

    if (runs == NULL)
        return error_errno(e, errno, "map of nodes of %llu ranks", (unsigned long long)c->size);
    c->ops->broadcast(c, 0, runs, used * sizeof *runs);
    return topology_from_runs(t, runs, used, c->size, e);
}

int node_map_share(struct comm *c, uint32_t node, struct topology *t, struct error *e)
{
    return c->rank == 0 ? make_runs(c, node, t, e) : take_runs(c, node, t, e);
}
