/* The ranks with which one can share memory, as MPI sees them. */
#ifndef PARIO_COMM_MPI_NEIGHBOURS_H
#define PARIO_COMM_MPI_NEIGHBOURS_H

#include <stdbool.h>
#include <stdint.h>

struct mpi_neighbours {
    uint32_t lowest; /* of them, this rank among them */
    bool crowded;    /* they outnumber the cores that they may use together */
};

/* Collective; comm: an MPI_Comm *. */
struct mpi_neighbours mpi_neighbours_of(const void *comm);

#endif
