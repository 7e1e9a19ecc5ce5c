#include "run/counts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

/* Numbers that travel at a time. */
#define CHUNK 8192

int counts_of(struct comm *comm, uint64_t mine, uint64_t source, uint64_t *theirs, struct error *e)
{
    uint64_t *all = NULL, ready = 1, chunk[CHUNK];
    if (comm->rank == 0 && !(all = malloc(comm->size * sizeof *all)))
        ready = 0;
    comm->ops->broadcast(comm, 0, &ready, sizeof ready);
    if (!ready)
        return error_errno(e, ENOMEM, "memory for the counts of %" PRIu64 " ranks", comm->size);
    comm->ops->gather(comm, &mine, sizeof mine, all);
    for (uint64_t first = 0; first < comm->size; first += CHUNK) {
        uint64_t n = comm->size - first < CHUNK ? comm->size - first : CHUNK;
        for (uint64_t i = 0; all && i < n; i++)
            chunk[i] = all[first + i];
        comm->ops->broadcast(comm, 0, chunk, n * sizeof *chunk);
        if (source >= first && source < first + n)
            *theirs = chunk[source - first];
    }
    free(all);
    return 0;
}
