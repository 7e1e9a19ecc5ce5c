#include "phases/transfers.h"

enum state { OPENING, BEFORE, MOVING, AGREEING, WEARING, SYNCING, AFTER, CLOSING, OVER };

void transfers_begin(struct transfers *t, enum op_kind kind, uint16_t open_flags,
                     uint16_t transfer_flags, bool sync)
{
    const struct cursor *c = &t->base;
    uint16_t collective = c->plan->collective ? OP_FLAG_COLLECTIVE : 0;
    t->state = OPENING;
    t->kind = kind;
    t->open_flags = open_flags | collective;
    t->transfer_flags = transfer_flags | collective;
    t->sync = sync;
    t->object = plan_object(c->plan, c->rank);
    pattern_begin(&t->pattern, c->plan, c->rank, kind == OP_READ, c->repetition, c->goal,
                  c->file_bytes);
}

static enum step alone(const struct transfers *t, struct op *op, enum op_kind kind, uint16_t flags)
{
    *op = (struct op){
        .kind = (uint8_t)kind, .order = ORDER_DRAIN, .flags = flags, .object = t->object};
    return STEP_OP;
}

static inline enum step transfer(struct transfers *t, struct op *op)
{
    *op = (struct op){.kind = (uint8_t)t->kind,
                      .flags = t->transfer_flags,
                      .object = t->object,
                      .offset_bytes = pattern_next(&t->pattern),
                      .length_bytes = t->base.plan->transfer_bytes};
    t->base.issued++;
    return STEP_OP;
}

static inline bool goes_on(const struct transfers *t)
{
    if (t->pattern.left == 0)
        return false;
    return t->state == MOVING ? !t->base.stopping : t->wearing && !t->base.ending;
}

/* Everything but the transfers: once each. What other ranks wait for comes even after an error. */
static enum step around(struct transfers *t, struct op *op)
{
    const struct plan *p = t->base.plan;
    /* Where all share a file, its sync and close may be collective: a rank that failed takes part.
     */
    bool needed = !t->base.failed || !p->file_per_process;
    for (;;) {
        switch ((enum state)t->state++) {
        case OPENING:
            alone(t, op, OP_OPEN, t->open_flags);
            op->offset_bytes = t->pattern.offset_bytes;
            return STEP_OP;
        case BEFORE:
        case AFTER:
            if (p->barriers)
                return alone(t, op, OP_BARRIER, OP_FLAG_COLLECTIVE);
            break;
        case MOVING:
            if (p->wear_out) {
                alone(t, op, OP_AGREE, OP_FLAG_COLLECTIVE);
                op->other = t->base.failed ? 0 : t->base.issued;
                return STEP_OP;
            }
            break;
        case SYNCING:
            if (t->sync && needed)
                return alone(t, op, OP_SYNC, t->open_flags & OP_FLAG_COLLECTIVE);
            break;
        case CLOSING:
            /* What an error left open is closed by the backend, unless the others wait in this. */
            if (needed)
                return alone(t, op, OP_CLOSE, t->open_flags & OP_FLAG_COLLECTIVE);
            break;
        case OVER:
            t->state = OVER;
            return STEP_END;
        case AGREEING:
        case WEARING:
            break;
        }
        if ((t->state == MOVING || t->state == WEARING) && goes_on(t))
            return transfer(t, op);
    }
}

enum step transfers_next(struct cursor *c, struct op *op)
{
    struct transfers *t = (struct transfers *)c;
    if ((t->state == MOVING || t->state == WEARING) && goes_on(t))
        return transfer(t, op);
    return around(t, op);
}

/* fsync per write: it follows its write in the same chain, and its time counts to the transfer. */
enum step transfers_follow(struct cursor *c, const struct op *done, const struct outcome *outcome,
                           struct op *op)
{
    (void)c, (void)outcome;
    *op = (struct op){.kind = OP_SYNC, .flags = OP_FLAG_IN_TRANSFER, .object = done->object};
    return STEP_OP;
}

void transfers_completed(struct cursor *c, const struct op *op, const struct outcome *outcome)
{
    struct transfers *t = (struct transfers *)c;
    if (op->kind != OP_AGREE)
        return;
    uint64_t most = (uint64_t)outcome->value;
    uint64_t left = most > c->issued ? most - c->issued : 0;
    t->wearing = !c->failed;
    t->pattern.left = left < t->pattern.left ? left : t->pattern.left;
}

uint64_t transfers_planned(const struct plan *plan, uint64_t rank)
{
    (void)rank;
    return plan->transfers_per_rank;
}
