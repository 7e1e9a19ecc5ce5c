/* Are there two kinds of ranks, and what tells them apart? */
#ifndef PARIO_JUDGE_MODES_H
#define PARIO_JUDGE_MODES_H

#include "judge/spread.h"

struct rank_rate {
    uint64_t rank;
    double per_s;
};

/* sorted: by rate, the slowest first. Fills *m; coefficient NAN where nothing can be said. 0, or -1
 * with an error when memory runs out. */
int modes_of(struct modes *m, const struct rank_rate *sorted, size_t n,
             const struct spread_ranks *ranks, struct error *e);

#endif
