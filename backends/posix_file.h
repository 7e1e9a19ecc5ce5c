/* Files by name and descriptor, shared by the backends whose objects are files: a table of open
 * descriptors, and the operations on names. Outcomes carry an errno. */
#ifndef PARIO_BACKENDS_POSIX_FILE_H
#define PARIO_BACKENDS_POSIX_FILE_H

#include "backends/backend.h"

#define POSIX_PATH_BYTES 4096 /* PATH_MAX: the kernel takes no longer one */

struct posix_files {
    struct object_names names;
    const struct clock *clock;
    int extra_flags; /* for every open: O_DIRECT or 0 */
    uint32_t handles;
    int fd[]; /* by handle; -1: not open */
};

/* NULL with an error. Freed by posix_files_free, which closes what is still open. */
struct posix_files *posix_files_make(const struct backend_setup *setup, int extra_flags,
                                     struct error *e);
void posix_files_free(struct posix_files *files);

/* The flags of open(2) that op asks for; O_NOFOLLOW always: pario's own names are no links. */
int posix_open_flags(const struct op *op);

/* OPEN and CREATE of op->object as op->handle. */
void posix_files_open(struct posix_files *files, const struct op *op, struct outcome *outcome);
/* CLOSE of op->handle. EINTR is no failure: Linux has closed the descriptor then. */
void posix_files_close(struct posix_files *files, const struct op *op, struct outcome *outcome);
/* SYNC of op->handle. */
void posix_files_sync(struct posix_files *files, const struct op *op, bool data_only,
                      struct outcome *outcome);

/* READ and WRITE of one piece: op's bytes starting at its offset, from or to data. May move less
 * than asked; EINTR and EAGAIN are tried again. Never more than one successful system call. */
void posix_files_piece(struct posix_files *files, const struct op *op, uint64_t offset_bytes,
                       void *data, uint64_t bytes, struct outcome *outcome);
/* READ and WRITE of all of op's pieces; ends at the first that is short. An error after the first
 * piece is a short count: what follows meets it again. */
void posix_files_pieces(struct posix_files *files, const struct op *op, struct outcome *outcome);

/* STAT (value: size), LIST (value: entries), RENAME, LINK, CHMOD (to the mode in op->other), XATTR
 * (sets "user.pario"), UNLINK, MKDIR, RMDIR, SYNC_DIRECTORY. Nothing open is needed. */
void posix_name(const struct object_names *names, const struct op *op, struct outcome *outcome);

/* Tells after a failed call with this errno whether to try again; counts the retry and, for EAGAIN,
 * pauses on the clock: 1 us at first, 10 ms at most, about 10 s in all. */
bool posix_again(const struct clock *clock, int error, struct outcome *outcome);

/* For struct backend's explain: "write 131072 bytes: No space left on device", with what is known
 * beyond the errno's text. direct: the file was opened with O_DIRECT. */
void posix_explain(const struct op *op, const struct outcome *outcome, bool direct,
                   struct error *e);

#endif
