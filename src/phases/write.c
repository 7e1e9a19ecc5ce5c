#include "phases/transfers.h"

static void begin(struct cursor *c)
{
    const struct plan *p = c->plan;
    /* A shared file was created beforehand, by one rank; a file of its own is created by each rank
     * here, as part of what a checkpoint costs. */
    uint16_t create = p->file_per_process && !c->exists ? OP_FLAG_CREATE | OP_FLAG_EXCLUSIVE : 0;
    transfers_begin((struct transfers *)c, OP_WRITE, OP_FLAG_WRITE | create, OP_FLAG_FILL,
                    p->fsync);
}

const struct phase phase_write = {
    .name = "write",
    .sentence = "each rank writes its blocks, in order",
    .about = OP_WRITE,
    .needs = 1u << OP_OPEN | 1u << OP_WRITE | 1u << OP_CLOSE,
    .cursor_bytes = sizeof(struct transfers),
    .timed = true,
    .begin = begin,
    .next = transfers_next,
    .planned = transfers_planned,
};
