/* Reading a checkpoint back: each rank its own part, another's, or with all of its node everything.
 * Which is told by the plan: this rank is one of so many readers. */
#include "phases/phase.h"

struct load {
    struct cursor base;
    const struct checkpoint_plan *plan;
    struct checkpoint_walk walk;
    struct checkpoint_piece piece;
    uint64_t file; /* open, or opened last */
    bool open;
    bool opened;  /* ever */
    bool pending; /* piece is not read to its end */
    bool over;
};

static void begin(struct cursor *c)
{
    struct load *l = (struct load *)c;
    l->plan = &c->plan->checkpoint;
    l->walk = checkpoint_read_walk(&l->plan->layout, l->plan->coalesced, l->plan->reader,
                                   l->plan->reader_count);
}

static enum step alone(const struct load *l, struct op *op, enum op_kind kind, uint16_t flags)
{
    *op = (struct op){.kind = (uint8_t)kind,
                      .order = ORDER_DRAIN,
                      .flags = flags,
                      .object = checkpoint_file(l->plan->step, l->file)};
    return STEP_OP;
}

static enum step transfer(struct load *l, struct op *op)
{
    uint64_t most = l->base.plan->transfer_bytes;
    uint64_t length = l->piece.length_bytes < most ? l->piece.length_bytes : most;
    uint16_t check = l->plan->verify ? OP_FLAG_CHECK : 0;
    *op = (struct op){.kind = OP_READ,
                      .flags = l->piece.header ? check | OP_FLAG_SUPPLIED : check,
                      .object = checkpoint_file(l->plan->step, l->file),
                      .offset_bytes = l->piece.offset_bytes,
                      .length_bytes = length};
    l->piece.offset_bytes += length;
    l->piece.length_bytes -= length;
    l->pending = l->piece.length_bytes > 0;
    l->base.issued++;
    return STEP_OP;
}

static bool gives_up(const struct cursor *c)
{
    return c->stopping || c->failed;
}

static enum step next(struct cursor *c, struct op *op)
{
    struct load *l = (struct load *)c;
    if (l->open && l->pending && !gives_up(c))
        return transfer(l, op);
    /* Opening and closing a file that all share may be calls of all: every rank makes them. */
    bool shared = layout_is_shared(&l->plan->layout);
    if (shared && !l->opened) {
        l->open = l->opened = true;
        return alone(l, op, OP_OPEN, OP_FLAG_READ);
    }
    if (!l->pending && !l->over && !gives_up(c)) {
        l->pending = checkpoint_walk_next(&l->walk, &l->piece);
        l->over = !l->pending;
    }
    bool more = l->pending && !gives_up(c);
    if (l->open && more && l->piece.file == l->file)
        return transfer(l, op);
    if (l->open) {
        l->open = false;
        if (!c->failed || shared) /* what an error left open is closed by the backend */
            return alone(l, op, OP_CLOSE, 0);
    }
    if (!more)
        return STEP_END;
    l->file = l->piece.file;
    l->open = true;
    return alone(l, op, OP_OPEN, OP_FLAG_READ);
}

static void supply(const struct cursor *c, const struct op *op, void *to)
{
    checkpoint_header(&c->plan->checkpoint, op->object, op->offset_bytes, op->length_bytes, to);
}

static uint64_t planned(const struct plan *plan, uint64_t rank)
{
    const struct checkpoint_plan *p = &plan->checkpoint;
    uint64_t bytes, transfers;
    (void)rank; /* which reader it is says the plan */
    checkpoint_walk_count(
        checkpoint_read_walk(&p->layout, p->coalesced, p->reader, p->reader_count),
        plan->transfer_bytes, &bytes, &transfers);
    return transfers;
}

const struct phase phase_restart = {
    .name = "restart",
    .sentence = "the latest whole checkpoint is read back and compared",
    .about = OP_READ,
    .needs = 1u << OP_OPEN | 1u << OP_READ | 1u << OP_CLOSE,
    .cursor_bytes = sizeof(struct load),
    .timed = true,
    .begin = begin,
    .next = next,
    .supply = supply,
    .planned = planned,
};
