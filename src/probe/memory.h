/* Memory and cores that this node really offers to the processes of the run. */
#ifndef PARIO_PROBE_MEMORY_H
#define PARIO_PROBE_MEMORY_H

#include "probe/cgroup.h"
#include "probe/source.h"

struct memory_facts {         /* PROBE_UNKNOWN where the kernel does not tell */
    uint64_t node_bytes;      /* of the machine */
    uint64_t usable_bytes;    /* the same, or the control group's limit where that is less */
    uint64_t available_bytes; /* free, or could be freed without swapping */
    uint64_t cached_bytes;    /* page cache now */
    uint64_t dirty_bytes;     /* waiting to be written */
    uint64_t swap_bytes;
    uint64_t huge_page_bytes; /* size of one */
    uint64_t huge_pages, huge_pages_free;
    uint32_t cores_online;
    uint32_t cores_allowed; /* of them this process may run on (affinity); launchers bind each rank
                               to few, so this is not the node's share of the job */
    double cores_usable;    /* the same, or the CPU quota where that is less */
    double cores_node; /* what all ranks of the node have together: those online, or the control
                          group's set or quota where that is less; without affinity */
    struct cgroup_limits limits;
};

void memory_read(const char *root, struct memory_facts *m);

/* Bytes of one row of /proc/meminfo ("MemTotal"), or the plain number of one without unit
 * ("HugePages_Total"): pure. PROBE_UNKNOWN where there is none. */
uint64_t memory_row(const char *meminfo, const char *name);

#endif
