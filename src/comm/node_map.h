/* The topology of a comm whose ranks know of nothing but their own node. */
#ifndef PARIO_COMM_NODE_MAP_H
#define PARIO_COMM_NODE_MAP_H

#include "comm/comm.h"
#include "comm/node_join.h"
#include "model/topology.h"

#include <stdint.h>

/* Collective, of ranks that know signs of their own node alone; else as node_map_share. */
int node_map_join(struct comm *c, const struct node_sign *sign, struct topology *t,
                  struct error *e);

/* Collective; uses gather and broadcast of c alone. node: equal on the ranks of one node, else any
 * number. Caller frees with topology_free. 0, or -1 on ranks where it failed. */
int node_map_share(struct comm *c, uint32_t node, struct topology *t, struct error *e);

#endif
