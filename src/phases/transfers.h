/* The stream that writing, reading and checking share: open, transfers in the order of the pattern,
 * sync, close, with barriers between them where asked for, and after a deadline, with wear-out, on
 * to the largest count of any rank. Each phase says only what is its own. */
#ifndef PARIO_PHASES_TRANSFERS_H
#define PARIO_PHASES_TRANSFERS_H

#include "model/pattern.h"
#include "phases/phase.h"

struct transfers {
    struct cursor base;
    struct pattern pattern;
    uint32_t state;    /* enum state in transfers.c */
    enum op_kind kind; /* OP_READ or OP_WRITE */
    uint16_t open_flags;
    uint16_t transfer_flags;
    bool sync;
    bool varied;   /* the plan mixes, paces or pauses */
    uint64_t goal; /* own operations, with wear-out: what was agreed on; else UINT64_MAX */
    bool wearing;  /* after the deadline, on to what was agreed */
    uint64_t object;
};

void transfers_begin(struct transfers *t, enum op_kind kind, uint16_t open_flags,
                     uint16_t transfer_flags, bool sync);
enum step transfers_next(struct cursor *c, struct op *op);
enum step transfers_follow(struct cursor *c, const struct op *done, const struct outcome *outcome,
                           struct op *op);
#define TRANSFERS_UNTOLD (1u << OP_READ | 1u << OP_WRITE)
void transfers_completed(struct cursor *c, const struct op *op, const struct outcome *outcome);
uint64_t transfers_planned(const struct plan *plan, uint64_t rank);

#endif
