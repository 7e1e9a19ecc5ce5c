/* In which order a rank's transfers go where. Each order covers exactly what it should, in memory
 * that depends on nothing, and any position can be reached at once. */
#ifndef PARIO_MODEL_PATTERN_H
#define PARIO_MODEL_PATTERN_H

#include "base/rng.h"
#include "model/plan.h"

struct pattern {
    const struct plan *plan;
    uint64_t rank; /* whose share this is */
    bool read;     /* another order than the write's, a new one each repetition */
    uint64_t repetition;
    uint64_t pass;  /* over all of it, from 0; each in another order */
    uint64_t share; /* transfers of a pass */
    uint64_t left;  /* transfers of this pass not yet handed out */
    uint64_t left_in_block;
    uint64_t offset_bytes;    /* in order: of the next transfer */
    uint64_t jump_bytes;      /* in order: from the end of a block to the next */
    uint64_t next;            /* at random: index of the next transfer in the share */
    struct permutation home;  /* ORDER_RANDOM: index among all transfers -> place in the file */
    struct permutation again; /* a read of what was cut short: order within the share */
    bool cut;
    struct rng draws;        /* ORDER_DRAWN */
    struct skew skew;        /* ... over the pieces (draw_bytes) that the file has room for */
    uint64_t draw_transfers; /* ... in each: fewer than a block has where the file ends before */
    uint64_t file_bytes;
    uint64_t base_bytes; /* where the file begins, at random */
};

/* goal: what this rank's share holds where a deadline cut the writing short, of any rank: a read
 * then goes to the places that this rank wrote; UINT64_MAX: every place of the file is written.
 * file_bytes: of the file as it is. read: another order than the write's, a new one each
 * repetition. */
void pattern_begin(struct pattern *p, const struct plan *plan, uint64_t rank, bool read,
                   uint64_t repetition, uint64_t goal, uint64_t file_bytes);

/* Bytes of the file that draws go to. */
static inline uint64_t pattern_room(const struct pattern *p)
{
    return p->plan->devices ? p->plan->file_bytes : p->file_bytes;
}

/* Begins anew with the whole share, in another order. */
void pattern_again(struct pattern *p);

/* Offset of the next transfer; left must be > 0. */
uint64_t pattern_random(struct pattern *p);
static inline uint64_t pattern_next(struct pattern *p)
{
    p->left--;
    if (__builtin_expect(p->plan->order != ORDER_IN_SEQUENCE, 0))
        return pattern_random(p);
    uint64_t offset = p->offset_bytes;
    p->offset_bytes += p->plan->transfer_bytes;
    if (--p->left_in_block == 0) {
        p->left_in_block = p->plan->transfers_per_block;
        p->offset_bytes += p->jump_bytes;
    }
    return offset;
}

#endif
