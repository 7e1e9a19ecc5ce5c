#include "model/topology.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

static int no_memory(uint64_t ranks, struct error *e)
{
    return error_errno(e, ENOMEM, "node map of %" PRIu64 " ranks", ranks);
}

static uint64_t run_end(const struct topology *t, uint64_t run)
{
    return run + 1 < t->runs_used ? t->runs[run + 1].first_rank : t->ranks;
}

/* Counts ranks per node; the runs are complete and their nodes numbered 0 .. nodes-1. */
static int count_nodes(struct topology *t, struct error *e)
{
    uint64_t *ranks_of = calloc(t->nodes, sizeof *ranks_of);
    if (!ranks_of)
        return no_memory(t->ranks, e);
    for (uint64_t i = 0; i < t->runs_used; i++)
        ranks_of[t->runs[i].node] += run_end(t, i) - t->runs[i].first_rank;
    t->most_per_node = 0;
    t->fewest_per_node = UINT64_MAX;
    for (uint32_t node = 0; node < t->nodes; node++) {
        if (ranks_of[node] > t->most_per_node)
            t->most_per_node = ranks_of[node];
        if (ranks_of[node] < t->fewest_per_node)
            t->fewest_per_node = ranks_of[node];
    }
    free(ranks_of);
    return 0;
}

/* By node, then by rank. */
static int by_node(const void *a, const void *b)
{
    const struct topology_run *x = a;
    const struct topology_run *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return (x->first_rank > y->first_rank) - (x->first_rank < y->first_rank);
}

static int by_rank(const void *a, const void *b)
{
    const struct topology_run *x = a;
    const struct topology_run *y = b;
    return (x->first_rank > y->first_rank) - (x->first_rank < y->first_rank);
}

/* Numbers nodes in the order of their first rank: sorted by node, the first run of each group names
 * the rank; sorted by that rank, the place is the new number. */
static int renumber(struct topology *t, struct error *e)
{
    struct topology_run *leaders = calloc(t->runs_used, sizeof *leaders);
    if (!leaders)
        return no_memory(t->ranks, e);
    qsort(t->runs, t->runs_used, sizeof *t->runs, by_node);
    uint32_t nodes = 0;
    for (uint64_t i = 0; i < t->runs_used; i++) {
        uint32_t node = t->runs[i].node;
        if (i == 0 || node != leaders[nodes - 1].node)
            leaders[nodes++] = t->runs[i];
        t->runs[i].node = nodes - 1; /* the place of its group */
    }
    for (uint32_t group = 0; group < nodes; group++)
        leaders[group].node = group;
    qsort(leaders, nodes, sizeof *leaders, by_rank);
    uint32_t *number_of = calloc(nodes, sizeof *number_of);
    if (number_of)
        for (uint32_t number = 0; number < nodes; number++)
            number_of[leaders[number].node] = number;
    for (uint64_t i = 0; number_of && i < t->runs_used; i++)
        t->runs[i].node = number_of[t->runs[i].node];
    qsort(t->runs, t->runs_used, sizeof *t->runs, by_rank);
    t->nodes = nodes;
    bool done = number_of != NULL;
    free(number_of);
    free(leaders);
    return done ? 0 : no_memory(t->ranks, e);
}

int topology_from_nodes(struct topology *t, const uint32_t *node_of_rank, uint64_t ranks,
                        struct error *e)
{
    *t = (struct topology){.ranks = ranks};
    for (uint64_t rank = 0; rank < ranks; rank++)
        t->runs_used += rank == 0 || node_of_rank[rank] != node_of_rank[rank - 1];
    if (ranks == 0)
        return error_set(e, STATUS_FAILED, "internal", "a node map needs at least one rank");
    t->runs = calloc(t->runs_used, sizeof *t->runs);
    if (!t->runs)
        return no_memory(ranks, e);
    uint64_t run = 0;
    for (uint64_t rank = 0; rank < ranks; rank++)
        if (rank == 0 || node_of_rank[rank] != node_of_rank[rank - 1])
            t->runs[run++] = (struct topology_run){.first_rank = rank, .node = node_of_rank[rank]};
    if (renumber(t, e) || count_nodes(t, e)) {
        topology_free(t);
        return -1;
    }
    return 0;
}

int topology_regular(struct topology *t, uint64_t ranks, uint64_t per_node, bool cyclic,
                     struct error *e)
{
    *t = (struct topology){.ranks = ranks};
    if (ranks == 0 || per_node == 0)
        return error_set(e, STATUS_FAILED, "internal",
                         "a node map needs at least one rank and one rank per node");
    uint64_t nodes = ranks / per_node + (ranks % per_node != 0);
    if (nodes > UINT32_MAX)
        return error_set(e, STATUS_USAGE, "usage",
                         "%" PRIu64 " ranks at %" PRIu64 " per node are more than %" PRIu32
                         " nodes",
                         ranks, per_node, UINT32_MAX);
    cyclic = cyclic && nodes > 1;
    t->nodes = (uint32_t)nodes;
    t->runs_used = cyclic ? ranks : nodes;
    t->runs = calloc(t->runs_used, sizeof *t->runs);
    if (!t->runs)
        return no_memory(ranks, e);
    for (uint64_t i = 0; i < t->runs_used; i++)
        t->runs[i] = (struct topology_run){.first_rank = cyclic ? i : i * per_node,
                                           .node = (uint32_t)(cyclic ? i % nodes : i)};
    if (count_nodes(t, e)) {
        topology_free(t);
        return -1;
    }
    return 0;
}

int topology_from_runs(struct topology *t, struct topology_run *runs, uint64_t n, uint64_t ranks,
                       struct error *e)
{
    *t = (struct topology){.ranks = ranks, .runs_used = n, .runs = runs};
    bool sound = n > 0 && runs[0].first_rank == 0;
    for (uint64_t i = 0; sound && i < n; i++) {
        sound = runs[i].first_rank < run_end(t, i) && runs[i].node <= t->nodes;
        t->nodes += sound && runs[i].node == t->nodes;
    }
    if (!sound)
        error_set(e, STATUS_FAILED, "internal", "the node map of %" PRIu64 " ranks is broken",
                  ranks);
    if (!sound || count_nodes(t, e)) {
        topology_free(t);
        return -1;
    }
    return 0;
}

uint32_t topology_node(const struct topology *t, uint64_t rank)
{
    uint64_t low = 0;
    uint64_t high = t->runs_used; /* the run sought is in [low, high) */
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (t->runs[middle].first_rank <= rank)
            low = middle;
        else
            high = middle;
    }
    return t->runs[low].node;
}

void topology_free(struct topology *t)
{
    free(t->runs);
    *t = (struct topology){0};
}
