/* Untimed phases around the data: the files are made before, and removed after. Each file is
 * handled by one rank: a shared one by rank 0, a file per process by its own. */
#include "phases/phase.h"

struct files {
    struct cursor base;
    uint32_t state;
};

static bool mine(const struct cursor *c)
{
    return c->plan->file_per_process || c->real_rank == 0;
}

static enum step emit(struct op *op, enum op_kind kind, uint16_t flags, uint64_t object)
{
    *op =
        (struct op){.kind = (uint8_t)kind, .order = ORDER_DRAIN, .flags = flags, .object = object};
    return STEP_OP;
}

static enum step create_next(struct cursor *c, struct op *op)
{
    struct files *f = (struct files *)c;
    uint64_t object = plan_object(c->plan, c->real_rank);
    if (!mine(c) || c->stopping || f->state >= 2)
        return STEP_END;
    if (f->state++ == 0)
        return emit(op, OP_CREATE, OP_FLAG_WRITE | OP_FLAG_CREATE | OP_FLAG_EXCLUSIVE, object);
    return emit(op, OP_CLOSE, 0, object);
}

static enum step remove_next(struct cursor *c, struct op *op)
{
    struct files *f = (struct files *)c;
    if (!mine(c) || f->state++ > 0)
        return STEP_END;
    return emit(op, OP_UNLINK, 0, plan_object(c->plan, c->real_rank));
}

static uint64_t planned(const struct plan *plan, uint64_t rank)
{
    return plan->file_per_process || rank == 0 ? 1 : 0;
}

static void begin(struct cursor *c)
{
    (void)c;
}

const struct phase phase_prepare = {
    .name = "prepare",
    .sentence = "the shared file is created by one rank, outside the measured time",
    .about = OP_CREATE,
    .needs = 1u << OP_CREATE | 1u << OP_CLOSE,
    .cursor_bytes = sizeof(struct files),
    .timed = false,
    .begin = begin,
    .next = create_next,
    .planned = planned,
};

const struct phase phase_remove = {
    .name = "remove",
    .sentence = "the files of the run are removed",
    .about = OP_UNLINK,
    .needs = 1u << OP_UNLINK,
    .cursor_bytes = sizeof(struct files),
    .timed = false,
    .begin = begin,
    .next = remove_next,
    .planned = planned,
};
