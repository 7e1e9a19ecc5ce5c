/* Telling all ranks of a communicator that the run must stop, without their waiting for it. */
#ifndef PARIO_COMM_MPI_NOTICE_H
#define PARIO_COMM_MPI_NOTICE_H

struct mpi_notices;

/* Collective over *communicator (an MPI_Comm *), of which it makes a copy of its own. Never NULL:
 * ends the job where it fails. The caller frees. */
struct mpi_notices *mpi_notices_make(const void *communicator);

/* Tells all ranks, once until the next settle; reason > 0. Never waits. */
void mpi_notices_raise(struct mpi_notices *n, int reason);

/* Takes in what has come and passes it on. 0, or a reason that somebody raised. */
int mpi_notices_raised(struct mpi_notices *n);

/* What is known without looking. */
int mpi_notices_known(const struct mpi_notices *n);

/* All ranks at once, if any of them knows a notice; any > 0 is one that was raised, the same or not
 * on all ranks. Afterwards none is under way or known. */
void mpi_notices_settle(struct mpi_notices *n, int any);

/* Collective; no notice may be under way. */
void mpi_notices_free(struct mpi_notices *n);

#endif
