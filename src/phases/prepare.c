/* The files are made before the first phase, outside of every measured time: a shared one by rank
 * 0, so that the timed open of a thousand ranks meets a file that is there. */
#include "phases/phase.h"

struct prepare {
    struct cursor base;
    uint32_t state;
};

static enum step next(struct cursor *c, struct op *op)
{
    struct prepare *p = (struct prepare *)c;
    bool mine =
        !c->plan->file_per_process && c->real_rank == 0 && !c->exists && !c->plan->time_create;
    if (!mine || c->stopping || p->state >= 2)
        return STEP_END;
    *op = (struct op){.kind = p->state ? OP_CLOSE : OP_CREATE,
                      .order = ORDER_DRAIN,
                      .flags = p->state ? 0 : OP_FLAG_WRITE | OP_FLAG_CREATE | OP_FLAG_EXCLUSIVE};
    p->state++;
    return STEP_OP;
}

static uint64_t planned(const struct plan *plan, uint64_t rank)
{
    return !plan->file_per_process && rank == 0 ? 1 : 0;
}

static void begin(struct cursor *c)
{
    (void)c;
}

const struct phase phase_prepare = {
    .name = "prepare",
    .sentence = "one rank creates the shared file, outside the measured time",
    .about = OP_CREATE,
    .needs = 1u << OP_CREATE | 1u << OP_CLOSE,
    .cursor_bytes = sizeof(struct prepare),
    .timed = false,
    .begin = begin,
    .next = next,
    .planned = planned,
};
