/* Pieces that ranks hand to the one that writes them. The receiver speaks first: 1, and the piece
 * is sent; 0, and the sender is dismissed. So a sender never has more than one piece under way, and
 * hears of it when the receiver has given up. */
#include "run/engine_parts.h"

enum io_state engine_send(void *io, const struct op *op, uint32_t slot, struct outcome *outcome)
{
    struct engine *e = io;
    struct comm *comm = e->job.comm;
    struct comm_message message;
    uint64_t go = 0;
    (void)slot;
    comm->ops->receive(comm, op->other, &go, sizeof go, &message);
    comm_wait(comm, &message);
    outcome->value = (int64_t)go;
    if (!go)
        return IO_DONE;
    comm->ops->send(comm, op->other, op->data, op->length_bytes, &message);
    comm_wait(comm, &message);
    return IO_DONE;
}

enum io_state engine_receive(void *io, const struct op *op, uint32_t slot, struct outcome *outcome)
{
    struct engine *e = io;
    struct comm *comm = e->job.comm;
    struct comm_message asked, message;
    uint64_t go = op->length_bytes > 0;
    (void)slot, (void)outcome;
    if (go)
        comm->ops->receive(comm, op->other, op->data, op->length_bytes, &message);
    comm->ops->send(comm, op->other, &go, sizeof go, &asked);
    comm_wait(comm, &asked);
    if (go)
        comm_wait(comm, &message);
    return IO_DONE;
}
