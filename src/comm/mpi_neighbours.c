#include "comm/mpi_neighbours.h"

#include "comm/mpi_must.h"

#include <mpi.h>
#include <sched.h>

struct mpi_neighbours mpi_neighbours_of(const void *comm)
{
    const MPI_Comm *all = comm;
    MPI_Comm node = MPI_COMM_NULL;
    struct mpi_neighbours near;
    cpu_set_t cores;
    int rank = 0, ranks = 0;

    mpi_must(MPI_Comm_rank(*all, &rank), "MPI_Comm_rank");
    mpi_must(MPI_Comm_split_type(*all, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node),
             "MPI_Comm_split_type");
    mpi_must(MPI_Comm_size(node, &ranks), "MPI_Comm_size");
    near.lowest = (uint32_t)rank;
    mpi_must(MPI_Bcast(&near.lowest, 1, MPI_UINT32_T, 0, node), "MPI_Bcast");
    if (sched_getaffinity(0, sizeof cores, &cores) != 0)
        CPU_ZERO(&cores);
    mpi_must(MPI_Allreduce(MPI_IN_PLACE, &cores, sizeof cores, MPI_BYTE, MPI_BOR, node),
             "MPI_Allreduce");
    mpi_must(MPI_Comm_free(&node), "MPI_Comm_free");
    near.crowded = CPU_COUNT(&cores) > 0 && ranks > CPU_COUNT(&cores);
    return near;
}
