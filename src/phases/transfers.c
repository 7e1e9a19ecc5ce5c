#include "phases/transfers.h"

enum state { OPENING, BEFORE, MOVING, SYNCING, AFTER, CLOSING, OVER };

void transfers_begin(struct transfers *t, enum op_kind kind, uint16_t open_flags,
                     uint16_t transfer_flags, bool sync)
{
    const struct plan *p = t->base.plan;
    uint16_t collective = p->collective ? OP_FLAG_COLLECTIVE : 0;
    t->state = OPENING;
    t->kind = kind;
    t->open_flags = open_flags | collective;
    t->transfer_flags = transfer_flags | collective;
    t->sync = sync;
    t->object = plan_object(p, t->base.rank);
    t->left = p->transfers_per_rank < t->base.goal ? p->transfers_per_rank : t->base.goal;
    t->left_in_block = p->transfers_per_block;
    t->offset_bytes = plan_offset(p, t->base.rank, 0);
    t->jump_bytes = p->file_per_process ? 0 : (p->ranks - 1) * p->block_bytes;
}

static enum step alone(const struct transfers *t, struct op *op, enum op_kind kind, uint16_t flags)
{
    *op = (struct op){
        .kind = (uint8_t)kind, .order = ORDER_DRAIN, .flags = flags, .object = t->object};
    return STEP_OP;
}

static inline enum step transfer(struct transfers *t, struct op *op)
{
    const struct plan *p = t->base.plan;
    *op = (struct op){.kind = (uint8_t)t->kind,
                      .flags = t->transfer_flags,
                      .object = t->object,
                      .offset_bytes = t->offset_bytes,
                      .length_bytes = p->transfer_bytes};
    t->offset_bytes += p->transfer_bytes;
    if (--t->left_in_block == 0) {
        t->left_in_block = p->transfers_per_block;
        t->offset_bytes += t->jump_bytes;
    }
    t->left--;
    t->base.issued++;
    return STEP_OP;
}

/* Everything but the transfers: once each. */
static enum step around(struct transfers *t, struct op *op)
{
    const struct plan *p = t->base.plan;
    for (;;) {
        switch ((enum state)t->state++) {
        case OPENING:
            return alone(t, op, OP_OPEN, t->open_flags);
        case BEFORE:
        case AFTER:
            if (p->barriers)
                return alone(t, op, OP_BARRIER, OP_FLAG_COLLECTIVE);
            break;
        case MOVING:
            break;
        case SYNCING:
            /* Where all share a file, its sync may be collective: a rank that failed takes part. */
            if (t->sync && !(t->base.failed && p->file_per_process))
                return alone(t, op, OP_SYNC, t->open_flags & OP_FLAG_COLLECTIVE);
            break;
        case CLOSING:
            /* What an error left open is closed by the backend, unless the others may wait in this
             * call. */
            if (t->base.failed && p->file_per_process)
                break;
            return alone(t, op, OP_CLOSE, t->open_flags & OP_FLAG_COLLECTIVE);
        case OVER:
            t->state = OVER;
            return STEP_END;
        }
        if (t->state == MOVING && t->left > 0 && !t->base.stopping)
            return transfer(t, op);
    }
}

enum step transfers_next(struct cursor *c, struct op *op)
{
    struct transfers *t = (struct transfers *)c;
    if (t->state == MOVING && t->left > 0 && !c->stopping)
        return transfer(t, op);
    return around(t, op);
}

uint64_t transfers_planned(const struct plan *plan, uint64_t rank)
{
    (void)rank;
    return plan->transfers_per_rank;
}
