/* How transfers are asked for, beyond where they go: reads and writes mixed, places that are hot, a
 * rate, pauses. Each is a pure function of the operation's number, or a draw of a keyed generator.
 */
#ifndef PARIO_MODEL_ACCESS_H
#define PARIO_MODEL_ACCESS_H

#include "base/error.h"
#include "base/rng.h"
#include "model/settings.h"

struct access_plan {
    bool varied;           /* any of mixed, think_ns, rate_per_s is set, or sizes are mixed */
    bool mixed;            /* reads and writes in one phase */
    unsigned read_percent; /* of them */
    bool loops;            /* over the data, again and again, until the deadline */
    double zipf;           /* exponent; 0: none */
    double hot_places;     /* with hot_draws: share of places that draws go to; 0: none */
    double hot_draws;      /* share of draws that go to hot_places */
    int64_t think_ns;      /* pause after each operation */
    double rate_per_s;     /* operations of each rank; 0: as fast as it goes */
    int64_t ramp_ns;       /* left out of all numbers */
};

/* 0, or -1 with STATUS_USAGE naming the option. ranks > 0, transfer_bytes > 0. */
int access_make(struct access_plan *a, const struct settings *s, uint64_t ranks, struct error *e);

/* Draws places of [0, n) with the plan's skew; which places are hot is up to the key, and the same
 * on every rank. */
struct skew {
    struct permutation places;
    uint64_t hot;        /* number of hot places */
    double hot_draws;    /* 0: none */
    double exponent;     /* 0: none */
    double first, range; /* of the inverse: H(0.5), H(n + 0.5) - H(0.5) */
    double shortcut;     /* draws this near to their place need no test */
};
struct skew skew_make(const struct access_plan *a, uint64_t n, uint64_t key);
/* Zipf by rejection-inversion (Hoermann and Derflinger 1996): no table, one or two draws. */
uint64_t skew_draw(const struct skew *s, struct rng *r);

/* Whether operation i is a read: of each 100 in a row exactly read_percent are, in keyed order. */
bool access_is_read(const struct access_plan *a, uint64_t i, uint64_t key);
/* When operation i of a rank is due, ns after its start: evenly, ranks offset against each other so
 * that their sum is even as well. >= 1. */
int64_t access_due(const struct access_plan *a, uint64_t i, uint64_t rank, uint64_t ranks);

#endif
