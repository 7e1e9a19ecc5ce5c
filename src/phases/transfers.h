/* The stream that writing and reading share: open, transfers in the order of the pattern, sync,
 * close, with barriers between them where asked for. Each phase says only which operation it is
 * about. */
#ifndef PARIO_PHASES_TRANSFERS_H
#define PARIO_PHASES_TRANSFERS_H

#include "phases/phase.h"

struct transfers {
    struct cursor base;
    uint32_t state;    /* enum state in transfers.c */
    enum op_kind kind; /* OP_READ or OP_WRITE */
    uint16_t open_flags;
    uint16_t transfer_flags;
    bool sync;
    uint64_t object;
    uint64_t left; /* transfers not yet handed out */
    uint64_t left_in_block;
    uint64_t offset_bytes; /* of the next transfer */
    uint64_t jump_bytes;   /* from the end of a block to the rank's next one */
};

void transfers_begin(struct transfers *t, enum op_kind kind, uint16_t open_flags,
                     uint16_t transfer_flags, bool sync);
enum step transfers_next(struct cursor *c, struct op *op);
uint64_t transfers_planned(const struct plan *plan, uint64_t rank);

#endif
