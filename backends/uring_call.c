/* Calls through the ring that are no transfers: open, close, sync, and those on names. */
#include "backends/uring_ring.h"

#ifdef HAVE_LIBURING

#include <fcntl.h>

/* No ring lists a directory or changes a mode; its setxattr follows symbolic links. */
#define NEVER (1u << OP_LIST | 1u << OP_CHMOD | 1u << OP_XATTR | 1u << OP_SYNC_DIRECTORY)

static const struct {
    uint8_t kind;
    int opcode;
} call_rows[] = {
    {OP_RENAME, IORING_OP_RENAMEAT}, /* Linux 5.11 */
    {OP_UNLINK, IORING_OP_UNLINKAT}, {OP_RMDIR, IORING_OP_UNLINKAT},
    {OP_LINK, IORING_OP_LINKAT}, /* Linux 5.15 */
    {OP_MKDIR, IORING_OP_MKDIRAT},
};

int uring_call_probe(struct uring *u, struct error *e)
{
    struct io_uring_probe *probe = io_uring_get_probe_ring(&u->ring);
    if (probe == NULL || !io_uring_opcode_supported(probe, IORING_OP_READ)) {
        io_uring_free_probe(probe);
        return error_set(e, STATUS_USAGE, "ENOSYS",
                         "the io_uring of this kernel is too old (Linux 5.6 is needed); "
                         "use -a aio");
    }
    u->by_syscall = NEVER;
    for (size_t i = 0; i < sizeof call_rows / sizeof call_rows[0]; i++)
        if (!io_uring_opcode_supported(probe, call_rows[i].opcode))
            u->by_syscall |= 1u << call_rows[i].kind;
    io_uring_free_probe(probe);
    return 0;
}

int uring_call_take(struct uring *u, const struct op *op, uint32_t slot)
{
    uint32_t index = u->calls_free[u->calls_free_used - 1];
    struct uring_call *call = &u->calls[index];
    bool two = op->kind == OP_RENAME || op->kind == OP_LINK;
    if (u->names.path(u->names.plan, op->object, call->path, sizeof call->path) != 0 ||
        (two && u->names.path(u->names.plan, op->other, call->other, sizeof call->other) != 0))
        return -1;
    u->slots[slot].call = index;
    u->calls_free_used--;
    return 0;
}

void uring_call_give(struct uring *u, uint32_t slot)
{
    if (u->slots[slot].call != URING_NO_CALL)
        u->calls_free[u->calls_free_used++] = (uint16_t)u->slots[slot].call;
    u->slots[slot].call = URING_NO_CALL;
}

static void fill_open(struct uring *u, struct io_uring_sqe *sqe, const struct op *op,
                      const char *path)
{
    int flags = posix_open_flags(op) | (u->direct ? O_DIRECT : 0);
    if (u->file_flags != 0)
        io_uring_prep_openat_direct(sqe, AT_FDCWD, path, flags & ~O_CLOEXEC, 0666, op->handle);
    else
        io_uring_prep_openat(sqe, AT_FDCWD, path, flags, 0666);
}

static void fill_handle(struct uring *u, struct io_uring_sqe *sqe, const struct op *op)
{
    if (op->kind == OP_SYNC) {
        io_uring_prep_fsync(sqe, u->fd[op->handle], 0);
        sqe->flags = u->file_flags;
    } else if (u->file_flags != 0) {
        io_uring_prep_close_direct(sqe, op->handle);
    } else {
        io_uring_prep_close(sqe, u->fd[op->handle]);
    }
}

static void fill_name(struct io_uring_sqe *sqe, const struct op *op, struct uring_call *call)
{
    switch ((enum op_kind)op->kind) {
    case OP_STAT:
        io_uring_prep_statx(sqe, AT_FDCWD, call->path, AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS,
                            &call->stat);
        break;
    case OP_RENAME:
        io_uring_prep_renameat(sqe, AT_FDCWD, call->path, AT_FDCWD, call->other, 0);
        break;
    case OP_LINK:
        io_uring_prep_linkat(sqe, AT_FDCWD, call->path, AT_FDCWD, call->other, 0);
        break;
    case OP_MKDIR:
        io_uring_prep_mkdirat(sqe, AT_FDCWD, call->path, 0777);
        break;
    case OP_RMDIR:
        io_uring_prep_unlinkat(sqe, AT_FDCWD, call->path, AT_REMOVEDIR);
        break;
    case OP_UNLINK:
        io_uring_prep_unlinkat(sqe, AT_FDCWD, call->path, 0);
        break;
    default: /* none comes here: the backend's table has a system call for it; if one did, EBADF */
        io_uring_prep_fsync(sqe, -1, 0);
        break;
    }
}

void uring_call_fill(struct uring *u, struct io_uring_sqe *sqe, uint32_t slot)
{
    const struct op *op = u->slots[slot].op;
    if (op->kind == OP_OPEN || op->kind == OP_CREATE)
        fill_open(u, sqe, op, u->calls[u->slots[slot].call].path);
    else if (op->kind == OP_SYNC || op->kind == OP_CLOSE)
        fill_handle(u, sqe, op);
    else
        fill_name(sqe, op, &u->calls[u->slots[slot].call]);
}

int64_t uring_call_settle(struct uring *u, uint32_t slot, int64_t result)
{
    const struct op *op = u->slots[slot].op;
    int64_t value = result < 0 ? result : 0;
    if ((op->kind == OP_OPEN || op->kind == OP_CREATE) && result >= 0)
        u->fd[op->handle] = u->file_flags != 0 ? (int)op->handle : (int)result;
    else if (op->kind == OP_CLOSE)
        u->fd[op->handle] = -1;
    else if (op->kind == OP_STAT && result >= 0)
        value = (int64_t)u->calls[u->slots[slot].call].stat.stx_size;
    uring_call_give(u, slot);
    return value;
}

#endif
