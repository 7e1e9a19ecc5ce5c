/* Random numbers that are the same on every machine, and permutations that need no memory. */
#ifndef PARIO_BASE_RNG_H
#define PARIO_BASE_RNG_H

#include <stdint.h>

struct rng {
    uint64_t state;
};

/* A bijective 64-bit mixer (the finalizer of splitmix64). */
uint64_t rng_mix(uint64_t x);
/* A stream of its own for each (seed, stream). */
struct rng rng_make(uint64_t seed, uint64_t stream);
uint64_t rng_next(struct rng *r);
/* Uniform in [0, n), unbiased; n > 0. */
uint64_t rng_below(struct rng *r, uint64_t n);
/* Uniform in (0, 1). */
double rng_unit(struct rng *r);

/* A keyed permutation of [0, n): a Feistel network with cycle walking over a range hardly larger
 * than n, so any index is reached at once and nothing is stored. n >= 1. */
struct permutation {
    uint64_t n;
    uint64_t key;
    uint64_t high_count;
    unsigned low_bits;
    unsigned pairs; /* of rounds */
};
struct permutation permutation_make(uint64_t n, uint64_t key);
uint64_t permutation_at(const struct permutation *p, uint64_t i);

#endif
