#include "phases/transfers.h"

static void begin(struct cursor *c)
{
    transfers_begin((struct transfers *)c, OP_READ, OP_FLAG_READ, OP_FLAG_CHECK, false);
}

const struct phase phase_write_check = {
    .name = "write-check",
    .sentence = "what was written is read and compared",
    .about = OP_READ,
    .needs = 1u << OP_OPEN | 1u << OP_READ | 1u << OP_CLOSE,
    .cursor_bytes = sizeof(struct transfers),
    .timed = true,
    .begin = begin,
    .next = transfers_next,
    .completed = transfers_completed,
    .untold = TRANSFERS_UNTOLD,
    .planned = transfers_planned,
};
