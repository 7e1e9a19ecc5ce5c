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
    t->varied = c->plan->access.varied;
    t->goal = UINT64_MAX;
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

/* Several sizes: a place of the largest is drawn already; a byte of it is, and the piece of the own
 * size that holds it, counted from the file's beginning, is met. */
static void resize(const struct transfers *t, struct op *op, uint64_t key)
{
    const struct pattern *p = &t->pattern;
    uint64_t i = t->base.issued, largest = op->length_bytes;
    uint64_t bytes = sizes_at(&t->base.plan->sizes, i, key);
    uint64_t place =
        (op->offset_bytes - p->base_bytes + rng_mix(key ^ rng_mix(i)) % largest) / bytes;
    uint64_t places = pattern_room(p) / bytes; /* the last piece may not be whole */
    op->length_bytes = bytes;
    op->offset_bytes = p->base_bytes + (place < places ? place : places - 1) * bytes;
}

/* What the plan says of operations beyond their places. */
static void vary(struct transfers *t, struct op *op)
{
    const struct cursor *c = &t->base;
    const struct access_plan *a = &c->plan->access;
    uint64_t key = c->plan->order_seed ^ c->real_rank << 20 ^ c->repetition;
    if (a->mixed && t->kind == OP_READ && !access_is_read(a, c->issued, key)) {
        op->kind = OP_WRITE;
        op->flags |= OP_FLAG_FILL | (c->plan->fsync_each ? OP_FLAG_CHAINED : 0);
    }
    if (c->plan->sizes.used)
        resize(t, op, rng_mix(key + 1));
    if (a->rate_per_s > 0)
        op->due_ns = access_due(a, c->issued, c->real_rank, c->plan->ranks);
    if (a->think_ns)
        op->flags |= OP_FLAG_CHAINED;
}

static inline enum step transfer(struct transfers *t, struct op *op)
{
    *op = (struct op){.kind = (uint8_t)t->kind,
                      .flags = t->transfer_flags,
                      .object = t->object,
                      .offset_bytes = pattern_next(&t->pattern),
                      .length_bytes = t->base.plan->transfer_bytes};
    if (__builtin_expect(t->varied, 0))
        vary(t, op);
    t->base.issued++;
    return STEP_OP;
}

static inline bool goes_on(struct transfers *t)
{
    if (__builtin_expect(t->pattern.left == 0, 0)) {
        if (!t->base.plan->access.loops || t->pattern.share == 0)
            return false;
        pattern_again(&t->pattern);
    }
    if (t->state == MOVING)
        return !t->base.stopping;
    return t->wearing && !t->base.ending && t->base.issued < t->goal;
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
    if (__builtin_expect(t->state == MOVING && t->pattern.left > 0 && !c->stopping, 1))
        return transfer(t, op);
    if ((t->state == MOVING || t->state == WEARING) && goes_on(t))
        return transfer(t, op);
    return around(t, op);
}

/* After a transfer, in the same chain: fsync per write, whose time counts to the transfer, and the
 * pause. */
enum step transfers_follow(struct cursor *c, const struct op *done, const struct outcome *outcome,
                           struct op *op)
{
    const struct plan *p = c->plan;
    uint16_t more = p->access.think_ns ? OP_FLAG_CHAINED : 0;
    (void)outcome;
    if (done->kind == OP_WRITE && p->fsync_each) {
        *op = (struct op){
            .kind = OP_SYNC, .flags = OP_FLAG_IN_TRANSFER | more, .object = done->object};
        return STEP_OP;
    }
    if (!more || c->stopping)
        return STEP_END;
    *op = (struct op){.kind = OP_THINK, .length_bytes = (uint64_t)p->access.think_ns};
    return STEP_OP;
}

void transfers_completed(struct cursor *c, const struct op *op, const struct outcome *outcome)
{
    struct transfers *t = (struct transfers *)c;
    if (op->kind != OP_AGREE)
        return;
    t->wearing = !c->failed;
    t->goal = (uint64_t)outcome->value;
}

uint64_t transfers_planned(const struct plan *plan, uint64_t rank)
{
    (void)rank;
    return plan->transfers_per_rank;
}
