#include "phases/transfers.h"

static void begin(struct cursor *c)
{
    const struct plan *p = c->plan;
    uint16_t create = 0;
    /* A shared file was created beforehand, by one rank; a file of its own is created by each rank
     * here, as part of what a checkpoint costs. */
    if (p->file_per_process && !c->exists)
        create = OP_FLAG_CREATE | OP_FLAG_EXCLUSIVE;
    else if (p->time_create)
        create = OP_FLAG_CREATE;
    uint16_t flags = OP_FLAG_FILL | (p->fsync_each ? OP_FLAG_CHAINED : 0);
    transfers_begin((struct transfers *)c, OP_WRITE, OP_FLAG_WRITE | create, flags, p->fsync);
}

const struct phase phase_write = {
    .name = "write",
    .sentence = "each rank writes its blocks",
    .about = OP_WRITE,
    .needs = 1u << OP_OPEN | 1u << OP_WRITE | 1u << OP_CLOSE,
    .cursor_bytes = sizeof(struct transfers),
    .timed = true,
    .begin = begin,
    .next = transfers_next,
    .follow = transfers_follow,
    .completed = transfers_completed,
    .untold = TRANSFERS_UNTOLD,
    .planned = transfers_planned,
};
