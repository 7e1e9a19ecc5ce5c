/* POSIX: one pread or pwrite per operation. The engine continues short counts. */
#include "backends/posix_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

struct posix_options {
    bool data_sync;
    bool range_locks;
    bool whole_paths;
};

struct posix {
    struct posix_files *files;
    bool data_sync;
    bool range_locks;
    bool direct;
};

static const struct option posix_options[] = {
    {.name = "datasync",
     .kind = OPTION_FLAG,
     .field = offsetof(struct posix_options, data_sync),
     .group = "Backend posix",
     .workloads = WORKLOAD_ANY,
     .help = "sync with fdatasync instead of fsync",
     .text = "fdatasync leaves out metadata that reading the data back does not need, such as the "
             "time of modification."},
    {.name = "rangelocks",
     .kind = OPTION_FLAG,
     .field = offsetof(struct posix_options, range_locks),
     .group = "Backend posix",
     .workloads = WORKLOAD_ANY,
     .help = "lock the bytes of each transfer while it runs",
     .text = "An advisory lock of the open file (fcntl F_OFD_SETLKW), shared for reads and "
             "exclusive for writes, is taken before and given back after each transfer; the time "
             "of both is part of the transfer's latency."},
    {.name = "whole-paths",
     .kind = OPTION_FLAG,
     .field = offsetof(struct posix_options, whole_paths),
     .group = "Backend posix",
     .workloads = WORKLOAD_METADATA | WORKLOAD_FIND,
     .help = "give every call the whole path",
     .text = "Otherwise, when several items in a row lie in the same directory, it is opened and "
             "the calls get a name relative to it, as programs that work on many files do. mdtest "
             "gives whole paths."},
    {.name = NULL},
};

static void *posix_open(const struct backend_setup *setup, struct error *e)
{
    const struct posix_options *options = setup->options;
    struct posix *p = malloc(sizeof *p);
    struct posix_files *files = posix_files_make(setup, setup->direct ? O_DIRECT : 0, e);
    if (p == NULL || files == NULL) {
        error_set(e, STATUS_FAILED, "ENOMEM", "posix: no memory");
        free(p);
        if (files != NULL)
            posix_files_free(files);
        return NULL;
    }
    files->whole_paths |= options->whole_paths;
    *p = (struct posix){.files = files,
                        .data_sync = options->data_sync,
                        .range_locks = options->range_locks,
                        .direct = setup->direct};
    return p;
}

static void posix_close(void *io)
{
    struct posix *p = io;
    posix_files_free(p->files);
    free(p);
}

/* Locks the bytes from the first piece's begin to the last one's end; type F_UNLCK unlocks. */
static int range_lock(int fd, const struct op *op, short type)
{
    uint64_t pieces = op->count > 1 ? op->count : 1;
    struct flock lock = {
        .l_type = type,
        .l_whence = SEEK_SET,
        .l_start = (off_t)op->offset_bytes,
        .l_len = (off_t)((pieces - 1) * op->stride_bytes + op->length_bytes),
    };
    int failed;
    do
        failed = fcntl(fd, F_OFD_SETLKW, &lock);
    while (failed && errno == EINTR);
    return failed ? errno : 0;
}

/* Transfers that are more than one call: interrupted, of several pieces, locked. */
static enum io_state transfer_slowly(struct posix *p, const struct op *op, struct outcome *outcome)
{
    int fd = p->files->fd[op->handle];
    if (p->range_locks) {
        int error = range_lock(fd, op, op->kind == OP_READ ? F_RDLCK : F_WRLCK);
        if (error != 0) {
            *outcome = (struct outcome){.error = error};
            return IO_DONE;
        }
    }
    posix_files_pieces(p->files, op, outcome);
    if (p->range_locks)
        range_lock(fd, op, F_UNLCK);
    return IO_DONE;
}

static inline bool is_plain(const struct posix *p, const struct op *op)
{
    return __builtin_expect(op->count <= 1 && !p->range_locks, 1);
}

static inline enum io_state answer(struct posix *p, const struct op *op, ssize_t moved,
                                   struct outcome *outcome)
{
    if (__builtin_expect(moved >= 0, 1)) {
        *outcome = (struct outcome){.value = moved};
        return IO_DONE;
    }
    if (errno != EINTR && errno != EAGAIN) {
        *outcome = (struct outcome){.error = errno};
        return IO_DONE;
    }
    transfer_slowly(p, op, outcome);
    outcome->retries++; /* the call that brought us here */
    return IO_DONE;
}

static enum io_state posix_read(void *io, const struct op *op, uint32_t slot,
                                struct outcome *outcome)
{
    (void)slot;
    struct posix *p = io;
    if (!is_plain(p, op))
        return transfer_slowly(p, op, outcome);
    int fd = p->files->fd[op->handle];
    return answer(p, op, pread(fd, op->data, op->length_bytes, (off_t)op->offset_bytes), outcome);
}

static enum io_state posix_write(void *io, const struct op *op, uint32_t slot,
                                 struct outcome *outcome)
{
    (void)slot;
    struct posix *p = io;
    if (!is_plain(p, op))
        return transfer_slowly(p, op, outcome);
    int fd = p->files->fd[op->handle];
    return answer(p, op, pwrite(fd, op->data, op->length_bytes, (off_t)op->offset_bytes), outcome);
}

static enum io_state posix_open_file(void *io, const struct op *op, uint32_t slot,
                                     struct outcome *outcome)
{
    (void)slot;
    posix_files_open(((struct posix *)io)->files, op, outcome);
    return IO_DONE;
}

static enum io_state posix_close_file(void *io, const struct op *op, uint32_t slot,
                                      struct outcome *outcome)
{
    (void)slot;
    posix_files_close(((struct posix *)io)->files, op, outcome);
    return IO_DONE;
}

static enum io_state posix_sync(void *io, const struct op *op, uint32_t slot,
                                struct outcome *outcome)
{
    (void)slot;
    struct posix *p = io;
    posix_files_sync(p->files, op, p->data_sync, outcome);
    return IO_DONE;
}

static enum io_state posix_named(void *io, const struct op *op, uint32_t slot,
                                 struct outcome *outcome)
{
    (void)slot;
    posix_files_name(((struct posix *)io)->files, op, outcome);
    return IO_DONE;
}

static void explain(void *io, const struct op *op, const struct outcome *outcome, struct error *e)
{
    posix_explain(op, outcome, ((struct posix *)io)->direct, e);
}

const struct backend backend_posix = {
    .name = "posix",
    .sentence = "files by open, pread, pwrite, fsync, close",
    .traits = BACKEND_PATHS | BACKEND_DIRECT | BACKEND_STORES,
    .options = posix_options,
    .options_bytes = sizeof(struct posix_options),
    .max_depth = 1,
    .open = posix_open,
    .close = posix_close,
    .perform =
        {
            [OP_OPEN] = posix_open_file,
            [OP_READ] = posix_read,
            [OP_WRITE] = posix_write,
            [OP_SYNC] = posix_sync,
            [OP_CLOSE] = posix_close_file,
            [OP_CREATE] = posix_open_file,
            [OP_STAT] = posix_named,
            [OP_LIST] = posix_named,
            [OP_RENAME] = posix_named,
            [OP_LINK] = posix_named,
            [OP_CHMOD] = posix_named,
            [OP_XATTR] = posix_named,
            [OP_UNLINK] = posix_named,
            [OP_MKDIR] = posix_named,
            [OP_RMDIR] = posix_named,
            [OP_SYNC_DIRECTORY] = posix_named,
        },
    .explain = explain,
};
