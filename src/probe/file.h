/* What is at a path, and whether a run may use it. */
#ifndef PARIO_PROBE_FILE_H
#define PARIO_PROBE_FILE_H

#include "probe/source.h"

enum file_kind {
    FILE_MISSING,
    FILE_REGULAR,
    FILE_DIRECTORY,
    FILE_SYMLINK,
    FILE_FIFO,
    FILE_SOCKET,
    FILE_BLOCK,
    FILE_CHARACTER
};

struct file_facts {
    enum file_kind kind;
    uint64_t size_bytes; /* of a block device: 0 */
    uint64_t
        allocated_bytes; /* on the storage; far below size_bytes: holes, nothing to be read there */
    uint64_t inode;
    uint64_t device;     /* as st_dev: may differ from node to node for one file system */
    int64_t modified_ns; /* Unix time */
    int64_t born_ns;     /* the same; 0 where the file system does not keep it */
    uint64_t links;
    uint32_t mode; /* permission bits */
};

/* Looks without following a symbolic link in the last place. Nothing there is FILE_MISSING, not an
 * error. 0, or -1 with an errno's error (a directory on the way may not be searched, a loop). */
int file_look(const char *path, struct file_facts *facts, struct error *e);

/* "a directory", "a FIFO". */
const char *file_kind_name(enum file_kind kind);

/* The directory that the last component lies in, as text: "a" -> ".", "/a" -> "/", "d/a" -> "d". */
void file_directory(const char *path, char *buf, size_t bytes);

/* Refuses names that no run should have: empty, control characters, longer than the system takes
 * (PATH_MAX; NAME_MAX between two slashes). Pure. 0, or -1 with STATUS_USAGE. */
int file_check_name(const char *path, struct error *e);

/* Refuses what cannot be a file of a run: anything but a regular file, something missing, or, where
 * devices are allowed, a block device. Pure. 0, or -1 with STATUS_USAGE. */
int file_check_target(const char *path, const struct file_facts *facts, bool devices,
                      struct error *e);

/* Whether a new file can be made at path: its directory exists, can be written and searched.
 * Nothing is made. 0, or -1 with STATUS_USAGE. */
int file_check_directory(const char *path, struct error *e);

/* All of the above for a file that is to be written; *facts (may be NULL) tells what is there now.
 */
int file_check(const char *path, bool devices, struct file_facts *facts, struct error *e);

/* Size of a block device, which need not be writable. 0, or -1 with an error. */
int file_device_size(const char *path, uint64_t *bytes, struct error *e);
/* Refuses a block device that something on this node holds for itself: a mounted file system, swap,
 * a volume manager. 0, or -1 with STATUS_USAGE. */
int file_check_unused(const char *path, struct error *e);

/* Whether a file that should hold data has less than half of it on the storage: reading its holes
 * measures nothing. Small files (below 1 MiB), which may be kept in the inode, never have. */
bool file_is_hollow(const struct file_facts *facts);

#endif
