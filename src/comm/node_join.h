/* Which ranks are on one node, from what each knows of its own: no single sign can be trusted.
 * MPI may see one node as several (a group of ranks per socket, containers that share no memory) or
 * several as one (equal host names); machines made from one image may have equal names; clones of
 * one running virtual machine have equal boot ids. */
#ifndef PARIO_COMM_NODE_JOIN_H
#define PARIO_COMM_NODE_JOIN_H

#include "base/error.h"

#include <stdint.h>

struct node_sign {
    uint64_t boot;   /* of the kernel that runs: its boot id, hashed; 0: not known */
    uint64_t host;   /* host name, hashed */
    uint64_t shares; /* lowest of the ranks with which it can share memory, as MPI says */
};

/* The sign of this process; boot_id NULL: the kernel's own file of it. */
struct node_sign node_sign_here(const char *host, uint64_t shares, const char *boot_id);

/* node_of_rank: equal numbers for ranks of one node, which are joined where their kernels are the
 * same, or one of all ranks does not know its own, and MPI or the host name says so. O(n log n), 8
 * bytes a rank for the while. 0, or -1 when memory runs out. */
int node_join(const struct node_sign *signs, uint64_t ranks, uint32_t *node_of_rank,
              struct error *e);

#endif
