/* The stream of phases on the directories of the trees: one operation for each, parents before
 * children or the other way round. */
#ifndef PARIO_PHASES_NODES_H
#define PARIO_PHASES_NODES_H

#include "phases/phase.h"

struct nodes {
    struct cursor base;
    uint64_t next, end;
    enum op_kind kind;
    bool upwards; /* children before parents */
    bool synced;
};

void nodes_begin(struct nodes *n, enum op_kind kind, bool upwards);
enum step nodes_next(struct cursor *c, struct op *op);
uint64_t nodes_planned(const struct plan *plan, uint64_t rank);

#endif
