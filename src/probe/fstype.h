/* What the name of a file system type tells: pure. */
#ifndef PARIO_PROBE_FSTYPE_H
#define PARIO_PROBE_FSTYPE_H

#include "probe/source.h"

struct fstype {
    enum answer network;    /* the data is (also) elsewhere */
    enum answer memory;     /* the data is in this node's memory alone */
    enum answer page_cache; /* what it caches on this node is in the page cache, where it can be
                               seen; no: it has a cache of its own (GPFS, ZFS) */
};

/* type as mountinfo writes it: "ext4", "nfs4", "fuse.glusterfs". Types not known answer unknown. */
struct fstype fstype_find(const char *type);

#endif
