/* Operations on names. */
#include "backends/posix_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

static int name_stat(const char *path, int64_t *value)
{
    struct stat s;
    if (fstatat(AT_FDCWD, path, &s, AT_SYMLINK_NOFOLLOW) != 0)
        return -1;
    *value = s.st_size;
    return 0;
}

/* Entries but "." and "..". getdents64 instead of readdir: nothing is allocated. */
static int64_t entries_in(const char *buffer, ssize_t bytes)
{
    int64_t entries = 0;
    for (ssize_t at = 0; at < bytes;) {
        const struct dirent64 *d = (const void *)(buffer + at);
        entries += strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0;
        at += d->d_reclen;
    }
    return entries;
}

static int name_list(const char *path, int64_t *value)
{
    _Alignas(struct dirent64) char buffer[32768];
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return -1;
    ssize_t got;
    while ((got = getdents64(fd, buffer, sizeof buffer)) > 0)
        *value += entries_in(buffer, got);
    int error = errno;
    close(fd);
    errno = error;
    return got < 0 ? -1 : 0;
}

/* fsync of a directory makes names durable that were made or changed in it. */
static int name_sync_directory(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return -1;
    int failed = fsync(fd), error = errno;
    close(fd);
    errno = error;
    return failed;
}

/* The attribute's value is the operation's data where it has some, else 32 bytes. */
static int name_xattr(const char *path, const struct op *op)
{
    static const char usual[32] = "pario";
    bool own = op->data != NULL && op->length_bytes > 0;
    return lsetxattr(path, "user.pario", own ? op->data : usual,
                     own ? op->length_bytes : sizeof usual, 0);
}

static int name_perform(const char *path, const char *other, const struct op *op, int64_t *value)
{
    switch ((enum op_kind)op->kind) {
    case OP_STAT:
        return name_stat(path, value);
    case OP_LIST:
        return name_list(path, value);
    case OP_RENAME:
        return rename(path, other);
    case OP_LINK:
        return linkat(AT_FDCWD, path, AT_FDCWD, other, 0);
    case OP_CHMOD:
        return chmod(path, (mode_t)op->other & 07777);
    case OP_XATTR:
        return name_xattr(path, op);
    case OP_UNLINK:
        return unlink(path);
    case OP_MKDIR:
        return mkdir(path, 0777);
    case OP_RMDIR:
        return rmdir(path);
    case OP_SYNC_DIRECTORY:
        return name_sync_directory(path);
    default:
        errno = ENOSYS;
        return -1;
    }
}

void posix_name(const struct object_names *names, const struct op *op, struct outcome *outcome)
{
    char path[POSIX_PATH_BYTES];
    char other[POSIX_PATH_BYTES];
    bool two = op->kind == OP_RENAME || op->kind == OP_LINK;
    *outcome = (struct outcome){0};
    if (names->path(names->plan, op->object, path, sizeof path) != 0 ||
        (two && names->path(names->plan, op->other, other, sizeof other) != 0)) {
        outcome->error = ENAMETOOLONG;
        return;
    }
    /* No call on a name is a transfer: one interrupted is simply made again. */
    int failed;
    while ((failed = name_perform(path, other, op, &outcome->value)) != 0 && errno == EINTR) {
        outcome->value = 0;
        outcome->retries++;
    }
    if (failed)
        outcome->error = errno;
}
