/* Numbers of all ranks that are reduced together: two calls, whatever they are. Sums go in one, and
 * all extremes in the other: the least of x is what is missing to 2^64 - 1 at the most of
 * 2^64 - 1 - x. */
#ifndef PARIO_RUN_BUNDLE_H
#define PARIO_RUN_BUNDLE_H

#include "comm/comm.h"

#define BUNDLE_PARTS 192
#define BUNDLE_VALUES 512

struct bundle {
    size_t used;
    size_t values[2]; /* of all parts: sums, extremes */
    struct {
        enum reduce_rule rule;
        uint64_t *values;
        size_t n;
    } parts[BUNDLE_PARTS];
};

/* values stay where they are, and are replaced by the result. The same calls on every rank; what
 * exceeds BUNDLE_PARTS or BUNDLE_VALUES is a mistake in the program, and ends it. */
void bundle_add(struct bundle *b, enum reduce_rule rule, uint64_t *values, size_t n);
/* Collective; empties the bundle. To rank 0 alone (elsewhere the values are undefined), or, for
 * all, to every rank. */
void bundle_reduce(struct bundle *b, struct comm *comm, bool all);

#endif
