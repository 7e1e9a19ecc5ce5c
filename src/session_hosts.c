#include "session_hosts.h"

#include "base/text.h"

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

static void record(struct report *report, const char **names, uint32_t nodes)
{
    struct text list = {0};
    for (uint32_t i = 0; i < nodes; i++)
        text_add(&list, "%s%s", i ? " " : "", names[i]);
    if (list.data && !list.failed)
        report_environment(report, "hosts", list.data, NULL);
    text_free(&list);
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
    if (names)
        record(report, names, comm->topology->nodes);
    return names;
}
