/* The sidecar FILE.pario beside a kept file: who made it and what was really written, so that a
 * later run reads exactly that, checks it, and knows its own files from foreign ones.
 *
 * Lines "key value", all of them, in this order, nothing else:
 *     pario-sidecar 1                the format's version
 *     run 5f0c...                    of the run that wrote: a word of at most 39 characters
 *     program 0.1.0
 *     seed 42
 *     data stamped                   how buffers were filled: a word
 *     order sequence                 in which order transfers were made: a word
 *     ranks 4
 *     segments 1
 *     block 4194304                  bytes
 *     transfer 131072                bytes
 *     file-per-process 0
 *     written 0 4 32                 first rank, ranks, transfers of each; covers all ranks
 *     file 0 131 65024 1700 16777216 object, inode, device, born (ns, 0: not known), bytes
 *     end 12                         lines before this one: what was cut short is found out
 *
 * One without a file is of a run that has begun: killed, it left files that nobody recorded. */
#ifndef PARIO_PROBE_SIDECAR_H
#define PARIO_PROBE_SIDECAR_H

#include "base/text.h"
#include "probe/file.h"

#define SIDECAR_VERSION 1
#define SIDECAR_WORD 40
#define SIDECAR_MOST_RANKS UINT32_MAX

struct sidecar_run { /* neighbouring ranks that wrote equally much */
    uint64_t first_rank;
    uint64_t ranks;
    uint64_t transfers;
};

struct sidecar_file {
    uint64_t object;
    uint64_t inode;
    uint64_t device;
    int64_t born_ns;
    uint64_t size_bytes;
};

/* Zeroed it is empty. Memory: 40 bytes a file, 24 a run of ranks, at most 2^24 of each. */
struct sidecar {
    char run[SIDECAR_WORD];
    char program[SIDECAR_WORD];
    char data[SIDECAR_WORD];
    char order[SIDECAR_WORD];
    uint64_t seed;
    uint64_t ranks;
    uint64_t segments;
    uint64_t block_bytes;
    uint64_t transfer_bytes;
    uint64_t file_per_process; /* 0 or 1 */
    size_t written_used, written_capacity;
    struct sidecar_run *written; /* owned; from rank 0 on without a gap */
    size_t files_used, files_capacity;
    struct sidecar_file *files; /* owned; objects ascend */
};

enum ownership {
    OWNERSHIP_MISSING, /* nothing is there */
    OWNERSHIP_OWN,
    OWNERSHIP_FOREIGN
};

/* "o" -> "o.pario"; 0, or -1 with STATUS_USAGE where it does not fit. */
int sidecar_path(const char *file, char *buf, size_t bytes, struct error *e);

/* Appends what the next rank (from 0 on) has written; and a file as file_look found it after its
 * last close, in ascending order of objects. 0, or -1 with an error (memory, order). */
int sidecar_add_written(struct sidecar *s, uint64_t transfers, struct error *e);
int sidecar_add_file(struct sidecar *s, uint64_t object, const struct file_facts *facts,
                     struct error *e);

/* What a rank wrote; 0 for ranks beyond. O(log runs). */
uint64_t sidecar_written(const struct sidecar *s, uint64_t rank);

/* The record of an object, or NULL. O(log files). */
const struct sidecar_file *sidecar_file(const struct sidecar *s, uint64_t object);

/* Whether what is now at the object's path is the file that was recorded: same inode, and born at
 * the same time (an inode number is soon used again); where no birth time is kept, of the same
 * size. The device's number is no witness: it differs between nodes and after a mount. s may be
 * NULL: nothing there is own. Pure. */
enum ownership sidecar_owns(const struct sidecar *s, uint64_t object,
                            const struct file_facts *facts);

/* 0, or -1 with STATUS_FAILED and kind "internal" where *s breaks the rules above (a word with
 * blanks, ranks not covered): what is written can be read. */
int sidecar_format(const struct sidecar *s, struct text *t, struct error *e);

/* Strict. 0; or -1 with STATUS_USAGE, naming name (its path), line and reason, and *s empty. */
int sidecar_parse(const char *text, size_t bytes, const char *name, struct sidecar *s,
                  struct error *e);

/* Replaces path in one step: a temporary file beside it, fsync, rename, fsync of the directory.
 * Refuses (STATUS_USAGE) to replace what is no sidecar. 0, or -1 with an error, and the old one
 * stays. */
int sidecar_write(const char *path, const struct sidecar *s, struct error *e);

/* Reads path. *there false: no such file, *s empty, 0. -1 with an error, *s empty: it cannot be
 * read, or is broken (STATUS_USAGE). No symbolic link is followed. */
int sidecar_read(const char *path, struct sidecar *s, bool *there, struct error *e);

void sidecar_free(struct sidecar *s);

/* IOR's stonewalling status file: one number, transfers per rank. 0, or -1 with an error that names
 * what is wrong (STATUS_USAGE for anything that is no such file). */
int sidecar_read_status(const char *path, uint64_t *transfers, struct error *e);
/* Before anything is written: 0 where path is free or holds a status file, which may be replaced;
 * -1 with STATUS_USAGE where not. */
int sidecar_check_status(const char *path, struct error *e);
/* Replaces it in one step. */
int sidecar_write_status(const char *path, uint64_t transfers, struct error *e);

#endif
