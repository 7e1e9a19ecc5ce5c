#include "phases/transfers.h"

static void begin(struct cursor *c)
{
    uint16_t create =
        c->plan->file_per_process && !c->exists ? OP_FLAG_CREATE | OP_FLAG_EXCLUSIVE : 0;
    transfers_begin((struct transfers *)c, OP_WRITE, OP_FLAG_WRITE | create, OP_FLAG_FILL, true);
}

const struct phase phase_layout = {
    .name = "layout",
    .sentence = "the file that will be met at random is written, outside the measured time",
    .about = OP_WRITE,
    .needs = 1u << OP_OPEN | 1u << OP_WRITE | 1u << OP_SYNC | 1u << OP_CLOSE,
    .cursor_bytes = sizeof(struct transfers),
    .timed = false,
    .begin = begin,
    .next = transfers_next,
    .follow = transfers_follow,
    .completed = transfers_completed,
    .untold = TRANSFERS_UNTOLD,
    .planned = transfers_planned,
};
