#include "session_hosts.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>

#define HOST_BYTES 64
#define MOST_RANKS 65536 /* 4 MiB for a moment */

/* Pointers, and the names behind them in the same block. */
static const char **names_of_nodes(const char *all, const struct comm *comm)
{
    const struct topology *t = comm->topology;
    const char **names = calloc(t->nodes, sizeof *names + HOST_BYTES);
    if (!names)
        return NULL;
    char *words = (char *)(names + t->nodes);
    for (uint64_t rank = comm->size; rank-- > 0;) {
        uint32_t node = topology_node(t, rank);
        names[node] = text_copy(words + (size_t)node * HOST_BYTES, HOST_BYTES,
                                all + (size_t)rank * HOST_BYTES);
    }
    return names;
}

static void record(struct report *report, const char *key, struct text *value)
{
    if (value->data && !value->failed)
        report_environment(report, key, value->data, NULL);
    text_free(value);
}

static void record_hosts(struct report *report, const char **names, uint32_t nodes)
{
    struct text list = {0};
    for (uint32_t i = 0; i < nodes; i++)
        text_add(&list, "%s%s", i ? " " : "", names[i]);
    record(report, "hosts", &list);
}

/* "0-2:node1 3:node2 4-5:node1"; what is too long for a fact is cut there. */
static void record_map(struct report *report, const char **names, const struct topology *t)
{
    struct text map = {0};
    struct fact_text fact;
    for (uint64_t i = 0; i < t->runs_used && map.used < sizeof fact.value; i++) {
        uint64_t first = t->runs[i].first_rank;
        uint64_t last = (i + 1 < t->runs_used ? t->runs[i + 1].first_rank : t->ranks) - 1;
        text_add(&map, i ? " %" PRIu64 : "%" PRIu64, first);
        if (last > first)
            text_add(&map, "-%" PRIu64, last);
        text_add(&map, ":%s", names[t->runs[i].node]);
    }
    record(report, "rank_map", &map);
}

const char **hosts_gather(struct comm *comm, struct report *report)
{
    char mine[HOST_BYTES] = "";
    char *all = NULL;
    uint64_t ready = 1;
    if (comm->size > MOST_RANKS)
        return NULL;
    if (comm->rank == 0 && !(all = malloc(comm->size * HOST_BYTES)))
        ready = 0;
    comm->ops->broadcast(comm, 0, &ready, sizeof ready);
    if (!ready)
        return NULL;
    text_copy(mine, sizeof mine, comm->host ? comm->host : "");
    comm->ops->gather(comm, mine, sizeof mine, all);
    const char **names = all ? names_of_nodes(all, comm) : NULL;
    free(all);
    if (names) {
        record_hosts(report, names, comm->topology->nodes);
        record_map(report, names, comm->topology);
    }
    return names;
}
