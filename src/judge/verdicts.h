/* Is the number to be trusted? Adds warnings to a phase result; reads results and facts alone. */
#ifndef PARIO_JUDGE_VERDICTS_H
#define PARIO_JUDGE_VERDICTS_H

#include "model/plan.h"
#include "model/result.h"

/* What verdicts need to know beside the result. Unknown numbers are 0 or NAN. */
struct world {
    uint64_t memory_bytes;      /* per node, cgroup limit respected */
    uint32_t cores;             /* per node */
    uint64_t most_per_node;     /* ranks */
    uint32_t nodes;
    bool memory_fs;             /* tmpfs, ramfs */
    bool same_node_read;        /* some reader shares a node with its writer */
    bool direct;
    double fs_used, inodes_used; /* 0 to 1; NAN: not known */
    char fs_type[32];
};

void verdicts_phase(struct phase_result *p, const struct plan *plan, const struct world *world);

#endif
