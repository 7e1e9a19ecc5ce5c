/* What the files that speak MPI share: a call that must not fail. Without mpi.h. */
#ifndef PARIO_COMM_MPI_MUST_H
#define PARIO_COMM_MPI_MUST_H

/* Ends the job with a message that names rank, host and what, unless code is MPI_SUCCESS. */
void mpi_must(int code, const char *what);

/* Ends the job with a message. */
void mpi_die(const char *what, const char *why);

#endif
