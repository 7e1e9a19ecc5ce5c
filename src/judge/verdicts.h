/* Is the number to be trusted? Adds warnings to a phase result; reads results and facts alone. */
#ifndef PARIO_JUDGE_VERDICTS_H
#define PARIO_JUDGE_VERDICTS_H

#include "base/text.h"
#include "model/plan.h"
#include "model/result.h"

/* What verdicts need to know beside the result. Unknown numbers are 0 or NAN, and silence what
 * needs them: a backend without storage (null, sim) has no memory_bytes. */
struct world {
    uint64_t memory_bytes;  /* per node, cgroup limit respected */
    uint32_t cores;         /* per node */
    uint64_t most_per_node; /* ranks */
    uint32_t nodes;
    bool memory_fs;              /* tmpfs, ramfs */
    bool same_node_read;         /* some reader shares a node with its writer */
    bool direct;                 /* O_DIRECT is asked for */
    bool hollow;                 /* of what is read, less than half lies on the storage */
    bool direct_buffered;        /* it is, and found not to be in effect */
    double fs_used, inodes_used; /* 0 to 1; NAN: not known */
    char fs_type[32];
};

/* One rule each; judge is NULL where a backend raises the warning by itself. Ends with code NULL.
 */
struct verdict {
    const char *code;
    const char *when; /* for doc/metrics.md */
    void (*judge)(struct phase_result *p, const struct plan *plan, const struct world *world);
};
extern const struct verdict verdict_table[];

/* Every code and when it is given, for --help-metrics. */
void verdicts_help(struct text *out);

/* Asks every rule. */
void verdicts_phase(struct phase_result *p, const struct plan *plan, const struct world *world);

#endif
