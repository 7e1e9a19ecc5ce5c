/* The file system that a path lies on, or would lie on once it is made. */
#ifndef PARIO_PROBE_FILESYSTEM_H
#define PARIO_PROBE_FILESYSTEM_H

#include "probe/device.h"
#include "probe/source.h"

struct filesystem {
    char parent[PROBE_PATH_BYTES]; /* nearest directory that exists, resolved */
    char mount_point[1024];        /* "" where mountinfo does not tell, as the next three */
    char source[512];              /* "/dev/vda", "server:/export" */
    char type[64];                 /* "ext4", "fuse.glusterfs" */
    char options[1024];            /* of the mount, then of the file system; cut to fit */
    uint32_t major, minor;         /* as stat tells */
    bool read_only;
    enum answer network;    /* the data is not (only) on this node */
    enum answer memory;     /* the data is in this node's memory: tmpfs and kin, overlay above one,
                               zram,     a loop device whose file lies on one */
    enum answer page_cache; /* see fstype.h */
    /* PROBE_UNKNOWN where the file system says 0 of 0, as object stores and NFS services do. Quotas
     * are not looked up: what is available may be less. */
    uint64_t total_bytes, free_bytes,
        available_bytes; /* available: without what is kept for root */
    uint64_t total_inodes, free_inodes;
    uint64_t block_bytes;        /* size of I/O that the file system prefers */
    uint64_t path_max, name_max; /* in bytes; PROBE_UNKNOWN: no limit told */
    struct device device;        /* name "" where there is none */
};

/* path need not exist; a symbolic link in its last place is not followed, and then its directory
 * counts. 0, or -1 with an errno's error when even the directory cannot be looked at. */
int probe_filesystem(const char *root, const char *path, struct filesystem *fs, struct error *e);

/* Used share, 0 to 1; NAN where not known. */
double filesystem_used(const struct filesystem *fs);
double filesystem_inodes_used(const struct filesystem *fs);

/* "ext4 at / (/dev/vda)", for messages. Returns buf. */
char *filesystem_describe(const struct filesystem *fs, char *buf, size_t bytes);

#endif
