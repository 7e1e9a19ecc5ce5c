#include "phases/transfers.h"

static void begin(struct cursor *c)
{
    transfers_begin((struct transfers *)c, OP_READ, OP_FLAG_READ,
                    c->plan->check_read ? OP_FLAG_CHECK : 0, false);
}

const struct phase phase_read = {
    .name = "read",
    .sentence =
        "each rank reads its blocks, or with -C those of another, and with -R compares them",
    .about = OP_READ,
    .needs = 1u << OP_OPEN | 1u << OP_READ | 1u << OP_CLOSE,
    .cursor_bytes = sizeof(struct transfers),
    .timed = true,
    .begin = begin,
    .next = transfers_next,
    .follow = transfers_follow,
    .completed = transfers_completed,
    .untold = TRANSFERS_UNTOLD,
    .planned = transfers_planned,
};
