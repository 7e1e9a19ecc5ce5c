#include "model/pattern.h"

/* Places of a file that transfers go to: the rank's own file, or the one that all share. */
static uint64_t places(const struct plan *p)
{
    return p->file_per_process ? p->transfers_per_rank : p->ranks * p->transfers_per_rank;
}

/* Write and read go different ways over the same places; ranks with a file of their own too. */
static uint64_t key_of(const struct plan *p, uint64_t rank, uint64_t way)
{
    uint64_t own = p->file_per_process ? rank + 1 : 0;
    return rng_mix(p->order_seed ^ rng_mix(own ^ rng_mix(way)));
}

static void begin_random(struct pattern *p, uint64_t way)
{
    const struct plan *plan = p->plan;
    p->base_bytes = plan_base_offset(plan, p->rank);
    p->home = permutation_make(places(plan), key_of(plan, p->rank, p->cut ? 0 : way));
    if (p->cut && p->left > 0)
        p->again = permutation_make(p->left, key_of(plan, p->rank, way));
    p->next = 0;
}

static void begin_drawn(struct pattern *p, uint64_t way)
{
    const struct plan *plan = p->plan;
    uint64_t pieces = pattern_room(p) / plan->draw_bytes;
    p->base_bytes = plan_base_offset(plan, p->rank);
    p->draws = rng_make(key_of(plan, p->rank, way), p->rank);
    p->draw_transfers = (pieces ? plan->draw_bytes : pattern_room(p)) / plan->transfer_bytes;
    p->share = p->left = p->draw_transfers ? plan->transfers_per_rank : 0;
    p->left_in_block = 0;
    /* What is hot stays hot, in each phase and pass. */
    p->skew = skew_make(&plan->access, pieces ? pieces : 1, key_of(plan, p->rank, 0));
}

static void begin_pass(struct pattern *p)
{
    const struct plan *plan = p->plan;
    uint64_t way = (p->read ? 1 + p->repetition : 0) ^ p->pass << 40;
    p->left_in_block = plan->transfers_per_block;
    p->offset_bytes = plan_offset(plan, p->rank, 0);
    p->jump_bytes = plan->file_per_process ? 0 : (plan->ranks - 1) * plan->block_bytes;
    if (plan->order == ORDER_RANDOM)
        begin_random(p, way);
    else if (plan->order == ORDER_DRAWN)
        begin_drawn(p, way);
}

void pattern_begin(struct pattern *p, const struct plan *plan, uint64_t rank, bool read,
                   uint64_t repetition, uint64_t goal, uint64_t file_bytes)
{
    uint64_t full = plan->transfers_per_rank;
    *p = (struct pattern){.plan = plan,
                          .rank = rank,
                          .read = read,
                          .repetition = repetition,
                          .share = goal < full ? goal : full,
                          .left = goal < full ? goal : full,
                          .cut = read && goal != UINT64_MAX,
                          .file_bytes = file_bytes};
    begin_pass(p);
}

void pattern_again(struct pattern *p)
{
    p->pass++;
    p->left = p->share;
    begin_pass(p);
}

/* A block drawn, with replacement, and its transfers in order. */
static uint64_t next_drawn(struct pattern *p)
{
    if (p->left_in_block == 0) {
        p->left_in_block = p->draw_transfers;
        p->offset_bytes = p->base_bytes + skew_draw(&p->skew, &p->draws) * p->plan->draw_bytes;
    }
    uint64_t offset = p->offset_bytes;
    p->offset_bytes += p->plan->transfer_bytes;
    p->left_in_block--;
    return offset;
}

uint64_t pattern_random(struct pattern *p)
{
    if (p->plan->order == ORDER_DRAWN)
        return next_drawn(p);
    uint64_t i = p->next++;
    if (p->cut)
        i = permutation_at(&p->again, i);
    if (p->cut && p->plan->cut_in_sequence)
        return plan_offset(p->plan, p->rank, i);
    uint64_t first = p->plan->file_per_process ? 0 : p->rank * p->plan->transfers_per_rank;
    return p->base_bytes + permutation_at(&p->home, first + i) * p->plan->transfer_bytes;
}
