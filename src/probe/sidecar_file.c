#include "probe/sidecar.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* About 16 million files; more is no sidecar. */
#define MOST_BYTES ((off_t)1 << 30)
#define MAGIC "pario-sidecar "

static int write_all(int fd, const char *data, size_t bytes)
{
    while (bytes > 0) {
        ssize_t n = write(fd, data, bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return -1;
        data += n;
        bytes -= (size_t)n;
    }
    return 0;
}

/* A descriptor, or -1 with errno; never one that would block or that hides behind a link. */
static int open_regular(const char *path, struct stat *s)
{
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return -1;
    if (fstat(fd, s) == 0 && S_ISREG(s->st_mode))
        return fd;
    close(fd);
    errno = EINVAL;
    return -1;
}

static int read_text(int fd, struct text *t, size_t most)
{
    char chunk[8192];
    while (t->used < most) {
        ssize_t n = read(fd, chunk, sizeof chunk);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        if (n == 0)
            break;
        text_append(t, chunk, (size_t)n);
    }
    if (t->failed)
        errno = ENOMEM;
    return t->failed ? -1 : 0;
}

/* Refuses to replace what somebody else keeps under this name. */
static int check_replaceable(const char *path, struct error *e)
{
    struct stat s;
    char head[sizeof MAGIC] = "";
    if (lstat(path, &s) != 0 && errno == ENOENT)
        return 0;
    int fd = open_regular(path, &s);
    ssize_t n = fd >= 0 ? read(fd, head, sizeof MAGIC - 1) : -1;
    if (fd >= 0)
        close(fd);
    if (n == (ssize_t)sizeof MAGIC - 1 && memcmp(head, MAGIC, sizeof MAGIC - 1) == 0)
        return 0;
    return error_set(e, STATUS_USAGE, "usage",
                     "%.512s is in the way: pario keeps its record of the files there, but what is "
                     "there is none; move it",
                     path);
}

/* Makes a new file beside path, whose name goes into temporary: a short one, since path's may be as
 * long as names can be. */
static int open_temporary(const char *path, char *temporary, size_t bytes, struct error *e)
{
    char directory[PROBE_PATH_BYTES];
    file_directory(path, directory, sizeof directory);
    for (unsigned attempt = 0; attempt < 100; attempt++) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        int n = snprintf(temporary, bytes, "%s/.pario-%lx%lx%x", directory, (unsigned long)getpid(),
                         (unsigned long)now.tv_nsec, attempt);
        if (n < 0 || (size_t)n >= bytes)
            return error_errno(e, ENAMETOOLONG, "cannot write %.512s", path);
        int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (fd >= 0)
            return fd;
        if (errno != EEXIST)
            break;
    }
    return error_errno(e, errno, "cannot make a file beside %.512s", path);
}

/* So that the new name outlives a crash. Not every file system can; then there is nothing to do. */
static void sync_directory(const char *path)
{
    char directory[PROBE_PATH_BYTES];
    file_directory(path, directory, sizeof directory);
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    (void)fsync(fd);
    close(fd);
}

static int replace(const char *path, const struct text *t, struct error *e)
{
    char temporary[PROBE_PATH_BYTES + 64];
    int fd = open_temporary(path, temporary, sizeof temporary, e);
    if (fd < 0)
        return -1;
    int status = 0;
    if (write_all(fd, t->data, t->used) != 0 || fsync(fd) != 0)
        status = error_errno(e, errno, "cannot write %.512s", path);
    if (close(fd) != 0 && status == 0)
        status = error_errno(e, errno, "cannot write %.512s", path);
    if (status == 0 && rename(temporary, path) != 0)
        status = error_errno(e, errno, "cannot put %.512s in place", path);
    if (status != 0)
        unlink(temporary);
    else
        sync_directory(path);
    return status;
}

int sidecar_write(const char *path, const struct sidecar *s, struct error *e)
{
    struct text t = {0};
    int status = sidecar_format(s, &t, e);
    if (status == 0)
        status = check_replaceable(path, e);
    if (status == 0)
        status = replace(path, &t, e);
    text_free(&t);
    return status;
}

/* The whole file as text. 1: it is there, 0: it is not, -1 with an error. */
static int load(const char *path, const char *what, off_t most, struct text *t, struct error *e)
{
    struct stat s;
    int fd = open_regular(path, &s);
    /* Where the way there or the name is wrong no sidecar can be; the file itself tells of it. */
    if (fd < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG))
        return 0;
    if (fd < 0 && (errno == EINVAL || errno == ELOOP))
        return error_set(e, STATUS_USAGE, "usage", "%.512s is not a regular file, so no %s", path,
                         what);
    if (fd < 0)
        return error_errno(e, errno, "cannot read the %s %.512s", what, path);
    int status = 1;
    if (s.st_size > most)
        status = error_set(e, STATUS_USAGE, "usage", "%.512s: %lld bytes are too many for a %s",
                           path, (long long)s.st_size, what);
    else if (read_text(fd, t, (size_t)most + 1) != 0)
        status = error_errno(e, errno, "cannot read the %s %.512s", what, path);
    close(fd);
    return status;
}

int sidecar_read(const char *path, struct sidecar *s, bool *there, struct error *e)
{
    struct text t = {0};
    *s = (struct sidecar){0};
    int loaded = load(path, "sidecar", MOST_BYTES, &t, e);
    int status = loaded < 0 ? -1 : 0;
    *there = loaded > 0;
    if (loaded > 0)
        status = sidecar_parse(t.data ? t.data : "", t.used, path, s, e);
    text_free(&t);
    return status;
}

/* One number with blanks and newlines around it at most. */
static bool parse_status(const char *text, size_t used, uint64_t *transfers)
{
    char digits[24];
    size_t first = 0, end = used;
    while (end > 0 && strchr(" \t\r\n", text[end - 1]) != NULL)
        end--;
    while (first < end && strchr(" \t\r\n", text[first]) != NULL)
        first++;
    if (end - first >= sizeof digits || memchr(text + first, '\0', end - first) != NULL)
        return false;
    memcpy(digits, text + first, end - first);
    digits[end - first] = '\0';
    return source_digits(digits, transfers);
}

int sidecar_read_status(const char *path, uint64_t *transfers, struct error *e)
{
    enum { MOST = 64 };
    struct text t = {0};
    int loaded = load(path, "stonewalling status file", MOST, &t, e);
    int status = loaded < 0 ? -1 : 0;
    if (loaded == 0)
        status = error_set(e, STATUS_USAGE, "ENOENT",
                           "the stonewalling status file %.512s does not exist: a write with the "
                           "same option leaves it",
                           path);
    else if (loaded > 0 && !parse_status(t.data ? t.data : "", t.used, transfers))
        status = error_set(e, STATUS_USAGE, "usage",
                           "%.512s: a stonewalling status file holds one whole number, the "
                           "transfers per rank, and this one does not",
                           path);
    text_free(&t);
    return status;
}

int sidecar_check_status(const char *path, struct error *e)
{
    struct stat s;
    struct error none = error_none();
    uint64_t transfers;
    if (file_check_name(path, e))
        return -1;
    char directory[PROBE_PATH_BYTES];
    file_directory(path, directory, sizeof directory);
    if (access(directory, W_OK | X_OK) != 0)
        return error_set(e, STATUS_USAGE, "usage",
                         "%.512s: the stonewalling status file cannot be written there: %s", path,
                         strerror(errno));
    if (lstat(path, &s) != 0 || (S_ISREG(s.st_mode) && s.st_size == 0))
        return 0;
    if (sidecar_read_status(path, &transfers, &none) == 0)
        return 0;
    return error_set(e, STATUS_USAGE, "usage",
                     "%.512s is there and is no stonewalling status file: it is not replaced; move "
                     "it, or give another name",
                     path);
}

int sidecar_write_status(const char *path, uint64_t transfers, struct error *e)
{
    struct text t = {0};
    text_add(&t, "%" PRIu64 "\n", transfers);
    int status = t.failed ? error_errno(e, ENOMEM, "memory for the stonewalling status file")
                          : replace(path, &t, e);
    text_free(&t);
    return status;
}
