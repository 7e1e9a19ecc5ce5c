/* The MPI comm of a build without MPI: it says so. */
#include "comm/comm.h"

#include <stdio.h>

int comm_mpi_start(int *argc, char ***argv, struct error *e)
{
    (void)argc, (void)argv;
    return error_set(e, STATUS_USAGE, "usage", "this pario was built without MPI");
}

struct comm *comm_mpi(const struct clock *clock, struct error *e)
{
    (void)clock;
    error_set(e, STATUS_USAGE, "usage", "this pario was built without MPI");
    return NULL;
}

void comm_mpi_end(void)
{
}

void comm_mpi_abort(int status)
{
    (void)status;
}

char *comm_mpi_version(char *buf, size_t bytes)
{
    snprintf(buf, bytes, "none");
    return buf;
}
