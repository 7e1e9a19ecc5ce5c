/* Why an operation failed, looked for beside the library, and what all ranks must know before they
 * call it together. */
#include "backends/mpiio_share.h"

#ifdef HAVE_MPI

#include "backends/posix_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define PROBE_BYTES 4096

int mpiio_class_errno(int code)
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

uint64_t mpiio_free_bytes(const char *path)
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

int mpiio_try_open(const char *path, const struct op *op)
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

struct mpiio_cause mpiio_find_cause(const char *path, const struct op *op, bool plain)
{
    struct stat s;
    struct mpiio_cause cause = {0};
    bool puts = op->kind == OP_WRITE || op->kind == OP_SYNC || op->kind == OP_CLOSE;
    if (puts && mpiio_free_bytes(path) < (op->length_bytes > 0 ? op->length_bytes : 1))
        cause.errno_value = ENOSPC;
    else if (op->kind == OP_OPEN || op->kind == OP_CREATE)
        cause.errno_value = mpiio_try_open(path, op);
    else if (op->kind == OP_SYNC)
        cause.errno_value = try_sync(path);
    else if (!plain)
        return cause;
    else if (op->kind == OP_WRITE)
        cause.errno_value = try_write(path, op);
    else if (op->kind == OP_READ && stat(path, &s) == 0 &&
             (uint64_t)s.st_size < op->offset_bytes + op->length_bytes)
        cause = (struct mpiio_cause){.file_ends = true, .size = (uint64_t)s.st_size};
    else if (op->kind == OP_READ)
        cause.errno_value = try_read(path, op);
    return cause;
}

struct mpiio_agreed mpiio_agree(MPI_Comm comm, int error)
{
    struct mpiio_agreed worst = {error < 0 ? -error : error, 0};
    MPI_Comm_rank(comm, &worst.rank);
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_2INT, MPI_MAXLOC, comm);
    return worst;
}

void mpiio_look(struct mpiio_agreed unopenable[2], MPI_Comm comm, const struct object_names *names)
{
    static const uint16_t flags[2] = {OP_FLAG_READ, OP_FLAG_WRITE};
    char path[POSIX_PATH_BYTES];
    bool named = names->path(names->plan, 0, path, sizeof path) == 0;
    for (int i = 0; i < 2; i++) {
        struct op op = {.kind = OP_OPEN, .flags = flags[i]};
        int error = named ? mpiio_try_open(path, &op) : 0;
        unopenable[i] = mpiio_agree(comm, error == ENOENT ? 0 : error);
    }
}

#endif
