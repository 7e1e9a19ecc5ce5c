#include "run/checkpoint_store.h"

#include "base/op.h"
#include "probe/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int path_of(const struct checkpoint_plan *p, uint64_t object, char *path, struct error *e)
{
    if (checkpoint_path(p, object, path, PROBE_PATH_BYTES))
        return error_set(e, STATUS_USAGE, "usage",
                         "option -o: the path is too long for the names of a checkpoint");
    return 0;
}

/* "step-00000012" -> 12; 0 for any other name. */
static uint64_t step_of(const char *name)
{
    uint64_t step = 0;
    if (strncmp(name, "step-", 5) != 0 || strlen(name) < 13 || strspn(name + 5, "0123456789") > 8 ||
        strspn(name + 5, "0123456789") != strlen(name) - 5)
        return 0;
    for (const char *at = name + 5; *at; at++)
        step = step * 10 + (uint64_t)(*at - '0');
    return step <= CHECKPOINT_STEPS_MOST ? step : 0;
}

static bool is_marker(const char *name)
{
    return strcmp(name, "latest") == 0 || strcmp(name, "latest.tmp") == 0;
}

static bool is_file(const char *name)
{
    return strncmp(name, "rank-", 5) == 0 || strncmp(name, "model-", 6) == 0 ||
           strncmp(name, "group-", 6) == 0 || strcmp(name, "shared") == 0 ||
           strcmp(name, "shared.tmp") == 0;
}

static bool is_dot(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* Reads the marker; *there false: there is none. */
static int read_marker(const struct checkpoint_plan *p, struct checkpoint_marker *m, bool *there,
                       struct error *e)
{
    char path[PROBE_PATH_BYTES], text[CHECKPOINT_MARKER_BYTES];
    *there = false;
    if (path_of(p, checkpoint_marker(), path, e))
        return -1;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT ? 0 : error_errno(e, errno, "%s: open", path);
    size_t used = 0;
    ssize_t got;
    while (used < sizeof text && (got = read(fd, text + used, sizeof text - used)) != 0) {
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            error_errno(e, errno, "%s: read", path);
            close(fd);
            return -1;
        }
        used += (size_t)got;
    }
    close(fd);
    *there = checkpoint_marker_parse(text, used, path, m, e) == 0;
    return *there ? 0 : -1;
}

/* The first name in the directory that no checkpoint has; "" where there is none. Notes the steps,
 * and the newest. */
static int look_inside(struct checkpoint_store *s, const char *path, char *foreign, size_t bytes,
                       struct error *e)
{
    DIR *dir = opendir(path);
    foreign[0] = '\0';
    if (!dir)
        return error_errno(e, errno, "%s: opendir", path);
    const struct dirent *d;
    while ((d = readdir(dir)) != NULL) {
        uint64_t step = step_of(d->d_name);
        if (step > s->unmarked)
            s->unmarked = step;
        if (step && s->steps_used < CHECKPOINT_STEPS_SEEN)
            s->steps[s->steps_used++] = step;
        if (!step && !is_marker(d->d_name) && !is_dot(d->d_name))
            snprintf(foreign, bytes, "%s", d->d_name);
    }
    closedir(dir);
    return 0;
}

static int refuse_foreign(const char *path, const char *what, struct error *e)
{
    return error_set(e, STATUS_USAGE, "foreign-file",
                     "%s exists and was not made by pario (%s): nothing in it is written or "
                     "removed; choose another -o",
                     path, what);
}

int checkpoint_store_look(struct checkpoint_store *s, const struct checkpoint_plan *p, bool write,
                          struct error *e)
{
    char path[PROBE_PATH_BYTES], foreign[256];
    struct file_facts facts;
    *s = (struct checkpoint_store){0};
    if (path_of(p,
                checkpoint_file(CHECKPOINT_STEPS_MOST, p->layout.writers * p->layout.slots - 1) |
                    OBJECT_TEMPORARY,
                path, e) ||
        path_of(p, checkpoint_directory(), path, e) || file_check_name(path, e) ||
        file_look(path, &facts, e))
        return -1;
    if (facts.kind == FILE_MISSING)
        return write ? file_check_directory(path, e) : 0;
    if (facts.kind != FILE_DIRECTORY)
        return error_set(e, STATUS_USAGE, "usage",
                         "%s is %s: checkpoints need a directory of their own there", path,
                         file_kind_name(facts.kind));
    s->exists = true;
    if (read_marker(p, &s->marker, &s->marked, e) ||
        look_inside(s, path, foreign, sizeof foreign, e))
        return -1;
    /* Without a marker only a run that died in its first moment can have left it, and that left
     * nothing else. */
    if (!s->marked && (foreign[0] || s->unmarked) && write)
        return refuse_foreign(path, foreign[0] ? foreign : "it has no marker", e);
    if (s->marked && s->unmarked <= s->marker.latest)
        s->unmarked = 0;
    if (write && access(path, W_OK | X_OK) != 0)
        return error_errno(e, errno, "%s: it cannot be written", path);
    return 0;
}

static int sync_directory(const char *path, struct error *e)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int failed = fd < 0 || fsync(fd) != 0 ? error_errno(e, errno, "%s: fsync", path) : 0;
    if (fd >= 0)
        close(fd);
    return failed;
}

static int write_file(const char *path, const char *text, size_t bytes, struct error *e)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd < 0)
        return error_errno(e, errno, "%s: open", path);
    int failed = write(fd, text, bytes) != (ssize_t)bytes || fsync(fd) != 0
                     ? error_errno(e, errno ? errno : EIO, "%s: write", path)
                     : 0;
    if (close(fd) != 0 && !failed)
        failed = error_errno(e, errno, "%s: close", path);
    return failed;
}

/* In the directory, which is there. */
static int put_marker(const struct checkpoint_plan *p, const struct checkpoint_marker *m,
                      struct error *e)
{
    char path[PROBE_PATH_BYTES], from[PROBE_PATH_BYTES], to[PROBE_PATH_BYTES];
    char text[CHECKPOINT_MARKER_BYTES];
    if (path_of(p, checkpoint_directory(), path, e) ||
        path_of(p, checkpoint_marker() | OBJECT_TEMPORARY, from, e) ||
        path_of(p, checkpoint_marker(), to, e))
        return -1;
    checkpoint_marker_format(m, text);
    if (write_file(from, text, sizeof text, e))
        return -1;
    if (rename(from, to) != 0)
        return error_errno(e, errno, "%s: rename", to);
    return sync_directory(path, e);
}

int checkpoint_store_make(const struct checkpoint_plan *p, struct error *e)
{
    char path[PROBE_PATH_BYTES];
    struct checkpoint_marker none = {
        .seed = p->seed, .ranks = p->ranks, .oldest = 1, .layout = p->layout};
    if (path_of(p, checkpoint_directory(), path, e))
        return -1;
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return error_errno(e, errno, "%s: mkdir", path);
    return put_marker(p, &none, e);
}

int checkpoint_store_unmark(struct checkpoint_store *s, const struct checkpoint_plan *p,
                            struct error *e)
{
    struct error ignored = error_none();
    char path[PROBE_PATH_BYTES];
    s->marker.oldest = 1;
    s->marker.latest = 0;
    if (put_marker(p, &s->marker, &ignored) == 0)
        return 0;
    /* On a full disk there is no room for it, and room is what removing makes. */
    if (path_of(p, checkpoint_marker(), path, e))
        return -1;
    return unlink(path) == 0 ? 0 : error_errno(e, errno, "%s: unlink", path);
}

/* Unlinks what a checkpoint consists of in one of its directories, and the directory. */
static int remove_step(int top, const char *name, struct error *e)
{
    int fd = openat(top, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    if (!dir) {
        error_errno(e, errno, "%s: opendir", name);
        if (fd >= 0)
            close(fd);
        return -1;
    }
    int failed = 0;
    const struct dirent *d;
    while (!failed && (d = readdir(dir)) != NULL)
        if (is_file(d->d_name) && unlinkat(fd, d->d_name, 0) != 0)
            failed = error_errno(e, errno, "%s/%s: unlink", name, d->d_name);
    closedir(dir);
    if (!failed && unlinkat(top, name, AT_REMOVEDIR) != 0 && errno != ENOTEMPTY && errno != EEXIST)
        failed = error_errno(e, errno, "%s: rmdir", name);
    return failed;
}

static int remove_marker(int top, struct error *e)
{
    if ((unlinkat(top, "latest", 0) != 0 && errno != ENOENT) ||
        (unlinkat(top, "latest.tmp", 0) != 0 && errno != ENOENT))
        return error_errno(e, errno, "unlink of the marker");
    return 0;
}

static int remove_steps(DIR *dir, struct error *e)
{
    int failed = 0;
    const struct dirent *d;
    while (!failed && (d = readdir(dir)) != NULL)
        if (step_of(d->d_name))
            failed = remove_step(dirfd(dir), d->d_name, e);
    return failed;
}

int checkpoint_store_clear(const struct checkpoint_plan *p, struct error *e)
{
    char path[PROBE_PATH_BYTES];
    if (path_of(p, checkpoint_directory(), path, e))
        return -1;
    DIR *dir = opendir(path);
    if (!dir)
        return errno == ENOENT ? 0 : error_errno(e, errno, "%s: opendir", path);
    int failed = remove_steps(dir, e) || remove_marker(dirfd(dir), e) ? -1 : 0;
    closedir(dir);
    if (failed)
        return error_wrap(e, "%s: removing checkpoints", path);
    if (rmdir(path) != 0 && errno != ENOTEMPTY && errno != EEXIST)
        return error_errno(e, errno, "%s: rmdir", path);
    return 0;
}
