#include "base/rng.h"

#include <stdbool.h>

#define GOLDEN 0x9e3779b97f4a7c15u /* 2^64 / golden ratio, odd */

uint64_t rng_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

struct rng rng_make(uint64_t seed, uint64_t stream)
{
    return (struct rng){.state = rng_mix(rng_mix(seed + GOLDEN) + stream * GOLDEN)};
}

uint64_t rng_next(struct rng *r)
{
    r->state += GOLDEN;
    return rng_mix(r->state);
}

/* High half of a 64 x 64 bit product: maps the upper bits of x evenly onto [0, n). */
static uint64_t scale(uint64_t x, uint64_t n)
{
    return (uint64_t)(((unsigned __int128)x * n) >> 64);
}

uint64_t rng_below(struct rng *r, uint64_t n)
{
    unsigned __int128 product = (unsigned __int128)rng_next(r) * n;
    if ((uint64_t)product < n) {
        /* 2^64 mod n of the low halves are one too many: those draws are made again. */
        uint64_t surplus = (0 - n) % n;
        while ((uint64_t)product < surplus)
            product = (unsigned __int128)rng_next(r) * n;
    }
    return (uint64_t)(product >> 64);
}

double rng_unit(struct rng *r)
{
    /* The middles of 2^52 equal parts: all exact, none of them 0 or 1. */
    return ((double)(rng_next(r) >> 12) + 0.5) * 0x1p-52;
}

/* The index is split into a low half of low_bits bits and a high half below high_count; each round
 * adds a keyed function of one half to the other (modulo its range), which can be undone whatever
 * the function is, so the whole is a bijection of [0, high_count << low_bits). That range exceeds n
 * by less than 1 << low_bits, about the square root of n, so walking on past the surplus is rare.
 */
struct permutation permutation_make(uint64_t n, uint64_t key)
{
    struct permutation p = {.n = n, .key = rng_mix(key + GOLDEN)};
    if (n > 1) {
        unsigned bits = 63u - (unsigned)__builtin_clzll(n);
        p.low_bits = bits < 2 ? 1 : bits / 2;
    }
    uint64_t low_mask = (UINT64_C(1) << p.low_bits) - 1;
    p.high_count = (n >> p.low_bits) + ((n & low_mask) != 0);
    /* Two pairs of rounds are enough for large halves; few values need more of them to mix. */
    p.pairs = n < (UINT64_C(1) << 12) ? 5 : n < (UINT64_C(1) << 20) ? 3 : 2;
    return p;
}

static inline uint64_t round_hash(uint64_t half, uint64_t key)
{
    uint64_t x = (half + key) * GOLDEN;
    return (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
}

static inline uint64_t permutation_step(const struct permutation *p, uint64_t x)
{
    unsigned low_bits = p->low_bits;
    uint64_t low_mask = (UINT64_C(1) << low_bits) - 1;
    uint64_t low = x & low_mask;
    uint64_t high = x >> low_bits;
    uint64_t key = p->key;
    for (unsigned pair = 0; pair < p->pairs; pair++) {
        high += scale(round_hash(low, key), p->high_count);
        high -= high >= p->high_count ? p->high_count : 0;
        key += GOLDEN;
        low = (low ^ (round_hash(high, key) >> 32)) & low_mask;
        key += GOLDEN;
    }
    return high << low_bits | low;
}

uint64_t permutation_at(const struct permutation *p, uint64_t i)
{
    do
        i = permutation_step(p, i);
    while (i >= p->n);
    return i;
}
