/* Ranks against each other: how far their rates lie apart, which are the slowest, and whether there
 * are two kinds of them. */
#ifndef PARIO_JUDGE_SPREAD_H
#define PARIO_JUDGE_SPREAD_H

#include "base/error.h"
#include "model/result.h"
#include "model/topology.h"

struct spread_ranks {
    const double *per_s; /* own rate of each rank, in rank order; NAN: has none, and is left out */
    size_t n;
    bool bytes;                      /* rates are bytes per second, not operations */
    const struct topology *topology; /* NULL: not known */
    const char *const *hosts;        /* name of each node of the topology; NULL: not known */
    const uint64_t *files;           /* which file each rank works on; NULL: says nothing */
};

/* Fills *s, with ranks = 0 where no rank has a rate. 0, or -1 with an error when memory runs out.
 */
int spread_of(struct spread *s, const struct spread_ranks *ranks, struct error *e);

#endif
