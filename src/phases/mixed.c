#include "phases/transfers.h"

static void begin(struct cursor *c)
{
    transfers_begin((struct transfers *)c, OP_READ, OP_FLAG_READ | OP_FLAG_WRITE, 0,
                    c->plan->fsync);
}

const struct phase phase_mixed = {
    .name = "mixed",
    .sentence = "reads and writes in one phase, --read-percent of them reads",
    .about = OP_READ,
    .also = OP_WRITE,
    .needs = 1u << OP_OPEN | 1u << OP_READ | 1u << OP_WRITE | 1u << OP_CLOSE,
    .cursor_bytes = sizeof(struct transfers),
    .timed = true,
    .begin = begin,
    .next = transfers_next,
    .follow = transfers_follow,
    .completed = transfers_completed,
    .untold = TRANSFERS_UNTOLD,
    .planned = transfers_planned,
};
