#include "comm/mpi_message.h"

#include "comm/mpi_must.h"

#include <limits.h>
#include <mpi.h>
#include <string.h>

enum { TAG_DATA = 1, TAG_TIME = 2, PARTS = 2 };

_Static_assert(sizeof(MPI_Request) <= sizeof((struct comm_message *)0)->request[0],
               "a request fits into a message");

static void keep(struct comm_message *m, int part, MPI_Request request)
{
    memcpy(m->request[part], &request, sizeof request);
}

static int count_of(const struct comm_message *m)
{
    if (m->bytes > INT_MAX)
        mpi_die("a message", "2 GiB and more cannot be sent at once");
    return (int)m->bytes;
}

void mpi_message_send(struct comm *c, const void *communicator, uint64_t to, struct comm_message *m)
{
    const MPI_Comm *of = communicator;
    MPI_Request data = MPI_REQUEST_NULL, time = MPI_REQUEST_NULL;

    mpi_must(MPI_Isend(m->data, count_of(m), MPI_BYTE, (int)to, TAG_DATA, *of, &data), "MPI_Isend");
    if (c->clock->is_virtual) {
        m->time_ns = c->clock->now_ns(c->clock);
        mpi_must(MPI_Isend(&m->time_ns, 1, MPI_INT64_T, (int)to, TAG_TIME, *of, &time),
                 "MPI_Isend");
    }
    keep(m, 0, data);
    keep(m, 1, time);
}

void mpi_message_receive(struct comm *c, const void *communicator, struct comm_message *m)
{
    const MPI_Comm *of = communicator;
    MPI_Request data = MPI_REQUEST_NULL, time = MPI_REQUEST_NULL;
    int from = (int)m->from;

    mpi_must(MPI_Irecv(m->data, count_of(m), MPI_BYTE, from, TAG_DATA, *of, &data), "MPI_Irecv");
    if (c->clock->is_virtual)
        mpi_must(MPI_Irecv(&m->time_ns, 1, MPI_INT64_T, from, TAG_TIME, *of, &time), "MPI_Irecv");
    keep(m, 0, data);
    keep(m, 1, time);
}

bool mpi_message_done(struct comm *c, struct comm_message *m)
{
    for (int part = 0; part < PARTS; part++) {
        MPI_Request request;
        int done = 0;

        memcpy(&request, m->request[part], sizeof request);
        mpi_must(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
        keep(m, part, request);
        if (!done)
            return false;
    }
    if (!m->is_send && c->clock->is_virtual)
        c->clock->sleep_until(c->clock, m->time_ns);
    return true;
}
