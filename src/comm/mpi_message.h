/* Messages between two ranks of a communicator, as comm.h promises them. */
#ifndef PARIO_COMM_MPI_MESSAGE_H
#define PARIO_COMM_MPI_MESSAGE_H

#include "comm/comm.h"

/* communicator: an MPI_Comm *. With virtual clocks a message's time goes with it, in another. */
void mpi_message_send(struct comm *c, const void *communicator, uint64_t to,
                      struct comm_message *m);
void mpi_message_receive(struct comm *c, const void *communicator, struct comm_message *m);
bool mpi_message_done(struct comm *c, struct comm_message *m);

#endif
