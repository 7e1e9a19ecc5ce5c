/* Limits that a control group puts on this process: its own group's and those of all groups above
 * it, in both versions of cgroups. */
#ifndef PARIO_PROBE_CGROUP_H
#define PARIO_PROBE_CGROUP_H

#include "probe/source.h"

struct cgroup_limits {
    uint64_t memory_bytes;  /* least limit on the way up; PROBE_UNKNOWN: none */
    double cores;           /* least CPU quota in cores; NAN: none */
    uint32_t cpus;          /* in the group's set of CPUs; 0: not told */
    char memory_where[256]; /* file that holds the limit, "" for none */
    char cores_where[256];
};

void cgroup_read(const char *root, struct cgroup_limits *limits);

/* The path of this process in the hierarchy of a controller ("memory"; "" for version 2), from the
 * text of /proc/self/cgroup: pure. False where it is in none or the path does not fit. */
bool cgroup_path(const char *text, const char *controller, char *buf, size_t bytes);

/* How many CPUs a list like "0-3,8" names: pure. 0 where it is anything else. */
uint32_t cgroup_count_cpus(const char *list);

#endif
