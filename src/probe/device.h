/* A block device as /sys/dev/block/MAJOR:MINOR shows it. */
#ifndef PARIO_PROBE_DEVICE_H
#define PARIO_PROBE_DEVICE_H

#include "probe/source.h"

struct device {
    char name[64];          /* "vda", "nvme0n1p2"; "" where there is no block device */
    char model[64];         /* "" where none is told */
    char scheduler[32];     /* the chosen one, "" where not told */
    uint64_t bytes;         /* PROBE_UNKNOWN where not told, as the sizes below */
    enum answer rotational; /* as the kernel believes; virtual disks often say yes untruly */
    uint64_t logical_block_bytes;
    uint64_t physical_block_bytes;
    char backing_file[512]; /* of a loop device, else "" */
    enum answer memory;     /* zram, brd: its blocks are memory */
};

/* Fills *d; what is not known is left unknown. A partition shows its disk's queue. False where the
 * machine has no such block device. */
bool device_look(const char *root, uint32_t major, uint32_t minor, struct device *d);

#endif
