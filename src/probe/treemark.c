#include "probe/treemark.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC "pario-tree 1\n"
#define MOST_BYTES (1 << 28)

/* A line each, "name value", in this order. */
static const struct {
    const char *name;
    size_t offset;
} fields[] = {
    {"ranks", offsetof(struct treemark, ranks)},
    {"targets", offsetof(struct treemark, targets)},
    {"items", offsetof(struct treemark, items)},
    {"per-dir", offsetof(struct treemark, per_dir)},
    {"branch", offsetof(struct treemark, branch)},
    {"depth", offsetof(struct treemark, depth)},
    {"leaves", offsetof(struct treemark, leaves)},
    {"unique", offsetof(struct treemark, unique)},
    {"shared", offsetof(struct treemark, shared)},
    {"rename-other", offsetof(struct treemark, rename_other)},
    {"write-bytes", offsetof(struct treemark, write_bytes)},
    {"seed", offsetof(struct treemark, seed)},
    {"made-target", offsetof(struct treemark, made_target)},
};
#define FIELDS (sizeof fields / sizeof fields[0])

int treemark_add(struct treemark *m, uint64_t files, uint64_t directories, struct error *e)
{
    struct treemark_run *last = m->runs_used ? &m->runs[m->runs_used - 1] : NULL;
    if (last && last->files == files && last->directories == directories) {
        last->ranks++;
        return 0;
    }
    if (m->runs_used == m->runs_capacity) {
        size_t capacity = m->runs_capacity ? 2 * m->runs_capacity : 16;
        struct treemark_run *runs = reallocarray(m->runs, capacity, sizeof *runs);
        if (!runs)
            return error_errno(e, ENOMEM, "memory for the record of a tree");
        m->runs = runs;
        m->runs_capacity = capacity;
    }
    m->runs[m->runs_used++] = (struct treemark_run){1, files, directories};
    return 0;
}

void treemark_created(const struct treemark *m, uint64_t rank, uint64_t *files,
                      uint64_t *directories)
{
    uint64_t first = 0;
    *files = *directories = m->runs_used ? 0 : m->items;
    for (size_t i = 0; i < m->runs_used; first += m->runs[i++].ranks) {
        if (rank - first >= m->runs[i].ranks)
            continue;
        *files = m->runs[i].files;
        *directories = m->runs[i].directories;
        return;
    }
}

bool treemark_has_files(const struct treemark *m)
{
    bool some = m->runs_used == 0;
    for (size_t i = 0; i < m->runs_used; i++)
        some |= m->runs[i].files > 0;
    return some;
}

bool treemark_has_directories(const struct treemark *m)
{
    bool some = m->runs_used == 0;
    for (size_t i = 0; i < m->runs_used; i++)
        some |= m->runs[i].directories > 0;
    return some;
}

void treemark_free(struct treemark *m)
{
    free(m->runs);
    *m = (struct treemark){0};
}

int treemark_format(const struct treemark *m, struct text *t, struct error *e)
{
    text_add(t, MAGIC);
    for (size_t i = 0; i < FIELDS; i++)
        text_add(t, "%s %" PRIu64 "\n", fields[i].name,
                 *(const uint64_t *)((const char *)m + fields[i].offset));
    for (size_t i = 0; i < m->runs_used; i++)
        text_add(t, "created %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", m->runs[i].ranks,
                 m->runs[i].files, m->runs[i].directories);
    text_add(t, "end\n");
    return t->failed ? error_errno(e, ENOMEM, "memory for the record of a tree") : 0;
}

struct reader {
    const char *at, *end;
};

static bool literal(struct reader *r, const char *text)
{
    size_t bytes = strlen(text);
    if ((size_t)(r->end - r->at) < bytes || memcmp(r->at, text, bytes) != 0)
        return false;
    r->at += bytes;
    return true;
}

static bool number(struct reader *r, uint64_t *value)
{
    const char *first = r->at;
    *value = 0;
    for (; r->at < r->end && isdigit((unsigned char)*r->at); r->at++)
        if (__builtin_mul_overflow(*value, (uint64_t)10, value) ||
            __builtin_add_overflow(*value, (uint64_t)(*r->at - '0'), value))
            return false;
    return r->at > first;
}

static bool parse_runs(struct reader *r, struct treemark *m, uint64_t *ranks)
{
    while (literal(r, "created ")) {
        struct treemark_run run;
        if (!number(r, &run.ranks) || !literal(r, " ") || !number(r, &run.files) ||
            !literal(r, " ") || !number(r, &run.directories) || !literal(r, "\n") ||
            run.ranks == 0 || run.files > m->items || run.directories > m->items ||
            __builtin_add_overflow(*ranks, run.ranks, ranks))
            return false;
        /* Not as it stands: equal neighbours become one. */
        if (treemark_add(m, run.files, run.directories, NULL))
            return false;
        m->runs[m->runs_used - 1].ranks += run.ranks - 1;
    }
    return true;
}

static bool parse(struct reader *r, struct treemark *m)
{
    uint64_t ranks = 0;
    if (!literal(r, MAGIC))
        return false;
    for (size_t i = 0; i < FIELDS; i++)
        if (!literal(r, fields[i].name) || !literal(r, " ") ||
            !number(r, (uint64_t *)((char *)m + fields[i].offset)) || !literal(r, "\n"))
            return false;
    if (m->ranks == 0 || m->targets == 0 || m->targets > m->ranks || m->branch == 0 ||
        m->leaves > 1 || m->unique > 1 || m->shared > 1 || m->rename_other > 1 ||
        m->made_target > 1)
        return false;
    return parse_runs(r, m, &ranks) && (m->runs_used == 0 || ranks == m->ranks) &&
           literal(r, "end\n") && r->at == r->end;
}

int treemark_parse(const char *text, size_t bytes, const char *name, struct treemark *m,
                   struct error *e)
{
    struct reader r = {text, text + bytes};
    *m = (struct treemark){0};
    if (parse(&r, m))
        return 0;
    uint64_t line = 1;
    for (const char *c = text; c < r.at; c++)
        line += *c == '\n';
    treemark_free(m);
    return error_set(e, STATUS_USAGE, "usage",
                     "%.512s, line %" PRIu64
                     ": this is not what pario wrote: nothing below is touched",
                     name, line);
}

static int mark_path(const char *home, const char *name, char *path, size_t bytes, struct error *e)
{
    int n = snprintf(path, bytes, "%s/%s", home, name);
    return n >= 0 && (size_t)n < bytes ? 0 : error_errno(e, ENAMETOOLONG, "%.512s/%s", home, name);
}

int treemark_read(const char *home, struct text *text, bool *there, struct error *e)
{
    char path[4096], chunk[8192];
    struct stat s;
    *there = false;
    if (mark_path(home, ".pario", path, sizeof path, e))
        return -1;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT || errno == ENOTDIR ? 0 : error_errno(e, errno, "%s", path);
    ssize_t n = fstat(fd, &s) == 0 && S_ISREG(s.st_mode) ? 1 : 0;
    *there = n > 0;
    while (n > 0 && text->used < MOST_BYTES && (n = read(fd, chunk, sizeof chunk)) > 0)
        text_append(text, chunk, (size_t)n);
    int error = n < 0 ? errno : text->failed ? ENOMEM : 0;
    close(fd);
    return error ? error_errno(e, error, "read %s", path) : 0;
}

static int write_text(int fd, const struct text *text)
{
    size_t done = 0;
    while (done < text->used) {
        ssize_t n = write(fd, text->data + done, text->used - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return -1;
        done += (size_t)n;
    }
    return 0;
}

int treemark_write(const char *home, const struct text *text, struct error *e)
{
    char path[4096], fresh[4096];
    if (mark_path(home, ".pario", path, sizeof path, e) ||
        mark_path(home, ".pario.new", fresh, sizeof fresh, e))
        return -1;
    unlink(fresh); /* of a run that was killed here */
    int fd = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd < 0)
        return error_errno(e, errno, "create %s", fresh);
    int failed = write_text(fd, text);
    int error = failed ? errno : 0;
    if (close(fd) && !error)
        error = errno;
    if (!error && rename(fresh, path))
        error = errno;
    if (error)
        unlink(fresh);
    return error ? error_errno(e, error, "write %s", path) : 0;
}

int treemark_remove(const char *home, struct error *e)
{
    char path[4096];
    if (mark_path(home, ".pario.new", path, sizeof path, e))
        return -1;
    unlink(path);
    if (mark_path(home, ".pario", path, sizeof path, e))
        return -1;
    return unlink(path) == 0 || errno == ENOENT ? 0 : error_errno(e, errno, "remove %s", path);
}
