#include "probe/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LEAST_HOLLOW_BYTES ((uint64_t)1 << 20)

static enum file_kind kind_of(uint32_t mode)
{
    switch (mode & S_IFMT) {
    case S_IFREG:
        return FILE_REGULAR;
    case S_IFDIR:
        return FILE_DIRECTORY;
    case S_IFLNK:
        return FILE_SYMLINK;
    case S_IFIFO:
        return FILE_FIFO;
    case S_IFSOCK:
        return FILE_SOCKET;
    case S_IFBLK:
        return FILE_BLOCK;
    default:
        return FILE_CHARACTER;
    }
}

static int64_t stamp_ns(int64_t seconds, uint32_t nanoseconds)
{
    int64_t ns;
    if (__builtin_mul_overflow(seconds, INT64_C(1000000000), &ns) ||
        __builtin_add_overflow(ns, (int64_t)nanoseconds, &ns))
        return 0;
    return ns;
}

int file_look(const char *path, struct file_facts *facts, struct error *e)
{
    struct statx s;
    *facts = (struct file_facts){.kind = FILE_MISSING};
    if (statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS | STATX_BTIME, &s) != 0) {
        if (errno == ENOENT)
            return 0;
        return error_errno(e, errno, "cannot look at %.256s", path);
    }
    facts->kind = kind_of(s.stx_mode);
    facts->size_bytes = s.stx_size;
    facts->allocated_bytes = source_product(s.stx_blocks, 512);
    facts->inode = s.stx_ino;
    facts->device = (uint64_t)s.stx_dev_major << 32 | s.stx_dev_minor;
    facts->modified_ns = stamp_ns(s.stx_mtime.tv_sec, s.stx_mtime.tv_nsec);
    if ((s.stx_mask & STATX_BTIME) != 0)
        facts->born_ns = stamp_ns(s.stx_btime.tv_sec, s.stx_btime.tv_nsec);
    facts->links = s.stx_nlink;
    facts->mode = s.stx_mode & 07777u;
    return 0;
}

const char *file_kind_name(enum file_kind kind)
{
    static const char *const names[] = {
        [FILE_MISSING] = "missing",       [FILE_REGULAR] = "a regular file",
        [FILE_DIRECTORY] = "a directory", [FILE_SYMLINK] = "a symbolic link",
        [FILE_FIFO] = "a FIFO",           [FILE_SOCKET] = "a socket",
        [FILE_BLOCK] = "a block device",  [FILE_CHARACTER] = "a character device",
    };
    return names[kind];
}

/* Position of the first control character, or the length. */
static size_t find_control(const char *path)
{
    size_t i = 0;
    while (path[i] != '\0' && (unsigned char)path[i] >= 0x20 && path[i] != 0x7f)
        i++;
    return i;
}

int file_check_name(const char *path, struct error *e)
{
    char shown[80];
    size_t length = strlen(path);
    size_t control = find_control(path);
    text_copy(shown, sizeof shown, path);
    if (length == 0)
        return error_set(e, STATUS_USAGE, "usage", "the path is empty; give the name of a file");
    if (path[control] != '\0')
        return error_set(e, STATUS_USAGE, "usage",
                         "%s%s: the path has a control character (0x%02x) in place %zu; names "
                         "without are right",
                         shown, length >= sizeof shown ? "..." : "", (unsigned char)path[control],
                         control + 1);
    if (length >= PATH_MAX)
        return error_set(e, STATUS_USAGE, "usage",
                         "%s...: the path is %zu bytes long; at most %d are possible", shown,
                         length, PATH_MAX - 1);
    for (const char *part = path; *part != '\0';) {
        size_t n = strcspn(part, "/");
        if (n > NAME_MAX)
            return error_set(e, STATUS_USAGE, "usage",
                             "%s...: a name between slashes is %zu bytes long; at most %d are "
                             "possible",
                             shown, n, NAME_MAX);
        part += n + (part[n] == '/');
    }
    return 0;
}

int file_check_target(const char *path, const struct file_facts *facts, bool devices,
                      struct error *e)
{
    switch (facts->kind) {
    case FILE_MISSING:
    case FILE_REGULAR:
        return 0;
    case FILE_DIRECTORY:
        return error_set(e, STATUS_USAGE, "usage", "%.512s is a directory; give a file name", path);
    case FILE_SYMLINK:
        return error_set(e, STATUS_USAGE, "usage",
                         "%.512s is a symbolic link, and none is followed at this place; give the "
                         "name of the file itself",
                         path);
    case FILE_BLOCK:
        if (devices)
            return 0;
        return error_set(
            e, STATUS_USAGE, "usage",
            "%.512s is a block device: allow it to be read with --allow-device, and what it holds "
            "to be overwritten with --allow-device=write",
            path);
    default:
        return error_set(e, STATUS_USAGE, "usage",
                         "%.512s is %s; give the name of a regular file or of one to be made", path,
                         file_kind_name(facts->kind));
    }
}

void file_directory(const char *path, char *buf, size_t bytes)
{
    const char *slash = strrchr(path, '/');
    size_t n = slash ? (size_t)(slash - path) : 0;
    if (slash == NULL)
        snprintf(buf, bytes, ".");
    else
        snprintf(buf, bytes, "%.*s", n == 0 ? 1 : (int)n, path);
}

int file_check_directory(const char *path, struct error *e)
{
    char directory[PROBE_PATH_BYTES];
    char why[64];
    struct stat s;
    file_directory(path, directory, sizeof directory);
    if (stat(directory, &s) != 0) {
        int cause = errno;
        return error_set(e, STATUS_USAGE, "usage", "%.512s: cannot use its directory %.512s: %s",
                         path, directory, strerror_r(cause, why, sizeof why));
    }
    if (!S_ISDIR(s.st_mode))
        return error_set(e, STATUS_USAGE, "usage", "%.512s: %.512s is not a directory", path,
                         directory);
    if (faccessat(AT_FDCWD, directory, W_OK | X_OK, AT_EACCESS) != 0) {
        int cause = errno;
        return error_set(e, STATUS_USAGE, "usage",
                         "%.512s: cannot make files in its directory %.512s: %s", path, directory,
                         strerror_r(cause, why, sizeof why));
    }
    return 0;
}

int file_check(const char *path, bool devices, struct file_facts *facts, struct error *e)
{
    struct file_facts own;
    struct file_facts *f = facts ? facts : &own;
    *f = (struct file_facts){.kind = FILE_MISSING};
    if (file_check_name(path, e) != 0)
        return -1;
    size_t n = strlen(path);
    if (path[n - 1] == '/')
        return error_set(e, STATUS_USAGE, "usage", "%.512s names a directory; give a file name",
                         path);
    if (file_check_directory(path, e) != 0 || file_look(path, f, e) != 0 ||
        file_check_target(path, f, devices, e) != 0)
        return -1;
    return 0;
}

bool file_is_hollow(const struct file_facts *facts)
{
    return facts->kind == FILE_REGULAR && facts->size_bytes >= LEAST_HOLLOW_BYTES &&
           facts->allocated_bytes < facts->size_bytes / 2;
}
