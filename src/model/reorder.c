#include "model/reorder.h"

#include "base/rng.h"

static uint64_t run_end(const struct topology *t, uint64_t i)
{
    return i + 1 < t->runs_used ? t->runs[i + 1].first_rank : t->ranks;
}

uint64_t topology_place(const struct topology *t, uint64_t rank)
{
    uint32_t node = topology_node(t, rank);
    uint64_t place = 0;
    for (uint64_t i = 0; i < t->runs_used; i++) {
        uint64_t first = t->runs[i].first_rank, end = run_end(t, i);
        if (t->runs[i].node < node)
            place += end - first;
        else if (t->runs[i].node == node && first <= rank)
            place += (end < rank ? end : rank) - first;
    }
    return place;
}

struct node_places { /* of one node in node-major order */
    uint64_t first;
    uint64_t ranks;
};

static struct node_places places_of(const struct topology *t, uint32_t node)
{
    struct node_places p = {0, 0};
    for (uint64_t i = 0; i < t->runs_used; i++) {
        uint64_t ranks = run_end(t, i) - t->runs[i].first_rank;
        if (t->runs[i].node < node)
            p.first += ranks;
        else if (t->runs[i].node == node)
            p.ranks += ranks;
    }
    return p;
}

/* Node that holds a place: by halving, each step O(runs). */
static uint32_t node_at_place(const struct topology *t, uint64_t place)
{
    uint32_t low = 0, high = t->nodes - 1;
    while (low < high) {
        uint32_t middle = low + (high - low + 1) / 2;
        if (places_of(t, middle).first <= place)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

uint64_t topology_at_place(const struct topology *t, uint64_t place)
{
    uint32_t node = node_at_place(t, place);
    uint64_t left = place - places_of(t, node).first;
    for (uint64_t i = 0; i < t->runs_used; i++) {
        if (t->runs[i].node != node)
            continue;
        uint64_t ranks = run_end(t, i) - t->runs[i].first_rank;
        if (left < ranks)
            return t->runs[i].first_rank + left;
        left -= ranks;
    }
    return 0; /* a place beyond the last rank: there is none */
}

static uint64_t clip(uint64_t value, uint64_t low, uint64_t high)
{
    return value < low ? low : value > high ? high : value;
}

struct reorder reorder_make(enum reorder_kind kind, const struct topology *t, uint64_t offset,
                            uint64_t seed)
{
    struct reorder r = {.kind = kind, .topology = t, .key = rng_mix(seed)};
    uint64_t n = t->ranks, most = t->most_per_node;
    if (kind == REORDER_NONE || n == 1)
        return r;
    uint64_t low = n >= 2 * most ? most : 1;
    uint64_t high = n >= 2 * most ? n - most : n - 1;
    if (kind == REORDER_RANDOM) {
        struct rng rng = rng_make(seed, 0);
        r.shift = low + rng_below(&rng, high - low + 1);
    } else {
        uint64_t step = t->nodes > 1 ? most : 1;
        uint64_t wanted;
        if (__builtin_mul_overflow(offset, step, &wanted))
            wanted = high;
        r.shift = clip(wanted, low, high);
    }
    return r;
}

/* Places of one node change among themselves. */
static uint64_t shuffle_in_node(const struct reorder *r, uint64_t place)
{
    uint32_t node = node_at_place(r->topology, place);
    struct node_places p = places_of(r->topology, node);
    struct permutation inside = permutation_make(p.ranks, rng_mix(r->key ^ node));
    return p.first + permutation_at(&inside, place - p.first);
}

uint64_t reorder_source(const struct reorder *r, uint64_t rank)
{
    if (r->kind == REORDER_NONE || r->topology->ranks == 1)
        return rank;
    uint64_t place = topology_place(r->topology, rank);
    if (r->kind == REORDER_RANDOM)
        place = shuffle_in_node(r, place);
    return topology_at_place(r->topology, (place + r->shift) % r->topology->ranks);
}

bool reorder_meets(const struct reorder *r)
{
    const struct topology *t = r->topology;
    if (r->kind == REORDER_NONE || t->ranks == 1)
        return true;
    return r->shift < t->most_per_node || r->shift > t->ranks - t->most_per_node;
}
