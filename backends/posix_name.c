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

/* A name and what it is relative to. */
struct name {
    int directory;
    const char *text;
};

static int name_stat(struct name name, int64_t *value)
{
    struct stat s;
    if (fstatat(name.directory, name.text, &s, AT_SYMLINK_NOFOLLOW) != 0)
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

static int open_directory(struct name name)
{
    return openat(name.directory, name.text, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static int close_after(int fd, bool failed)
{
    int error = errno;
    close(fd);
    errno = error;
    return failed ? -1 : 0;
}

static int name_list(struct name name, int64_t *value)
{
    _Alignas(struct dirent64) char buffer[32768];
    int fd = open_directory(name);
    if (fd < 0)
        return -1;
    ssize_t got;
    while ((got = getdents64(fd, buffer, sizeof buffer)) > 0)
        *value += entries_in(buffer, got);
    return close_after(fd, got < 0);
}

/* fsync of a directory makes names durable that were made or changed in it; syncfs everything. */
static int name_sync(struct name name, int (*sync)(int fd))
{
    int fd = open_directory(name);
    return fd < 0 ? -1 : close_after(fd, sync(fd) != 0);
}

/* The attribute's value is the operation's data where it has some, else 32 bytes. */
static int name_xattr(const char *path, const struct op *op)
{
    static const char usual[32] = "pario";
    bool own = op->data != NULL && op->length_bytes > 0;
    return lsetxattr(path, "user.pario", own ? op->data : usual,
                     own ? op->length_bytes : sizeof usual, 0);
}

static int name_perform(struct name name, struct name other, const struct op *op, int64_t *value)
{
    switch ((enum op_kind)op->kind) {
    case OP_STAT:
        return name_stat(name, value);
    case OP_LIST:
        return name_list(name, value);
    case OP_RENAME:
        return renameat(name.directory, name.text, other.directory, other.text);
    case OP_LINK:
        return linkat(name.directory, name.text, other.directory, other.text, 0);
    case OP_CHMOD:
        return fchmodat(name.directory, name.text, (mode_t)op->other & 07777, 0);
    case OP_XATTR:
        return name_xattr(name.text, op);
    case OP_UNLINK:
        return unlinkat(name.directory, name.text, 0);
    case OP_MKDIR:
        return mkdirat(name.directory, name.text, 0777);
    case OP_RMDIR:
        return unlinkat(name.directory, name.text, AT_REMOVEDIR);
    case OP_SYNC_DIRECTORY:
        return name_sync(name, fsync);
    case OP_SYNC:
        return name_sync(name, syncfs);
    default:
        errno = ENOSYS;
        return -1;
    }
}

/* No call on a name is a transfer: one interrupted is simply made again. */
static void perform(struct name name, struct name other, const struct op *op,
                    struct outcome *outcome)
{
    int failed;
    while ((failed = name_perform(name, other, op, &outcome->value)) != 0 && errno == EINTR) {
        outcome->value = 0;
        outcome->retries++;
    }
    if (failed)
        outcome->error = errno;
}

static bool has_two(const struct op *op)
{
    return op->kind == OP_RENAME || op->kind == OP_LINK;
}

void posix_name(const struct object_names *names, const struct op *op, struct outcome *outcome)
{
    char path[POSIX_PATH_BYTES];
    char other[POSIX_PATH_BYTES];
    *outcome = (struct outcome){0};
    if (names->path(names->plan, op->object, path, sizeof path) != 0 ||
        (has_two(op) && names->path(names->plan, op->other, other, sizeof other) != 0)) {
        outcome->error = ENAMETOOLONG;
        return;
    }
    perform((struct name){AT_FDCWD, path}, (struct name){AT_FDCWD, other}, op, outcome);
}

/* The directory was met again, or for the first time: opened once it seems to stay. */
static int approach(struct posix_files *files, uint64_t directory)
{
    struct posix_near *near = &files->near[0];
    while (near < files->near + POSIX_NEAR && near->directory != directory)
        near++;
    if (near == files->near + POSIX_NEAR) {
        near = &files->near[files->oldest++ % POSIX_NEAR];
        if (near->fd >= 0)
            close(near->fd);
        *near = (struct posix_near){.directory = directory, .fd = -1};
    }
    char path[POSIX_PATH_BYTES];
    if (++near->uses == POSIX_NEAR_FROM &&
        files->names.path(files->names.plan, directory, path, sizeof path) == 0)
        near->fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    return near->fd;
}

int posix_files_place(struct posix_files *files, uint64_t object, struct posix_place *place)
{
    const struct object_names *names = &files->names;
    uint64_t directory;
    if (!files->whole_paths &&
        names->leaf(names->plan, object, &directory, place->name, sizeof place->name) >= 0) {
        for (unsigned i = 0; i < POSIX_NEAR; i++) {
            place->directory = files->near[i].fd;
            if (files->near[i].directory == directory && place->directory >= 0)
                return 0;
        }
        place->directory = approach(files, directory);
        if (place->directory >= 0)
            return 0;
    }
    place->directory = AT_FDCWD;
    return names->path(names->plan, object, place->name, sizeof place->name) ? ENAMETOOLONG : 0;
}

void posix_files_name(struct posix_files *files, const struct op *op, struct outcome *outcome)
{
    struct posix_place place, other;
    if (op->kind == OP_XATTR) { /* which has no call relative to a directory */
        posix_name(&files->names, op, outcome);
        return;
    }
    *outcome = (struct outcome){.error = posix_files_place(files, op->object, &place)};
    if (outcome->error == 0 && has_two(op))
        outcome->error = posix_files_place(files, op->other, &other);
    if (outcome->error != 0)
        return;
    perform((struct name){place.directory, place.name}, (struct name){other.directory, other.name},
            op, outcome);
}
