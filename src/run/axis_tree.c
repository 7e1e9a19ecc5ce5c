/* In a binomial tree the parent of place p is p without its lowest bit; the root is 0. */
#include "run/axis_tree.h"

#include <stddef.h>

static uint64_t run_ranks(const struct topology *t, uint64_t run)
{
    uint64_t end = run + 1 < t->runs_used ? t->runs[run + 1].first_rank : t->ranks;
    return end - t->runs[run].first_rank;
}

/* First rank of a node: nodes are numbered in the order of these, so runs need one look. */
static uint64_t leader(const struct topology *t, uint64_t node)
{
    uint64_t low = 0;
    if (t->runs_used == t->nodes) /* each node is one run, and number is place */
        low = node;
    while (t->runs[low].node != node)
        low++;
    return t->runs[low].first_rank;
}

/* The rank at a place among those of a node. */
static uint64_t member(const struct topology *t, uint32_t node, uint64_t place)
{
    for (uint64_t run = 0; run < t->runs_used; run++) {
        if (t->runs[run].node != node)
            continue;
        if (place < run_ranks(t, run))
            return t->runs[run].first_rank + place;
        place -= run_ranks(t, run);
    }
    return 0;
}

struct place {
    uint64_t at, of; /* its place, and how many there are */
};

static struct place place_in_node(const struct topology *t, uint32_t node, uint64_t rank)
{
    struct place p = {0, 0};
    for (uint64_t run = 0; run < t->runs_used; run++) {
        if (t->runs[run].node != node)
            continue;
        if (t->runs[run].first_rank <= rank) {
            uint64_t inside = rank - t->runs[run].first_rank;
            p.at += inside < run_ranks(t, run) ? inside : run_ranks(t, run);
        }
        p.of += run_ranks(t, run);
    }
    return p;
}

/* Places below p of n, the largest subtree first. */
static uint32_t places_below(struct place p, uint64_t *below)
{
    uint64_t lowest = p.at ? p.at & -p.at : UINT64_C(1) << 63;
    uint32_t n = 0;
    for (uint64_t step = lowest; step > 0; step /= 2)
        if ((p.at == 0 || step < lowest) && step < p.of - p.at)
            below[n++] = p.at + step;
    return n;
}

struct axis_tree axis_tree_of(const struct topology *t, uint64_t rank)
{
    struct axis_tree tree = {0};
    uint32_t node = topology_node(t, rank);
    struct place inside = place_in_node(t, node, rank);
    struct place among = {node, t->nodes};
    uint64_t below[64];
    if (inside.at == 0) {
        tree.is_root = node == 0;
        tree.parent = leader(t, among.at & (among.at - 1));
        uint32_t n = places_below(among, below);
        for (uint32_t i = 0; i < n; i++)
            tree.children[tree.children_used++] = leader(t, below[i]);
    } else {
        tree.parent = member(t, node, inside.at & (inside.at - 1));
    }
    uint32_t n = places_below(inside, below);
    for (uint32_t i = 0; i < n; i++)
        tree.children[tree.children_used++] = member(t, node, below[i]);
    return tree;
}
