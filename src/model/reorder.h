/* Who reads whose blocks: a permutation of ranks made from the real node map, so that no reader
 * shares a node with its writer wherever that can be had. */
#ifndef PARIO_MODEL_REORDER_H
#define PARIO_MODEL_REORDER_H

#include "model/topology.h"

enum reorder_kind {
    REORDER_NONE,     /* each rank its own */
    REORDER_CONSTANT, /* -C: ranks in node-major order, rotated by a constant */
    REORDER_RANDOM    /* -Z: rotated by a drawn constant, and shuffled inside each node */
};

struct reorder {
    enum reorder_kind kind;
    const struct topology *topology;
    uint64_t shift; /* places in node-major order */
    uint64_t key;   /* REORDER_RANDOM */
};

/* The rotation is by offset x (most ranks on a node), clipped to [most, N - most], within which no
 * rank lands on its own node: that exists exactly when N >= 2 x most. On one node it is by offset
 * ranks. With REORDER_RANDOM it is drawn from that range by the seed. */
struct reorder reorder_make(enum reorder_kind kind, const struct topology *topology,
                            uint64_t offset, uint64_t seed);
/* The rank whose blocks this rank reads. A bijection; O(runs of the node map). */
uint64_t reorder_source(const struct reorder *r, uint64_t rank);
/* Whether some reader is on the node of the rank it reads from. */
bool reorder_meets(const struct reorder *r);

/* Place of a rank when ranks are listed node by node, and back. O(runs). */
uint64_t topology_place(const struct topology *t, uint64_t rank);
uint64_t topology_at_place(const struct topology *t, uint64_t place);

#endif
