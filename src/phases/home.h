/* The directory pario.<repetition> that holds the trees: made and removed by the first rank of each
 * target, outside the measured time. */
#ifndef PARIO_PHASES_HOME_H
#define PARIO_PHASES_HOME_H

#include "phases/phase.h"

struct home_cursor {
    struct cursor base;
    bool done;
};

uint64_t home_planned(const struct plan *plan, uint64_t rank);
void home_begin(struct cursor *c);
/* One operation of the phase's own kind. */
enum step home_next(struct cursor *c, struct op *op, enum op_kind kind);

#endif
