/* Is there room for what a run will write? Pure. */
#ifndef PARIO_PROBE_ROOM_H
#define PARIO_PROBE_ROOM_H

#include "probe/filesystem.h"

struct room_need {
    uint64_t bytes;          /* to be written by all ranks of all nodes */
    uint64_t inodes;         /* files and directories to be made */
    uint64_t replaced_bytes; /* allocated to own files that are removed or overwritten first */
    uint64_t replaced_inodes;
    double reserve_percent; /* of the file system's size, to be left free */
};

/* 0 where there is room or where the file system does not tell; else -1, STATUS_FAILED, "ENOSPC"
 * and all figures. Quotas are not known to it. */
int room_check(const struct filesystem *fs, const struct room_need *need, struct error *e);

/* Bytes that may still be written before the reserve is reached; PROBE_UNKNOWN where not known. */
uint64_t room_left(const struct filesystem *fs, double reserve_percent);

#endif
