#include "phases/items.h"

enum state { ITEMS, AGREEING, WEARING, SYNCING, OVER };

void items_begin(struct items *t, enum op_kind kind, enum metadata_class class, uint16_t flags)
{
    const struct metadata_plan *m = &t->base.plan->metadata;
    t->m = m;
    t->kind = kind;
    t->class = t->other = class;
    t->flags = flags;
    /* Shared files are the same object for all ranks of a target. */
    t->rank = m->shared ? t->base.real_rank % m->target_count : t->base.rank;
    t->end = m->items < t->base.goal ? m->items : t->base.goal;
}

void items_make(struct items *t)
{
    t->by_one = t->m->by_one;
    if (t->by_one)
        t->end = items_planned_made(t->base.plan, t->base.real_rank);
}

void items_once(struct items *t)
{
    uint64_t planned = items_planned_once(t->base.plan, t->base.real_rank);
    t->end = planned < t->end ? planned : t->end;
}

void items_shuffle(struct items *t, uint64_t key)
{
    uint64_t seed = t->m->random_seed ? t->m->random_seed : t->base.plan->data.seed;
    if (t->end < 2)
        return;
    t->shuffled = true;
    t->order = permutation_make(t->end, rng_mix(seed ^ rng_mix(t->base.real_rank + 1)) + key);
}

static inline uint64_t object_at(const struct items *t, enum metadata_class class, uint64_t i)
{
    if (__builtin_expect(t->by_one, 0))
        return metadata_object(t->m, class, i / t->m->items, i % t->m->items);
    if (__builtin_expect(t->shuffled, 0))
        i = permutation_at(&t->order, i);
    return metadata_object(t->m, class, t->rank, i);
}

static inline enum step item(struct items *t, struct op *op)
{
    *op = (struct op){
        .kind = (uint8_t)t->kind, .flags = t->flags, .object = object_at(t, t->class, t->next)};
    if (t->other != t->class)
        op->other = object_at(t, t->other, t->next);
    t->next++;
    t->base.issued++;
    return STEP_OP;
}

static inline bool goes_on(const struct items *t)
{
    const struct cursor *c = &t->base;
    if (t->next >= t->end)
        return false;
    return t->state == ITEMS ? !c->stopping : t->state == WEARING && t->wearing && !c->ending;
}

/* After the items: wear-out, which the ranks agree on, and -Y. */
static enum step around(struct items *t, struct op *op)
{
    for (;;) {
        switch ((enum state)t->state++) {
        case ITEMS:
            break;
        case AGREEING:
            if (!t->base.plan->wear_out)
                break;
            *op = (struct op){.kind = OP_AGREE,
                              .order = ORDER_DRAIN,
                              .flags = OP_FLAG_COLLECTIVE,
                              .other = t->base.failed ? 0 : t->base.issued};
            return STEP_OP;
        case WEARING:
            break;
        case SYNCING:
            if (!t->m->sync_after || t->base.failed)
                break;
            *op = (struct op){.kind = OP_SYNC,
                              .order = ORDER_DRAIN,
                              .flags = OP_FLAG_DIRECTORY,
                              .object = metadata_object(t->m, OBJECT_HOME, t->base.real_rank, 0)};
            return STEP_OP;
        case OVER:
            t->state = OVER;
            return STEP_END;
        }
        if (goes_on(t))
            return item(t, op);
    }
}

enum step items_next(struct cursor *c, struct op *op)
{
    struct items *t = (struct items *)c;
    if (__builtin_expect(goes_on(t), 1))
        return item(t, op);
    return around(t, op);
}

void items_completed(struct cursor *c, const struct op *op, const struct outcome *outcome)
{
    struct items *t = (struct items *)c;
    if (op->kind != OP_AGREE)
        return;
    uint64_t most = (uint64_t)outcome->value;
    t->wearing = !c->failed;
    t->end = most < t->end ? most : t->end;
}

uint64_t items_planned(const struct plan *plan, uint64_t rank)
{
    (void)rank;
    return plan->metadata.items;
}

uint64_t items_planned_once(const struct plan *plan, uint64_t rank)
{
    const struct metadata_plan *m = &plan->metadata;
    return m->shared && rank >= m->target_count ? 0 : m->items;
}

uint64_t items_planned_made(const struct plan *plan, uint64_t rank)
{
    const struct metadata_plan *m = &plan->metadata;
    if (!m->by_one)
        return m->items;
    return rank == 0 ? m->items * m->ranks : 0;
}

static enum step close_it(const struct op *done, struct op *op)
{
    *op = (struct op){.kind = OP_CLOSE, .handle = done->handle, .object = done->object};
    return STEP_OP;
}

static enum step transfer(const struct items *t, enum op_kind kind, uint64_t offset, uint64_t left,
                          uint16_t flags, const struct op *done, struct op *op)
{
    uint64_t most = t->m->transfer_bytes;
    *op = (struct op){.kind = (uint8_t)kind,
                      .flags = flags | OP_FLAG_CHAINED,
                      .handle = done->handle,
                      .object = done->object,
                      .offset_bytes = offset,
                      .length_bytes = left < most ? left : most};
    return STEP_OP;
}

enum step items_data(const struct items *t, enum op_kind kind, uint64_t bytes, uint16_t flags,
                     bool sync, const struct op *done, const struct outcome *outcome, struct op *op)
{
    bool opened = done->kind == OP_CREATE || done->kind == OP_OPEN;
    bool moved = op_is_transfer((enum op_kind)done->kind);
    if (outcome->error)
        return opened ? STEP_END : close_it(done, op);
    uint64_t at = moved ? done->offset_bytes + done->length_bytes : 0;
    if ((opened || moved) && at < bytes)
        return transfer(t, kind, at, bytes - at, flags, done, op);
    if ((opened || moved) && sync) {
        *op = (struct op){.kind = OP_SYNC,
                          .flags = OP_FLAG_CHAINED,
                          .handle = done->handle,
                          .object = done->object};
        return STEP_OP;
    }
    return close_it(done, op);
}
