/* Files are removed, each by the rank that looks after it, as far as they may be. */
#include "phases/phase.h"

struct removal {
    struct cursor base;
    bool done;
};

static enum step next(struct cursor *c, struct op *op)
{
    struct removal *r = (struct removal *)c;
    if (!c->removable || r->done)
        return STEP_END;
    r->done = true;
    *op = (struct op){
        .kind = OP_UNLINK, .order = ORDER_DRAIN, .object = plan_object(c->plan, c->real_rank)};
    c->issued++;
    return STEP_OP;
}

static uint64_t planned(const struct plan *plan, uint64_t rank)
{
    return plan->file_per_process || rank == 0 ? 1 : 0;
}

static void begin(struct cursor *c)
{
    (void)c;
}

const struct phase phase_remove = {
    .name = "remove",
    .sentence = "the files of the run are removed",
    .about = OP_UNLINK,
    .needs = 1u << OP_UNLINK,
    .cursor_bytes = sizeof(struct removal),
    .timed = false,
    .begin = begin,
    .next = next,
    .planned = planned,
};
