/* Where a deadline decides how much is written, nobody knows beforehand whether there is room: rank
 * 0 looks from time to time, and the phase stops before the reserve is touched, on whichever target
 * that is first. */
#ifndef PARIO_RUN_GUARD_H
#define PARIO_RUN_GUARD_H

#include "model/plan.h"

struct guard {
    const struct plan *plan;
    int64_t next_ns; /* on the clock: look again */
    double *before;  /* of each target: blocks available when it looked last; negative: never */
};

/* For a writing phase of this plan, which must stay. False: it needs none, or there is no memory
 * for one. */
bool guard_make(struct guard *g, const struct plan *plan);
/* Whether on some target less than the reserve is left, or would be when it looks next, at the pace
 * since the last time. Looks at the storage five times a second at most. */
bool guard_full(struct guard *g, int64_t now_ns);
/* A zeroed guard too. */
void guard_drop(struct guard *g);

#endif
