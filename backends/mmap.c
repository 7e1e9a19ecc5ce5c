/* Files by memory mapping: a transfer is a memcpy to or from the mapped file, a sync an msync.
 *
 * A mapping may reach past the end of its file, but only what the file has can be touched. So a
 * write past the end grows the file first: to its expected size at once where that is known, as a
 * program with a mapping would, else by writing its own last byte. Neither can cut what another
 * rank has written meanwhile. */
#include "backends/mmap_guard.h"
#include "backends/posix_file.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Flags of an outcome's error, beside the errno. */
#define BUS (1 << 20) /* SIGBUS during the copy */
#define CUT (1 << 21) /* the file is shorter than it was */

#define GRAIN_BYTES (UINT64_C(1) << 20) /* mappings are multiples of it */

struct mmap_options {
    int64_t advice;
};

struct mapping {
    char *base;            /* NULL: not mapped yet */
    uint64_t mapped_bytes; /* may be more than the file has */
    uint64_t file_bytes;   /* when last looked; others may have changed it */
    uint64_t dirty_from;   /* written since the last sync; nothing where from >= to */
    uint64_t dirty_to;
    bool writable;
};

struct mapper {
    struct posix_files *files;
    uint64_t expected_bytes;
    int advice; /* MADV_... */
    struct mapping maps[];
};

static const int advices[] = {MADV_NORMAL, MADV_SEQUENTIAL, MADV_RANDOM, MADV_WILLNEED,
                              MADV_HUGEPAGE};

static const struct option mmap_options[] = {
    {.name = "advice",
     .kind = OPTION_CHOICE,
     .field = offsetof(struct mmap_options, advice),
     .initial = "normal",
     .choices = "normal|sequential|random|willneed|hugepage",
     .argument = "NAME",
     .group = "Backend mmap",
     .workloads = WORKLOAD_ANY,
     .help = "what madvise tells the kernel about the mapping",
     .text = "sequential: read further ahead; random: do not read ahead; willneed: read the file "
             "in at once; hugepage: use large pages. Where the file system does not take an "
             "advice, nothing changes."},
    {.name = NULL},
};

static void *mmap_open(const struct backend_setup *setup, struct error *e)
{
    const struct mmap_options *options = setup->options;
    int error = mmap_guard_install();
    if (error != 0) {
        error_errno(e, error, "mmap: sigaction of SIGBUS");
        return NULL;
    }
    struct posix_files *files = posix_files_make(setup, 0, e);
    if (files == NULL)
        return NULL;
    struct mapper *m = calloc(1, sizeof *m + setup->handles * sizeof m->maps[0]);
    if (m == NULL) {
        posix_files_free(files);
        error_set(e, STATUS_FAILED, "ENOMEM", "mmap: no memory for %u mappings",
                  (unsigned)setup->handles);
        return NULL;
    }
    m->files = files;
    m->expected_bytes = setup->expected_bytes;
    m->advice = advices[options->advice];
    return m;
}

static void unmap(struct mapping *map)
{
    if (map->base != NULL)
        munmap(map->base, map->mapped_bytes);
    *map = (struct mapping){.dirty_from = UINT64_MAX};
}

static void mmap_close(void *io)
{
    struct mapper *m = io;
    for (uint32_t i = 0; i < m->files->handles; i++)
        unmap(&m->maps[i]);
    posix_files_free(m->files);
    free(m);
}

/* By seeking, which knows the size of a block device, too. */
static int look_at_size(int fd, struct mapping *map)
{
    off_t end = lseek(fd, 0, SEEK_END);
    if (end < 0)
        return errno;
    map->file_bytes = (uint64_t)end;
    return 0;
}

/* Makes the file reach to end, which the byte before belongs to. */
static int grow(const struct mapper *m, int fd, struct mapping *map, uint64_t end, char last,
                struct outcome *outcome)
{
    bool at_once = end <= m->expected_bytes;
    bool failed;
    do
        failed = at_once ? ftruncate(fd, (off_t)m->expected_bytes) != 0
                         : pwrite(fd, &last, 1, (off_t)(end - 1)) != 1;
    while (failed && posix_again(m->files->clock, errno, outcome));
    return failed ? errno : look_at_size(fd, map);
}

/* Makes the mapping reach to end. */
static int map_to(const struct mapper *m, int fd, struct mapping *map, uint64_t end)
{
    uint64_t bytes = end > map->file_bytes ? end : map->file_bytes;
    if (bytes < m->expected_bytes)
        bytes = m->expected_bytes;
    if (bytes < 2 * map->mapped_bytes)
        bytes = 2 * map->mapped_bytes;
    bytes = (bytes + GRAIN_BYTES - 1) / GRAIN_BYTES * GRAIN_BYTES;
    int protection = map->writable ? PROT_READ | PROT_WRITE : PROT_READ;
    void *base = map->base == NULL ? mmap(NULL, bytes, protection, MAP_SHARED, fd, 0)
                                   : mremap(map->base, map->mapped_bytes, bytes, MREMAP_MAYMOVE);
    if (base == MAP_FAILED)
        return errno;
    map->base = base;
    map->mapped_bytes = bytes;
    if (m->advice != MADV_NORMAL)
        madvise(base, bytes, m->advice);
    return 0;
}

/* The piece lies beyond what is known of the file: looks again, and grows it for a write. *bytes is
 * cut to what a read can have. */
static int reach(struct mapper *m, const struct op *op, uint64_t offset, const char *data,
                 uint64_t *bytes, struct outcome *outcome)
{
    int fd = m->files->fd[op->handle];
    struct mapping *map = &m->maps[op->handle];
    int error = look_at_size(fd, map);
    if (error == 0 && op->kind == OP_WRITE && offset + *bytes > map->file_bytes)
        error = grow(m, fd, map, offset + *bytes, data[*bytes - 1], outcome);
    if (error != 0)
        return error;
    if (offset >= map->file_bytes)
        *bytes = 0;
    else if (*bytes > map->file_bytes - offset)
        *bytes = map->file_bytes - offset;
    if (*bytes > 0 && offset + *bytes > map->mapped_bytes)
        return map_to(m, fd, map, offset + *bytes);
    return 0;
}

/* Why the kernel could not give the memory. */
static int diagnose(struct mapper *m, const struct op *op, uint64_t end)
{
    int fd = m->files->fd[op->handle];
    struct mapping *map = &m->maps[op->handle];
    struct statvfs room;
    if (look_at_size(fd, map) == 0 && end > map->file_bytes)
        return CUT;
    if (op->kind == OP_WRITE && fstatvfs(fd, &room) == 0 &&
        room.f_bavail * room.f_frsize < op->length_bytes)
        return ENOSPC | BUS;
    return EIO | BUS;
}

/* 0, or an error as outcome.error; *bytes becomes what was moved. */
static int piece(struct mapper *m, const struct op *op, uint64_t offset, char *data,
                 uint64_t *bytes, struct outcome *outcome)
{
    struct mapping *map = &m->maps[op->handle];
    bool write = op->kind == OP_WRITE;
    if (write && !map->writable)
        return EBADF;
    if (__builtin_expect(offset + *bytes > map->file_bytes || offset + *bytes > map->mapped_bytes,
                         0)) {
        int error = reach(m, op, offset, data, bytes, outcome);
        if (error != 0)
            return error;
    }
    if (*bytes == 0)
        return 0;
    char *place = map->base + offset;
    if (!mmap_guard_copy(write ? place : data, write ? data : place, *bytes))
        return diagnose(m, op, offset + *bytes);
    if (write && offset < map->dirty_from)
        map->dirty_from = offset;
    if (write && offset + *bytes > map->dirty_to)
        map->dirty_to = offset + *bytes;
    return 0;
}

static enum io_state mmap_transfer(void *io, const struct op *op, uint32_t slot,
                                   struct outcome *outcome)
{
    (void)slot;
    uint32_t pieces = op->count > 1 ? op->count : 1;
    char *data = op->data;
    *outcome = (struct outcome){0};
    for (uint32_t i = 0; i < pieces && op->length_bytes > 0; i++, data += op->length_bytes) {
        uint64_t bytes = op->length_bytes;
        int error = piece(io, op, op->offset_bytes + i * op->stride_bytes, data, &bytes, outcome);
        if (error != 0) {
            outcome->error = i == 0 ? error : 0; /* later: a short count, and met again */
            break;
        }
        outcome->value += (int64_t)bytes;
        if (bytes < op->length_bytes)
            break;
    }
    return IO_DONE;
}

static enum io_state mmap_open_file(void *io, const struct op *op, uint32_t slot,
                                    struct outcome *outcome)
{
    (void)slot;
    struct mapper *m = io;
    struct op both = *op;
    bool writable = (op->flags & OP_FLAG_WRITE) || op->kind == OP_CREATE;
    if (writable) /* what can be written through a mapping must be readable */
        both.flags |= OP_FLAG_READ | OP_FLAG_WRITE;
    posix_files_open(m->files, &both, outcome);
    if (outcome->error == 0) {
        unmap(&m->maps[op->handle]);
        m->maps[op->handle].writable = writable;
    }
    return IO_DONE;
}

static enum io_state mmap_close_file(void *io, const struct op *op, uint32_t slot,
                                     struct outcome *outcome)
{
    (void)slot;
    struct mapper *m = io;
    unmap(&m->maps[op->handle]);
    posix_files_close(m->files, op, outcome);
    return IO_DONE;
}

static enum io_state mmap_sync(void *io, const struct op *op, uint32_t slot,
                               struct outcome *outcome)
{
    (void)slot;
    struct mapper *m = io;
    struct mapping *map = &m->maps[op->handle];
    if (op->flags & OP_FLAG_DIRECTORY || map->dirty_from >= map->dirty_to) {
        posix_files_sync(m->files, op, false, outcome);
        return IO_DONE;
    }
    uint64_t page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t from = map->dirty_from / page_bytes * page_bytes;
    *outcome = (struct outcome){0};
    int failed;
    do
        failed = msync(map->base + from, map->dirty_to - from, MS_SYNC);
    while (failed && posix_again(m->files->clock, errno, outcome));
    if (failed) {
        outcome->error = errno;
    } else {
        map->dirty_from = UINT64_MAX;
        map->dirty_to = 0;
    }
    return IO_DONE;
}

static enum io_state mmap_named(void *io, const struct op *op, uint32_t slot,
                                struct outcome *outcome)
{
    (void)slot;
    posix_files_name(((struct mapper *)io)->files, op, outcome);
    return IO_DONE;
}

static void mmap_explain(void *io, const struct op *op, const struct outcome *outcome,
                         struct error *e)
{
    const struct mapper *m = io;
    const char *name = op_name(op->kind);
    unsigned long long bytes = op->length_bytes;
    if (outcome->error & CUT)
        error_set(e, STATUS_FAILED, "truncated",
                  "%s %llu bytes: the file was cut to %llu bytes while it was mapped (SIGBUS)",
                  name, bytes, (unsigned long long)m->maps[op->handle].file_bytes);
    else if (outcome->error & BUS)
        error_errno(e, outcome->error & ~BUS,
                    "%s %llu bytes (SIGBUS in the mapping; the cause is a guess)", name, bytes);
    else if (outcome->error == ENODEV && op_is_transfer(op->kind))
        error_errno(e, ENODEV, "%s %llu bytes (the file system cannot map files)", name, bytes);
    else
        posix_explain(op, outcome, false, e);
}

const struct backend backend_mmap = {
    .name = "mmap",
    .sentence = "files by memory mapping: memcpy, and msync as sync",
    .traits = BACKEND_PATHS | BACKEND_STORES,
    .options = mmap_options,
    .options_bytes = sizeof(struct mmap_options),
    .max_depth = 1,
    .open = mmap_open,
    .close = mmap_close,
    .perform =
        {
            [OP_OPEN] = mmap_open_file,
            [OP_READ] = mmap_transfer,
            [OP_WRITE] = mmap_transfer,
            [OP_SYNC] = mmap_sync,
            [OP_CLOSE] = mmap_close_file,
            [OP_CREATE] = mmap_open_file,
            [OP_STAT] = mmap_named,
            [OP_LIST] = mmap_named,
            [OP_RENAME] = mmap_named,
            [OP_LINK] = mmap_named,
            [OP_CHMOD] = mmap_named,
            [OP_XATTR] = mmap_named,
            [OP_UNLINK] = mmap_named,
            [OP_MKDIR] = mmap_named,
            [OP_RMDIR] = mmap_named,
            [OP_SYNC_DIRECTORY] = mmap_named,
        },
    .explain = mmap_explain,
};
