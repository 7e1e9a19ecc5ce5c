/* What a failure of MPI-IO means. Its libraries often give neither a class nor an errno for a full
 * disk, so the cause is looked for beside them, in the file system, and called probable. */
#include "backends/mpiio_file.h"

#ifdef HAVE_MPI

#include "backends/posix_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define PROBE_BYTES 4096

struct cause {
    int errno_value; /* 0: none was found */
    bool file_ends;  /* a read met the end */
    uint64_t size;   /* of the file, where file_ends */
    bool certain;    /* the library said it */
};

static int class_errno(int code)
{
    static const int rows[][2] = {
        {MPI_ERR_NO_SPACE, ENOSPC},   {MPI_ERR_QUOTA, EDQUOT},        {MPI_ERR_ACCESS, EACCES},
        {MPI_ERR_READ_ONLY, EROFS},   {MPI_ERR_NO_SUCH_FILE, ENOENT}, {MPI_ERR_FILE_EXISTS, EEXIST},
        {MPI_ERR_FILE_IN_USE, EBUSY},
    };
    int class = 0;
    if (code <= 0 || MPI_Error_class(code, &class) != MPI_SUCCESS)
        return 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i][0] == class)
            return rows[i][1];
    return 0;
}

/* Free bytes for users of the file system that holds path; UINT64_MAX where they are not known. */
static uint64_t free_bytes(const char *path)
{
    struct statvfs s;
    return statvfs(path, &s) == 0 ? (uint64_t)s.f_bavail * s.f_frsize : UINT64_MAX;
}

static void folder_of(const char *path, char *folder, size_t bytes)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        snprintf(folder, bytes, ".");
    else
        snprintf(folder, bytes, "%.*s", slash == path ? 1 : (int)(slash - path), path);
}

static int try_open(const char *path, const struct op *op)
{
    int fd = open(path, posix_open_flags(op) & ~(O_CREAT | O_EXCL | O_TRUNC));
    if (fd >= 0) {
        close(fd);
        return op->flags & OP_FLAG_EXCLUSIVE ? EEXIST : 0;
    }
    if (errno != ENOENT || !(op->flags & OP_FLAG_CREATE || op->kind == OP_CREATE))
        return errno;
    char folder[POSIX_PATH_BYTES];
    struct statvfs s;
    folder_of(path, folder, sizeof folder);
    if (access(folder, W_OK | X_OK) != 0)
        return errno;
    return statvfs(folder, &s) == 0 && s.f_files != 0 && s.f_favail == 0 ? ENOSPC : 0;
}

/* Writes again what was to be written there. */
static int try_write(const char *path, const struct op *op)
{
    size_t bytes = op->length_bytes < PROBE_BYTES ? (size_t)op->length_bytes : PROBE_BYTES;
    int fd = open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return errno;
    int error = pwrite(fd, op->data, bytes, (off_t)op->offset_bytes) < 0 ? errno : 0;
    close(fd);
    return error;
}

static int try_read(const char *path, const struct op *op)
{
    char data[PROBE_BYTES];
    size_t bytes = op->length_bytes < PROBE_BYTES ? (size_t)op->length_bytes : PROBE_BYTES;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return errno;
    int error = pread(fd, data, bytes, (off_t)op->offset_bytes) < 0 ? errno : 0;
    close(fd);
    return error;
}

static int try_sync(const char *path)
{
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return errno;
    int error = fsync(fd) != 0 ? errno : 0;
    close(fd);
    return error;
}

static struct cause find_cause(const char *path, const struct op *op, int code)
{
    struct stat s;
    struct cause cause = {.errno_value = class_errno(code), .certain = true};
    if (cause.errno_value != 0 || code == MPIIO_CLOSED || code == MPIIO_MISPLACED)
        return cause;
    cause.certain = false;
    if (code == MPIIO_LOST) { /* see mpiio_end_is_missing; by now some room may be free again */
        cause.errno_value = ENOSPC;
        return cause;
    }
    bool puts = op->kind == OP_WRITE || op->kind == OP_SYNC || op->kind == OP_CLOSE;
    if (puts && free_bytes(path) < (op->length_bytes > 0 ? op->length_bytes : 1))
        cause.errno_value = ENOSPC;
    else if (op->kind == OP_OPEN || op->kind == OP_CREATE)
        cause.errno_value = try_open(path, op);
    else if (op->kind == OP_WRITE)
        cause.errno_value = try_write(path, op);
    else if (op->kind == OP_SYNC)
        cause.errno_value = try_sync(path);
    else if (op->kind == OP_READ && stat(path, &s) == 0 &&
             (uint64_t)s.st_size < op->offset_bytes + op->length_bytes)
        cause = (struct cause){.file_ends = true, .size = (uint64_t)s.st_size};
    else if (op->kind == OP_READ)
        cause.errno_value = try_read(path, op);
    return cause;
}

/* The library's own words on one line, or ours for what it does not know to be wrong. */
static void words(int code, int64_t moved, char *text, size_t bytes)
{
    char said[MPI_MAX_ERROR_STRING] = "";
    int n = 0;
    switch (code) {
    case MPIIO_SHORT:
        snprintf(text, bytes, "MPI reported success, but moved %" PRId64 " bytes", moved);
        return;
    case MPIIO_LOST:
        snprintf(text, bytes, "MPI reported success, but the file ends before what was written");
        return;
    case MPIIO_CLOSED:
        snprintf(text, bytes, "the file is not open on this rank");
        return;
    case MPIIO_MISPLACED:
        snprintf(text, bytes, "the pieces do not fit the view that the first operation set");
        return;
    default:
        if (MPI_Error_string(code, said, &n) != MPI_SUCCESS)
            snprintf(said, sizeof said, "MPI error %d", code);
        for (char *c = said; *c != '\0'; c++)
            if (*c == '\n' || *c == '\t')
                *c = ' ';
        snprintf(text, bytes, "%s", said);
    }
}

static const char *call_name(const struct op *op)
{
    bool together = op->flags & OP_FLAG_COLLECTIVE;
    switch ((enum op_kind)op->kind) {
    case OP_READ:
        return together ? "MPI_File_read_at_all" : "MPI_File_read_at";
    case OP_WRITE:
        return together ? "MPI_File_write_at_all" : "MPI_File_write_at";
    case OP_SYNC:
        return "MPI_File_sync";
    case OP_CLOSE:
        return "MPI_File_close";
    case OP_UNLINK:
        return "MPI_File_delete";
    default:
        return "MPI_File_open";
    }
}

static void explain_call(const char *path, const struct op *op, const struct outcome *outcome,
                         struct error *e)
{
    char said[MPI_MAX_ERROR_STRING + 100], size[32] = "", name[16];
    struct cause cause = find_cause(path, op, outcome->error);
    words(outcome->error, outcome->value, said, sizeof said);
    if (op_is_transfer(op->kind))
        snprintf(size, sizeof size, " of %" PRIu64 " bytes", op->length_bytes);
    const char *kind =
        cause.errno_value != 0 ? error_errno_name(cause.errno_value, name, sizeof name) : "EIO";
    if (cause.file_ends)
        error_set(e, STATUS_FAILED, "end-of-file", "%s%s: %s; the file ends at byte %" PRIu64,
                  call_name(op), size, said, cause.size);
    else if (cause.errno_value != 0 && !cause.certain)
        error_set(e, STATUS_FAILED, kind, "%s%s: %s; probable cause: %s", call_name(op), size, said,
                  strerror(cause.errno_value));
    else
        error_set(e, STATUS_FAILED, kind, "%s%s: %s", call_name(op), size, said);
    if (e != NULL && e->errno_value == 0)
        e->errno_value = cause.errno_value;
}

void mpiio_explain(void *io, const struct op *op, const struct outcome *outcome, struct error *e)
{
    const struct mpiio *m = io;
    char path[POSIX_PATH_BYTES];
    bool by_handle = op->kind == OP_OPEN || op->kind == OP_CREATE || op_is_transfer(op->kind) ||
                     op->kind == OP_SYNC || op->kind == OP_CLOSE;
    if (!by_handle && op->kind != OP_UNLINK) {
        posix_explain(op, outcome, false, e);
        return;
    }
    if (outcome->error == MPIIO_LONG_NAME ||
        m->names.path(m->names.plan, op->object, path, sizeof path) != 0)
        error_errno(e, ENAMETOOLONG, "%s", call_name(op));
    else
        explain_call(path, op, outcome, e);
}

bool mpiio_end_is_missing(struct mpiio *m, struct mpiio_file *f)
{
    MPI_Offset size;
    char path[POSIX_PATH_BYTES];
    if (MPI_File_get_size(f->handle, &size) != MPI_SUCCESS || (uint64_t)size >= f->end_bytes)
        return false;
    /* Another node may have written it and not told this one yet; so a full disk must agree. */
    if (m->names.path(m->names.plan, f->object, path, sizeof path) != 0)
        return false;
    return free_bytes(path) < f->end_bytes - (uint64_t)size;
}

#endif
