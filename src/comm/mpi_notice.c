/* A rank that hears of a notice for the first time, or raises one, sends it to the ranks 1, 2, 4,
 * 8,
 * ... after its own, once until the next settle. So news gets from anyone to everyone in log2(size)
 * hops; a rank sends and receives at most log2(size) messages however many ranks raise; and
 * settling needs no counts: when any rank knows a notice, all send theirs, and each receives
 * exactly one from each of the ranks 1, 2, 4, 8, ... before its own. */
#include "comm/mpi_notice.h"

#include "comm/mpi_must.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum {
    TAG_NOTICE = 1,
    MOST_NEIGHBOURS = 31 /* at distances 2^0 .. 2^30: ranks are ints */
};

struct mpi_notices {
    MPI_Comm communicator; /* of its own: nobody else's messages are met there */
    int64_t rank;
    int64_t size;
    int neighbours; /* distances 2^0 .. 2^(neighbours - 1) are below size */
    int reason;     /* sent to the neighbours; 0: none */
    uint32_t heard; /* bit k: the message of the rank 2^k before this one was received */
    MPI_Request sends[MOST_NEIGHBOURS];
};

struct mpi_notices *mpi_notices_make(const void *communicator)
{
    struct mpi_notices *n = calloc(1, sizeof *n);
    int rank = 0, size = 0;

    if (n == NULL) {
        mpi_die("notices", "out of memory");
        return NULL;
    }
    mpi_must(MPI_Comm_dup(*(const MPI_Comm *)communicator, &n->communicator), "MPI_Comm_dup");
    mpi_must(MPI_Comm_rank(n->communicator, &rank), "MPI_Comm_rank");
    mpi_must(MPI_Comm_size(n->communicator, &size), "MPI_Comm_size");
    n->rank = rank;
    n->size = size;
    while (n->neighbours < MOST_NEIGHBOURS && (INT64_C(1) << n->neighbours) < size)
        n->neighbours++;
    return n;
}

void mpi_notices_raise(struct mpi_notices *n, int reason)
{
    if (n->reason != 0)
        return;
    n->reason = reason; /* the message: stays as it is until settle has waited for the sends */
    for (int k = 0; k < n->neighbours; k++) {
        int to = (int)((n->rank + (INT64_C(1) << k)) % n->size);

        mpi_must(MPI_Isend(&n->reason, 1, MPI_INT, to, TAG_NOTICE, n->communicator, &n->sends[k]),
                 "MPI_Isend");
    }
}

static void receive(struct mpi_notices *n, int from)
{
    int64_t distance = (n->rank - from + n->size) % n->size;
    int reason = 0;

    mpi_must(MPI_Recv(&reason, 1, MPI_INT, from, TAG_NOTICE, n->communicator, MPI_STATUS_IGNORE),
             "MPI_Recv");
    n->heard |= (uint32_t)distance; /* 2^k: bit k */
    mpi_notices_raise(n, reason);
}

int mpi_notices_raised(struct mpi_notices *n)
{
    for (;;) {
        MPI_Status status;
        int waiting = 0;

        mpi_must(MPI_Iprobe(MPI_ANY_SOURCE, TAG_NOTICE, n->communicator, &waiting, &status),
                 "MPI_Iprobe");
        if (!waiting)
            return n->reason;
        receive(n, status.MPI_SOURCE);
    }
}

int mpi_notices_known(const struct mpi_notices *n)
{
    return n->reason;
}

/* A rank that is ahead may have raised anew already. Messages of one sender do not overtake each
 * other, so receiving one from each takes in the old notices only. */
void mpi_notices_settle(struct mpi_notices *n, int any)
{
    mpi_notices_raise(n, any);
    for (int k = 0; k < n->neighbours; k++) {
        if ((n->heard >> k & 1) == 0)
            receive(n, (int)((n->rank - (INT64_C(1) << k) + n->size) % n->size));
        mpi_must(MPI_Wait(&n->sends[k], MPI_STATUS_IGNORE), "MPI_Wait");
    }
    n->reason = 0;
    n->heard = 0;
}

void mpi_notices_free(struct mpi_notices *n)
{
    mpi_must(MPI_Comm_free(&n->communicator), "MPI_Comm_free");
    free(n);
}
