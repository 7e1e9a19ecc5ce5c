/* Files by name and descriptor, shared by the backends whose objects are files: a table of open
 * descriptors, and the operations on names. Outcomes carry an errno. */
#ifndef PARIO_BACKENDS_POSIX_FILE_H
#define PARIO_BACKENDS_POSIX_FILE_H

#include "backends/backend.h"

#define POSIX_NEAR 2 /* directories held open */
#define POSIX_NEAR_FROM 8
#define POSIX_PATH_BYTES 4096 /* PATH_MAX: the kernel takes no longer one */

/* A directory that operations on names are relative to, once several in a row were in it. */
struct posix_near {
    uint64_t directory; /* object */
    int fd;             /* -1: not open */
    uint32_t uses;      /* since it was first met */
};

struct posix_files {
    struct object_names names;
    bool whole_paths; /* every call gets the whole path */
    unsigned oldest;  /* of near, the one to go next */
    struct posix_near near[POSIX_NEAR];
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
/* SYNC of op->handle, or of the file system of a directory (OP_FLAG_DIRECTORY). */
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
/* The same, relative to open directories where that saves the kernel the way there. */
void posix_files_name(struct posix_files *files, const struct op *op, struct outcome *outcome);

/* How to reach an object: a name, and the open directory that it is relative to. */
struct posix_place {
    int directory; /* descriptor, or AT_FDCWD with the whole path */
    char name[POSIX_PATH_BYTES];
};
/* 0, or an errno. A directory is opened when it is met the POSIX_NEAR_FROM-th time in a row. */
int posix_files_place(struct posix_files *files, uint64_t object, struct posix_place *place);

/* Tells after a failed call with this errno whether to try again; counts the retry and, for EAGAIN,
 * pauses on the clock: 1 us at first, 10 ms at most, about 10 s in all. */
bool posix_again(const struct clock *clock, int error, struct outcome *outcome);

/* For struct backend's explain: "write 131072 bytes: No space left on device", with what is known
 * beyond the errno's text. direct: the file was opened with O_DIRECT. */
void posix_explain(const struct op *op, const struct outcome *outcome, bool direct,
                   struct error *e);

#endif
