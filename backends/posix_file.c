#include "backends/posix_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct posix_files *posix_files_make(const struct backend_setup *setup, int extra_flags,
                                     struct error *e)
{
    struct posix_files *files = malloc(sizeof *files + setup->handles * sizeof files->fd[0]);
    if (files == NULL) {
        error_set(e, STATUS_FAILED, "ENOMEM", "no memory for a table of %u open files",
                  (unsigned)setup->handles);
        return NULL;
    }
    files->names = setup->names;
    files->clock = setup->clock;
    files->extra_flags = extra_flags;
    files->whole_paths = setup->names.leaf == NULL;
    files->oldest = 0;
    for (unsigned i = 0; i < POSIX_NEAR; i++)
        files->near[i] = (struct posix_near){.directory = UINT64_MAX, .fd = -1};
    files->handles = setup->handles;
    for (uint32_t i = 0; i < setup->handles; i++)
        files->fd[i] = -1;
    return files;
}

void posix_files_free(struct posix_files *files)
{
    for (uint32_t i = 0; i < files->handles; i++)
        if (files->fd[i] >= 0)
            close(files->fd[i]);
    for (unsigned i = 0; i < POSIX_NEAR; i++)
        if (files->near[i].fd >= 0)
            close(files->near[i].fd);
    free(files);
}

int posix_open_flags(const struct op *op)
{
    int flags = O_CLOEXEC | O_NOFOLLOW;
    bool writes = op->flags & OP_FLAG_WRITE;
    if (op->flags & OP_FLAG_READ)
        flags |= writes ? O_RDWR : O_RDONLY;
    else
        flags |= writes || op->kind == OP_CREATE ? O_WRONLY : O_RDONLY;
    if (op->flags & OP_FLAG_CREATE || op->kind == OP_CREATE)
        flags |= O_CREAT;
    if (op->flags & OP_FLAG_EXCLUSIVE)
        flags |= O_EXCL;
    if (op->flags & OP_FLAG_TRUNCATE)
        flags |= O_TRUNC;
    return flags;
}

bool posix_again(const struct clock *clock, int error, struct outcome *outcome)
{
    if (error != EINTR && error != EAGAIN)
        return false;
    if (error == EAGAIN) {
        if (outcome->retries >= 1000)
            return false;
        int64_t pause_ns = outcome->retries < 14 ? INT64_C(1000) << outcome->retries : 10000000;
        clock->sleep_until(clock, clock->now_ns(clock) + pause_ns);
    }
    outcome->retries++;
    return true;
}

void posix_files_open(struct posix_files *files, const struct op *op, struct outcome *outcome)
{
    struct posix_place place;
    *outcome = (struct outcome){0};
    outcome->error = posix_files_place(files, op->object, &place);
    if (outcome->error != 0)
        return;
    int flags = posix_open_flags(op) | files->extra_flags;
    int fd;
    do
        fd = openat(place.directory, place.name, flags, 0666);
    while (fd < 0 && posix_again(files->clock, errno, outcome));
    if (fd < 0)
        outcome->error = errno;
    else
        files->fd[op->handle] = fd;
}

void posix_files_close(struct posix_files *files, const struct op *op, struct outcome *outcome)
{
    *outcome = (struct outcome){0};
    int fd = files->fd[op->handle];
    files->fd[op->handle] = -1;
    if (close(fd) != 0 && errno != EINTR)
        outcome->error = errno;
}

void posix_files_sync(struct posix_files *files, const struct op *op, bool data_only,
                      struct outcome *outcome)
{
    *outcome = (struct outcome){0};
    if (op->flags & OP_FLAG_DIRECTORY) {
        posix_name(&files->names, op, outcome);
        return;
    }
    int fd = files->fd[op->handle];
    int failed;
    do
        failed = data_only ? fdatasync(fd) : fsync(fd);
    while (failed && posix_again(files->clock, errno, outcome));
    if (failed)
        outcome->error = errno;
}

void posix_files_piece(struct posix_files *files, const struct op *op, uint64_t offset_bytes,
                       void *data, uint64_t bytes, struct outcome *outcome)
{
    int fd = files->fd[op->handle];
    off_t offset = (off_t)offset_bytes;
    ssize_t moved;
    *outcome = (struct outcome){0};
    do
        moved =
            op->kind == OP_READ ? pread(fd, data, bytes, offset) : pwrite(fd, data, bytes, offset);
    while (moved < 0 && posix_again(files->clock, errno, outcome));
    if (moved < 0)
        outcome->error = errno;
    else
        outcome->value = moved;
}

void posix_files_pieces(struct posix_files *files, const struct op *op, struct outcome *outcome)
{
    uint32_t pieces = op->count > 1 ? op->count : 1;
    char *data = op->data;
    struct outcome sum = {0};
    for (uint32_t i = 0; i < pieces; i++) {
        struct outcome piece;
        posix_files_piece(files, op, op->offset_bytes + i * op->stride_bytes, data,
                          op->length_bytes, &piece);
        sum.retries += piece.retries;
        sum.value += piece.value;
        data += op->length_bytes;
        if (piece.error != 0 && i == 0)
            sum.error = piece.error;
        if (piece.error != 0 || (uint64_t)piece.value < op->length_bytes)
            break;
    }
    *outcome = sum;
}

/* What an errno's own text leaves open; NULL where it says enough. */
static const char *hint(const struct op *op, const struct outcome *outcome, bool direct)
{
    bool opens = op->kind == OP_OPEN || op->kind == OP_CREATE;
    switch (outcome->error) {
    case EINVAL:
        if (!direct)
            return NULL;
        return opens ? "the file system may refuse O_DIRECT"
                     : "O_DIRECT wants offset, length and memory in multiples of the device's "
                       "block";
    case ELOOP:
        return opens ? "a symbolic link here is not followed" : NULL;
    case EMFILE:
        return "limit of this process, see ulimit -n";
    case EFBIG:
        return "limit of the file system or of ulimit -f";
    case EAGAIN:
        return "tried for 10 s";
    case EBADF:
        return op_is_transfer(op->kind) ? "not open, or not open for this" : "not open";
    default:
        return NULL;
    }
}

void posix_explain(const struct op *op, const struct outcome *outcome, bool direct, struct error *e)
{
    char what[96];
    const char *name = op_name(op->kind);
    unsigned long long bytes = op->length_bytes;
    if (op_is_transfer(op->kind) && op->count > 1)
        snprintf(what, sizeof what, "%s %u pieces of %llu bytes", name, (unsigned)op->count, bytes);
    else if (op_is_transfer(op->kind))
        snprintf(what, sizeof what, "%s %llu bytes", name, bytes);
    else
        snprintf(what, sizeof what, "%s", name);
    const char *more = hint(op, outcome, direct);
    if (more != NULL)
        error_errno(e, outcome->error, "%s (%s)", what, more);
    else
        error_errno(e, outcome->error, "%s", what);
}
