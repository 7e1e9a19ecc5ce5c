/* A steady working set: files are created at one end of a row and removed at the other, first in
 * first out, and those between are looked up and read at random. Each block of operations holds
 * every kind exactly as often as its weight says, in keyed order. What is in flight is left alone:
 * as many files at both ends of the row as there are operations in flight at most. */
#include "phases/items.h"

struct mix {
    struct items items;
    uint64_t first, past;   /* items first .. past-1 are there */
    uint64_t position, end; /* operations handed out, and to be */
    uint64_t block;         /* operations in one */
    struct permutation order;
    struct rng rng;
};

static uint64_t planned(const struct plan *plan, uint64_t rank)
{
    (void)rank;
    return plan->deadline_ns ? 0 : plan->metadata.items;
}

static void begin(struct cursor *c)
{
    struct mix *x = (struct mix *)c;
    items_begin(&x->items, OP_STAT, OBJECT_FILE, 0);
    x->past = x->items.end;
    x->end = c->plan->deadline_ns ? UINT64_MAX : planned(c->plan, c->rank);
    for (int i = 0; i < METADATA_MIXES; i++)
        x->block += c->plan->metadata.mix[i];
    x->rng = rng_make(c->plan->data.seed, c->rank);
}

static enum metadata_mix draw(struct mix *x)
{
    const uint64_t *weights = x->items.m->mix;
    uint64_t at = x->position % x->block;
    if (at == 0)
        x->order = permutation_make(x->block, rng_next(&x->rng));
    at = permutation_at(&x->order, at);
    int kind = 0;
    while (at >= weights[kind])
        at -= weights[kind++];
    return (enum metadata_mix)kind;
}

static enum step next(struct cursor *c, struct op *op)
{
    static const struct {
        enum op_kind kind;
        uint16_t flags;
    } rows[METADATA_MIXES] = {
        [MIX_CREATE] = {OP_CREATE,
                        OP_FLAG_CHAINED | OP_FLAG_CREATE | OP_FLAG_EXCLUSIVE | OP_FLAG_WRITE},
        [MIX_STAT] = {OP_STAT, 0},
        [MIX_READ] = {OP_OPEN, OP_FLAG_CHAINED | OP_FLAG_READ},
        [MIX_UNLINK] = {OP_UNLINK, 0},
    };
    struct mix *x = (struct mix *)c;
    if (c->stopping || x->position >= x->end || x->past - x->first <= 2 * c->plan->depth)
        return STEP_END;
    enum metadata_mix mix = draw(x);
    uint64_t depth = c->plan->depth;
    uint64_t item = mix == MIX_CREATE ? x->past++
                    : mix == MIX_UNLINK
                        ? x->first++
                        : x->first + depth + rng_below(&x->rng, x->past - x->first - 2 * depth);
    *op = (struct op){.kind = (uint8_t)rows[mix].kind,
                      .flags = rows[mix].flags,
                      .object = metadata_object(x->items.m, OBJECT_FILE, x->items.rank, item)};
    if (c->plan->access.rate_per_s > 0)
        op->due_ns = access_due(&c->plan->access, x->position, c->real_rank, c->plan->ranks);
    x->position++;
    c->issued++;
    return STEP_OP;
}

static enum step follow(struct cursor *c, const struct op *done, const struct outcome *outcome,
                        struct op *op)
{
    const struct items *t = &((const struct mix *)c)->items;
    bool reads = done->kind == OP_OPEN || done->kind == OP_READ;
    if (reads)
        return items_data(t, OP_READ, t->m->read_bytes, t->m->verify ? OP_FLAG_CHECK : 0, false,
                          done, outcome, op);
    return items_data(t, OP_WRITE, t->m->write_bytes, OP_FLAG_FILL, t->m->fsync, done, outcome, op);
}

const struct phase phase_mix_files = {
    .name = "mix-files",
    .shown = "mixed",
    .sentence = "files are created, looked up, read and removed, mixed (--mix)",
    .about = OP_STAT,
    .items = 1u << OP_CREATE | 1u << OP_OPEN | 1u << OP_UNLINK,
    .needs = 1u << OP_CREATE | 1u << OP_WRITE | 1u << OP_CLOSE | 1u << OP_STAT | 1u << OP_OPEN |
             1u << OP_READ | 1u << OP_UNLINK,
    .cursor_bytes = sizeof(struct mix),
    .timed = true,
    .errors = ERRORS_COUNT,
    .own_handles = true,
    .begin = begin,
    .next = next,
    .follow = follow,
    .planned = planned,
};
