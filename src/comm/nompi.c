/* comm_mpi and its kin in a build without MPI. */
#include "base/text.h"
#include "comm/comm.h"

#include <stddef.h>

static int no_mpi(struct error *e)
{
    return error_set(e, STATUS_USAGE, "usage",
                     "this pario was built without MPI: use --threads N, or build it with MPI");
}

int comm_mpi_start(int *argc, char ***argv, struct error *e)
{
    (void)argc, (void)argv;
    return no_mpi(e);
}

struct comm *comm_mpi(const struct clock *clock, struct error *e)
{
    (void)clock;
    no_mpi(e);
    return NULL;
}

void comm_mpi_end(int64_t limit_ns, void (*give_up)(void *context), void *context)
{
    (void)limit_ns, (void)give_up, (void)context;
}

void comm_mpi_abort(int status)
{
    (void)status;
}

char *comm_mpi_version(char *buf, size_t bytes)
{
    return text_copy(buf, bytes, "none");
}

char *comm_mpi_threads(char *buf, size_t bytes)
{
    return text_copy(buf, bytes, "");
}
