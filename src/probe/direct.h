/* What direct I/O (O_DIRECT) needs on a file system, found before the first byte of a run. */
#ifndef PARIO_PROBE_DIRECT_H
#define PARIO_PROBE_DIRECT_H

#include "probe/source.h"

enum direct_source {
    DIRECT_NOT_TOLD,
    DIRECT_STATX, /* the kernel said so (STATX_DIOALIGN, Linux 6.1) */
    DIRECT_TRIED  /* found out by reads or writes with O_DIRECT */
};

struct direct_facts {
    enum answer supported; /* unknown: an existing file too small to try it on */
    enum direct_source source;
    uint32_t memory_bytes;   /* buffers must be aligned so; 0 where not known */
    uint32_t transfer_bytes; /* offsets and lengths must be multiples of it; 0 where not known */
    enum answer in_effect;   /* no: accepted, but the data goes through the page cache all the same
                                (tmpfs, a fallback); unknown where cachestat cannot tell */
};

/* path may be a file or a device, which is at most read (then in_effect stays unknown, for its
 * pages are not ours to drop); or a directory, or missing: then a nameless file of 64 KiB is
 * written in the directory and is gone when this returns. 0, or -1 with an error when nothing could
 * be tried (no such directory, no permission, disk full); "cannot do direct I/O" is an answer, not
 * an error. */
int direct_probe(const char *path, struct direct_facts *facts, struct error *e);

/* Whether transfers of these sizes can be done: 0, or STATUS_USAGE with a message that names the
 * figure and what would be right. Pure. */
int direct_check(const struct direct_facts *facts, uint64_t transfer_bytes, uint64_t block_bytes,
                 const char *path, struct error *e);

#endif
